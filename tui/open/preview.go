package open

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/lab"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"bandscope/tui/layout"
	"bandscope/tui/plot/trace"
	"bandscope/tui/screen"
)

// preview is what was seen of the saved session that is selected, off the update loop.
type preview struct {
	jobs   screen.Jobs
	peeked peeked
	path   string // of the session that is to be seen
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
	if m.field == fieldStudies {
		return m.peekStudy()
	}
	if m.field != fieldSessions {
		return nil
	}
	it, ok := m.on(fieldSessions)
	if !ok || it.value == m.preview.path {
		return nil
	}
	path := it.value
	m.preview.path = path
	return m.preview.jobs.Start("reading", func(ctx context.Context, _ func(string, int, int)) tea.Msg { return peekedMsg{look(ctx, path)} })
}

// peekStudy looks into the study that is selected.
func (m *Model) peekStudy() tea.Cmd {
	it, ok := m.on(fieldStudies)
	if !ok || studyPath(it.value) == m.preview.path {
		return nil
	}
	m.preview.path = studyPath(it.value)
	return m.preview.jobs.Start("reading", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		return peekedMsg{lookStudy(ctx, it.value, it.path)}
	})
}

// took takes what was seen of a session.
func (p *preview) took(msg tea.Msg) {
	p.jobs.Finish()
	switch msg := msg.(type) {
	case peekedMsg:
		p.peeked = msg.peeked
	case screen.PanicMsg:
		p.peeked = peeked{path: p.path, lines: []string{"cannot be read: " + safe.Text(msg.Reason)}}
	}
}

// look looks into a session.
func look(ctx context.Context, path string) peeked {
	p := peeked{path: path}
	s, err := sessions.Peek(ctx, path)
	if errors.Is(err, sessions.ErrLab) {
		return lookLab(ctx, path)
	}
	if err != nil {
		p.lines = []string{"cannot be read: " + safe.Text(err.Error())}
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
	p.lines = append(append(lines, ""), noteLines(s.Timeline(), 11-len(lines))...)
	t := report.AllTracesOf(st)
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

// noteLines are at most so many of the notes of a session, by their first lines.
func noteLines(t sessions.Timeline, most int) (lines []string) {
	for _, stop := range t.Stops {
		if stop.Note != "" && len(lines) < most {
			lines = append(lines, safe.Text(fmt.Sprintf("note %d: %s", stop.Step, stop.Note)))
		}
	}
	return lines
}

// lookLab looks into a session of a lab.
func lookLab(ctx context.Context, path string) peeked {
	p := peeked{path: path}
	s, err := lab.Peek(ctx, path)
	if err != nil {
		p.lines = []string{"cannot be read: " + safe.Text(err.Error())}
		return p
	}
	s.Last()
	st := s.State()
	p.lines = []string{st.Title(), "begun " + s.Started().UTC().Format("2006-01-02 15:04 MST"), fmt.Sprintf("update %d of %d", st.Step, st.Of)}
	if branches, err := s.Branches(); err == nil && len(branches) > 1 {
		p.lines = append(p.lines, fmt.Sprintf("%d branches", len(branches)))
	}
	p.lines = append(append(p.lines, ""), noteLines(s.Timeline(), 11-len(p.lines))...)
	first := st.Lab.Columns[0]
	p.name, p.log = first.Label, first.Log
	for _, row := range st.Runs[0].Trace {
		p.trace = append(p.trace, row[0])
	}
	return p
}

// peekLines is the preview of a saved session.
func (m *Model) peekLines(path string, w, h int) []string {
	st := m.Style
	p := m.preview.peeked
	if p.path != path {
		return []string{"", " " + st.Paint(st.Dim, st.Plain("reading…"))}
	}
	var body []string
	for i, text := range p.lines {
		color := st.Dim
		if i == 0 {
			color = st.Text
		}
		body = append(body, layout.Paragraph(st, color, text, w-2)...)
	}
	if room := h - len(body) - 1; len(p.trace) > 1 && room >= 6 {
		body = append(append(body, " "+st.Paint(st.Dim, p.name)), trace.Trace{Series: []trace.Series{{Values: p.trace, Color: st.Used}}, Log: p.log, X: "iteration"}.
			Draw(w-1, min(room, 12), st)...)
	}
	return body
}
