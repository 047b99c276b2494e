package hierarchyview

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer/hierarchy"
	"bandscope/tui/chart"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// forecastsPanel draws a strip for each level, from the root through the chosen node to a leaf, as many as fit, below a
// map of the tree in a large panel.
func (d drawing) forecastsPanel(w, h int) *layout.Box {
	s := d.runs[0]
	path := d.path(s.panel.Tree)
	says := fmt.Sprintf(
		"Forecasts of %d days that the training does not use, with a strip for each node from the root of the tree to a leaf. The chosen node is %s, with an error of %s %% of its size.",
		testDays, d.node(d.level), digitsFor(100*s.errors[path[d.level]]))
	return d.framed("forecasts of the held-out days"+d.projected(), w, h, "WAPE", says, func(w, h int) *layout.Box {
		names := 0
		if w >= 58 {
			names = 12 + 3*len(d.runs)
		}
		legend := chart.LegendBox(d.style, d.strip(d.level, path[d.level], names > 0).Legend(d.style), w-2,
			legendRows(h))
		all := layout.Column(layout.Row(layout.Space(1, 0), legend))
		if h >= 21 && w >= 90 {
			all.Below(d.treeMap(w, names+gutter))
		}
		levels := d.fitting((h - all.H - 1) / 3)
		room := max(h-all.H-1, 0)
		var strips []*layout.Box
		axes := fmt.Sprintf(
			"Values in the units of the data, with a scale for each strip; days, from 28 before the test days to test day %d.",
			testDays)
		for i, level := range levels {
			high := room*(i+1)/len(levels) - room*i/len(levels)
			c := d.strip(level, path[level], names > 0)
			c.X.HideTicks = i < len(levels)-1
			if !c.X.HideTicks {
				high++
			}
			strip := c.Box(w-names, high, d.style, chart.Description{Marks: d.stripMarks, Y: axes, X: axes})
			strips = append(strips, strip)
			all.Below(layout.Row(d.named(level, path[level], names, high), strip))
			if names == 0 {
				strip.Add(d.nameIn(level, path[level], c, strip))
			}
		}
		together(legend, axes, strips...)
		return all
	})
}

// stripMarks describes the marks of the strips, with the numbers of the chosen node.
func (d drawing) stripMarks(name string) (sentence, term string) {
	s := d.runs[0]
	node := d.path(s.panel.Tree)[d.level]
	switch name {
	case "basis":
		off := 0.0
		for i := range testDays {
			off = max(off, math.Abs(s.total.At(node, i)-s.tvar.At(node, i)))
		}
		return fmt.Sprintf("The contribution of the global basis to the forecast, up to %s for %s.",
			digitsFor(off), d.node(d.level)), "TVAR and BD"
	case "TVAR":
		return fmt.Sprintf(
			"The autoregressive part of the forecast, from the last four weeks of the series with weights that all nodes share: %s on the first day for %s.",
			digitsFor(s.tvar.At(node, 0)), d.node(d.level)), "TVAR and BD"
	case "history":
		return fmt.Sprintf(
			"The data of the %d days before, which the forecast uses: %s on the last of them for %s.",
			hierarchy.History, digitsFor(s.truth(node, -1)), d.node(d.level)), "TVAR and BD"
	case "held out":
		return fmt.Sprintf("The data of the test days: %s on the first for %s. The training does not use them.",
			digitsFor(s.truth(node, 0)), d.node(d.level)), "WAPE"
	}
	for i, r := range d.runs {
		if name == d.runName(i) || len(d.runs) == 1 && name == "forecast" {
			return fmt.Sprintf(
				"The forecast for %s: %s on the first day, where the data are %s. Its error over all test days is %s %%.",
				d.node(d.level), digitsFor(r.total.At(node, 0)),
				digitsFor(s.truth(node, 0)), digitsFor(100*r.errors[node])), "WAPE"
		}
	}
	return "", ""
}

// fitting are the levels of so many strips: the chosen one, the root, and the levels next to the chosen one.
func (d drawing) fitting(count int) (levels []int) {
	for _, level := range []int{d.level, 0, d.level + 1, d.level - 1, d.level + 2, d.level + 3, d.level - 2} {
		if level >= 0 && level <= len(d.child) && !slices.Contains(levels, level) && len(levels) < max(count, 1) {
			levels = append(levels, level)
		}
	}
	slices.Sort(levels)
	return levels
}

// named is the label beside a strip: the node, its number of leaves and its error; nil if it does not fit.
func (d drawing) named(level, node, w, h int) *layout.Box {
	if w == 0 {
		return nil
	}
	st, s := d.style, d.runs[0]
	name, color := "  "+d.name(level), st.Text
	if level == d.level {
		name, color = st.Pointer()+" "+d.name(level), st.Accent
	}
	value := digitsFor(100 * s.errors[node])
	for _, other := range d.runs[1:] {
		value += ", " + digitsFor(100*other.errors[node])
	}
	lines, leaves := []string{st.PaintBold(color, " "+name), st.Paint(st.Dim, "   "+value+" %")}, "it is a leaf"
	if n := len(s.panel.Tree.Leaves(node)); n > 1 {
		text := fmt.Sprintf("%d leaves", n)
		leaves, lines = "it has "+text, append(lines, st.Paint(st.Dim, "   "+text))
	}
	for i := range lines {
		lines[i] = layout.Fit(lines[i], w)
	}
	return layout.Text(w, lines[:min(len(lines), h)]...).Sized(w, h).Number(d.name(level), "WAPE",
		fmt.Sprintf("The strip of %s. Its error on the test days is %s %% of its size; %s.", d.node(level),
			digitsFor(100*s.errors[node]), leaves))
}

// nameIn describes the name of a node that is inside its strip, because there is no space beside it.
func (d drawing) nameIn(level, node int, c chart.Chart, strip *layout.Box) *layout.Box {
	layers := c.Layers
	c.Layers = nil
	for _, l := range layers {
		if label, ok := l.(chart.Label); ok {
			label.Name = "node"
			c.Layers = append(c.Layers, label)
		}
	}
	name := layout.New(strip.W, strip.H).Number(d.name(level), "WAPE",
		fmt.Sprintf("The strip of %s. Its error on the test days is %s %% of its size.", d.node(level),
			digitsFor(100*d.runs[0].errors[node])))
	name.Cells = func() []layout.Span { return c.Cells(strip.W, strip.H, d.style, "node") }
	return name
}

// gutter is the width of the labels left of strips, which aligns the days of all strips.
const gutter = 7

// strip draws a node: the data before and on the test days, the forecast, and its parts.
func (d drawing) strip(level, node int, named bool) chart.Chart {
	st, s := d.style, d.runs[0]
	history, historyDays := []float64{}, []float64{}
	for day := -hierarchy.History; day <= 0; day++ {
		historyDays, history = append(historyDays, float64(day)), append(history, s.truth(node, day))
	}
	days, truth := testAxis(), make([]float64, testDays)
	for day := range truth {
		truth[day] = s.truth(node, day)
	}
	total, tvar := s.total.RawRowView(node), s.tvar.RawRowView(node)
	values := append(append(append([]float64{}, history...), truth...), total...)
	var layers []chart.Layer
	if len(d.runs) == 1 && s.setting.TVAR && s.setting.BD {
		lo, hi := make([]float64, testDays), make([]float64, testDays)
		for i := range lo {
			lo[i], hi[i] = min(total[i], tvar[i]), max(total[i], tvar[i])
		}
		values = append(values, tvar...)
		layers = append(layers, chart.Band{X: days, Lo: lo, Hi: hi, Color: st.SeriesBand[2], Name: "basis"},
			chart.Curve{X: days, Y: tvar, Color: st.Series[3], Line: theme.Dotted, Priority: 5, Name: "TVAR"})
	}
	layers = append(layers, chart.Curve{X: historyDays, Y: history, Color: st.Truth, Priority: 6, Name: "history"},
		chart.Curve{X: days, Y: truth, Color: st.Truth, Line: theme.Marked, Priority: 7, Name: "held out"})
	for i := len(d.runs) - 1; i >= 0; i-- {
		name := "forecast"
		if len(d.runs) > 1 {
			name = d.runName(i)
		}
		y := d.runs[i].total.RawRowView(node)
		values = append(values, y...)
		layers = append(layers, chart.Curve{X: days, Y: y, Color: panel.Color(st, i), Line: runLine(i),
			Priority: 10 - i, Name: name})
	}
	lo, hi := chart.Pad(chart.Extent(values))
	layers = append(layers, chart.Rule{At: 0, Color: st.Border, Solid: true})
	if !named {
		layers = append(layers, chart.Label{X: -hierarchy.History, Y: hi, Text: d.name(level), Color: st.Dim})
	}
	return chart.Chart{X: chart.Axis{Label: "test day", Min: -hierarchy.History, Max: testDays, Integer: true},
		Y: chart.Axis{Min: lo, Max: hi}, Gutter: gutter, Layers: layers}
}

// testAxis are the test days, from 1.
func testAxis() []float64 {
	days := make([]float64, testDays)
	for i := range days {
		days[i] = float64(i + 1)
	}
	return days
}

// percent formats a fraction as a percentage.
func percent(part float64) string { return digitsFor(100*part) + " %" }

// digitsFor formats a value with about three digits.
func digitsFor(v float64) string {
	switch a := math.Abs(v); {
	case a < 1e-9: // nothing, but for rounding
		return "0"
	case a < 0.0995:
		return fmt.Sprintf("%.2g", v)
	case a < 9.995:
		return fmt.Sprintf("%.2f", v)
	case a < 99.95:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// treeMap draws the levels of the tree as rows. The width of a node is its number of leaves, its colour is its error on
// the test days; the chosen node and the path to it are marked.
func (d drawing) treeMap(w, left int) *layout.Box {
	st, s := d.style, d.runs[0]
	tr := s.panel.Tree
	leaves := len(tr.Leaves(0))
	each := max((w-left-10)/leaves, 1)
	colors := chart.NewColorScale(chart.Viridis, s.errors)
	canvas := chart.NewCanvas(left+each*leaves+1, tr.Levels(), st)
	path := d.path(tr)
	for node, level := range tr.Level {
		first := tr.Leaves(node)[0] - tr.Leaves(0)[0]
		from, cells := left+first*each, len(tr.Leaves(node))*each
		color := colors.Color(s.errors[node])
		selected := node == path[level] && level <= d.level
		for i := range cells {
			glyph := ' '
			switch {
			case selected && (i == cells/2 || cells == 1):
				glyph = st.Rune(theme.GlyphFilled)
				if level < d.level {
					glyph = st.Rune(theme.GlyphHollow)
				}
			case st.Tier == theme.NoColor || st.ASCII:
				glyph = colors.Rune(s.errors[node])
			case i == cells-1 && cells > 1:
				glyph = '▕'
			}
			if st.Tier > theme.NoColor && !st.ASCII {
				canvas.Fill(from+i, level, color)
			}
			canvas.Put(from+i, level, glyph, st.OnTop(color), true, 1)
		}
	}
	for level := range tr.Levels() {
		canvas.Text(3, level, d.levelName(level), st.Dim, 1)
	}
	lo, hi := 100*colors.Lo, 100*colors.Hi
	bar := layout.Text(9, chart.ColorBar(chart.ColorScale{Map: colors.Map, Lo: lo, Hi: hi}, 9, tr.Levels(), st)...)
	return layout.Row(canvas.Box(), bar).Describe(layout.Mark, "map of the tree", "WAPE", func() string {
		return fmt.Sprintf("The tree of %d nodes, with a row for each level. The width of a node is its number of leaves, its colour its error on the test days, from %s to %s %%. Marks show the path to the chosen node.",
			tr.Size(), digitsFor(100*slices.Min(s.errors)), digitsFor(100*slices.Max(s.errors)))
	})
}

// childrenPanel draws a parent and the mean of its leaves. Their data are equal; their forecasts are equal only if the
// embeddings add up.
func (d drawing) childrenPanel(w, h int) *layout.Box {
	s := d.runs[0]
	tr := s.panel.Tree
	level := min(d.level, len(d.child)-1)
	node := d.path(tr)[level]
	gap := 0.0
	for day := range testDays {
		if v := s.total.At(node, day) - s.leaves.At(node, day); math.Abs(v) > math.Abs(gap) {
			gap = v
		}
	}
	title := d.titleFor(w, d.projected()+d.of(w), fmt.Sprintf("%s and the mean of its %d leaves", d.name(level),
		len(tr.Leaves(node))), d.name(level)+" and mean of its leaves", d.name(level)+" and leaves")
	says := fmt.Sprintf(
		"The forecast of %s and the mean of its leaves' forecasts. In the data, a parent is the mean of its leaves; the largest gap between the forecasts is %s.",
		d.node(level), digitsFor(math.Abs(gap)))
	return d.framed(title, w, h, "coherence", says, func(w, h int) *layout.Box {
		lower := 0
		if h >= 12 {
			lower = h * 2 / 5
		}
		description := chart.Description{Marks: func(name string) (string, string) {
			return d.sumMarks(name, node, gap)
		}, Y: "Values in the units of the data.", X: fmt.Sprintf("Test days, 1 to %d.", testDays)}
		all := d.sums(node, tr.Children[node], h >= 8, w >= 76).WithLegend(w, h-lower, legendRows(h), d.style, description)
		if lower > 0 {
			description.Y = "The gap, in the units of the data."
			all.Below(d.gap(node).WithLegend(w, lower, 1, d.style, description))
		}
		return all
	})
}

// sumMarks describes the marks of a parent and its leaves; gap is the largest gap of a day, with its sign.
func (d drawing) sumMarks(name string, node int, gap float64) (sentence, term string) {
	s := d.runs[0]
	switch name {
	case "its children":
		var first []float64
		for _, kid := range s.panel.Tree.Children[node] {
			first = append(first, s.total.At(kid, 0))
		}
		return fmt.Sprintf("The forecasts of the %d children, from %s to %s on the first day.", len(first),
			digitsFor(slices.Min(first)), digitsFor(slices.Max(first))), "coherence"
	case "data", "held out":
		return fmt.Sprintf(
			"The data of the test days, %s on the first. The data of a parent are the mean of its leaves.",
			digitsFor(s.truth(node, 0))), "coherence"
	case "mean", "mean of its leaves":
		return fmt.Sprintf("The mean of the forecasts of its %d leaves: %s on the first day.",
			len(s.panel.Tree.Leaves(node)), digitsFor(s.leaves.At(node, 0))), "coherence"
	case "own", "its own forecast":
		return fmt.Sprintf("Its own forecast: %s on the first day. Its gap to the mean of its leaves is %s.",
			digitsFor(s.total.At(node, 0)), digitsFor(s.total.At(node, 0)-s.leaves.At(node, 0))), "coherence"
	case "measured gap":
		return fmt.Sprintf("The gap on each day. The largest is %s.", digitsFor(gap)), "coherence"
	case "gap from embeddings":
	default:
		return "", ""
	}
	return "The gap that follows from the embeddings: the standard deviation of the data times ⟨θ - m, b⟩, with m the mean of the leaves' embeddings. On the line, the embeddings explain all of it.",
		"embedding regularizer"
}

// sums draws the forecast of a parent, the mean of its leaves' forecasts and, if each is set, each child's forecast.
func (d drawing) sums(node int, kids []int, each, wide bool) chart.Chart {
	st, s := d.style, d.runs[0]
	days := testAxis()
	truth := make([]float64, testDays)
	for day := range truth {
		truth[day] = s.truth(node, day)
	}
	var layers []chart.Layer
	values := append([]float64{}, truth...)
	if each {
		for _, kid := range kids {
			layers = append(layers, chart.Curve{X: days, Y: s.total.RawRowView(kid), Color: st.Sample,
				Line: theme.Fine, Priority: 1, Name: "its children"})
			values = append(values, s.total.RawRowView(kid)...)
		}
	}
	names := [...]string{"data", "mean", "own"}
	if wide {
		names = [...]string{"held out", "mean of its leaves", "its own forecast"}
	}
	parent, mean := s.total.RawRowView(node), s.leaves.RawRowView(node)
	values = append(append(values, parent...), mean...)
	layers = append(layers, chart.Curve{X: days, Y: truth, Color: st.Truth, Line: theme.Marked, Priority: 3,
		Name: names[0]},
		chart.Curve{X: days, Y: mean, Color: st.Series[1], Line: theme.Dashed, Priority: 9, Name: names[1]},
		chart.Curve{X: days, Y: parent, Color: st.Series[0], Priority: 8, Name: names[2]})
	lo, hi := chart.Pad(chart.Extent(values))
	return chart.Chart{X: chart.Axis{Label: "test day", Min: 1, Max: testDays, Integer: true},
		Y: chart.Axis{Min: lo, Max: hi}, Gutter: gutter, Layers: layers}
}

// gap draws the gap between the forecast of a parent and the mean of its leaves' forecasts, as measured and as
// predicted from the embeddings.
func (d drawing) gap(node int) chart.Chart {
	st, s := d.style, d.runs[0]
	days := testAxis()
	measured, predicted := make([]float64, testDays), s.predicted.RawRowView(node)
	for day := range measured {
		measured[day] = s.total.At(node, day) - s.leaves.At(node, day)
	}
	reach := max(math.Abs(mat.Max(mat.NewVecDense(testDays, measured))),
		math.Abs(mat.Min(mat.NewVecDense(testDays, measured))), 0.01) * 1.1
	return chart.Chart{X: chart.Axis{Label: "test day", Min: 1, Max: testDays, Integer: true},
		Y: chart.Axis{Label: "gap", Min: -reach, Max: reach}, Gutter: gutter, Layers: []chart.Layer{
			chart.Curve{X: []float64{1, testDays}, Y: []float64{0, 0}, Color: st.Border},
			chart.Curve{X: days, Y: measured, Color: st.Series[0], Priority: 5, Name: "measured gap"},
			chart.Points{X: days, Y: predicted, Shape: theme.GlyphDot, Color: st.Series[2],
				Name: "gap from embeddings"},
		}}
}
