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

// Front is the space of objectives.
type Front struct {
	outcomes   *front.Outcomes      // nil while there is none
	current    *front.Outcomes      // under the prior that holds, while another is previewed; nil while none is
	previous   *front.Outcomes      // under the prior before the last change
	previewed  bool                 // the next prior was seen before it was taken
	attainable *front.AttainableSet // what outcomes can be attained
	first      int                  // the objective along x; the next one is along y
	cache      view.Cache
}

// image is what is drawn; one that is only reweighed comes before the whole.
type image struct {
	*front.Outcomes
	attainable *front.AttainableSet
	reweighed  bool
	answered   bool // by an answer
}

var _ view.Picture = (*Front)(nil)

// NewFront makes the picture of the first two objectives.
func NewFront() *Front { return &Front{} }

// Outcomes is what is drawn; nil while there is nothing.
func (p *Front) Outcomes() *front.Outcomes { return p.outcomes }

// CurrentOutcomes is the picture under the prior that holds, also while another is previewed.
func (p *Front) CurrentOutcomes() *front.Outcomes {
	if p.current != nil {
		return p.current
	}
	return p.outcomes
}

// Compute looks at the space of objectives. What a change of the prior does to the picture before is shown first; what
// must be fitted follows.
func (p *Front) Compute(s view.Scene) view.ComputeFunc {
	stood, before, attainable := s.State, p.outcomes, p.attainable
	return func(ctx context.Context, at sessions.Snapshot, progress sessions.Progress,
		show func(view.Image)) (view.Image, error) {
		st := at.State()
		if attainable == nil {
			var err error
			if attainable, err = front.ComputeAttainable(ctx, st); err != nil {
				return nil, err
			}
		}
		if before != nil && len(st.Iterations) == len(stood.Iterations) && before.Head != st.Head &&
			!sameWeights(st, stood) {
			show(image{before.UpdateWeights(st), attainable, true, len(st.Answers) != len(stood.Answers)})
		}
		o, err := front.Compute(ctx, at, progress)
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
		p.previous = nil // another iteration: what was before is old
	}
	if p.current != nil {
		p.current = o
	}
	return &view.Report{Head: o.Head, Legend: o.Legend, NextPoints: o.NextPoints, Enough: true}
}

// Preview shows outcomes under a prior that is not taken, beside those under the one that holds.
func (p *Front) Preview(o *front.Outcomes) {
	if p.current == nil {
		p.current, p.previous, p.previewed = p.outcomes, p.outcomes, false
	}
	p.outcomes = o
}

// TakePreview makes what is previewed the picture; where there is no picture there is nothing to take.
func (p *Front) TakePreview() {
	if p != nil {
		p.previewed, p.current = p.current != nil, nil
	}
}

// DropPreview shows again what holds; where there is no picture there is nothing to drop.
func (p *Front) DropPreview() {
	if p != nil && p.current != nil {
		p.outcomes, p.previous, p.current = p.current, nil, nil
	}
}

// Follow has nothing that moves with the cursor.
func (p *Front) Follow(view.Scene) (string, view.ComputeFunc) { return "", nil }

// Turn shows the next pair of objectives, of which all is there.
func (p *Front) Turn(s view.Scene, by int) bool {
	n := len(s.State.Problem.Objectives)
	p.first = (p.first + by + n) % n
	return false
}

// Pair are the objectives along x and y.
func (p *Front) Pair(s view.Scene) (i, j int) {
	n := len(s.State.Problem.Objectives)
	return p.first % n, (p.first + 1) % n
}

// Hints are the keys that are needed most.
func (p *Front) Hints() string { return "space b r B a e d v o ? I q t w n" }

// Axes has the variable that is chosen for a slice: the objectives are along the axes.
func (p *Front) Axes(s view.Scene) []mode.Axis { return []mode.Axis{s.Axis()} }

// ReadingsAt tells nothing of an input.
func (p *Front) ReadingsAt(view.Scene, []float64) []mode.Reading { return nil }
