package why

import (
	"fmt"
	"math"

	"bandscope/sessions/appraisal"
	"bandscope/sessions/safe"
	"bandscope/sessions/why"
	"bandscope/tui/belief/along"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/colormap"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// picture draws the acquisition with the point, the places that were nearly chosen, and the results.
func (m *Model) picture(w, h int) []string {
	st := m.Style
	if lacks := m.lacking(); lacks != "" {
		return m.say("why this point", lacks, w, h)
	}
	c := m.chart()
	legend := screen.Legend(st, c.Legend(st), w-4, 2)
	var body []string
	for _, l := range legend {
		body = append(body, " "+l)
	}
	body = append(body, c.Draw(w-2, h-2-len(legend), st).Lines()...)
	return screen.Panel(st, st.Plain(layout.ShortenIn(st, safe.Text(m.report.Acquisition), w-screen.TitleRoom)), body, w, h, false)
}

// chart is the picture: a curve along one variable, a field over two.
func (m *Model) chart() plot.Chart {
	st, domain, g := m.Style, m.state.Problem.Domain, m.ground
	c := plot.Chart{X: along.Axis(domain[g.I])}
	at := func(p why.Place) (x, y float64) { return p.X[g.I], p.Whole.Value }
	floor := 0.0
	if g.J < 0 {
		lo, hi := span(g.Values)
		floor = lo - 0.08*(hi-lo)
		c.Y = plot.Axis{Min: lo - 0.12*(hi-lo), Max: hi + 0.1*(hi-lo)}
		steps := along.StepsOf(domain[g.I], g.Xs)
		c.Layers = append(c.Layers, plot.Curve{X: steps.X, Y: steps.Y(g.Values), Color: st.Acquisition, Name: "acquisition"})
	} else {
		c.Y = along.Axis(domain[g.J])
		at = func(p why.Place) (x, y float64) { return p.X[g.I], p.X[g.J] }
		scale := colormap.Auto(colormap.Viridis, g.Values)
		scale.Flip = m.report.Lower
		c.Layers = append(c.Layers, plot.Heat{Field: g.Field(domain, g.Values), Scale: scale})
	}
	if !g.Barred.Empty() {
		c.Layers = append(c.Layers, g.Barred)
	}
	c.Layers = append(c.Layers, m.results(floor)...)
	for i, o := range m.report.Others {
		x, y := at(o.Place)
		l := plot.Label{X: x, Y: y, Text: fmt.Sprint(i + 1), Color: st.Warn, Ink: g.J >= 0}
		if i == 0 {
			l.Name = "nearly chosen"
		}
		c.Layers = append(c.Layers, l)
	}
	x, y := at(m.report.Chosen)
	return plot.Chart{X: c.X, Y: c.Y, Gutter: c.Gutter, Layers: append(c.Layers, plot.Points{X: []float64{x}, Y: []float64{y}, Shape: theme.GlyphDiamond, Color: st.Next, Name: "the point"})}
}

// results are the marks of the results: those that hold the choice, and others; along one variable at the foot of the picture.
func (m *Model) results(floor float64) []plot.Layer {
	st, g := m.Style, m.ground
	held := plot.Points{Shape: theme.GlyphFilled, Color: st.Data, Ink: g.J >= 0, Name: "result that holds it"}
	free := plot.Points{Shape: theme.GlyphHollow, Color: st.Data, Ink: g.J >= 0, Name: "result"}
	for i, r := range appraisal.ResultsOf(m.state) {
		points := &free
		if i < len(m.report.Influence) && !m.report.Influence[i].Same {
			points = &held
		}
		y := floor
		if g.J >= 0 {
			y = r.X[g.J]
		}
		points.X, points.Y = append(points.X, r.X[g.I]), append(points.Y, y)
	}
	return []plot.Layer{free, held}
}

// span is from the least to the greatest finite value.
func span(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if !(hi > lo) {
		lo, hi = lo-1, lo+1
	}
	return lo, hi
}
