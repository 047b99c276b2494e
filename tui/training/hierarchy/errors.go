package hierarchy

import (
	"fmt"
	"math"
	"slices"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// measured are the updates at which a column was, and the values there.
func (d drawing) measured(run int, key string) (at, values []float64) {
	column := d.state.Spec.Column(key)
	if column < 0 {
		return nil, nil
	}
	for i, row := range d.state.Runs[run].Trace {
		if column < len(row) && !math.IsNaN(row[column]) {
			at, values = append(at, float64(i+1)), append(values, row[column])
		}
	}
	return at, values
}

// levelKey is the column of a level's error.
func levelKey(level int) string { return fmt.Sprintf("wape%d", level) }

// errorsView draws the errors by level over the training, with a table of them where there is room.
func (d drawing) errorsView(w, h int) *layout.Box {
	table := d.table(w - 2)
	if rest := h - table.H - 2; rest >= 9 {
		return layout.Column(d.errorsPanel(w, rest), d.framed("test days, in percent", w, h-rest, "WAPE",
			"The errors of the test days in numbers, by level and on the mean, beside the gap and what last week's "+
				"values would have been worth as a forecast.", func(int, int) *layout.Box { return table }))
	}
	return d.errorsPanel(w, h)
}

// errorsPanel draws the error of each level over the updates; of a second run with broken lines.
func (d drawing) errorsPanel(w, h int) *layout.Box {
	wape := d.runs[0].scores.WAPE
	o := updatesChart{title: "test error by level, WAPE in percent", term: "WAPE", axis: "errors",
		left: "Absolute errors in percent of absolute values, by factors.",
		says: fmt.Sprintf("The error of each level of the tree on the test days, over the training. Sums over many "+
			"leaves are smoother, and easier to forecast: the root is at %s %%, the leaves at %s %%.",
			digitsFor(100*wape[0]), digitsFor(100*wape[len(wape)-1]))}
	for run := range d.runs {
		for level := range d.runs[0].panel.Tree.Levels() {
			o.columns = append(o.columns, columnSeries{run, levelKey(level), d.levelName(level), fmt.Sprint(level),
				d.style.Series[level], "The error of the nodes at " + d.at(level) + ": %s %% now."})
		}
	}
	if s := d.runs[0]; s.trained != nil {
		p := chart.Points{Shape: theme.GlyphHollow, Color: d.style.Text, Name: "projected"}
		for _, v := range s.scores.WAPE {
			p.X, p.Y = append(p.X, float64(s.at)), append(p.Y, 100*v)
		}
		o.marks = append(o.marks, p)
	}
	return d.updatesPanel(o, w, h)
}

// at names a level in a sentence.
func (d drawing) at(level int) string {
	if level == 0 {
		return "the root"
	}
	return d.levelName(level)
}

// columnSeries is a column of the trace of a run, to be drawn columnSeries the updates.
type columnSeries struct {
	run       int
	key, name string
	mark      string // a character at its end, which tells it apart where there is no colour
	color     theme.Color
	says      string // a sentence with its last value
}

// updatesChart is a panel of columns over the updates by factors.
type updatesChart struct {
	title, term, says string
	left              string // the axis at the left
	axis              string // its name, of sessions.TrainingAxes; empty if a lesson does not set it
	columns           []columnSeries
	marks             []chart.Layer // which are drawn besides
}

// updatesPanel draws columns over the updates, those of a second run with broken lines; the legend has the last values
// of the first.
func (d drawing) updatesPanel(o updatesChart, w, h int) *layout.Box {
	layers, lo, hi, zeros := d.curves(o)
	switch {
	case lo > hi && zeros:
		return d.missing(o.title, "All of it is 0, but for rounding.", w, h)
	case lo > hi:
		return d.missing(o.title, "Nothing was measured yet: space steps the training.", w, h)
	}
	return d.framed(o.title, w, h, o.term, o.says, func(w, h int) *layout.Box {
		y := chart.Axis{Min: lo / 1.1, Max: hi * 1.1, Log: true}
		if low, high, ok := d.axes.Range(o.axis, lo, hi); ok {
			y.Min, y.Max = low, high
		}
		c := chart.Chart{X: chart.Axis{Label: "update", Max: float64(max(d.state.Total, 1)), Integer: true}, Y: y,
			Layers: append(layers, o.marks...)}
		legend := chart.LegendBox(d.style, c.Legend(d.style), w-2, legendRows(h)+len(d.runs)+len(o.marks))
		plot := c.Box(w, h-legend.H, d.style,
			chart.Description{Marks: func(name string) (string, string) {
				return d.updateMarks(o, name)
			}, Y: o.left, X: fmt.Sprintf("Updates, from 0 to %d, of which %d are done.", d.state.Total, d.state.Step)})
		chart.Link(plot, legend)
		if slices.ContainsFunc(o.columns, func(c columnSeries) bool { return c.run > 0 }) {
			second := layout.New(plot.W, plot.H).
				Describe(layout.Mark, "second run", o.term,
					layout.Static("Broken lines, which end in the numbers of their levels, are of the second run, "+
						d.runName(1)+"."))
			second.Cells = func() []layout.Span { return c.Cells(plot.W, plot.H, d.style, "") }
			plot.Add(second)
		}
		return layout.Column(layout.Row(layout.Space(1, 0), legend), plot)
	})
}

// curves are columns as layers, with the range of their values; zeros reports whether one of these is 0.
func (d drawing) curves(o updatesChart) (layers []chart.Layer, lo, hi float64, zeros bool) {
	const rounding = 1e-9 // and less is 0, which has no place among factors
	var all []float64
	for i, c := range slices.Backward(o.columns) {
		at, values := d.measured(c.run, c.key)
		for i, v := range values {
			if zeros = zeros || v < rounding; v < rounding {
				values[i] = math.NaN()
			}
		}
		all = append(all, values...)
		name := ""
		if n := len(values); n > 0 && c.run == 0 {
			name = c.named(values[n-1])
		} else if c.run > 0 && i+1 == len(o.columns) {
			name = d.broken()
		}
		layers = append(layers, chart.Curve{X: at, Y: values, Color: c.color, Line: runLine(c.run), Priority: 30 - i,
			Name: name})
		if n := len(values); n > 0 {
			layers = append(layers, chart.Label{X: at[n-1], Y: values[n-1], Text: c.mark, Color: c.color, Name: name})
		}
	}
	lo, hi = chart.Extent(all)
	return layers, lo, hi, zeros
}

// viewsByName is how the legend names a column, with its last value.
func (c columnSeries) named(last float64) string { return c.name + " " + digitsFor(last) }

// broken is how the legend names the second run.
func (d drawing) broken() string { return "broken: " + d.runName(1) }

// updateMarks describes what is drawn over the updates.
func (d drawing) updateMarks(o updatesChart, name string) (sentence, term string) {
	switch {
	case len(d.runs) > 1 && name == d.broken():
		return "Broken lines are of the second run, " + d.runName(1) + ", in the colours of the first.", o.term
	case name == "projected":
		return fmt.Sprintf("What the errors would be with the mean of its leaves' embeddings in place of each "+
				"parent's: the gap is 0 then, the errors are %s.",
				d.levels(allLevels, func(l int) string { return digitsFor(100*d.runs[0].scores.WAPE[l]) + " %" })),
			"embedding regularizer"
	}
	for _, c := range o.columns {
		if _, values := d.measured(c.run, c.key); c.run == 0 && len(values) > 0 {
			if last := values[len(values)-1]; name == c.named(last) {
				return fmt.Sprintf(c.says, digitsFor(last)), o.term
			}
		}
	}
	return "", ""
}

// table is the errors of every level, of every run and of what knows nothing, with shorter names where it is narrow.
func (d drawing) table(w int) *layout.Box {
	st, levels := d.style, d.runs[0].panel.Tree.Levels()
	narrow, first, each, gap, naive := false, 24, 10, "gap to leaves", "WAPE of last week again"
	if w < first+each*levels+6 {
		narrow, first, each, gap, naive = true, 15, 6, "gap", "last week"
	}
	head := " " + layout.Fit("", first)
	for level := range levels {
		name := d.levelName(level)
		if narrow {
			name = map[bool]string{true: "leaf", false: d.shortLevel(level)}[level == levels-1]
		}
		head += layout.Fit(st.Paint(st.Series[level], name), each)
	}
	all := layout.Column(layout.Text(w, head+st.Paint(st.Dim, "mean")).
		Prose("levels", "WAPE", "The columns: the levels of the tree from the root to the leaves, and the mean of "+
			"them."))
	line := func(title string, values []float64, name, term, says string) {
		text, sum := " "+layout.Fit(st.Paint(st.Text, st.Plain(title)), first), 0.0
		for _, v := range values {
			text += layout.Fit(digitsFor(100*v), each)
			sum += v / float64(len(values))
		}
		all.Below(layout.Text(w, text+digitsFor(100*sum)).Number(name, term, says))
	}
	percents := func(values []float64) string {
		return d.levels(allLevels, func(l int) string { return digitsFor(100*values[l]) + " %" })
	}
	for i, s := range d.runs {
		name, own := "WAPE", d.runName(i)
		errors := func(title string, values []float64) {
			says := "The error in percent: " + d.levels(allLevels, func(l int) string {
				return digitsFor(100 * values[l])
			}) + "; behind them their mean."
			if all.H > 1 {
				says = "The same of another run, or of what the exact projection makes of it: " + percents(values) + "."
			}
			line(title, values, "WAPE", "WAPE", says)
		}
		if own != "" {
			name += " " + own
		}
		if s.trained == nil {
			errors(name, s.scores.WAPE)
			continue
		}
		trained, projected := name+", trained", name+", projected"
		if narrow && own == "" {
			trained, projected = "trained", "projected"
		}
		errors(trained, s.trained.WAPE)
		errors(projected, s.scores.WAPE)
	}
	for i, s := range d.runs {
		name := gap
		if own := d.runName(i); own != "" {
			name += " " + own
		}
		line(name, s.scores.Coherence, "gap to leaves", "coherence",
			"How far forecasts are from the mean of their leaves', in percent of their size; 0 adds up, and leaves "+
				"have none.")
	}
	week := d.runs[0].naive.WAPE
	line(naive, week, "last week again", "WAPE",
		"What it costs to know nothing, and forecast last week's values again: "+percents(week)+".")
	return all
}
