package picture

import (
	"fmt"
	"math"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// add adds a point at a place.
func add(p *chart.Points, place [2]float64) { p.X, p.Y = append(p.X, place[0]), append(p.Y, place[1]) }

// point is where a chart draws a point of the problem; along one variable its height is 0.
func (p *Posterior) point(x []float64) (place [2]float64) {
	if p.View.Axes == OneVariable {
		return [2]float64{x[p.View.X]}
	}
	place[0], place[1] = p.ChartPlace(x)
	return place
}

// marks are the results by their kinds.
type marks struct {
	data, failed, beyond, newest, best chart.Points
	steps                              []chart.Layer // the numbers of steps, in place of data
}

// marks are the results: the newest and the best are marked. In a slice through several variables the points are off
// the slice and are drawn faint, except the best, through which the slice goes. Along one variable failures are at the
// bottom.
func (d Drawing) marks(bottom float64) (m marks) {
	st, line := d.Style, d.Posterior.View.Axes == OneVariable
	m = marks{data: chart.Points{Shape: theme.GlyphHollow, Ink: !line, Color: st.Dim, Name: "data"},
		failed: chart.Points{Shape: theme.GlyphCross, Ink: !line, Color: st.Error, Name: "failed"},
		beyond: LimitViolationLayer(st, !line),
		newest: chart.Points{Shape: theme.GlyphTarget, Ink: !line, Color: st.Newest, Name: "newest"},
		best:   chart.Points{Shape: theme.GlyphStar, Ink: !line, Color: st.Best, Name: "best"}}
	switch {
	case line && d.State.Problem.Dim() == 1:
		m.data.Shape, m.data.Color = theme.GlyphFilled, st.Data
	case line:
		m.data.Name, m.data.Short = offSliceName, "off the slice"
	}
	_, value, bestStep, ok := d.State.Best()
	places := d.places()
	for i, it := range d.State.Iterations {
		for b, pt := range it.Points {
			place, list := places[i][b], &m.data
			best := ok && it.Step == bestStep && pt.Y[0] == value && d.State.Feasible(it, b)
			switch {
			case pt.Failed:
				list = &m.failed
				if line {
					place[1] = bottom
				}
			case !d.State.Feasible(it, b):
				list = &m.beyond
			case best && !line:
				list = &m.best
			case i == len(d.State.Iterations)-1:
				list = &m.newest
			case d.Numbers && !d.Small:
				m.steps = append(m.steps, chart.Label{X: place[0], Y: place[1], Text: fmt.Sprint(it.Step), Ink: true, Name: "step"})
				continue
			}
			add(list, place)
			if best && line {
				m.best.X, m.best.Y = place[:1], place[1:]
			}
		}
	}
	return m
}

// places are where the points of every iteration are drawn. Those of one level of a variable, or of one cell of two, are
// side by side, as in slices through more variables they may be different points.
func (d Drawing) places() [][][2]float64 {
	p := d.Posterior
	domain, line := d.State.Problem.Domain, p.View.Axes == OneVariable
	spread := line || p.View.Axes == TwoVariables && domain[p.View.X].Levels() > 0 && domain[p.View.Y].Levels() > 0
	count, seen := map[[2]float64]int{}, map[[2]float64]int{}
	for _, it := range d.State.Iterations {
		for _, pt := range it.Points {
			count[p.point(pt.X)]++
		}
	}
	places := make([][][2]float64, len(d.State.Iterations))
	for i, it := range d.State.Iterations {
		for _, pt := range it.Points {
			place := p.point(pt.X)
			cell := place
			if spread {
				place[0] = Spread(domain[p.View.X], place[0], seen[cell], count[cell])
				seen[cell]++
			}
			if line {
				place[1] = d.Objective().Transform().Clamp(pt.Y[0])
			}
			places[i] = append(places[i], place)
		}
	}
	return places
}

// candidates are the rows of the problem's table that are not evaluated, each place once, along one variable at the
// bottom; none without a table, and on a small field. In a slice through several variables most lie off the slice.
func (d Drawing) candidates(bottom float64) []chart.Layer {
	rows := unevaluatedRows(d.State)
	if len(rows) == 0 || d.Small {
		return nil
	}
	line := d.Posterior.View.Axes == OneVariable
	p := chart.Points{Shape: theme.GlyphDot, Color: d.Style.Text, Ink: !line, Back: true, Name: candidatesName}
	seen := map[[2]float64]bool{}
	for _, x := range rows {
		place := d.Posterior.point(x)
		if line {
			place[1] = bottom
		}
		if !seen[place] {
			seen[place] = true
			add(&p, place)
		}
	}
	return []chart.Layer{p}
}

// unevaluatedRows are the inputs of a problem's table without a result.
func unevaluatedRows(st sessions.State) [][]float64 {
	t := st.Problem.Table
	if t == nil {
		return nil
	}
	measured := map[int]bool{}
	for _, it := range st.Iterations {
		for _, pt := range it.Points {
			measured[t.Row(pt.X)] = true
		}
	}
	var rows [][]float64
	for i, x := range t.X {
		if !measured[i] {
			rows = append(rows, x)
		}
	}
	return rows
}

// offSliceName names the results that are not on the slice in the legend.
const offSliceName = "data off the slice"

// Data are the points of a chart along one variable.
func (d Drawing) Data(c chart.Chart) []chart.Layer {
	p, m := d.Posterior, d.marks(c.Y.Min)
	next := chart.Points{Shape: p.NextPoints.Mark(), Color: d.Style.Next}
	if p.Fitted {
		next.Name = p.NextPoints.Name()
	}
	for _, x := range p.Next {
		y := p.At(UsedField, x)
		if math.IsNaN(y) {
			y = p.At(MeanField, x)
		}
		if math.IsNaN(y) {
			y = c.Y.Min
		}
		add(&next, [2]float64{x[p.View.X], min(max(y, c.Y.Min), c.Y.Max)})
	}
	return append(append(d.correctionLayers(c), d.errorLayers(c)...), m.data, m.failed, m.beyond, m.newest, m.best, next)
}

// correctionLayers are the values before their correction and, at the bottom, the suggestions that were discarded.
func (d Drawing) correctionLayers(c chart.Chart) []chart.Layer {
	j := d.Posterior.View.X
	was := chart.Points{Shape: theme.GlyphCross, Color: d.Style.Dim, Name: "corrected"}
	for _, it := range d.State.Iterations {
		for _, old := range it.Corrections {
			x := it.Points[old.Point].X
			if old.OldAt != nil {
				x = old.OldAt
			}
			add(&was, [2]float64{x[j], d.Objective().Transform().Clamp(old.Old[0])})
		}
	}
	rejected := chart.Points{Shape: theme.GlyphCross, Color: d.Style.Warn, Name: "discarded"}
	for _, r := range d.State.Rejections {
		for _, x := range r.X {
			add(&rejected, [2]float64{x[j], c.Y.Min})
		}
	}
	return []chart.Layer{was, rejected}
}

// rules are the infeasible regions, along the bottom, and the vertical lines of the next point, the cursor and the
// bounds of the search.
func (d Drawing) rules() []chart.Layer {
	p, j := d.Posterior, d.Posterior.View.X
	layers := d.bounds()
	if h := p.ConstraintHatch; !h.Empty() {
		h.Color = d.Style.Warn
		layers = append(layers, h)
	}
	layers = append(layers, d.regions()...)
	for _, x := range p.Next {
		layers = append(layers, chart.Rule{At: x[j], Color: d.Style.Next, Name: p.NextPoints.Name()})
	}
	if d.Cursor != nil {
		layers = append(layers, chart.Rule{At: d.Cursor[j], Color: d.Style.Cursor, Solid: true, Name: "cursor"})
	}
	return layers
}

// bounds are the bounds of the next point and, where the domain became wider, those of the beginning; none of those
// that are the bounds of the domain.
func (d Drawing) bounds() []chart.Layer {
	now := d.boundsOf(d.State.Bounds, chart.Rule{Color: d.Style.Warn, Solid: true, Name: "bounds"})
	if now != nil {
		return now
	}
	return d.boundsOf(d.State.WidenedFrom(), chart.Rule{Color: d.Style.Faint, Name: originalName})
}

// boundsOf are the bounds of some variables, in the color and with the name of a rule; none of those that are the
// bounds of the domain.
func (d Drawing) boundsOf(b functions.Domain, rule chart.Rule) (layers []chart.Layer) {
	v, domain := d.Posterior.View, d.State.Problem.Domain
	whole := func(j int) bool { return b[j].Low == domain[j].Low && b[j].High == domain[j].High }
	switch {
	case b == nil || v.Axes == TwoVariables && whole(v.X) && whole(v.Y):
		return nil
	case v.Axes == Ternary:
		return []chart.Layer{d.Posterior.boundsContour(b)}
	case v.Axes == TwoVariables:
		return []chart.Layer{chart.Box{X0: b[v.X].Low, X1: b[v.X].High, Y0: b[v.Y].Low, Y1: b[v.Y].High, Color: rule.Color,
			Name: rule.Name}}
	}
	for _, pair := range [][2]float64{{b[v.X].Low, domain[v.X].Low}, {b[v.X].High, domain[v.X].High}} {
		if pair[0] != pair[1] {
			rule.At = pair[0]
			layers = append(layers, rule)
		}
	}
	return layers
}

// regions are the ends of the regions along one variable, and their boxes over two.
func (d Drawing) regions() (layers []chart.Layer) {
	p, v := d.Posterior, d.Posterior.View
	if v.Axes == Ternary {
		return nil
	}
	domain, color := d.State.Problem.Domain, d.Style.Good
	for _, r := range crossing(p.Regions, domain, p.Anchor, v.Variables()...) {
		if v.Axes == TwoVariables {
			layers = append(layers, chart.Box{X0: r.Low[v.X], X1: r.High[v.X], Y0: r.Low[v.Y], Y1: r.High[v.Y], Color: color,
				Dash: true, Name: r.Name})
			continue
		}
		for _, bound := range []float64{r.Low[v.X], r.High[v.X]} {
			if u := AxisFraction(domain[v.X], bound); u > 1e-9 && u < 1-1e-9 {
				layers = append(layers, chart.Rule{At: bound, Color: color, Dash: true, Name: r.Name})
			}
		}
	}
	return layers
}
