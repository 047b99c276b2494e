package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// fronts overlays the fronts of all methods: the median attainment of the fronts drawn from each model, with a band
// from 25 to 75 % of them; in a race the front that each has found.
func (m *Model) fronts(w, h int) *layout.Box {
	st := m.Style
	x, y := m.frontAxes()
	c := chart.Chart{X: x, Y: y, Gutter: picture.Gutter}
	titles := []string{"fronts drawn from the models: median attainment, 25 to 75 %",
		"sampled fronts: median attainment"}
	says := fmt.Sprintf(
		"Pareto fronts drawn from %s of the same results. A line is attained by half of the draws; the edges of its band by a quarter and by three quarters.",
		widget.Count(len(m.panes), "model"))
	if m.arrangement == racing {
		titles, says = []string{"fronts found by the methods"},
			fmt.Sprintf("The Pareto fronts that %s found, each with its own results.",
				widget.Count(len(m.panes), "method"))
	}
	if known := m.knownFront(); known != nil {
		c.Layers = append(c.Layers, m.frontOf(known))
	}
	without := ""
	for k, p := range slices.Backward(m.panes) { // the legend has them the other way round
		layers := m.frontLayers(k, p, x)
		if layers == nil && p.outcomes != nil && m.arrangement != racing && len(m.base.State().Iterations) > 0 {
			without = letter(k) + " has no fronts to draw"
		}
		c.Layers = append(c.Layers, layers...)
	}
	if m.arrangement != racing {
		c.Layers = append(c.Layers, m.observed()...)
	}
	if slices.ContainsFunc(m.panes, m.fitting) {
		c.Note = picture.FittingNote
	}
	body := layout.New(0, 0)
	if without != "" {
		body.Below(layout.Text(w-2, " "+st.Paint(st.Dim, without)).
			Prose("without fronts", "Pareto front",
				"One of the methods has no model of the outcomes, so it has no fronts to draw."))
	}
	title := layout.FirstFit(st, w-layout.TitleRoom, titles...)
	plot := c.WithLegend(w-2, h-2-body.H, 1, st, m.describeOutcomes(m.panes[0], c, m.frontMarks(c)))
	return layout.Panel(st, title, body.Below(plot), w, h, false).Section(titles[0], "Pareto front", says)
}

// frontMarks describes the marks of overlaid fronts.
func (m *Model) frontMarks(c chart.Chart) func(name string) (sentence, term string) {
	others := front.Describe(m.outcomeDrawing(m.panes[0]), nil).Describe
	return func(name string) (sentence, term string) {
		for k, p := range m.panes {
			if name == letter(k)+" "+m.paneTitle(p) {
				return m.describeFront(k, p, c), "Pareto front"
			}
		}
		return others(name)
	}
}

// describeFront describes the front of one method among others: how far it goes, and what it dominates.
func (m *Model) describeFront(k int, p *pane, c chart.Chart) string {
	name := letter(k) + " " + m.paneTitle(p)
	least, most := math.Inf(1), math.Inf(-1)
	for _, l := range c.Layers {
		if curve, ok := l.(chart.Curve); ok && curve.Name == name {
			for _, y := range curve.Y {
				if !math.IsNaN(y) {
					least, most = min(least, y), max(most, y)
				}
			}
		}
	}
	_, j := m.pair()
	text := fmt.Sprintf("%s, %s: ", letter(k), m.paneTitle(p))
	if n := len(m.frontsOf(p)); m.arrangement != racing {
		text += fmt.Sprintf("half of its %s attain this line; ", widget.Count(n, "sampled front"))
	} else {
		text += "its Pareto front so far; "
	}
	text += fmt.Sprintf("along it, %s goes from %s to %s", m.base.State().Problem.Objectives[j].Name,
		widget.Number(least), widget.Number(most))
	if v := last(p.outcomes.Traces.Hypervolume); v != "" {
		text += fmt.Sprintf(". The results dominate a hypervolume of%s", v)
	}
	return text + "."
}

// frontLayers are the attainment of one method among others; nil where it has none.
func (m *Model) frontLayers(k int, p *pane, x chart.Axis) []chart.Layer {
	if p.outcomes == nil || m.fitting(p) {
		return nil
	}
	st := m.Style
	drawn := m.frontsOf(p)
	i, j := m.pair()
	a := front.NewAttainment(drawn, p.state.Problem.Objectives, i, j, x.Min, x.Max)
	if len(a.X) == 0 {
		return nil
	}
	name, short := letter(k)+" "+m.paneTitle(p), letter(k)+" "+m.paneTitles(p)[2]
	var layers []chart.Layer
	if len(drawn) > 1 {
		lo, hi := a.Quarter, a.ThreeQuarters
		if p.state.Problem.Objectives[j].Transform().Sign < 0 {
			lo, hi = hi, lo
		}
		layers = append(layers, chart.Band{X: a.X, Lo: lo, Hi: hi, Color: st.SeriesBand[k], Second: k > 0, Name: name,
			Short: short})
	}
	layers = append(layers, chart.Curve{X: a.X, Y: a.Half, Color: st.Series[k], Line: lines[k], Priority: 4 + k,
		Name: name, Short: short})
	index := letterAt(a, k, len(m.panes))
	return append(layers, chart.Label{X: a.X[index], Y: a.Half[index], Text: letter(k), Color: st.Series[k]})
}

// letterAt is where the letter of a method is drawn on its line, apart from those of the others.
func letterAt(a front.Attainment, k, panes int) int {
	var there []int
	for i, y := range a.Half {
		if !math.IsNaN(y) {
			there = append(there, i)
		}
	}
	if len(there) == 0 {
		return 0
	}
	return there[(len(there)-1)*(2*k+1)/(2*panes)]
}

// knownFront is the problem's own front while the truth is shown; nil where it is not known.
func (m *Model) knownFront() [][]float64 {
	for _, p := range m.panes {
		if o := p.outcomes; o != nil && o.Known && m.shown.reveal {
			return o.Front
		}
	}
	return nil
}

// frontOf draws the known front: a line of two objectives, points of a surface of more.
func (m *Model) frontOf(front [][]float64) chart.Layer {
	i, j := m.pair()
	front = slices.Clone(front)
	slices.SortFunc(front, func(a, b []float64) int { return cmp.Compare(a[i], b[i]) })
	var xs, ys []float64
	for _, y := range front {
		xs, ys = append(xs, y[i]), append(ys, y[j])
	}
	if len(m.base.State().Problem.Objectives) > 2 {
		return chart.Points{X: xs, Y: ys, Shape: theme.GlyphPlus, Color: m.Style.Truth, Back: true, Name: "front"}
	}
	return chart.Curve{X: xs, Y: ys, Color: m.Style.Truth, Line: theme.Marked, Priority: 2, Name: "front"}
}

// frontsOf are the fronts of a method: those drawn from its model, or in a race the one that it found.
func (m *Model) frontsOf(p *pane) [][][]float64 {
	switch {
	case p.outcomes == nil:
		return nil
	case m.arrangement != racing:
		return p.outcomes.Fronts()
	}
	if found := report.Front(p.state, len(p.state.Iterations)); len(found) > 0 {
		return [][][]float64{found}
	}
	return nil
}

// frontAxes are axes that hold the fronts of all methods.
func (m *Model) frontAxes() (x, y chart.Axis) {
	i, j := m.pair()
	objectives := m.base.State().Problem.Objectives
	var xs, ys []float64
	see := func(front [][]float64) {
		for _, y := range front {
			xs, ys = append(xs, y[i]), append(ys, y[j])
		}
	}
	see(m.knownFront())
	for _, p := range m.panes {
		for _, front := range m.frontsOf(p) {
			see(front)
		}
		if p.outcomes != nil {
			see(report.Front(p.state, len(p.state.Iterations)))
		}
	}
	return picture.ValueAxis(objectives[i], xs), picture.ValueAxis(objectives[j], ys)
}
