package class

import (
	"context"
	"slices"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/classroom"
	"bandscope/sessions/sanitize"
	"bandscope/tui/picture"
)

// Belief is what the optimizer of a session believes, computed once for all who see it. It never changes.
type Belief struct {
	State sessions.State
	Line  *picture.Picture // over one variable; nil otherwise
	Plane *picture.Plane   // over two variables; nil otherwise
}

// ComputeBelief computes the belief of a session about its first objective. With more than two variables there is only
// the state.
func ComputeBelief(ctx context.Context, s picture.Source, progress sessions.Progress) (*Belief, error) {
	b := &Belief{State: s.State()}
	var err error
	switch b.State.Problem.Dim() {
	case 1:
		b.Line, err = picture.Compute(ctx, s, picture.View{}, progress, nil)
	case 2:
		b.Plane, err = picture.ComputePlane(ctx, s, picture.WholePlane(0, 1), picture.Anchor(b.State), progress, nil)
	}
	return b, err
}

// about is the belief if it is about some variables; nil otherwise, as after the teacher has opened another session.
func (b *Belief) about(domain functions.Domain) *Belief {
	if b == nil || !slices.EqualFunc(b.State.Problem.Domain, domain, func(x, y functions.Variable) bool {
		return sanitize.Text(x.Name) == y.Name && x.Low == y.Low && x.High == y.High && x.Kind == y.Kind
	}) {
		return nil
	}
	return b
}

// line is the belief over one variable without what tells where the optimizer evaluates next: the acquisition, the
// function that picks the next point, and the regions of the search. With next the next point is kept.
func (b *Belief) line(next bool) *picture.Picture {
	if b.Line == nil {
		return nil
	}
	p := *b.Line
	p.Acquisition = nil
	p.Used = nil
	p.Samples = nil
	p.Regions = nil
	p.FeasibleMask = nil
	p.Theory = nil
	if !next {
		p.NextPoints = picture.NextPoints{}
	}
	return &p
}

// plane is line for two variables.
func (b *Belief) plane(next bool) *picture.Plane {
	if b.Plane == nil {
		return picture.NewPlane(b.State, picture.WholePlane(0, 1), picture.Anchor(b.State))
	}
	p := *b.Plane
	p.Regions = nil
	p.FeasibleMask.Z = nil
	p.Fields[picture.AcquisitionField].Z, p.Fields[picture.SampleField].Z = nil, nil
	if !next {
		p.NextPoints = picture.NextPoints{}
	}
	return &p
}

// next are the points that the optimizer evaluates next; nil while they are not known.
func (b *Belief) next() [][]float64 {
	switch {
	case b == nil:
	case b.Line != nil:
		return b.Line.Next
	case b.Plane != nil:
		return b.Plane.Next
	}
	return nil
}

// outcomes are the results of the session in the objectives of a pair; nil if the session has other objectives.
func (b *Belief) outcomes(p classroom.OutcomePair) (list [][]float64) {
	if b == nil || !slices.EqualFunc(b.State.Problem.Objectives, p.Objectives, func(x, y functions.Objective) bool {
		return sanitize.Text(x.Name) == y.Name
	}) {
		return nil
	}
	for _, it := range b.State.Iterations {
		for _, pt := range it.Points {
			if !pt.Failed {
				list = append(list, pt.Y)
			}
		}
	}
	return list
}
