package librarypage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/recorder"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/training"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// preview is the preview of the selected session or study, read off the update loop.
type preview struct {
	jobs   widget.Jobs
	loaded sessionPreview
	path   string // of the selected session
}

// sessionPreview is the preview of a session.
type sessionPreview struct {
	path  string
	lines []string
	trace []float64
	log   bool
	name  string
}

// previewMsg brings the preview of a session.
type previewMsg struct{ preview sessionPreview }

// loadPreview reads the selected session, off the update loop, and cancels the read before.
func (m *Model) loadPreview() tea.Cmd {
	if m.field == fieldStudies {
		return m.loadStudyPreview()
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
	return m.preview.jobs.Start("reading", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		return previewMsg{previewSession(ctx, path)}
	})
}

// loadStudyPreview reads the selected study.
func (m *Model) loadStudyPreview() tea.Cmd {
	it, ok := m.on(fieldStudies)
	if !ok || studyPath(it.value) == m.preview.path {
		return nil
	}
	m.preview.path = studyPath(it.value)
	return m.preview.jobs.Start("reading", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		return previewMsg{previewStudy(ctx, it.value, it.path)}
	})
}

// previewDone takes the preview of a session.
func (p *preview) previewDone(msg tea.Msg) {
	p.jobs.Finish()
	switch msg := msg.(type) {
	case previewMsg:
		p.loaded = msg.preview
	case widget.PanicMsg:
		p.loaded = sessionPreview{path: p.path, lines: []string{"cannot be read: " + sanitize.Text(msg.Reason)}}
	}
}

// previewSession reads the preview of a session.
func previewSession(ctx context.Context, path string) sessionPreview {
	p := sessionPreview{path: path}
	s, err := sessions.OpenReadOnly(ctx, path)
	if errors.Is(err, sessions.ErrTraining) {
		return previewTraining(ctx, path)
	}
	if err != nil {
		p.lines = []string{"cannot be read: " + sanitize.Text(err.Error())}
		return p
	}
	s.Last()
	st := s.State()
	lines := []string{st.Title(), "started " + s.Started().UTC().Format("2006-01-02 15:04 MST")}
	if branches, err := s.Branches(); err == nil && len(branches) > 1 {
		lines = append(lines, fmt.Sprintf("%d branches", len(branches)))
	}
	if x, y, step, ok := st.Best(); ok && len(st.Problem.Objectives) == 1 {
		lines = append(lines, fmt.Sprintf("best %s at step %d, %s", widget.Number(y), step,
			widget.Point(st.Problem.Domain, x)))
	}
	now := time.Now()
	if waiting := library.NewAgendaItem(s, now).Sentence(now); waiting != "" {
		lines = append(lines, waiting)
	}
	p.lines = append(append(lines, ""), noteLines(s.Timeline(), 11-len(lines))...)
	t := report.AllTracesFor(st)
	switch {
	case t.Multiobjective != nil:
		p.trace, p.name = t.Multiobjective.Hypervolume, "hypervolume, "+t.Multiobjective.Range.Label()
	case t.SimpleRegret != nil:
		p.trace = t.SimpleRegret
		p.name = "simple regret"
		p.log = true
	default:
		p.trace, p.name = t.Best, "best value"
	}
	return p
}

// noteLines are at most so many of the notes of a session, by their first lines.
func noteLines(t recorder.Timeline, most int) (lines []string) {
	for _, stop := range t.Stops {
		if stop.Note != "" && len(lines) < most {
			lines = append(lines, sanitize.Text(fmt.Sprintf("note %d: %s", stop.Step, stop.Note)))
		}
	}
	return lines
}

// previewTraining reads the preview of a session of a lab.
func previewTraining(ctx context.Context, path string) sessionPreview {
	p := sessionPreview{path: path}
	s, err := training.OpenReadOnly(ctx, path)
	if err != nil {
		p.lines = []string{"cannot be read: " + sanitize.Text(err.Error())}
		return p
	}
	s.Last()
	st := s.State()
	p.lines = []string{st.Title(), "started " + s.Started().UTC().Format("2006-01-02 15:04 MST"),
		fmt.Sprintf("update %d of %d", st.Step, st.Total)}
	if branches, err := s.Branches(); err == nil && len(branches) > 1 {
		p.lines = append(p.lines, fmt.Sprintf("%d branches", len(branches)))
	}
	p.lines = append(append(p.lines, ""), noteLines(s.Timeline(), 11-len(p.lines))...)
	first := st.Spec.Columns[0]
	p.name, p.log = first.Label, first.Log
	for _, row := range st.Runs[0].Trace {
		p.trace = append(p.trace, row[0])
	}
	return p
}

// previewPanel shows details of the selected entry.
func (m *Model) previewPanel(w, h int) *layout.Box {
	it, ok := m.on(m.field)
	if !ok || !fields[m.field].list {
		return layout.Panel(m.Style, "preview", nil, w, h, false).
			Section("preview", "", "The details of a chosen entry are shown here; the current field has none.")
	}
	body := layout.New(w-2, 0)
	switch m.field {
	case fieldSessions:
		body = m.previewBox(it.value, w-3, h-2)
	case fieldStudies:
		body = m.previewBox(studyPath(it.value), w-3, h-2)
	default:
		m.texts(body, it.more, h-2)
		if m.field == fieldFunction {
			sketch := m.sketch(it.value, w-3, min(12, h-3-body.H))
			body.Below(layout.Space(w-2, 1)).Below(sketch)
		}
	}
	return m.previewed(layout.Panel(m.Style, "preview", body.Sized(w-2, h-2), w, h, false), body, it)
}

// texts adds paragraphs, the first one bright, to an empty box of at most h rows.
func (m *Model) texts(body *layout.Box, lines []string, h int) {
	for i, text := range lines {
		color := m.Style.Dim
		if i == 0 {
			color = m.Style.Text
		}
		body.Below(layout.Sentence(m.Style, color, text, body.W, h-body.H))
	}
}

// previewHints describe the preview of an entry, by the field.
var previewHints = map[field]string{
	fieldFunction:    "its source, domain and best value, and a plot along the first variable, with the others at the optimum",
	fieldOptimizer:   "what it does, its source and its default parameters",
	fieldSessions:    "its start, its best result and its progress",
	fieldComparisons: "what it compares, on which function and with which methods",
	fieldTrainings:   "what it trains, and its default parameters",
	fieldStudies:     "its question, its progress, its problems and its methods",
	fieldGallery:     "what happens in it, and with which problem and method",
	fieldLessons:     "what it teaches, and with which example",
}

// previewed describes a panel with details of an entry, and the text in it.
func (m *Model) previewed(panel, text *layout.Box, it item) *layout.Box {
	name, subject := it.value, cmp.Or(previewHints[m.field], "its description")
	if m.field == fieldSessions {
		name = "the saved session"
	}
	text.Describe(layout.Number, "preview", "", func() string {
		return fmt.Sprintf("The preview of %s: %s.", name,
			layout.Excerpt(cmp.Or(it.more...), maxAbout))
	})
	return panel.Section(cmp.Or(panel.Name, "preview"), "", fmt.Sprintf("Details of %s: %s.", name, subject))
}

// previewBox is the preview of a saved session.
func (m *Model) previewBox(path string, w, h int) *layout.Box {
	st := m.Style
	p := m.preview.loaded
	body := layout.New(w, 0)
	if p.path != path {
		return body.Below(layout.Space(w, 1)).Below(layout.Text(w, " "+st.Paint(st.Dim, st.Plain("reading…"))))
	}
	m.texts(body, p.lines, h)
	if room := h - body.H - 1; len(p.trace) > 1 && room >= 6 {
		body.Below(layout.Text(w, " "+st.Paint(st.Dim, p.name))).
			Below(chart.Trace{Series: []chart.Series{{Values: p.trace, Color: st.Used}}, Log: p.log,
				X: "step"}.Box(w-1, min(room, 12), st, chart.TraceDescription{}))
	}
	return body
}

// functionSketch is a function as it was drawn last, and what it was drawn for.
type functionSketch struct {
	name string
	seed uint64
	w, h int
	st   theme.Style
	box  *layout.Box
}

// sketch draws a function along its first variable, the others at the optimum, or in the middle where that is not
// known.
func (m *Model) sketch(name string, w, h int) *layout.Box {
	now, was := functionSketch{name, m.config.Seed, w, h, m.Style, nil}, m.sketched
	was.box = nil
	if was == now {
		return m.sketched.box
	}
	m.sketched = now
	p, err := functions.Find(name, m.config.Seed)
	if err != nil || p.Truth == nil || h < 4 {
		return nil
	}
	u := slices.Repeat([]float64{0.5}, p.Dim())
	if p.Optimum() != nil && len(p.Optimum().X) > 0 {
		u = p.Domain.ToUnit(p.Optimum().X[0])
	}
	n := 4 * w
	xs, ys := make([]float64, n), make([]float64, n)
	for i := range xs {
		u[0] = float64(i) / float64(n-1)
		x := p.Domain.FromUnit(u)
		xs[i], ys[i] = x[0], p.Truth.Value(x)[0]
	}
	lo, hi := chart.Pad(chart.Extent(ys))
	m.sketched.box = chart.Chart{X: chart.Axis{Label: p.Domain[0].Name, Min: xs[0], Max: xs[n-1]},
		Y: chart.Axis{Min: lo, Max: hi}, Gutter: 8,
		Layers: []chart.Layer{chart.Curve{X: xs, Y: ys, Color: m.Style.Mean}}}.Box(w, h, m.Style, chart.Description{})
	return m.sketched.box
}
