package study

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/safe"
	"bandscope/sessions/study/stats"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/study/charts"
	"bandscope/tui/theme"
)

// figurePanel draws what the numbers say.
func (m *Model) figurePanel(w, h int) []string {
	st, f := m.Style, m.ready()
	heading := fmt.Sprintf("%d %s", m.shown.view+1, m.figureTitle())
	if f == nil {
		return screen.Panel(st, heading, []string{"", " " + st.Paint(st.Dim, st.Plain("putting it together…"))}, w, h, false)
	}
	var body []string
	switch m.shown.view {
	case pairsView:
		body = m.pairLines(f, w-2, h-2)
	case criticalView:
		body = m.criticalLines(f, w-2, h-2)
	case finalsView:
		body = m.finalLines(f, w-2, h-2)
	default:
		body = m.charts(f, w-2, h-2)
	}
	return screen.Panel(st, heading, body, w, h, false)
}

// figureTitle is what is shown, and of which problem.
func (m *Model) figureTitle() string {
	of := "all problems"
	if p := m.cursor.problem; p >= 0 {
		of = safe.Text(m.board.problems[p])
	}
	what := viewNames[m.shown.view]
	switch m.shown.view {
	case curvesView, finalsView:
		if m.cursor.problem >= 0 {
			what = string(m.board.measures[m.cursor.problem])
			if m.shown.view == finalsView {
				what += " at the end"
			}
		}
	case profilesView:
		what = "performance profiles"
		if m.shown.other {
			what = "data profiles"
		}
	}
	return what + " · " + of
}

// charts draws what is a chart, with its legend above and what it rests on below.
func (m *Model) charts(f *figure, w, h int) []string {
	st := m.Style
	note := sentences(st.Plain(m.note(f)), w-2, min(max(h/8, 1), 3))
	if f.view == curvesView && f.problem < 0 {
		return m.smallCharts(f, w, h)
	}
	c, ok := m.chart(f)
	if !ok {
		return append([]string{""}, layout.Paragraph(st, st.Dim, m.empty(f), w-2)...)
	}
	body := m.legend(c, w, max(h/4, 2))
	body = append(body, m.book.Draw(c, w, h-len(body)-len(note), st)...)
	for _, l := range note {
		body = append(body, " "+st.Paint(st.Dim, l))
	}
	return body
}

// sentences are as many whole ones of a text, from its first, as have room in so many rows; none where the first has not.
func sentences(text string, w, rows int) []string {
	for text != "" {
		if lines := layout.Wrap(text, w); len(lines) <= rows {
			return lines
		}
		i := strings.LastIndex(strings.TrimSuffix(text, "."), ". ")
		if i < 0 {
			return nil
		}
		text = text[:i+1]
	}
	return nil
}

// legend are the rows of a chart's legend.
func (m *Model) legend(c plot.Chart, w, most int) []string {
	var body []string
	for _, l := range screen.Legend(m.Style, c.Legend(m.Style), w-2, most) {
		body = append(body, " "+l)
	}
	return body
}

// empty says why nothing is drawn.
func (m *Model) empty(f *figure) string {
	if f.view == curvesView {
		return "no run on this problem has come to a value yet"
	}
	return fmt.Sprintf("nothing can be compared yet: it takes a seed of a problem in which every method has ended; %d of %d have", f.blocks, f.all)
}

// note is what a chart rests on.
func (m *Model) note(f *figure) string {
	blocks := fmt.Sprintf(" %d of %s ended.", f.blocks, screen.Counted(f.all, "block"))
	switch f.view {
	case curvesView:
		if m.shown.other {
			return "Means over the seeds, with their intervals at 95 % by Student's law."
		}
		shows, rests := stats.About(stats.Curves)
		return shows + " " + rests
	case ranksView:
		shows, rests := stats.About(stats.Ranked)
		return shows + blocks + " " + rests
	case reachedView:
		shows, rests := stats.About(stats.Reached)
		return shows + blocks + " " + rests
	}
	what := stats.Performance
	if m.shown.other {
		what = stats.Data
	}
	shows, _ := stats.About(what)
	return shows + blocks + fmt.Sprintf(" Solved: within %g %% of the way from the start to the best.", 100*tolerance)
}

// methodName is a method with its letter.
func (m *Model) methodName(k int) string {
	return m.telling().Name(k)
}

// telling is how methods are told apart, with the chosen one in front.
func (m *Model) telling() charts.Look {
	return charts.Look{Style: m.Style, Methods: m.board.methods, Chosen: m.cursor.method}
}

// chart declares the chart of a figure; false where there is nothing to draw.
func (m *Model) chart(f *figure) (plot.Chart, bool) {
	switch {
	case f.view == curvesView:
		return m.curves(f, f.problem, true)
	case f.view == ranksView:
		return m.telling().Ranks(f.rankings)
	case f.view == reachedView:
		return m.telling().Staircases(f.steps[0], "evaluations / dimension", "share of targets")
	case m.shown.other:
		return m.telling().Staircases(f.steps[1], "evaluations / (dimension + 1)", "share of blocks")
	}
	return m.telling().Staircases(f.steps[0], "times the fastest method's evaluations", "share of blocks")
}

// curves declares the curves of a problem, with what the chosen seed did and what the paper prints.
func (m *Model) curves(f *figure, problem int, whole bool) (plot.Chart, bool) {
	about := f.runs.Problems[problem]
	prints := m.telling().Prints(m.board.printed, about)
	c, ok := m.telling().Curves(about, f.bands[problem], m.shown.other, prints, whole)
	if !ok || !whole {
		return c, ok
	}
	if x, y, name := m.ownRun(f, problem); len(x) > 0 {
		if c.Y.Log {
			y = charts.Floored(y, c.Y.Min)
		}
		c.Layers = slices.Insert(c.Layers, len(prints), plot.Layer(plot.Curve{X: x, Y: y, Color: m.Style.Faint, Line: theme.Fine, Priority: 2, Name: name}))
	}
	return c, true
}

// ownRun is the run of the chosen seed.
func (m *Model) ownRun(f *figure, problem int) (x, y []float64, name string) {
	of := m.seeds()
	if len(of) < 2 {
		return nil, nil, ""
	}
	at := of[m.cursor.seed]
	i := slices.Index(f.runs.Seeds, m.board.seeds[at])
	if i < 0 {
		return nil, nil, ""
	}
	c := f.runs.Of(problem, m.cursor.method)[i]
	return c.At, charts.Turned(c.Values, f.runs.Problems[problem].Sign), fmt.Sprintf("%s, seed %d", charts.Letter(m.cursor.method), m.board.rows[at].Seed)
}
