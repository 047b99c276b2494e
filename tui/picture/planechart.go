package picture

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Scale is the colours of a field: the best value is the brightest.
func (d Drawing) Scale(kind FieldKind) chart.ColorScale {
	p := d.Posterior
	switch {
	case d.Colors != nil:
		return *d.Colors
	case d.Compared != nil:
		return p.clippedScale(kind, d.Map, d.Compared)
	}
	if d.Shared && valued(kind) {
		fields := [][]float64{p.Fields[MeanField].Z, p.Fields[SampleField].Z}
		if d.Reveal {
			fields = append(fields, p.Fields[TrueField].Z)
		}
		return p.clippedScale(kind, d.Map, fields...)
	}
	shared := d.Axes[map[FieldKind]string{MeanField: "mean", SDField: "deviation"}[kind]]
	fields := [][]float64{p.Fields[kind].Z}
	if len(p.Fields[kind].Z) > 0 && shared[0] < shared[1] {
		s := p.Scale(kind, d.Map, append(fields, shared[:])...)
		if valued(kind) && d.Map.Name != chart.Diverging.Name {
			return s.ClipAt(shared[0], shared[1])
		}
		return s
	}
	return p.clippedScale(kind, d.Map, fields...)
}

// clippedScale is Scale without outlying bad values of the objective, such as those at one corner. A diverging map keeps
// its middle.
func (p *Posterior) clippedScale(kind FieldKind, m chart.ColorMap, fields ...[]float64) chart.ColorScale {
	s := p.Scale(kind, m, fields...)
	if !valued(kind) || m.Name == chart.Diverging.Name {
		return s
	}
	return s.Clip(fields...)
}

// Axes is an empty chart of the window: two axes, or a triangle.
func (p *Posterior) Axes() chart.Chart {
	domain := p.problem.Domain
	switch p.View.Axes {
	case OneVariable:
		return chart.Chart{X: Axis(domain[p.View.X])}
	case Ternary:
		return chart.Chart{Simplex: p.simplex(), X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1}}
	}
	axis := func(v, k int) chart.Axis {
		a := Axis(domain[v])
		a.Min, a.Max = AxisValue(domain[v], p.View.Low[k]), AxisValue(domain[v], p.View.High[k])
		return a
	}
	return chart.Chart{X: axis(p.View.X, 0), Y: axis(p.View.Y, 1)}
}

// fieldChart draws one field with everything that is marked on it.
func (d Drawing) fieldChart(kind FieldKind) chart.Chart {
	p, scale := d.Posterior, d.Scale(kind)
	c := p.Axes()
	c.Gutter = Gutter
	c.Importance = map[string]layout.Importance{"data": layout.ImportanceData, "newest": layout.ImportanceData,
		p.NextPoints.Name(): layout.ImportanceNext}
	if c.Y.Names {
		for _, t := range c.Y.Marks {
			c.Gutter = max(c.Gutter, min(ansi.StringWidth(t.Label)+2, namesGutter))
		}
	}
	if d.Small {
		c.X.HideTicks = true
		c.Y.HideTicks = true
		c.Y.Label = ""
		c.Gutter = 1
	}
	field := p.drawnField(kind, scale)
	c.Layers = append(c.Layers, chart.Heat{Field: field, Scale: scale})
	if !p.ConstraintHatch.Empty() {
		c.Layers = append(c.Layers, p.ConstraintHatch)
	}
	if h := p.LimitHatch(); !h.Empty() {
		c.Layers = append(c.Layers, h)
	}
	if d.Contours && !d.Small && len(field.Z) > 0 && !field.HasSteps() {
		c.Layers = append(c.Layers, chart.Contours{Field: field, Levels: chart.ContourLevels(scale, 6),
			Name: contourName, Short: "contours"})
	}
	if kind == AcquisitionField && !p.Fields[AllowedField].Empty() {
		c.Layers = append(c.Layers, chart.Contours{Field: p.Fields[AllowedField].Field, Levels: []float64{0.5},
			Name: allowedEdgeName, Short: "allowed"})
	}
	if edge, ok := p.limitContour(); ok && (kind != AcquisitionField || p.Fields[AllowedField].Empty()) {
		c.Layers = append(c.Layers, edge)
	}
	if d.Cursor != nil {
		x, y := p.ChartPlace(d.Cursor)
		if p.View.Axes == Ternary {
			c.Layers = append(c.Layers, chart.SimplexCursor{X: x, Y: y, Name: "cursor"})
		} else {
			c.Layers = append(c.Layers, chart.Cross{X: x, Y: y, Name: "cursor"})
		}
	}
	return d.addMarks(c)
}

// namesGutter is how wide the names of choices at the left of a field are at most, with the axis line.
const namesGutter = 16

// addMarks puts the data, the optimum and the next points on a chart. They are black or white, whichever has more
// contrast, and differ in shape.
func (d Drawing) addMarks(c chart.Chart) chart.Chart {
	p := d.Posterior
	points := func(shape theme.Glyph, name string, all ...[]float64) chart.Points {
		list := chart.Points{Shape: shape, Ink: true, Name: name}
		for _, x := range all {
			add(&list, p.point(x))
		}
		return list
	}
	c.Layers = append(append(c.Layers, d.bounds()...), d.regions()...)
	var discarded, optima [][]float64
	for _, r := range d.State.Rejections {
		discarded = append(discarded, r.X...)
	}
	if o := d.State.Problem.Optimum(); d.Reveal && o != nil {
		optima = o.X
	}
	m := d.marks(0)
	if d.Small {
		m.data.Shape = theme.GlyphDot
	}
	next := points(p.NextPoints.Mark(), p.NextPoints.Name(), p.Next...)
	if p.Pending {
		next.Shape = theme.GlyphSquare
	}
	c.Layers = append(append(c.Layers, d.candidates(0)...), points(theme.GlyphTriangle, "optimum", optima...), m.failed,
		points(theme.GlyphCross, "discarded", discarded...), m.data, m.beyond)
	c.Layers = append(append(append(c.Layers, d.replicates()...), m.steps...), m.newest, m.best)
	if !d.Small {
		c.Layers = append(c.Layers, d.Marks...)
	}
	c.Layers = append(c.Layers, next)
	return c
}

// originalName is the name of the bounds of the domain before it became wider.
const originalName = "earlier bounds"

// candidatesName is the name of the rows of a table that are not evaluated.
const candidatesName = "candidates"

// replicates are how many results there are at places with several, beside them.
func (d Drawing) replicates() (labels []chart.Layer) {
	if d.Small || d.Numbers {
		return nil
	}
	for _, r := range report.ReplicatesFor(d.State) {
		x, y := d.Posterior.ChartPlace(r.X)
		labels = append(labels, chart.Label{X: x, Y: y,
			Text: fmt.Sprintf(" ×%d", r.Count), Ink: true, Name: "replicates"})
	}
	return labels
}
