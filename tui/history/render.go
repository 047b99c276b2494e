package history

import (
	"fmt"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/plot/trace"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// The marks of the two branches that are compared, in lists and plots.
const (
	markBase     = "a"
	markSelected = "b"
)

// Render draws the screen: the tree above, the two traces and the differences below.
func (m *Model) Render() []string {
	height := m.Height - 2
	upper := min(max(len(m.rows)+4, 6), height/2)
	lower := height - upper
	lines := m.treePanel(m.Width, upper)
	left := m.Width * 2 / 5
	lines = append(lines, screen.Beside(m.tracePanel(left, lower), m.diffPanel(m.Width-left, lower))...)
	return append(lines, m.statusLine(), m.hints())
}

// treePanel lists the branches.
func (m *Model) treePanel(w, h int) []string {
	st := m.Style
	body := make([]string, max(h-2, 0))
	put := func(row int, text string) {
		if row >= 0 && row < len(body) {
			body[row] = text
		}
	}
	rows := m.branchRows(h - 2)
	for i, r := range m.rows {
		if r.title != "" {
			put(rows[i]-1, " "+st.Paint(st.Title, st.Plain(safe.Text(r.title))))
		}
		put(rows[i], m.branchLine(i, r))
	}
	return screen.Panel(st, fmt.Sprintf("branches of %s", m.session.State().Title()), body, w, h, true)
}

// branchRows are the rows of the list in which the branches are, in room rows from the first that is drawn; negative or room and more where one is out of sight.
func (m *Model) branchRows(room int) []int {
	rows, n := make([]int, len(m.rows)), 0
	for i, r := range m.rows {
		if r.title != "" {
			n++
		}
		rows[i], n = n, n+1
	}
	top := 0
	if len(rows) > 0 {
		top = min(max(rows[m.selected]-room/2, 0), max(n-room, 0))
	}
	for i := range rows {
		rows[i] -= top
	}
	return rows
}

// branchLine is one branch: where it left which, what goes on there and how far it came.
func (m *Model) branchLine(i int, r row) string {
	st := m.Style
	mark := "  "
	switch {
	case i == m.selected && i == m.base:
		mark = markBase + markSelected
	case i == m.base:
		mark = markBase + " "
	case i == m.selected:
		mark = markSelected + " "
	}
	name := strings.Repeat("   ", max(r.depth-1, 0))
	if r.depth > 0 {
		name += st.Plain("└─ ")
	}
	name += safe.Text(r.branch.Name)
	line := " " + st.PaintBold(st.Used, mark) + " "
	color := st.Text
	if i == m.selected {
		line = st.PaintBold(st.Accent, st.Pointer()) + st.PaintBold(st.Used, mark) + " "
		color = st.Accent
	}
	line = layout.Fit(line+st.Paint(color, st.Plain(name)), 36) + " "
	b := r.branch.State
	facts := []string{st.Paint(st.Text, layout.Fit(b.Spec.Name, 16)), st.Paint(st.Dim, layout.Fit(steps(len(b.Iterations)), 10))}
	if r.depth > 0 {
		facts = append(facts, st.Paint(st.Dim, layout.Fit(fmt.Sprintf("from step %d", r.branch.From), 13)))
	} else {
		facts = append(facts, layout.Fit("", 13))
	}
	if _, y, _, ok := b.Best(); ok && len(b.Problem.Objectives) == 1 {
		facts = append(facts, st.Paint(st.Dim, "best ")+st.Paint(st.Best, screen.Number(y)))
	}
	if r.branch.Current {
		facts = append(facts, st.PaintBold(st.Good, st.Glyph(theme.GlyphFilled)+" here"))
	}
	return line + strings.Join(facts, " ")
}

func steps(n int) string { return screen.Counted(n, "step") }

// traced is what the traces show of a state: its values and their name.
func traced(st sessions.State, kind int) (values []float64, name string, log bool) {
	t := report.AllTracesOf(st)
	type choice struct {
		values []float64
		name   string
		log    bool
	}
	all := []choice{{t.Simple, "simple regret", true}, {t.Best, "best value", false}, {t.Cumulative, "cumulative regret", false}}
	if t.Several != nil {
		all = []choice{{t.Several.Hypervolume, "hypervolume, " + t.Several.Range.Label(), false}, {t.Several.BayesRegret, t.Several.RegretName() + ", " + t.Several.Range.Label(), false}}
	} else if t.Simple == nil {
		all = all[1:2]
	}
	c := all[kind%len(all)]
	return c.values, c.name, c.log
}

// tracePanel draws the traces of the two branches.
func (m *Model) tracePanel(w, h int) []string {
	a, name, log := traced(m.rows[m.base].branch.State, m.trace)
	series := []trace.Series{{Values: a, Color: m.Style.Mean, Mark: markBase}}
	if m.selected != m.base {
		b, _, _ := traced(m.rows[m.selected].branch.State, m.trace)
		series = append(series, trace.Series{Values: b, Color: m.Style.Used, Mark: markSelected})
	}
	lines := trace.Trace{Series: series, Log: log, X: "iteration"}.Draw(w-2, h-2, m.Style)
	return screen.Panel(m.Style, name, lines, w, h, false)
}

// diffPanel tells what was decided otherwise on the two branches.
func (m *Model) diffPanel(w, h int) []string {
	st := m.Style
	var body []string
	for _, line := range report.Diff(m.left, m.right).Lines(markBase, markSelected) {
		color := st.Text
		switch {
		case strings.Contains(line, ": "+markBase+": "):
			color = st.Mean
		case strings.Contains(line, ": "+markSelected+": "):
			color = st.Used
		}
		body = append(body, layout.Paragraph(st, color, line, w-4)...)
	}
	m.overflow = max(len(body)-(h-2), 0)
	m.scroll = min(m.scroll, m.overflow)
	body = body[m.scroll:]
	return screen.Panel(st, "decisions", body, w, h, false)
}

func (m *Model) statusLine() string {
	own := ""
	if len(m.rows) == 1 {
		own = m.Style.Paint(m.Style.Dim, "one branch: f forks where the session stands, and so does going back and doing something else")
	}
	return m.Status.Line(m.Style, m.jobs.Status(m.Style.ASCII), own)
}

func (m *Model) hints() string {
	if m.Status.Open() {
		return m.Status.Explain(m.Style)
	}
	return " " + screen.Footer(m.Style, screen.Bindings(commands()), m.Width-2)
}

// Frame is the screen as a tree of boxes.
func (m *Model) Frame() *layout.Box { return explain.Old(m.Width, m.Render(), m.Elements) }
