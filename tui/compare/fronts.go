package compare

import (
	"cmp"
	"math"
	"slices"

	"bandscope/sessions/report"
	"bandscope/tui/belief"
	"bandscope/tui/belief/several"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// frontsPanel lays the fronts of all methods over each other: of beliefs the median attainment of the fronts that each model draws, with a band from
// a quarter to three quarters of them; in a race what each has found.
func (m *Model) frontsPanel(w, h int) []string {
	st := m.Style
	x, y := m.frontAxes()
	c := plot.Chart{X: x, Y: y, Gutter: belief.Gutter}
	state := m.base.State()
	title := "fronts that the models draw: median attainment, 25 to 75 %"
	if m.arranged == racing {
		title = "fronts that the methods have found"
	}
	if known := m.knownFront(); known != nil {
		c.Layers = append(c.Layers, m.frontOf(known))
	}
	without := ""
	for k, p := range slices.Backward(m.panes) { // the legend has them the other way round
		layers := m.frontLayers(k, p, x)
		if layers == nil && p.outcomes != nil && m.arranged != racing && len(state.Iterations) > 0 {
			without = letter(k) + " draws no fronts"
		}
		c.Layers = append(c.Layers, layers...)
	}
	if m.arranged != racing && len(m.panes) > 0 && m.panes[0].outcomes != nil {
		c.Layers = append(c.Layers, m.observed()...)
	}
	body := m.legend(c.Layers, w-2)
	if without != "" {
		body = append(body, " "+st.Paint(st.Dim, without))
	}
	if m.work.waiting > 0 && len(c.Layers) == 0 {
		body = append(body, " "+st.Paint(st.Dim, st.Plain("fitting…")))
	}
	body = append(body, m.book.Draw(c, w-2, h-2-len(body), st)...)
	return screen.Panel(st, st.Plain(title), body, w, h, false)
}

// frontLayers are the attainment of one method among others; nil where it has none.
func (m *Model) frontLayers(k int, p *pane, x plot.Axis) []plot.Layer {
	if p.outcomes == nil {
		return nil
	}
	st := m.Style
	fronts := m.fronts(p)
	i, j := m.pair()
	a := several.Attain(fronts, p.state.Problem.Objectives, i, j, x.Min, x.Max)
	if len(a.X) == 0 {
		return nil
	}
	name := letter(k) + " " + m.paneTitle(p)
	var layers []plot.Layer
	if len(fronts) > 1 {
		lo, hi := a.Quarter, a.Most
		if p.state.Problem.Objectives[j].Gauge().Sign < 0 {
			lo, hi = hi, lo
		}
		layers = append(layers, plot.Band{X: a.X, Lo: lo, Hi: hi, Color: st.SeriesBand[k], Second: k > 0, Name: name})
	}
	layers = append(layers, plot.Curve{X: a.X, Y: a.Half, Color: st.Series[k], Line: lines[k], Priority: 4 + k, Name: name})
	at := letterAt(a, k, len(m.panes))
	return append(layers, plot.Label{X: a.X[at], Y: a.Half[at], Text: letter(k), Color: st.Series[k]})
}

// letterAt is where the letter of a method stands on its line: apart from those of the others.
func letterAt(a several.Attainment, k, panes int) int {
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
func (m *Model) frontOf(front [][]float64) plot.Layer {
	i, j := m.pair()
	front = slices.Clone(front)
	slices.SortFunc(front, func(a, b []float64) int { return cmp.Compare(a[i], b[i]) })
	var xs, ys []float64
	for _, y := range front {
		xs, ys = append(xs, y[i]), append(ys, y[j])
	}
	if len(m.base.State().Problem.Objectives) > 2 {
		return plot.Points{X: xs, Y: ys, Shape: theme.GlyphPlus, Color: m.Style.Truth, Back: true, Name: "front"}
	}
	return plot.Curve{X: xs, Y: ys, Color: m.Style.Truth, Line: theme.Marked, Priority: 2, Name: "front"}
}

// fronts are those of a method: that its model draws, or in a race the one that it has found.
func (m *Model) fronts(p *pane) [][][]float64 {
	switch {
	case p.outcomes == nil:
		return nil
	case m.arranged != racing:
		return p.outcomes.Fronts()
	}
	if found := report.Front(p.state, len(p.state.Iterations)); len(found) > 0 {
		return [][][]float64{found}
	}
	return nil
}

// frontAxes are axes that hold the fronts of all methods.
func (m *Model) frontAxes() (x, y plot.Axis) {
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
		for _, front := range m.fronts(p) {
			see(front)
		}
		if p.outcomes != nil {
			see(report.Front(p.state, len(p.state.Iterations)))
		}
	}
	return belief.ValueAxis(objectives[i], xs), belief.ValueAxis(objectives[j], ys)
}
