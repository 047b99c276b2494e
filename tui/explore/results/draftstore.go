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

// draftStore keeps what was typed and not told in a small file beside the session, off the update loop: it is no
// result, and never in the log.
type draftStore struct {
	saves      int    // how often something was to be kept
	loadedPath string // the session of which it was read what was kept
	writes     writeQueue
}

// writeQueue are in the order in which they were wanted, whenever they are done.
type writeQueue struct {
	mu        sync.Mutex
	lastWrite int // the latest that was done
}

// typedTexts are what was typed, by the names of the points and by what it is of.
type typedTexts map[string]map[string]string

// Messages of the shelf.
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

// load reads what was kept of a session, once.
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
			m.texts = nil // it is none of ours
		}
		return m
	}
}

// save writeQueue what was typed, or removes the file where that is nothing. A write that was overtaken by a later one
// is not done.
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
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// saveDrafts keeps what was typed of all points, where the session has a file that is written to.
func (t turn) saveDrafts() tea.Cmd {
	if t.State.Path == "" || t.State.ReadOnly {
		return nil
	}
	texts := typedTexts{}
	for name, d := range t.drafts {
		if kept := d.typedTexts(); len(kept) > 0 && !d.correcting {
			texts[name] = kept
		}
	}
	return t.store.save(t.State.Path, texts)
}

// loaded takes what was kept of the points that wait still; what was typed meanwhile goes before.
func (t turn) loaded(msg loadedMsg) tea.Cmd {
	found := false
	for _, p := range Pending(t.State) {
		kept := msg.texts[p.name()]
		if d := t.draft(p); len(kept) > 0 && !d.correcting && msg.path == t.State.Path {
			kept = maps.Clone(kept)
			maps.Copy(kept, d.typedTexts())
			d.restore(kept)
			found = found || d.typed()
		}
	}
	p, ok := t.point()
	if !found || !ok {
		return nil
	}
	t.Say("what you typed last time stands in the form again; nothing of it is told yet")
	return t.show(p, t.at)
}
