package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/optimizers/param"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// minSame is the ratio of two standard deviations up to which they are about the same.
const minSame = 1.05

// fittingBands says that two bands are not known yet.
const fittingBands = "The two bands are being computed."

// widths are the standard deviations of two posteriors at the same inputs.
type widths struct {
	panes [2]int
	x     []float64    // along the variable; nil over two variables
	sd    [2][]float64 // on the scale of the objective
	at    int          // index of the input where they differ most
	where string       // that input
}

// ratio is how many times as wide the wider band is at the input where the bands differ most, and which one that is.
func (d widths) ratio() (ratio float64, wider int) {
	ratio = d.sd[0][d.at] / d.sd[1][d.at]
	if ratio < 1 {
		return 1 / ratio, 1
	}
	return ratio, 0
}

// widthPanes are the two panes that are compared: the first and the selected one, or the second if that is the first.
func (m *Model) widthPanes() [2]int { return [2]int{0, max(m.selected, 1)} }

// overlaidPanes are the panes whose posteriors are in one plot.
func (m *Model) overlaidPanes() []int {
	if m.arrangement == bandWidths && len(m.panes) > 1 {
		pair := m.widthPanes()
		return pair[:]
	}
	all := make([]int, len(m.panes))
	for i := range all {
		all[i] = i
	}
	return all
}

// widths compares the standard deviations of two panes; missing says why they are not known.
func (m *Model) widths() (d widths, missing string) {
	d.panes = m.widthPanes()
	for _, i := range d.panes {
		if p := m.panes[i]; p.reason != "" {
			return d, fmt.Sprintf("%s has no band: %s.", letter(i), strings.TrimRight(p.reason, ".…"))
		}
	}
	for k, i := range d.panes {
		p := m.panes[i].posterior
		switch {
		case p == nil || !p.Known[picture.SDField]:
			return d, fittingBands
		case p.Fields[picture.SDField].Empty():
			return d, letter(i) + " has no band."
		}
		d.sd[k] = p.Fields[picture.SDField].Z
	}
	first := m.panes[d.panes[0]]
	if m.shown.planar {
		if len(d.sd[0]) != len(d.sd[1]) { // one is still coarse
			return d, fittingBands
		}
		d.at = furthest(d.sd)
		d.where = picture.Describe(m.drawing(first), picture.SDField, nil).NodeText(d.at)
		return d, ""
	}
	d.x = first.posterior.Fields[picture.SDField].X
	second := m.panes[d.panes[1]].posterior.Fields[picture.SDField]
	d.sd[1] = make([]float64, len(d.x))
	for i, x := range d.x {
		d.sd[1][i] = second.Along(x)
	}
	d.at = furthest(d.sd)
	v := m.base.State().Problem.Domain[m.shown.view.X]
	d.where = v.Name + " = " + v.Text(d.x[d.at])
	return d, ""
}

// furthest is the index at which two lists differ most.
func furthest(sd [2][]float64) (index int) {
	most := -1.0
	for i := range sd[0] {
		if apart := math.Abs(sd[0][i] - sd[1][i]); apart > most {
			most, index = apart, i
		}
	}
	return index
}

// shortTitle is the title of a pane without its parameters.
func (m *Model) shortTitle(i int) string {
	return cmp.Or(m.panes[i].Title, m.panes[i].alt.Spec().Title)
}

// widthsSentences compare the widths of the two bands, the longest first.
func (m *Model) widthsSentences() []string {
	d, missing := m.widths()
	if missing != "" {
		return []string{missing}
	}
	ratio, wider := d.ratio()
	sentences := func(a, b string) []string {
		if ratio < minSame {
			return []string{fmt.Sprintf("The bands of %s and %s have about the same width everywhere.", a, b)}
		}
		text := fmt.Sprintf("The %s band is %s times as wide as the %s band at %s", a, times(ratio), b, d.where)
		return []string{text + ", where their widths differ most.", text + "."}
	}
	a, b := d.panes[wider], d.panes[1-wider]
	return append(sentences(m.shortTitle(a), m.shortTitle(b)), sentences(letter(a), letter(b))...)
}

// times formats a ratio.
func times(ratio float64) string {
	if ratio < 9.95 {
		return fmt.Sprintf("%.1f", ratio)
	}
	return widget.Number(math.Round(ratio))
}

// minStrip is how many rows a plot has at least below which the standard deviations are drawn.
const minStrip = 13

// contrast draws two posteriors over the same data, and their standard deviations below.
func (m *Model) contrast(w, h int) *layout.Box {
	st, pair := m.Style, m.widthPanes()
	strip := 0
	if h-2 >= minStrip {
		strip = max((h-2)/4, 5)
	}
	plot := m.overlayPlot(w-2, h-2-strip, strip > 0)
	body := layout.Column(plot)
	if strip > 0 {
		body.Below(m.deviationStrip(w-2, strip))
	}
	title := layout.FirstFit(st, w-layout.TitleRoom, m.paneTitle(m.panes[pair[0]])+" and "+m.paneTitle(m.panes[pair[1]]),
		m.shortTitle(pair[0])+" and "+m.shortTitle(pair[1]), letter(pair[0])+" and "+letter(pair[1]))
	return layout.Panel(st, title, body, w, h, false).Section("two posteriors", "posterior",
		fmt.Sprintf("The posteriors of two methods after the same %s, and below them their standard deviations.",
			widget.Count(len(m.base.State().Iterations), "step")))
}

// deviationStrip draws the standard deviations of the two posteriors in w×h cells.
func (m *Model) deviationStrip(w, h int) *layout.Box {
	st := m.Style
	objective := m.base.State().Problem.Objectives[0]
	v := m.base.State().Problem.Domain[m.shown.view.X]
	d, missing := m.widths()
	c := chart.Chart{X: picture.Axis(v), Y: chart.Axis{Max: 1}, Gutter: picture.Gutter}
	name := picture.DeviationName(objective.Transform())
	if missing != "" {
		c.Note, c.Y.HideTicks = missing, true
	} else {
		_, hi := chart.Extent(slices.Concat(d.sd[:]...))
		c.Y.Max = 1.05 * hi
		c.Layers = append(c.Layers, chart.Rule{At: d.x[d.at], Color: st.Dim, Name: furthestName})
		steps := picture.NewSteps(v, d.x)
		for k, i := range d.panes {
			c.Layers = append(c.Layers, chart.Curve{X: steps.X, Y: steps.Y(d.sd[k]), Color: st.Series[i], Line: lines[i],
				Priority: 4 + k, Name: m.deviationName(i)})
		}
	}
	head := layout.Text(w, " "+st.Paint(st.Dim, name))
	plot := c.Box(w, h-1, st, chart.Description{Marks: func(name string) (sentence, term string) {
		return m.describeDeviation(d, name)
	}, X: picture.DescribeVariable(v), Y: "The standard deviations of the two posteriors, from 0."})
	return layout.Column(head, plot)
}

// furthestName is the name of the input where two bands differ most.
const furthestName = "greatest difference"

// deviationName names the standard deviation of a pane.
func (m *Model) deviationName(i int) string { return "sd of " + letter(i) }

// describeDeviation describes a mark of the standard deviations.
func (m *Model) describeDeviation(d widths, name string) (sentence, term string) {
	for k, i := range d.panes {
		if name == m.deviationName(i) {
			lo, hi := chart.Extent(d.sd[k])
			return fmt.Sprintf("The standard deviation of %s, %s: from %s to %s.", letter(i), m.shortTitle(i),
				widget.Number(lo), widget.Number(hi)), "confidence band"
		}
	}
	if name == furthestName {
		return m.widthsSentences()[0], "confidence band"
	}
	return "", ""
}

// knob is a parameter of a pane that the arrow keys change.
type knob struct {
	pane int
	decl param.Decl
}

// knobs are the parameters of the models whose bands are compared.
func (m *Model) knobs() (list []knob) {
	for _, i := range m.widthPanes() {
		for _, key := range m.panes[i].Knobs {
			if d, err := m.panes[i].alt.Params().Decl(key); err == nil {
				list = append(list, knob{i, d})
			}
		}
	}
	return list
}
