package studypage

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/studyreport"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// charts draws a chart with its legend above and a note below.
func (m *Model) charts(f *figure, w, h int) *layout.Box {
	st := m.Style
	c, ok := m.chart(f)
	if !ok {
		why := m.empty(f)
		return layout.Column(layout.Space(w, 1),
			layout.Sentence(st, st.Dim, why, w, h-1).
				Prose("why it is empty", "", "Why nothing is drawn here: "+why+"."))
	}
	var note []string
	for _, l := range sentences(st.Plain(m.note(f)), w-2, min(max(h/8, 1), 3)) {
		note = append(note, " "+st.Paint(st.Dim, l))
	}
	_, rests := studyreport.About(m.aboutView())
	return layout.Column(c.WithLegend(w, h-len(note), max(h/4, 2), st,
		chart.Description{Marks: func(name string) (string, string) {
			return m.markSays(f, name)
		}, Y: m.axisSays(f), X: m.belowSays(f)}),
		layout.Text(w, note...).Number("how to read it", "", firstWords(rests)))
}

// sentences are the first sentences of a text that fit into so many rows; none if the first does not.
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

// empty says why nothing is drawn.
func (m *Model) empty(f *figure) string {
	if f.view == curvesView {
		return "no run on this problem has a value yet"
	}
	return fmt.Sprintf(
		"there is no comparison yet: every method must finish the same problem and seed; %d of %s are complete",
		f.blocks, widget.Count(f.all, "block"))
}

// note says what a chart shows and how to read it.
func (m *Model) note(f *figure) string {
	blocks := fmt.Sprintf(" %d of %s are complete.", f.blocks, widget.Count(f.all, "block"))
	switch f.view {
	case curvesView:
		if m.shown.other {
			return "The mean over the seeds, with its 95 % confidence interval (Student's t)."
		}
		shows, rests := studyreport.About(studyreport.Curves)
		return shows + " " + rests
	case ranksView:
		shows, rests := studyreport.About(studyreport.Ranked)
		return shows + blocks + " " + rests
	case reachedView:
		shows, rests := studyreport.About(studyreport.Reached)
		return shows + blocks + " " + rests
	}
	performance := studyreport.Performance
	if m.shown.other {
		performance = studyreport.Data
	}
	shows, _ := studyreport.About(performance)
	return shows + blocks +
		fmt.Sprintf(" Solved: %g %% of the gap between the start and the best value is closed.", 100*(1-tolerance))
}

// methodName is a method with its letter.
func (m *Model) methodName(k int) string {
	return m.methodStyle().Name(k)
}

// methodStyle is how methods are drawn, with the chosen one in front.
func (m *Model) methodStyle() studyreport.MethodStyle {
	return studyreport.MethodStyle{Style: m.Style, Methods: m.board.methods, Labels: m.board.labels, Selected: m.cursor.method}
}

// chart declares the chart of a figure; false where there is nothing to draw.
func (m *Model) chart(f *figure) (chart.Chart, bool) {
	switch {
	case f.view == curvesView:
		return m.curves(f, f.problem, true)
	case f.view == ranksView:
		return m.methodStyle().Ranks(f.rankings)
	case f.view == reachedView:
		return m.methodStyle().Staircases(f.steps[0], "evaluations / dimension", "share of targets")
	case m.shown.other:
		return m.methodStyle().Staircases(f.steps[1], "evaluations / (dimension + 1)", "share of blocks")
	}
	return m.methodStyle().Staircases(f.steps[0], "performance ratio", "share of blocks")
}

// curves declares the curves of a problem, with the run of the chosen seed and the paper's numbers.
func (m *Model) curves(f *figure, problem int, whole bool) (chart.Chart, bool) {
	about := f.runs.Problems[problem]
	prints := m.methodStyle().Prints(m.board.printed, about)
	c, ok := m.methodStyle().Curves(about, f.bands[problem], m.shown.other, prints, whole)
	if !ok || !whole {
		return c, ok
	}
	if x, y, name := m.ownRun(f, problem); len(x) > 0 {
		if c.Y.Log {
			y = studyreport.ClampBelow(y, c.Y.Min)
		}
		c.Layers = slices.Insert(c.Layers, len(prints),
			chart.Layer(chart.Curve{X: x, Y: y, Color: m.Style.Faint, Line: theme.Fine, Priority: 2, Name: name}))
	}
	return c, true
}

// ownRun is the run of the chosen seed.
func (m *Model) ownRun(f *figure, problem int) (x, y []float64, name string) {
	rows := m.seeds()
	if len(rows) < 2 {
		return nil, nil, ""
	}
	row := rows[m.cursor.seed]
	i := slices.Index(f.runs.Seeds, m.board.seeds[row])
	if i < 0 {
		return nil, nil, ""
	}
	c := f.runs.Curves(problem, m.cursor.method)[i]
	return c.At, studyreport.Oriented(c.Values, f.runs.Problems[problem].Sign),
		fmt.Sprintf("%s, seed %d", studyreport.Letter(m.cursor.method), m.board.rows[row].Seed)
}

// firstWords shortens a text to its first sentences, about as many words as the explanation of a panel has.
func firstWords(text string) string {
	const most = 55
	for len(strings.Fields(text)) > most {
		i := strings.LastIndex(strings.TrimSuffix(text, "."), ". ")
		if i < 0 {
			return layout.Excerpt(text, most) + "."
		}
		text = text[:i+1]
	}
	return text
}

// markSays describes an entry of a chart's legend.
func (m *Model) markSays(f *figure, name string) (says, term string) {
	if name == studyreport.PrintedName {
		return "Numbers printed in the paper for this problem, in the colours of the methods.", ""
	}
	for k := range f.runs.Methods {
		if name == m.methodName(k) {
			return m.seriesSays(f, k), ""
		}
	}
	if _, _, runName := m.ownRun(f, f.problem); f.view == curvesView && name == runName {
		return "The run of the chosen cell: one of the seeds that the curve summarizes.", "seed"
	}
	return "", ""
}

// seriesSays describes a method's curve: where it ends.
func (m *Model) seriesSays(f *figure, k int) string {
	name := sanitize.Text(f.runs.Labels[k])
	switch f.view {
	case curvesView:
		b := f.bands[f.problem][k]
		sign := f.runs.Problems[f.problem].Sign
		mid := b.Median
		lo := b.Low
		hi := b.High
		subject := "median"
		if m.shown.other {
			mid, subject = b.Mean, "mean"
			lo, hi = studyreport.Interval(b.Mean, b.Student)
		}
		for i := len(mid) - 1; i >= 0; i-- {
			if chart.Finite(mid[i]) {
				low, high := sign*lo[i], sign*hi[i]
				text := fmt.Sprintf("%s: the %s over %s ends at %s", name, subject, widget.Count(b.N[i], "seed"),
					widget.Number(sign*mid[i]))
				if chart.Finite(low) && chart.Finite(high) {
					text += fmt.Sprintf(", with a band from %s to %s", widget.Number(min(low, high)),
						widget.Number(max(low, high)))
				}
				return text + "."
			}
		}
	case ranksView:
		if n := len(f.rankings); n > 0 && !math.IsNaN(f.rankings[n-1].Mean[k]) {
			return fmt.Sprintf("%s: the mean rank at the end is %.2f of %d.", name, f.rankings[n-1].Mean[k],
				len(f.runs.Methods))
		}
	default:
		steps := f.steps[0]
		if f.view == profilesView && m.shown.other {
			steps = f.steps[1]
		}
		for _, s := range steps {
			if s.Method == k && len(s.Share) > 0 {
				return fmt.Sprintf("%s: the share at the end is %.2f, over %s.", name, s.Share[len(s.Share)-1],
					widget.Count(s.Blocks, "block"))
			}
		}
	}
	return name + ": no results yet."
}

// axisSays describes the axis at the left.
func (m *Model) axisSays(f *figure) string {
	switch f.view {
	case curvesView:
		about := f.runs.Problems[f.problem]
		if studyreport.Logarithmic(about.Measure) {
			return fmt.Sprintf("Vertical axis: %s on a logarithmic scale; lower is better.", about.Quantity)
		}
		return fmt.Sprintf("Vertical axis: %s.", about.Quantity)
	case ranksView:
		return "Vertical axis: mean rank, the best at the top."
	case reachedView:
		return "Vertical axis: share of targets reached, from 0 to 1."
	}
	return "Vertical axis: share of blocks solved, from 0 to 1."
}

// belowSays describes the axis below.
func (m *Model) belowSays(f *figure) string {
	switch f.view {
	case curvesView:
		return fmt.Sprintf("Horizontal axis: %s, up to the end of the budget.",
			studyreport.Across(f.runs.Problems[f.problem].Axis))
	case ranksView:
		return "Horizontal axis: part of the budget, in percent."
	case reachedView:
		return "Horizontal axis: evaluations per dimension, on a logarithmic scale."
	}
	if m.shown.other {
		return "Horizontal axis: evaluations divided by d + 1, on a logarithmic scale."
	}
	return "Horizontal axis: performance ratio, the evaluations divided by those of the fastest method, logarithmic."
}
