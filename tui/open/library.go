package open

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// LessonMsg asks for a built-in lesson.
type LessonMsg struct{ Name string }

// shelfKeys work on the saved session that is selected.
var shelfKeys = struct{ Rename, Copy, Delete, Restore key.Binding }{
	Rename:  screen.Bind("ctrl+r", "rename", "ctrl+r"),
	Copy:    screen.Bind("ctrl+y", "copy", "ctrl+y"),
	Delete:  screen.Bind("ctrl+d", "delete (to the trash)", "ctrl+d"),
	Restore: screen.Bind("ctrl+b", "bring the last deleted back", "ctrl+b"),
}

func lessonItems() []item {
	var items []item
	for _, l := range sessions.Lessons() {
		items = append(items, item{value: l.Name, about: l.Title, more: []string{l.Title, "", l.About, "",
			fmt.Sprintf("on %s, with %s, %d steps", l.Problem, l.Optimizer, l.Steps), "", "read with space, fork anywhere with f"}})
	}
	return items
}

// byUse puts the entries that the newest sessions used first, in the order of their use.
func byUse(items []item, used []string) []item {
	rank := func(it item) int {
		if i := slices.Index(used, it.value); i >= 0 {
			return i
		}
		return len(used)
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b item) int { return rank(a) - rank(b) })
	return items
}

// used are the functions and the optimizers of the sessions of a folder, the last used first.
func used(dir string) (functions, optimizers []string) {
	entries, err := sessions.List(context.Background(), dir)
	if err != nil {
		return nil, nil
	}
	for _, e := range entries {
		base, _, _ := strings.Cut(e.Problem, ":")
		functions, optimizers = append(functions, base), append(optimizers, e.Optimizer)
	}
	return functions, optimizers
}

// shelfKey takes a key that works on the selected session; false if it is none.
func (m *Model) shelfKey(press tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.field != fieldSessions {
		return nil, false
	}
	found := m.matches(fieldSessions)
	if key.Matches(press, shelfKeys.Restore) {
		return nil, m.restore()
	}
	if len(found) == 0 {
		return nil, false
	}
	path := found[min(m.selected[fieldSessions], len(found)-1)].value
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	switch {
	case key.Matches(press, shelfKeys.Rename):
		return m.prompt.Ask("rename to", name, func(text string) tea.Cmd {
			to, err := sessions.Rename(path, text)
			if m.shelved(to, err); err != nil {
				return m.prompt.Again(m.reason)
			}
			return nil
		}), true
	case key.Matches(press, shelfKeys.Copy):
		return m.prompt.Ask("copy as", name+"-copy", func(text string) tea.Cmd {
			to, err := sessions.Copy(path, text)
			if m.shelved(to, err); err != nil {
				return m.prompt.Again(m.reason)
			}
			return nil
		}), true
	case key.Matches(press, shelfKeys.Delete):
		if path == m.open {
			m.reason = "this session is open: open another one first"
			return nil, true
		}
		to, err := sessions.Trash(path)
		if m.shelved(path, err); err == nil {
			m.trashed = append(m.trashed, to)
			m.reason = "moved to the trash folder; ctrl+b brings it back"
		}
		return nil, true
	}
	return nil, false
}

func (m *Model) restore() bool {
	if len(m.trashed) == 0 {
		m.reason = "nothing was deleted here"
		return true
	}
	last := m.trashed[len(m.trashed)-1]
	path, err := sessions.Restore(last)
	if m.shelved(path, err); err == nil {
		m.trashed = m.trashed[:len(m.trashed)-1]
	}
	return true
}

// shelved reads the folder again after something was done to a session, and stands on it; or shows what went wrong.
func (m *Model) shelved(path string, err error) {
	m.reason = ""
	if err != nil {
		m.reason = sessions.Sanitize(err.Error())
		return
	}
	m.lists[fieldSessions], m.peeking = sessionItems(m.dir), ""
	m.inputs[fieldSessions].SetValue("")
	m.selected[fieldSessions] = min(m.selected[fieldSessions], max(len(m.lists[fieldSessions])-1, 0))
	m.selectValue(fieldSessions, path)
}

// peeked is a session that was looked into for the preview.
type peeked struct {
	path  string
	lines []string
	trace []float64
	log   bool
	name  string
}

// peekedMsg brings what was seen of a session.
type peekedMsg struct{ peeked peeked }

// peek looks into the session that is selected, off the update loop; the one that was looked into before is dropped.
func (m *Model) peek() tea.Cmd {
	if m.field != fieldSessions {
		return nil
	}
	found := m.matches(fieldSessions)
	if len(found) == 0 {
		return nil
	}
	path := found[min(m.selected[fieldSessions], len(found)-1)].value
	if path == m.peeking {
		return nil
	}
	m.peeking = path
	return m.jobs.Start("reading", func(ctx context.Context, _ func(string, int, int)) tea.Msg { return peekedMsg{look(ctx, path)} })
}

// look looks into a session.
func look(ctx context.Context, path string) peeked {
	p := peeked{path: path}
	s, err := sessions.Peek(ctx, path)
	if err != nil {
		p.lines = []string{"cannot be read: " + sessions.Sanitize(err.Error())}
		return p
	}
	s.Last()
	st := s.State()
	lines := []string{st.Title(), "begun " + s.Started().UTC().Format("2006-01-02 15:04 MST")}
	if branches, err := s.Branches(); err == nil && len(branches) > 1 {
		lines = append(lines, fmt.Sprintf("%d branches", len(branches)))
	}
	if x, y, step, ok := st.Best(); ok && len(st.Problem.Objectives) == 1 {
		lines = append(lines, fmt.Sprintf("best %s at step %d, %s", screen.Number(y), step, screen.Point(st.Problem.Domain, x)))
	}
	lines = append(lines, "")
	for i, p := range s.Timeline().Places {
		if p.Note != "" && len(lines) < 12 {
			lines = append(lines, sessions.Sanitize(fmt.Sprintf("note %d: %s", s.Timeline().Places[i].Step, p.Note)))
		}
	}
	p.lines = lines
	t := st.AllTraces()
	switch {
	case t.Several != nil:
		p.trace, p.name = t.Several.Hypervolume, "hypervolume, "+t.Several.Range.Label()
	case t.Simple != nil:
		p.trace, p.name, p.log = t.Simple, "simple regret", true
	default:
		p.trace, p.name = t.Best, "best value"
	}
	return p
}

// peekLines is the preview of a saved session.
func (m *Model) peekLines(path string, w, h int) []string {
	st := m.style
	p := m.peeked
	if p.path != path {
		return []string{"", " " + st.Paint(st.Dim, st.Plain("reading…"))}
	}
	var body []string
	for i, text := range p.lines {
		color := st.Dim
		if i == 0 {
			color = st.Text
		}
		for _, l := range screen.Wrap(text, w-2) {
			body = append(body, " "+st.Paint(color, st.Plain(l)))
		}
	}
	if room := h - len(body) - 1; len(p.trace) > 1 && room >= 6 {
		body = append(append(body, " "+st.Paint(st.Dim, p.name)), plot.Trace{Series: []plot.Series{{Values: p.trace, Color: st.Used}}, Log: p.log, X: "iteration"}.
			Draw(w-1, min(room, 12), st)...)
	}
	return body
}
