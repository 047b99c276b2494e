package class

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/classroom"
	"bandscope/sessions/sanitize"
	"bandscope/tui/picture"
)

// Belief is what the optimizer of a session believes, computed once for all who see it. It never changes.
type Belief struct {
	State     sessions.State
	Posterior *picture.Posterior // of the first objective; nil over more than two variables
}

// ComputeBelief computes the belief of a session about its first objective.
func ComputeBelief(ctx context.Context, s picture.Source, progress sessions.Progress) (*Belief, error) {
	b := &Belief{State: s.State()}
	dim := b.State.Problem.Dim()
	if dim > 2 {
		return b, nil
	}
	var err error
	b.Posterior, err = picture.Compute(ctx, s, wholeView(dim), nil, progress, nil)
	return b, err
}

// wholeView is the view of all of one or two variables.
func wholeView(dim int) picture.View {
	if dim == 1 {
		return picture.View{}
	}
	return picture.WholePlane(0, 1)
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

// visible is the posterior without what tells where the optimizer evaluates next: the acquisition, the function that
// picks the next point, and the regions of the search. With next the next point is kept.
func (b *Belief) visible(next bool) *picture.Posterior {
	if b.Posterior == nil {
		return picture.Unfitted(b.State, wholeView(b.State.Problem.Dim()), nil)
	}
	p := b.Posterior.Without(picture.AcquisitionField, picture.UsedField, picture.SampleField, picture.AllowedField)
	p.Samples, p.Regions, p.Theory = nil, nil, nil
	if !next {
		return p.WithoutNext()
	}
	return p
}

// next are the points that the optimizer evaluates next; nil while they are not known.
func (b *Belief) next() [][]float64 {
	if b == nil || b.Posterior == nil {
		return nil
	}
	return b.Posterior.Next
}

// goodShare is the share of the best acquisition that a good answer has.
const goodShare = 0.5

// verdict says how many points have at least half of the best acquisition, such as an expected improvement; empty where
// ratios of its values mean nothing.
func (b *Belief) verdict(points [][]float64) (text, says string) {
	if b == nil || b.Posterior == nil || len(points) == 0 {
		return "", ""
	}
	legend := b.Posterior.Legend
	best := 0.0
	for _, v := range b.Posterior.Fields[picture.AcquisitionField].Z {
		best = max(best, v)
	}
	if !legend.NonNegative || legend.LowerIsBetter || best <= 0 {
		return "", ""
	}
	good := 0
	for _, x := range points {
		if b.Posterior.At(picture.AcquisitionField, x) >= goodShare*best {
			good++
		}
	}
	name, _, _ := strings.Cut(legend.Acquisition, ",")
	text = fmt.Sprintf("%d of %d within half of the best %s", good, len(points), sanitize.Text(name))
	return text, fmt.Sprintf("%d of %d answers have at least half of the best %s.", good, len(points), sanitize.Text(name))
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
