package views

import (
	"context"
	"slices"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/view"
	"bandscope/tui/picture/front"
)

// Front is the objective space.
type Front struct {
	outcomes   *front.Outcomes      // nil before the first computation
	current    *front.Outcomes      // under the current prior while another is previewed; nil otherwise
	previous   *front.Outcomes      // under the prior before the last change
	previewed  bool                 // the next prior was previewed before it was applied
	attainable *front.AttainableSet // the attainable outcomes
	first      int                  // the objective along x; the next one is along y
	cache      view.Cache
}

// image is the data of the picture; an image with new weights only comes before the complete one.
type image struct {
	*front.Outcomes
	attainable *front.AttainableSet
	reweighed  bool // only the weights are new
	answered   bool // because of an answer
}

var _ view.Picture = (*Front)(nil)

// NewFront makes the picture of the first two objectives.
func NewFront() *Front { return &Front{} }

// Outcomes are the outcomes that are drawn; nil before the first computation.
func (p *Front) Outcomes() *front.Outcomes { return p.outcomes }

// CurrentOutcomes are the outcomes under the current prior, also while another is previewed.
func (p *Front) CurrentOutcomes() *front.Outcomes {
	if p.current != nil {
		return p.current
	}
	return p.outcomes
}

// Compute computes the objective space. After a change of the prior it first shows the old picture with new weights,
// then fits the models.
func (p *Front) Compute(s view.Scene) view.ComputeFunc {
	old := s.State
	before := p.outcomes
	attainable := p.attainable
	return func(ctx context.Context, snapshot sessions.Snapshot, progress sessions.Progress,
		show func(view.Image)) (view.Image, error) {
		st := snapshot.State()
		if attainable == nil {
			var err error
			attainable, err = front.ComputeAttainable(ctx, st)
			if err != nil {
				return nil, err
			}
		}
		if before != nil && len(st.Iterations) == len(old.Iterations) && before.Head != st.Head &&
			!sameWeights(st, old) {
			show(image{before.UpdateWeights(st), attainable, true, len(st.Answers) != len(old.Answers)})
		}
		o, err := front.Compute(ctx, snapshot, progress)
		return image{Outcomes: o, attainable: attainable}, err
	}
}

// sameWeights reports whether two states have the same prior, scalarization and answers.
func sameWeights(a, b sessions.State) bool {
	for _, role := range []param.Role{optimizers.RolePrior, optimizers.RoleScalarization} {
		if a.Params.ValueByRole(role) != b.Params.ValueByRole(role) {
			return false
		}
	}
	return slices.Equal(a.Answers, b.Answers)
}

// SetImage takes an image.
func (p *Front) SetImage(_ view.Scene, taken view.Image) *view.Report {
	i := taken.(image)
	o, old := i.Outcomes, p.outcomes
	p.outcomes, p.attainable = o, i.attainable
	if i.reweighed {
		if !p.previewed && (o.Prior.String() != old.Prior.String() || i.answered) {
			p.previous = old
		}
		p.previewed = false
		return nil
	}
	if old != nil && len(old.Traces.Hypervolume) != len(o.Traces.Hypervolume) {
		p.previous = nil // after another iteration it is out of date
	}
	if p.current != nil {
		p.current = o
	}
	return &view.Report{Head: o.Head, Legend: o.Legend, NextPoints: o.NextPoints, Enough: true}
}

// Preview shows outcomes under another prior, with those under the current one.
func (p *Front) Preview(o *front.Outcomes) {
	if p.current == nil {
		p.current = p.outcomes
		p.previous = p.outcomes
		p.previewed = false
	}
	p.outcomes = o
}

// TakePreview makes the preview the current picture. It does nothing if p is nil.
func (p *Front) TakePreview() {
	if p != nil {
		p.previewed, p.current = p.current != nil, nil
	}
}

// DropPreview shows the current picture again. It does nothing if p is nil.
func (p *Front) DropPreview() {
	if p != nil && p.current != nil {
		p.outcomes = p.current
		p.previous = nil
		p.current = nil
	}
}

// Follow returns nil: no part depends on the cursor.
func (p *Front) Follow(view.Scene) (string, view.ComputeFunc) { return "", nil }

// Turn shows another pair of objectives, which needs no computation.
func (p *Front) Turn(s view.Scene, delta int) bool {
	n := len(s.State.Problem.Objectives)
	p.first = (p.first + delta + n) % n
	return false
}

// Pair are the objectives along x and y.
func (p *Front) Pair(s view.Scene) (i, j int) {
	n := len(s.State.Problem.Objectives)
	return p.first % n, (p.first + 1) % n
}

// Hints are the most useful keys.
func (p *Front) Hints() string { return "space A a E w u i : ? q r e b d v n c f o" }

// Axes is the variable of the slice, since the axes of the plot are objectives.
func (p *Front) Axes(s view.Scene) []mode.Axis { return []mode.Axis{s.Axis()} }

// ReadingsAt returns nil: the picture shows no values at an input.
func (p *Front) ReadingsAt(view.Scene, []float64) []mode.Reading { return nil }
