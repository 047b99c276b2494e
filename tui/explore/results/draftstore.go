package results

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// draftStore saves drafts to a small file beside the session, off the update loop. Drafts are not results and never in
// the log.
type draftStore struct {
	saves      int    // how many saves were requested
	loadedPath string // the session whose drafts were loaded
	writes     writeQueue
}

// writeQueue keeps the order of the writes: a write that a later one has overtaken is skipped.
type writeQueue struct {
	mu        sync.Mutex
	lastWrite int // the latest that was done
}

// typedTexts are the typed texts, by the names of the points and the keys of the rows.
type typedTexts map[string]map[string]string

// Messages of the store.
type (
	loadedMsg struct {
		path  string
		texts typedTexts
	}
	savedMsg struct{ err error }
)

// draftsPath is the file beside a session's.
func draftsPath(path string) string { return path + ".drafts" }

// maxDrafts bounds the file that is read, in bytes.
const maxDrafts = 1 << 20

// load reads the drafts of a session, once.
func (s *draftStore) load(path string) tea.Cmd {
	if path == "" || s.loadedPath == path {
		return nil
	}
	s.loadedPath = path
	return func() tea.Msg {
		info, err := os.Lstat(draftsPath(path))
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxDrafts {
			return loadedMsg{path: path}
		}
		b, err := os.ReadFile(draftsPath(path))
		m := loadedMsg{path: path}
		if err == nil && json.Unmarshal(b, &m.texts) != nil {
			m.texts = nil // another program's file
		}
		return m
	}
}

// save writes the texts, or removes the file if there are none. A write that a later one has overtaken is skipped.
func (s *draftStore) save(path string, texts typedTexts) tea.Cmd {
	s.saves++
	n, w := s.saves, &s.writes
	return func() tea.Msg {
		w.mu.Lock()
		defer w.mu.Unlock()
		if n < w.lastWrite {
			return nil
		}
		w.lastWrite = n
		if err := write(draftsPath(path), texts); err != nil {
			return savedMsg{err}
		}
		return nil
	}
}

// write replaces the file as a whole.
func write(path string, texts typedTexts) error {
	if len(texts) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	b, err := json.Marshal(texts)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".drafts-*")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// saveDrafts saves the drafts of all points, if the session has a writable file.
func (t turn) saveDrafts() tea.Cmd {
	if t.State.Path == "" || t.State.ReadOnly {
		return nil
	}
	texts := typedTexts{}
	for name, d := range t.drafts {
		if draftTexts := d.typedTexts(); len(draftTexts) > 0 && !d.correcting {
			texts[name] = draftTexts
		}
	}
	return t.store.save(t.State.Path, texts)
}

// loaded restores the drafts of the points that are still pending; texts that were typed meanwhile are kept.
func (t turn) loaded(msg loadedMsg) tea.Cmd {
	found := false
	for _, p := range Pending(t.State) {
		remaining := msg.texts[p.name()]
		if d := t.draft(p); len(remaining) > 0 && !d.correcting && msg.path == t.State.Path {
			remaining = maps.Clone(remaining)
			maps.Copy(remaining, d.typedTexts())
			d.restore(remaining)
			found = found || d.typed()
		}
	}
	p, ok := t.point()
	if !found || !ok {
		return nil
	}
	t.Say("the form has your input from last time; it is not reported yet")
	return t.show(p, t.at)
}
