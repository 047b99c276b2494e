package picture

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// PlaneDrawing declares how the fields of a plane are drawn.
type PlaneDrawing struct {
	Style     theme.Style
	State     sessions.State
	Posterior *Posterior
	Map       chart.ColorMap
	Axes      sessions.Axes // "mean" and "deviation": values that the scales of these fields reach over
	Shared    bool          // mean, sample and truth have one scale
	Contours  bool
	Numbers   bool          // points are numbered by iteration
	Reveal    bool          // the optimum is marked
	Cursor    []float64     // in the problem's units; nil if there is none
	Marks     []chart.Layer // on the large field, over the data
}

// Scale is the colours of a field. They are reversed for an acquisition that is better when lower, so that the best
// value is the brightest.
func (d PlaneDrawing) Scale(kind FieldKind) chart.ColorScale {
	p := d.Posterior
	if d.Shared && valued(kind) {
		fields := [][]float64{p.Fields[MeanField].Z, p.Fields[SampleField].Z}
		if d.Reveal {
			fields = append(fields, p.Fields[TrueField].Z)
		}
		return p.Scale(kind, d.Map, fields...)
	}
	shared := d.Axes[map[FieldKind]string{MeanField: "mean", SDField: "deviation"}[kind]]
	fields := [][]float64{p.Fields[kind].Z}
	if len(p.Fields[kind].Z) > 0 && shared[0] < shared[1] {
		fields = append(fields, shared[:])
	}
	return p.Scale(kind, d.Map, fields...)
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

// Chart draws one field with everything that is marked on it; a small one has neither axes nor numbers.
func (d PlaneDrawing) Chart(kind FieldKind, scale chart.ColorScale, small bool) chart.Chart {
	p := d.Posterior
	c := p.Axes()
	c.Gutter = Gutter
	c.Importance = map[string]layout.Importance{"data": layout.ImportanceData, "newest": layout.ImportanceData,
		p.NextPoints.Name(): layout.ImportanceNext}
	if c.Y.Names {
		for _, t := range c.Y.Marks {
			c.Gutter = max(c.Gutter, min(ansi.StringWidth(t.Label)+2, namesGutter))
		}
	}
	if small {
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
	if d.Contours && !small && len(field.Z) > 0 && !field.HasSteps() {
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
	return d.addMarks(c, small)
}

// namesGutter is how wide the names of choices at the left of a field are at most, with the axis line.
const namesGutter = 16

// addMarks puts the data, the optimum and the next points on a chart. They are black or white, whichever has more
// contrast, and differ in shape.
func (d PlaneDrawing) addMarks(c chart.Chart, small bool) chart.Chart {
	points := func(shape theme.Glyph, name string) *chart.Points {
		return &chart.Points{Shape: shape, Ink: true, Name: name}
	}
	add := func(p *chart.Points, all ...[]float64) {
		for _, point := range all {
			x, y := d.Posterior.ChartPlace(point)
			p.X, p.Y = append(p.X, x), append(p.Y, y)
		}
	}
	data := points(theme.GlyphHollow, "data")
	failed := points(theme.GlyphCross, "failed")
	rejected := points(theme.GlyphCross, "discarded")
	beyond := LimitViolationLayer(d.Style, true)
	newest, best := points(theme.GlyphTarget, "newest"), points(theme.GlyphStar, "best")
	if small {
		data.Shape = theme.GlyphDot
	}
	c.Layers = append(append(c.Layers, d.bounds()...), d.regions()...)
	for _, r := range d.State.Rejections {
		add(rejected, r.X...)
	}
	optimum, next := points(theme.GlyphTriangle, "optimum"), points(theme.GlyphDiamond, d.Posterior.NextPoints.Name())
	if o := d.State.Problem.Optimum(); d.Reveal && o != nil {
		add(optimum, o.X...)
	}
	labels := d.replicates(small)
	_, value, bestStep, ok := d.State.Best()
	n, side := len(d.State.Iterations), d.sideBySide()
	for i, it := range d.State.Iterations {
		for b, pt := range it.Points {
			point := side(pt.X)
			switch {
			case pt.Failed:
				add(failed, point)
			case !d.State.Feasible(it, b):
				add(&beyond, point)
			case ok && it.Step == bestStep && pt.Y[0] == value:
				add(best, point)
			case i == n-1:
				add(newest, point)
			case d.Numbers && !small:
				u, v := d.Posterior.ChartPlace(point)
				labels = append(labels, chart.Label{X: u, Y: v, Text: fmt.Sprint(it.Step), Ink: true, Name: "step"})
			default:
				add(data, point)
			}
		}
	}
	if d.Posterior.Pending {
		next.Shape = theme.GlyphSquare
	}
	add(next, d.Posterior.Next...)
	c.Layers = append(c.Layers, d.candidates(small)...)
	c.Layers = append(append(c.Layers, *optimum, *failed, *rejected, *data, beyond), labels...)
	c.Layers = append(c.Layers, *newest, *best)
	if !small {
		c.Layers = append(c.Layers, d.Marks...)
	}
	c.Layers = append(c.Layers, *next)
	return c
}

// candidatesName is the name of the rows of a table that are not evaluated.
const candidatesName = "candidates"

// bounds are the bounds of the next point; none if they are those of the domain.
func (d PlaneDrawing) bounds() []chart.Layer {
	b := d.State.Bounds
	x := d.Posterior.View.X
	y := d.Posterior.View.Y
	switch {
	case b == nil:
		return nil
	case d.Posterior.View.Axes == Ternary:
		return []chart.Layer{d.Posterior.boundsContour(b)}
	}
	return []chart.Layer{chart.Box{X0: b[x].Low, X1: b[x].High, Y0: b[y].Low, Y1: b[y].High, Color: d.Style.Warn,
		Name: "bounds"}}
}

// candidates are the rows of the problem's table that are not evaluated, each place of the plane once; none without a
// table and on a small field.
func (d PlaneDrawing) candidates(small bool) []chart.Layer {
	rows := unevaluatedRows(d.State)
	if len(rows) == 0 || small {
		return nil
	}
	p := chart.Points{Shape: theme.GlyphDot, Ink: true, Back: true, Name: candidatesName}
	seen := map[[2]float64]bool{}
	for _, x := range rows {
		var point [2]float64
		point[0], point[1] = d.Posterior.ChartPlace(x)
		if !seen[point] {
			seen[point] = true
			p.X, p.Y = append(p.X, point[0]), append(p.Y, point[1])
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

// sideBySide is where the next observation at a point is drawn. With levels along both axes the observations of one
// cell are drawn side by side, as in slices through more variables they may be different points.
func (d PlaneDrawing) sideBySide() func(point []float64) []float64 {
	x := d.Posterior.View.X
	y := d.Posterior.View.Y
	domain := d.State.Problem.Domain
	if d.Posterior.View.Axes == Ternary || domain[x].Levels() == 0 || domain[y].Levels() == 0 {
		return func(point []float64) []float64 { return point }
	}
	count, seen := map[[2]float64]int{}, map[[2]float64]int{}
	for _, it := range d.State.Iterations {
		for _, pt := range it.Points {
			count[[2]float64{pt.X[x], pt.X[y]}]++
		}
	}
	return func(point []float64) []float64 {
		cell := [2]float64{point[x], point[y]}
		point = slices.Clone(point)
		point[x] = Spread(domain[x], point[x], seen[cell], count[cell])
		seen[cell]++
		return point
	}
}

// replicates are how many results there are at places with several, beside them.
func (d PlaneDrawing) replicates(small bool) (labels []chart.Layer) {
	if small || d.Numbers {
		return nil
	}
	for _, r := range report.ReplicatesFor(d.State) {
		x, y := d.Posterior.ChartPlace(r.X)
		labels = append(labels, chart.Label{X: x, Y: y,
			Text: fmt.Sprintf(" ×%d", r.Count), Ink: true, Name: "replicates"})
	}
	return labels
}
