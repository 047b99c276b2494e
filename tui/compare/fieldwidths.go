package compare

import (
	"fmt"
	"math"
	"slices"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
)

// fieldWidths draws the standard deviations of two posteriors over two variables, and their ratio.
func (m *Model) fieldWidths(w, h int) *layout.Box {
	pair, st := m.widthPanes(), m.Style
	shared := &sharedLegend{least: h - 3}
	scale := chart.NewColorScale(chart.Viridis, m.deviations(pair[0]), m.deviations(pair[1]))
	var panels [3]*layout.Box
	left := 0
	for k := range panels {
		right := w * (k + 1) / len(panels)
		if k < 2 {
			panels[k] = m.deviationField(pair[k], right-left, h-1, scale, shared)
		} else {
			panels[k] = m.ratioField(right-left, h-1, shared)
		}
		left = right
	}
	fields := layout.Row(panels[:]...)
	fields.LazyChildren = func() []*layout.Box {
		fields.LazyChildren = nil
		merge(panels[:])
		return nil
	}
	return layout.Column(layout.New(w, 1, shared.line(st, w-2).At(1, 0)), fields)
}

// deviations are the standard deviations of a pane; nil while they are not known.
func (m *Model) deviations(i int) []float64 {
	if p := m.panes[i].posterior; p != nil {
		return p.Fields[picture.SDField].Z
	}
	return nil
}

// deviationField is the standard deviation of one posterior.
func (m *Model) deviationField(i, w, h int, scale chart.ColorScale, shared *sharedLegend) *layout.Box {
	return m.framed(i, w, h, nil, "", func(w, h int) *layout.Box {
		f := m.describe(m.panes[i])
		f.Colors = &scale
		says, term := f.DescribeField(picture.SDField)
		return m.field(f, w, h, shared, "standard deviation", ours.Replace(says), term,
			ours.Replace(f.DescribeColorBar(picture.SDField)))
	})
}

// field draws the field of standard deviations of a drawing below its name, with the colours beside.
func (m *Model) field(f picture.Description, w, h int, shared *sharedLegend, name, says, term, colors string) *layout.Box {
	const bar = 9
	st := m.Style
	panel := f.Panel(picture.SDField)
	c := panel.Chart
	head := layout.Text(w, " "+st.Paint(st.Dim, layout.ShortenIn(st, name, w-1)))
	known := !f.Posterior.Fields[picture.SDField].Empty()
	if !known {
		c.Note = picture.FittingNote
	}
	panel.Axes.Marks = here(panel.Axes.Marks)
	plot := shared.draw(c, w-bar, h-1, st, panel.Axes)
	if !known {
		return layout.Column(head, plot)
	}
	head.Describe(layout.Mark, name, term, layout.Static(says)).Linked = []*layout.Box{plot}
	key := layout.Text(bar-1, chart.ColorBar(f.Scale(picture.SDField), bar-1, plot.H-1, st)...).
		Describe(layout.Axis, "colours", term, layout.Static(colors))
	return layout.Column(head, layout.Row(plot, layout.Space(1, 0), key))
}

// maxRatio bounds the ratios that have colours of their own.
const maxRatio = 32

// ratioField is how many times as wide the band of the second posterior is as that of the first.
func (m *Model) ratioField(w, h int, shared *sharedLegend) *layout.Box {
	d, missing := m.widths()
	st, a, b := m.Style, letter(d.panes[0]), letter(d.panes[1])
	title := fmt.Sprintf("sd of %s / sd of %s", b, a)
	section := fmt.Sprintf("The ratio of the two standard deviations: above 1 the band of %s is wider, below 1 that of %s.", b, a)
	if missing != "" {
		return layout.EmptyPanel(st, title, missing, w, h, "confidence band", section, missing)
	}
	f := m.describe(m.panes[d.panes[0]])
	ratios := *f.Posterior
	ratios.Next = nil
	logs := make([]float64, len(d.sd[0]))
	for i := range logs {
		ratio := min(max(d.sd[1][i]/d.sd[0][i], 1.0/maxRatio), maxRatio)
		logs[i] = math.Log10(ratio)
	}
	ratios.Fields[picture.SDField].Z = logs
	scale := ratioScale(logs)
	f.Posterior, f.Colors = &ratios, &scale
	lo, hi := chart.Extent(logs)
	body := m.field(f, w-2, h-2, shared, "ratio, 1 where the widths are equal",
		fmt.Sprintf("The standard deviation of %s divided by that of %s: from %s to %s.", b, a, times(math.Pow(10, lo)),
			times(math.Pow(10, hi))), "confidence band",
		fmt.Sprintf("The colours of the ratio, on a logarithmic scale, from %s to %s. In the middle the widths are equal.",
			times(math.Pow(10, scale.Lo)), times(math.Pow(10, scale.Hi))))
	return layout.Panel(st, title, body, w, h, false).Section(title, "confidence band", section)
}

// ratioScale are the colours of logarithms of ratios: 1 is in the middle, and a twentieth of the ratios lies beyond the
// ends, such as those at results, where both standard deviations are almost 0.
func ratioScale(logs []float64) chart.ColorScale {
	sizes := make([]float64, len(logs))
	for i, l := range logs {
		sizes[i] = math.Abs(l)
	}
	slices.Sort(sizes)
	end := max(sizes[len(sizes)*19/20], math.Log10(minSame))
	return chart.ColorScale{Map: chart.Diverging, Lo: -end, Hi: end, Log: true}
}
