package belief

import (
	"fmt"
	"math"

	"bandscope/sessions"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// PlaneDrawing declares how the fields of a plane are drawn.
type PlaneDrawing struct {
	Style    theme.Style
	State    sessions.State
	Plane    *Plane // not nil
	Map      plot.Colormap
	Shared   bool // mean, sample and truth have one scale
	Contours bool
	Numbers  bool      // points are numbered by iteration
	Reveal   bool      // the optimum is marked
	Cursor   []float64 // in the problem's units; nil if there is none
}

// Scale is the colours of a field.
func (d PlaneDrawing) Scale(kind FieldKind) plot.Scale {
	p := d.Plane
	if d.Shared && (kind == MeanField || kind == SampleField || kind == TrueField) {
		fields := [][]float64{p.Fields[MeanField].Z, p.Fields[SampleField].Z}
		if d.Reveal {
			fields = append(fields, p.Fields[TrueField].Z)
		}
		return plot.AutoScale(d.Map, fields...)
	}
	return plot.AutoScale(d.Map, p.Fields[kind].Z)
}

// Chart draws one field with everything that is marked on it; a small one has neither axes nor numbers.
func (d PlaneDrawing) Chart(kind FieldKind, scale plot.Scale, small bool) plot.Chart {
	p, domain := d.Plane, d.State.Problem.Domain
	axis := func(v, k int) plot.Axis {
		lo, hi := domain[v].Low, domain[v].High
		return plot.Axis{Label: domain[v].Name, Min: lo + p.View.Low[k]*(hi-lo), Max: lo + p.View.High[k]*(hi-lo)}
	}
	c := plot.Chart{X: axis(p.View.X, 0), Y: axis(p.View.Y, 1), Gutter: Gutter}
	if small {
		c.X.HideTicks, c.Y.HideTicks, c.Y.Label, c.Gutter = true, true, "", 1
	}
	field := p.Fields[kind]
	c.Layers = append(c.Layers, plot.Heat{Field: field, Scale: scale})
	if d.Contours && !small && len(field.Z) > 0 {
		c.Layers = append(c.Layers, plot.Contours{Field: field, Levels: plot.ContourLevels(scale, 6)})
	}
	if kind == AcquisitionField && len(p.Allowed.Z) > 0 {
		c.Layers = append(c.Layers, plot.Contours{Field: p.Allowed, Levels: []float64{0.5}})
	}
	if d.Cursor != nil {
		c.Layers = append(c.Layers, plot.Cross{X: d.Cursor[p.View.X], Y: d.Cursor[p.View.Y]})
	}
	return d.addMarks(c, small)
}

// addMarks puts the data, the optimum and the next points on a chart; they are black or white, whichever is seen, and told apart by shape.
func (d PlaneDrawing) addMarks(c plot.Chart, small bool) plot.Chart {
	x, y := d.Plane.View.X, d.Plane.View.Y
	points := func(shape theme.Glyph) *plot.Points { return &plot.Points{Shape: shape, Ink: true} }
	add := func(p *plot.Points, at []float64) { p.X, p.Y = append(p.X, at[x]), append(p.Y, at[y]) }
	data, failed, newest, best := points(theme.GlyphHollow), points(theme.GlyphCross), points(theme.GlyphTarget), points(theme.GlyphStar)
	if small {
		data.Shape = theme.GlyphDot
	} else if d.Style.ASCII {
		data.Shape = theme.GlyphFilled // a point is in the ramp
	}
	if b := d.State.Bounds; b != nil {
		c.Layers = append(c.Layers, plot.Box{X0: b[x].Low, X1: b[x].High, Y0: b[y].Low, Y1: b[y].High, Color: d.Style.Warn})
	}
	for _, r := range d.State.Rejected {
		for _, at := range r.X {
			add(failed, at)
		}
	}
	optimum, next := points(theme.GlyphTriangle), points(theme.GlyphDiamond)
	if o := d.State.Problem.Optimum; d.Reveal && o != nil {
		for _, at := range o.X {
			add(optimum, at)
		}
	}
	var labels []plot.Layer
	_, value, bestStep, ok := d.State.Best()
	n := len(d.State.Iterations)
	for i, it := range d.State.Iterations {
		for b, at := range it.X {
			switch {
			case it.Failed[b]:
				add(failed, at)
			case ok && it.Step == bestStep && it.Y[b][0] == value:
				add(best, at)
			case i == n-1:
				add(newest, at)
			case d.Numbers && !small:
				labels = append(labels, plot.Label{X: at[x], Y: at[y], Text: fmt.Sprint(it.Step), Ink: true})
			default:
				add(data, at)
			}
		}
	}
	if d.Plane.Pending {
		next.Shape = theme.GlyphSquare
	}
	for _, at := range d.Plane.Next {
		add(next, at)
	}
	c.Layers = append(append(c.Layers, *optimum, *failed, *data), labels...)
	c.Layers = append(c.Layers, *newest, *best, *next)
	return c
}

// Entries are the legend of the marks.
func (d PlaneDrawing) Entries() []string {
	st := d.Style
	mark := func(g theme.Glyph, name string) string {
		return st.PaintBold(st.Text, st.Glyph(g)) + " " + st.Paint(st.Dim, name)
	}
	next := mark(theme.GlyphDiamond, "next")
	switch {
	case d.Plane.Pending:
		next = mark(theme.GlyphSquare, "pending")
	case len(d.Plane.Next) > 1:
		next = mark(theme.GlyphDiamond, fmt.Sprintf("next %d", len(d.Plane.Next)))
	}
	data := mark(theme.GlyphHollow, "data")
	if d.Numbers {
		data = st.PaintBold(st.Text, "7") + " " + st.Paint(st.Dim, "step")
	}
	entries := []string{next, mark(theme.GlyphTarget, "newest"), mark(theme.GlyphStar, "best"), data}
	if d.Reveal && d.State.Problem.Optimum != nil && len(d.State.Problem.Optimum.X) > 0 {
		entries = append(entries, mark(theme.GlyphTriangle, "optimum"))
	}
	return entries
}

// Improvement explains the expected improvement at a point: z = (y* − μ)/σ for minimization; false where there is no band.
func (p *Plane) Improvement(st sessions.State, x []float64) (z float64, ok bool) {
	mean, sd := p.At(st, MeanField, x), p.At(st, SDField, x)
	z = st.Problem.Objectives[0].Direction.Sign() * (p.Best - mean) / sd
	return z, !math.IsNaN(z) && !math.IsInf(z, 0)
}
