package open

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/screen"
)

// shelfKeys work on the saved session that is selected.
var shelfKeys = struct{ Rename, Copy, Delete, Restore key.Binding }{
	Rename:  screen.Bind("ctrl+r", "rename", "ctrl+r"),
	Copy:    screen.Bind("ctrl+y", "copy", "ctrl+y"),
	Delete:  screen.Bind("ctrl+d", "delete (to the trash)", "ctrl+d"),
	Restore: screen.Bind("ctrl+b", "bring the last deleted back", "ctrl+b"),
}

// shelf is the folder of saved sessions as it was read last, and what is being done to it, off the update loop.
type shelf struct {
	jobs    screen.Jobs
	doing   string   // what is being done to a session, empty while the folder is only read
	read    bool     // the folder was read
	failed  string   // why it could not be
	trashed []string // what was deleted here, in its order
}

// acting reports whether something is being done to a session.
func (s *shelf) acting() bool { return s.jobs.Busy() && s.doing != "" }

// deed is what was done to a session.
type deed struct {
	at       string // the file to stand on then
	trashed  string // where it lies, if it was deleted
	restored string // where it lay, if it was brought back
	typed    bool   // its name was typed: if it fails, the name stays to be mended
	err      error
}

// shelvedMsg brings what was done, if anything was, and the folder as it is then.
type shelvedMsg struct {
	deed
	entries []sessions.Entry
	unread  error
}

// list has the folder read.
func (m *Model) list() tea.Cmd { return m.shelve("", func(context.Context) deed { return deed{} }) }

// shelve does something to a session of the folder, which is read again then.
func (m *Model) shelve(what string, act func(context.Context) deed) tea.Cmd {
	m.shelf.doing = what
	dir, shown := m.dir, what
	if shown == "" {
		shown = "reading " + sessions.Sanitize(dir)
	}
	return m.shelf.jobs.Start(shown, func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		msg := shelvedMsg{deed: act(ctx)}
		msg.entries, msg.unread = sessions.List(ctx, dir)
		return msg
	})
}

// stop gives up what is being done to a session, and reads what became of it.
func (m *Model) stop() tea.Cmd {
	what := m.shelf.doing
	cmd := m.list()
	m.reason = what + " was stopped; what the folder holds is read again"
	return cmd
}

// shelfKey takes a key that works on the selected session; false if it is none.
func (m *Model) shelfKey(press tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.field != fieldSessions || !key.Matches(press, shelfKeys.Rename, shelfKeys.Copy, shelfKeys.Delete, shelfKeys.Restore) {
		return nil, false
	}
	found := m.matches(fieldSessions)
	switch {
	case m.shelf.acting():
		m.reason = "wait: " + m.shelf.doing + " is under way; esc stops it"
		return nil, true
	case key.Matches(press, shelfKeys.Restore):
		return m.restore(), true
	case len(found) == 0:
		return nil, false
	}
	path := found[min(m.selected[fieldSessions], len(found)-1)].value
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	shown := sessions.Sanitize(name)
	switch {
	case key.Matches(press, shelfKeys.Rename):
		return m.prompt.Ask("rename to", name, func(text string) tea.Cmd {
			return m.shelve("renaming "+shown, func(context.Context) deed {
				to, err := sessions.Rename(path, text)
				return deed{at: to, typed: true, err: err}
			})
		}), true
	case key.Matches(press, shelfKeys.Copy):
		return m.prompt.Ask("copy as", name+"-copy", func(text string) tea.Cmd {
			return m.shelve("copying "+shown, func(ctx context.Context) deed {
				to, err := sessions.Copy(ctx, path, text)
				return deed{at: to, typed: true, err: err}
			})
		}), true
	}
	if path == m.open {
		m.reason = "this session is open: open another one first"
		return nil, true
	}
	return m.shelve("deleting "+shown, func(context.Context) deed {
		to, err := sessions.Trash(path)
		return deed{at: path, trashed: to, err: err}
	}), true
}

// restore brings back what was deleted last.
func (m *Model) restore() tea.Cmd {
	if len(m.shelf.trashed) == 0 {
		m.reason = "nothing was deleted here"
		return nil
	}
	last := m.shelf.trashed[len(m.shelf.trashed)-1]
	return m.shelve("bringing back "+sessions.Sanitize(strings.TrimSuffix(filepath.Base(last), ".jsonl")), func(context.Context) deed {
		to, err := sessions.Restore(last)
		return deed{at: to, restored: last, err: err}
	})
}

// shelved takes what was done to a session and the folder as it is then; what went wrong is said.
func (m *Model) shelved(msg tea.Msg) tea.Cmd {
	asked := m.shelf.doing
	m.shelf.doing = ""
	done, ok := msg.(shelvedMsg)
	if p, panicked := msg.(screen.PanicMsg); panicked {
		done = shelvedMsg{unread: errors.New("internal error: " + p.Reason)}
	}
	m.put(done.entries, done.unread)
	if done.err != nil {
		m.reason = sessions.Sanitize(done.err.Error())
		if done.typed && m.field == fieldSessions && !m.prompt.Open() {
			return m.prompt.Again(m.reason)
		}
		return nil
	}
	if asked == "" || !ok {
		return nil
	}
	m.reason, m.peeking = m.shelf.failed, ""
	if done.trashed != "" {
		m.shelf.trashed = append(m.shelf.trashed, done.trashed)
		m.reason = "moved to the trash folder; ctrl+b brings it back"
	}
	if done.restored != "" {
		m.shelf.trashed = slices.DeleteFunc(m.shelf.trashed, func(p string) bool { return p == done.restored })
	}
	m.inputs[fieldSessions].SetValue("")
	m.selected[fieldSessions] = min(m.selected[fieldSessions], max(len(m.lists[fieldSessions])-1, 0))
	m.selectValue(fieldSessions, done.at)
	return nil
}

// put shows the folder as it was read: its sessions, and first what the newest of them used. What stands selected stays so.
func (m *Model) put(entries []sessions.Entry, unread error) {
	m.shelf.read, m.shelf.failed = true, ""
	if unread != nil && m.dir != "" {
		m.shelf.failed = "the folder cannot be read: " + sessions.Sanitize(unread.Error())
	}
	lately, with := used(entries)
	m.fitting.used = with
	m.relist(fieldSessions, sessionItems(entries))
	m.relist(fieldFunction, byUse(m.lists[fieldFunction], lately))
	m.relist(fieldOptimizer, byUse(m.lists[fieldOptimizer], with))
}

// relist gives a field another list, in which it stands on the entry that it stood on.
func (m *Model) relist(f field, items []item) {
	stood := ""
	if found := m.matches(f); len(found) > 0 {
		stood = found[min(m.selected[f], len(found)-1)].value
	}
	m.lists[f] = items
	found := m.matches(f)
	if i := slices.IndexFunc(found, func(it item) bool { return it.value == stood }); i >= 0 {
		m.selected[f] = i
	} else {
		m.selected[f] = min(m.selected[f], max(len(found)-1, 0))
	}
}

// used are the functions and the optimizers of sessions, the last used first.
func used(entries []sessions.Entry) (functions, optimizers []string) {
	for _, e := range entries {
		base, _, _ := strings.Cut(e.Problem, ":")
		functions, optimizers = append(functions, base), append(optimizers, e.Optimizer)
	}
	return functions, optimizers
}

// unlisted says why there is no list of saved sessions; empty if there is one.
func (m *Model) unlisted() string {
	switch {
	case m.dir == "":
		return sessions.ErrNoHome.Error()
	case m.shelf.failed != "":
		return m.shelf.failed
	case !m.shelf.read:
		return "reading the folder…"
	case len(m.lists[fieldSessions]) == 0:
		return "there is no saved session yet"
	}
	return ""
}
