// Package plane is the explorer's picture of the belief over two variables: one field large, the others small beside it, and below them the slices along
// both variables through the cursor or the best point. What is computed and the charts are tui/belief's; here is what the person chose to see of them,
// the keys for that, and where they stand in the panel.
package plane

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/tui/belief"
	"bandscope/tui/belief/along"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/picture"
	"bandscope/tui/plot"
	"bandscope/tui/plot/colormap"
)

// Picture is the belief over two variables.
type Picture struct {
	view     belief.PlaneView   // but for the sample, which the scene says
	zooms    []belief.PlaneView // the windows before, to go back to
	plane    *belief.Plane      // nil while there is none
	slices   crossing
	big      belief.FieldKind
	contours bool
	numbers  bool
	own      bool // each field has a colour scale of its own
	colors   int  // which map
	cache    picture.Cache
}

// crossing is the two lines along both variables through a point.
type crossing struct {
	of    string             // what they are slices of
	lines [2]*belief.Picture // nil where there are none
	truth [2]belief.Truth
	err   error // why there are none
}

var _ picture.Picture = (*Picture)(nil)

var colorMaps = []colormap.Map{colormap.Viridis, colormap.Cividis, colormap.Diverging}

// New makes the picture of the first two variables of a session that stands in a state.
func New(st sessions.State) *Picture {
	return &Picture{view: belief.FirstPlane(st.Problem.Domain), big: belief.MeanField, own: true}
}

// Variables are those along the columns and the rows.
func (p *Picture) Variables() (x, y int) { return p.view.X, p.view.Y }

// Enlarge makes a field the large one.
func (p *Picture) Enlarge(kind belief.FieldKind) { p.big = kind }

// Drawn is what is drawn in a scene: while a lesson asks for the next point without what gives it away. It is nil while there is nothing.
func (p *Picture) Drawn(s picture.Scene) *belief.Plane {
	if p.plane == nil || !s.Asking {
		return p.plane
	}
	hidden := *p.plane
	hidden.Next = nil
	for k := range belief.FieldKinds {
		if secret(s, p.plane, k) {
			hidden.Fields[k] = plot.Field{}
		}
	}
	return &hidden
}

// secret reports whether a field gives away the point that a lesson asks for.
func secret(s picture.Scene, b *belief.Plane, k belief.FieldKind) bool {
	return s.Asking && (k == belief.TrueField || k == belief.AcquisitionField || k == belief.SampleField && b.View.Draw == 0 && b.Legend.Used != "")
}

// anchor is where the variables that are not shown are held: at the cursor while there is one, else at the best point.
func anchor(cursor []float64, st sessions.State) []float64 {
	if len(cursor) == st.Problem.Dim() {
		return slices.Clone(cursor)
	}
	return belief.Anchor(st)
}

// Look looks at the plane, coarse at first, then fine.
func (p *Picture) Look(s picture.Scene) picture.Looking {
	view, theory, cursor := p.view, s.View.Theory, s.Overlay.Cursor
	view.Draw = s.View.Draw
	return func(ctx context.Context, at sessions.Snapshot, progress sessions.Progress, show func(picture.Image)) (picture.Image, error) {
		held := anchor(cursor, at.State())
		plane, err := belief.LookPlane(ctx, at, view, held, progress, func(p *belief.Plane) { show(p) })
		if err == nil && theory {
			plane.Theory, err = belief.TheoryOf(ctx, at, progress)
		}
		return plane, err
	}
}

// Follow looks along both variables through the cursor, or the best point, once the whole plane is there.
func (p *Picture) Follow(s picture.Scene) (string, picture.Looking) {
	of := p.sliced(s)
	if p.plane == nil || p.plane.Partial || p.slices.of == of && p.slices.err == nil {
		return "", nil
	}
	variables, through, view := [2]int{p.view.X, p.view.Y}, anchor(s.Overlay.Cursor, s.State), s.View
	return "looking along the cursor", func(ctx context.Context, at sessions.Snapshot, progress sessions.Progress, _ func(picture.Image)) (picture.Image, error) {
		made := crossing{of: of}
		if p := parallel.Catch(func() {
			for k, v := range variables {
				line, err := belief.LookAlong(ctx, at, belief.View{Variable: v, Samples: min(view.Samples, 4)}, through, progress)
				if err != nil {
					made = crossing{of: of, err: err}
					return
				}
				made.lines[k], made.truth[k] = line, belief.TruthAlong(at.State(), v, through)
			}
		}); p != nil {
			made = crossing{of: of, err: fmt.Errorf("%v", p.Value)}
		}
		return made, nil
	}
}

// sliced names what the slices of a scene are slices of.
func (p *Picture) sliced(s picture.Scene) string {
	return fmt.Sprint(s.State.Head, p.view.X, p.view.Y, anchor(s.Overlay.Cursor, s.State), min(s.View.Samples, 4))
}

// Take takes a *belief.Plane, of which it tells, or a crossing.
func (p *Picture) Take(_ picture.Scene, i picture.Image) *picture.Told {
	if made, ok := i.(crossing); ok {
		p.slices = made
		return nil
	}
	b := i.(*belief.Plane)
	p.plane = b
	return &picture.Told{Head: b.Head, Legend: b.Legend, Theory: b.Theory, Aim: b.Aim, Partial: b.Partial, Enough: !b.Partial}
}

// Warn has nothing to say besides.
func (p *Picture) Warn(picture.Scene) string { return "" }

// Hints are the keys that are needed most.
func (p *Picture) Hints() string { return "space b r 1-7 x e z l c o ? I q s t d Y" }

// Turn shows another first variable, all of it.
func (p *Picture) Turn(s picture.Scene, by int) bool {
	x, y := other(s, p.view.X, -1, by), p.view.Y
	if x == y {
		y = p.view.X
	}
	p.view, p.zooms = belief.WholePlane(x, y), nil
	return true
}

// other is the next variable that is not the other one of the plane.
func other(s picture.Scene, v, not, by int) int {
	d := s.State.Problem.Dim()
	for {
		if v = (v + by + d) % d; v != not {
			return v
		}
	}
}

// stepped reports whether one of the two variables has levels.
func (p *Picture) stepped(s picture.Scene) bool {
	domain := s.State.Problem.Domain
	return domain[p.view.X].Levels() > 0 || domain[p.view.Y].Levels() > 0
}

// Axes are the two variables, as far as the window shows them.
func (p *Picture) Axes(s picture.Scene) []mode.Axis {
	axes := []mode.Axis{{Variable: p.view.X, Cells: func() int { return p.frame(s).Cols }}, {Variable: p.view.Y, Cells: func() int { return 2 * p.frame(s).Rows }}}
	for k := range axes {
		a, v := &axes[k], s.State.Problem.Domain[axes[k].Variable]
		a.Low, a.High, a.Scale = along.Value(v, p.view.Low[k]), along.Value(v, p.view.High[k]), v.Scale
	}
	return axes
}

// Tell tells what the fields are at a point, and what the acquisition is made of.
func (p *Picture) Tell(s picture.Scene, at []float64) (told []mode.Reading) {
	if p.plane == nil {
		return nil
	}
	add := func(name string, v float64) {
		if !math.IsNaN(v) {
			told = append(told, mode.Reading{Name: name, Value: v})
		}
	}
	add("mean", p.plane.At(s.State, belief.MeanField, at))
	add(belief.DeviationName(s.State.Problem.Objectives[0].Gauge()), p.plane.At(s.State, belief.SDField, at))
	if s.Asking {
		return told
	}
	add("acquisition", p.plane.At(s.State, belief.AcquisitionField, at))
	if z, ok := p.plane.Improvement(s.State, at); ok {
		add("best", p.plane.Best)
		add("z", z)
	}
	return told
}
