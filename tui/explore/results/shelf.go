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

// shelf keeps what was typed and not told in a small file beside the session, off the update loop: it is no result, and
// never in the log.
type shelf struct {
	wanted int    // how often something was to be kept
	read   string // the session of which it was read what was kept
	writes writes
}

// writes are in the order in which they were wanted, whenever they are done.
type writes struct {
	mu   sync.Mutex
	done int // the latest that was done
}

// typedTexts are what was typed, by the names of the points and by what it is of.
type typedTexts map[string]map[string]string

// Messages of the shelf.
type (
	loadedMsg struct {
		path  string
		texts typedTexts
	}
	keptMsg struct{ err error }
)

// draftsFor is the file beside a session's.
func draftsFor(path string) string { return path + ".drafts" }

// maxDrafts bounds the file that is read, in bytes.
const maxDrafts = 1 << 20

// load reads what was kept of a session, once.
func (s *shelf) load(path string) tea.Cmd {
	if path == "" || s.read == path {
		return nil
	}
	s.read = path
	return func() tea.Msg {
		info, err := os.Lstat(draftsFor(path))
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxDrafts {
			return loadedMsg{path: path}
		}
		b, err := os.ReadFile(draftsFor(path))
		m := loadedMsg{path: path}
		if err == nil && json.Unmarshal(b, &m.texts) != nil {
			m.texts = nil // it is none of ours
		}
		return m
	}
}

// keep writes what was typed, or removes the file where that is nothing. A write that was overtaken by a later one is
// not done.
func (s *shelf) keep(path string, texts typedTexts) tea.Cmd {
	s.wanted++
	n, w := s.wanted, &s.writes
	return func() tea.Msg {
		w.mu.Lock()
		defer w.mu.Unlock()
		if n < w.done {
			return nil
		}
		w.done = n
		if err := write(draftsFor(path), texts); err != nil {
			return keptMsg{err}
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

// keep keeps what was typed of all points, where the session has a file that is written to.
func (t turn) keep() tea.Cmd {
	if t.State.Path == "" || t.State.ReadOnly {
		return nil
	}
	texts := typedTexts{}
	for name, d := range t.drafts {
		if kept := d.kept(); len(kept) > 0 && !d.instead {
			texts[name] = kept
		}
	}
	return t.shelf.keep(t.State.Path, texts)
}

// loaded takes what was kept of the points that wait still; what was typed meanwhile goes before.
func (t turn) loaded(msg loadedMsg) tea.Cmd {
	found := false
	for _, p := range Waiting(t.State) {
		kept := msg.texts[p.name()]
		if d := t.draft(p); len(kept) > 0 && !d.instead && msg.path == t.State.Path {
			kept = maps.Clone(kept)
			maps.Copy(kept, d.kept())
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
