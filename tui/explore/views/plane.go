package views

import (
	"context"
	"fmt"
	"slices"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/view"
	"bandscope/tui/picture"
)

// Plane is the surrogate over two variables.
type Plane struct {
	view     picture.View       // without the sample and the theory, which are in the scene
	zooms    []picture.View     // the previous ranges, for zooming out
	plane    *picture.Posterior // nil before the first computation
	complete *picture.Posterior // the last one that was complete; nil for none
	slices   sliceSet
	big      picture.FieldKind
	contours bool
	numbers  bool
	own      bool // each field has its own colour scale
	colors   int  // index of the colour map
	cache    view.Cache
}

// sliceSet is the lines along the variables of the plane through a point.
type sliceSet struct {
	of    string               // the key of the picture, variables and point
	lines []*picture.Posterior // as many as variables; nil before the first computation
	err   error                // of the computation
}

var _ view.Picture = (*Plane)(nil)

var colorMaps = []chart.ColorMap{chart.Viridis, chart.Cividis, chart.Diverging}

// NewPlane makes the picture of the first two variables of a state.
func NewPlane(st sessions.State) *Plane {
	return &Plane{view: picture.FirstPlane(st.Problem), big: picture.MeanField, own: true}
}

// Variables are the variables along the columns and the rows.
func (p *Plane) Variables() (x, y int) { return p.view.X, p.view.Y }

// Enlarge makes a field the large one.
func (p *Plane) Enlarge(kind picture.FieldKind) { p.big = kind }

// VisiblePlane is the plane as it is drawn: before the first computation it has no surrogate, and an incomplete one has
// earlier fields; while a lesson asks for the next point, everything that reveals it is hidden.
func (p *Plane) VisiblePlane(s view.Scene) *picture.Posterior {
	if p.plane == nil {
		return picture.New(s.State, p.view, anchor(s.Overlay.Cursor, s.State))
	}
	b := p.plane.FilledFrom(p.complete)
	if s.Stale(b.Head, b.Step) != "" { // its next points may be evaluated
		b = b.WithoutNext()
	}
	if s.Asking {
		b = b.Without(revealing(b)...)
		b.Next = nil
	}
	return b
}

// revealing are the fields that reveal the point that a lesson asks for.
func revealing(b *picture.Posterior) []picture.FieldKind {
	kinds := []picture.FieldKind{picture.TrueField, picture.AcquisitionField}
	if b.View.Draw == 0 && b.Legend.Used != "" {
		kinds = append(kinds, picture.SampleField)
	}
	return kinds
}

// fitting reports whether a field is not computed yet.
func (p *Plane) fitting(s view.Scene, k picture.FieldKind) bool {
	b := p.VisiblePlane(s)
	return len(b.Fields[k].Z) == 0 && !b.Known[k] && !truthHidden(s, b, k)
}

// truthHidden reports whether a field reveals the point that a lesson asks for.
func truthHidden(s view.Scene, b *picture.Posterior, k picture.FieldKind) bool {
	return s.Asking && slices.Contains(revealing(b), k)
}

// anchor is the point at which the variables that are not shown are fixed: the cursor, or without one the best point.
func anchor(cursor []float64, st sessions.State) []float64 {
	if len(cursor) == st.Problem.Dim() {
		return slices.Clone(cursor)
	}
	return picture.Anchor(st)
}

// Compute computes the plane, first on a coarse grid, then on a fine one.
func (p *Plane) Compute(s view.Scene) view.ComputeFunc {
	v := p.view
	v.Draw, v.Theory = s.View.Draw, s.View.Theory
	return func(ctx context.Context, snapshot sessions.Snapshot, progress sessions.Progress,
		show func(view.Image)) (view.Image, error) {
		return compute(v, anchor(s.Overlay.Cursor, snapshot.State()))(ctx, snapshot, progress, show)
	}
}

// Follow computes the slices along both variables through the cursor, or the best point, when the plane is complete.
func (p *Plane) Follow(s view.Scene) (string, view.ComputeFunc) {
	key := p.sliceKey(s)
	if p.plane == nil || p.plane.Partial || p.slices.of == key && p.slices.err == nil {
		return "", nil
	}
	variables := p.view.Variables()
	through := anchor(s.Overlay.Cursor, s.State)
	window := s.View
	return "computing the slices", func(ctx context.Context, snapshot sessions.Snapshot, progress sessions.Progress,
		_ func(view.Image)) (view.Image, error) {
		made := sliceSet{of: key}
		if p := parallel.Catch(func() {
			for _, v := range variables {
				line, err := picture.ComputeSlice(ctx, snapshot, picture.View{X: v, Samples: min(window.Samples, 4)}, through,
					progress)
				if err != nil {
					made = sliceSet{of: key, err: err}
					return
				}
				made.lines = append(made.lines, line)
			}
		}); p != nil {
			made = sliceSet{of: key, err: fmt.Errorf("%v", p.Value)}
		}
		return made, nil
	}
}

// sliceKey identifies the slices of a scene.
func (p *Plane) sliceKey(s view.Scene) string {
	return fmt.Sprint(s.State.Head, p.view.Variables(), anchor(s.Overlay.Cursor, s.State), min(s.View.Samples, 4))
}

// SetImage takes a *picture.Posterior, which it reports, or a sliceSet.
func (p *Plane) SetImage(_ view.Scene, i view.Image) *view.Report {
	if made, ok := i.(sliceSet); ok {
		p.slices = made
		return nil
	}
	b := i.(*picture.Posterior)
	p.plane = b
	if !b.Partial {
		p.complete = b
	}
	r := report(b)
	r.Enough = !b.Partial
	return r
}

// Warning returns no warning.
func (p *Plane) Warning(view.Scene, int) string { return "" }

// Hints are the most useful keys.
func (p *Plane) Hints() string { return "space r e w u i : ? q 1-7 b x d + n c f o t l colour_map" }

// Turn shows another first variable, with its whole range. The variables of a triangle change places only if there is no
// other variable.
func (p *Plane) Turn(s view.Scene, delta int) bool {
	x, y := other(s, p.view.X, -1, delta), p.view.Y
	if p.view.Axes == picture.Ternary && s.State.Problem.Dim() > 3 {
		x = p.beyondTriangle(s, p.view.X, delta)
	}
	if x == y {
		y = p.view.X
	}
	p.view, p.zooms = picture.PlaneOver(s.State.Problem, x, y, p.view.Z), nil
	return true
}

// beyondTriangle is the next variable that is no other component of the triangle.
func (p *Plane) beyondTriangle(s view.Scene, v, delta int) int {
	from := v
	for {
		v = other(s, v, -1, delta)
		if v == from || !slices.Contains(p.view.Variables(), v) {
			return v
		}
	}
}

// other is the next variable that is not the other one of the plane.
func other(s view.Scene, v, not, delta int) int {
	d := s.State.Problem.Dim()
	for {
		v = (v + delta + d) % d
		if v != not {
			return v
		}
	}
}

// Triangle moves points in a triangle of mixtures; nil if the plane is over two variables.
func (p *Plane) Triangle(s view.Scene) mode.Triangle {
	if p.view.Axes != picture.Ternary {
		return nil
	}
	return triangle{p.VisiblePlane(s), s.State, func() (cols, rows int) { f := p.frame(s); return f.Cols, f.Rows }}
}

// triangle moves points in a plane that is a triangle.
type triangle struct {
	plane *picture.Posterior
	state sessions.State
	size  func() (cols, rows int) // in cells
}

// PointAt is the point at a place of the triangle, on the grid of the steps.
func (t triangle) PointAt(other []float64, x, y float64) []float64 {
	return picture.OnGrid(t.state, t.plane.PointFrom(other, x, y))
}

// Moved moves a point by cells, or by as many steps of a component if these are wider.
func (t triangle) Moved(point []float64, axis int, cells float64) []float64 {
	cols, rows := t.size()
	x, y := t.plane.ChartPlace(point)
	step := cells * max(1/float64(max([2]int{cols, 2 * rows}[axis], 10)), t.plane.StepShare())
	if axis == 0 {
		x += step
	} else {
		y += step
	}
	y = min(max(y, 0), 1)
	return t.PointAt(point, min(max(x, y/2), 1-y/2), y)
}

// stepped reports whether one of the two variables has levels.
func (p *Plane) stepped(s view.Scene) bool {
	domain := s.State.Problem.Domain
	return domain[p.view.X].Levels() > 0 || domain[p.view.Y].Levels() > 0
}

// Axes are the two variables with their visible ranges.
func (p *Plane) Axes(s view.Scene) []mode.Axis {
	axes := []mode.Axis{{Variable: p.view.X, Cells: func() int { return p.frame(s).Cols }},
		{Variable: p.view.Y, Cells: func() int { return 2 * p.frame(s).Rows }}}
	for k := range axes {
		a, v := &axes[k], s.State.Problem.Domain[axes[k].Variable]
		a.Low = picture.NearestAxisValue(v, p.view.Low[k])
		a.High = picture.NearestAxisValue(v, p.view.High[k])
		a.Scale = v.Scale
	}
	return axes
}

// feasibleReading is the name of the probability that all limits are met, beside the other values at the cursor.
const feasibleReading = "p(limits met)"

// ReadingsAt returns the values of the fields at a point, and the terms of the acquisition.
func (p *Plane) ReadingsAt(s view.Scene, point []float64) (list []mode.Reading) {
	if p.plane == nil {
		return nil
	}
	list = readings(s, p.plane, point)
	if z, ok := p.plane.Improvement(point); ok && !s.Asking {
		list = append(list, mode.Reading{Name: "best", Value: p.plane.Incumbent}, mode.Reading{Name: "z", Value: z})
	}
	return list
}
