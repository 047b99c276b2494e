package hierarchyview

import (
	"fmt"
	"math"
	"slices"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// measured are the values of a column, and the updates at which it was measured.
func (d drawing) measured(run int, key string) (updates, values []float64) {
	column := d.state.Spec.Column(key)
	if column < 0 {
		return nil, nil
	}
	for i, row := range d.state.Runs[run].Trace {
		if column < len(row) && !math.IsNaN(row[column]) {
			updates, values = append(updates, float64(i+1)), append(values, row[column])
		}
	}
	return updates, values
}

// levelKey is the key of the column with the error of a level.
func levelKey(level int) string { return fmt.Sprintf("wape%d", level) }

// errorsView draws the errors by level over the training, with a table of them if it fits.
func (d drawing) errorsView(w, h int) *layout.Box {
	table := d.table(w - 2)
	if rest := h - table.H - 2; rest >= 9 {
		return layout.Column(d.errorsPanel(w, rest), d.framed("errors on the test days (%)", w, h-rest, "WAPE",
			"The errors on the test days by level and their mean, the gap, and the errors of a forecast that repeats last week's values.",
			func(int, int) *layout.Box { return table }))
	}
	return d.errorsPanel(w, h)
}

// errorsPanel draws the error of each level over the updates, those of a second run with dashed lines.
func (d drawing) errorsPanel(w, h int) *layout.Box {
	wape := d.runs[0].scores.WAPE
	o := updatesChart{title: "test error by level (WAPE, %)", term: "WAPE", axis: "errors",
		left: "The sum of absolute errors in percent of the sum of absolute values, on a log scale.",
		says: fmt.Sprintf("The error of each level of the tree on the test days, over the training. Means over many leaves are smoother and easier to forecast: the root is at %s %%, the leaves at %s %%.",
			digitsFor(100*wape[0]), digitsFor(100*wape[len(wape)-1]))}
	for run := range d.runs {
		for level := range d.runs[0].panel.Tree.Levels() {
			o.columns = append(o.columns, columnSeries{run, levelKey(level), d.levelName(level), fmt.Sprint(level),
				d.style.Series[level], "The error of the nodes at " + d.at(level) + ", %s %% now."})
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

// columnSeries is a column of the trace of a run, drawn over the updates.
type columnSeries struct {
	run       int
	key, name string
	mark      string // a character at its end, which identifies it without colours
	color     theme.Color
	says      string // a sentence with its last value
}

// updatesChart is a panel of columns over the updates on a log scale.
type updatesChart struct {
	title, term, says string
	left              string // the axis at the left
	axis              string // its name, of sessions.TrainingAxes; empty if a lesson does not set it
	columns           []columnSeries
	marks             []chart.Layer // which are drawn too
}

// updatesPanel draws columns over the updates, those of a second run with dashed lines; the legend has the last values
// of the first run.
func (d drawing) updatesPanel(o updatesChart, w, h int) *layout.Box {
	layers, lo, hi, zeros := d.curves(o)
	switch {
	case lo > hi && zeros:
		return d.missing(o.title, "All values are 0, except for rounding.", w, h)
	case lo > hi:
		return d.missing(o.title, "No measurements yet. Press space to train.", w, h)
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
			}, Y: o.left, X: fmt.Sprintf("Updates, from 0 to %d; %d are done.", d.state.Total, d.state.Step)})
		chart.Link(plot, legend)
		if slices.ContainsFunc(o.columns, func(c columnSeries) bool { return c.run > 0 }) {
			second := layout.New(plot.W, plot.H).
				Describe(layout.Mark, "second run", o.term,
					layout.Static(
						"Dashed lines, which end in the numbers of their levels, are those of the second run, "+
							d.runName(1)+"."))
			second.Cells = func() []layout.Span { return c.Cells(plot.W, plot.H, d.style, "") }
			plot.Add(second)
		}
		return layout.Column(layout.Row(layout.Space(1, 0), legend), plot)
	})
}

// curves are columns as layers, with the range of their values; zeros reports whether a value is 0.
func (d drawing) curves(o updatesChart) (layers []chart.Layer, lo, hi float64, zeros bool) {
	const rounding = 1e-9 // smaller values count as 0, which a log scale cannot show
	var all []float64
	for i, c := range slices.Backward(o.columns) {
		updates, values := d.measured(c.run, c.key)
		for i, v := range values {
			zeros = zeros || v < rounding
			if v < rounding {
				values[i] = math.NaN()
			}
		}
		all = append(all, values...)
		name := ""
		if n := len(values); n > 0 && c.run == 0 {
			name = c.named(values[n-1])
		} else if c.run > 0 && i+1 == len(o.columns) {
			name = d.dashed()
		}
		layers = append(layers, chart.Curve{X: updates, Y: values, Color: c.color, Line: runLine(c.run),
			Priority: 30 - i, Name: name})
		if n := len(values); n > 0 {
			layers = append(layers, chart.Label{X: updates[n-1], Y: values[n-1], Text: c.mark, Color: c.color,
				Name: name})
		}
	}
	lo, hi = chart.Extent(all)
	return layers, lo, hi, zeros
}

// named is the name of a column in the legend, with its last value.
func (c columnSeries) named(last float64) string { return c.name + " " + digitsFor(last) }

// dashed is the name of the second run in the legend.
func (d drawing) dashed() string { return "dashed: " + d.runName(1) }

// updateMarks describes the marks over the updates.
func (d drawing) updateMarks(o updatesChart, name string) (sentence, term string) {
	switch {
	case len(d.runs) > 1 && name == d.dashed():
		return "Dashed lines are those of the second run, " + d.runName(1) + ", in the colours of the first.", o.term
	case name == "projected":
		return fmt.Sprintf("The errors after the exact projection, which replaces the embedding of each parent by the mean of its leaves' embeddings. The gap is 0 then; the errors are %s.",
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

// tableForm are the widths of the columns of the table of errors, and titles that fit them.
type tableForm struct {
	narrow      bool
	first, each int
	gap, naive  string
}

// newTableForm is the form of a table of so many levels in w columns.
func newTableForm(w, levels int) tableForm {
	const wide, column, mean = 24, 10, 6
	if w < wide+column*levels+mean {
		return tableForm{narrow: true, first: 15, each: 6, gap: "gap", naive: "seasonal naive"}
	}
	return tableForm{first: wide, each: column, gap: "gap to leaves", naive: "WAPE, seasonal naive"}
}

// table has the errors of every level, for every run and for last week's values; a narrow one has shorter names.
func (d drawing) table(w int) *layout.Box {
	st, levels := d.style, d.runs[0].panel.Tree.Levels()
	form := newTableForm(w, levels)
	narrow := form.narrow
	first := form.first
	each := form.each
	head := " " + layout.Fit("", first)
	for level := range levels {
		name := d.levelName(level)
		if narrow {
			name = map[bool]string{true: "leaf", false: d.shortLevel(level)}[level == levels-1]
		}
		head += layout.Fit(st.Paint(st.Series[level], name), each)
	}
	all := layout.Column(layout.Text(w, head+st.Paint(st.Dim, "mean")).
		Prose("levels", "WAPE", "The columns: the levels of the tree from the root to the leaves, and their mean."))
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
		name, runName := "WAPE", d.runName(i)
		errors := func(title string, values []float64) {
			says := "The error in percent by level, then their mean: " + d.levels(allLevels, func(l int) string {
				return digitsFor(100 * values[l])
			}) + "."
			if all.H > 1 {
				says = "The same errors of another run, or after the exact projection: " + percents(values) + "."
			}
			line(title, values, "WAPE", "WAPE", says)
		}
		if runName != "" {
			name += " " + runName
		}
		if s.trained == nil {
			errors(name, s.scores.WAPE)
			continue
		}
		trained, projected := name+", trained", name+", projected"
		if narrow && runName == "" {
			trained, projected = "trained", "projected"
		}
		errors(trained, s.trained.WAPE)
		errors(projected, s.scores.WAPE)
	}
	for i, s := range d.runs {
		name := form.gap
		if runName := d.runName(i); runName != "" {
			name += " " + runName
		}
		line(name, s.scores.Coherence, "gap to leaves", "coherence",
			"The gap between the forecasts and the means of their leaves' forecasts, in percent of their size. Forecasts with gap 0 add up; leaves have no gap.")
	}
	week := d.runs[0].naive.WAPE
	line(form.naive, week, "seasonal naive", "WAPE",
		"The errors of the seasonal naive forecast, which repeats last week's values: "+percents(week)+".")
	return all
}
