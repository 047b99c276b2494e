package diagnostics

import (
	"cmp"
	"context"

	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// Comparison compares the next point with the choice of another method, or of the same method with other parameters.
type Comparison struct {
	Name, Title          string // of the other method
	Other                *Explanation
	Distance             float64           // between the two points, in the unit cube
	Same                 bool              // the points are practically the same
	inspection.Agreement                   // of the two acquisition functions over the domain
	Separating           *SeparatingResult // nil if no result separates them
	// distance between the two points without each of the results; nil if it is not known
	Distances             []float64
	SeparationUnavailable string // why the separating result is not known; empty if it is
}

// SeparatingResult is the result without which the two choices are closest.
type SeparatingResult struct {
	Result
	Distance float64 // without it
	XWithout [2][]float64
}

// CompareChoices compares the next point of a place, with its explanation r that includes the influence of results,
// with that of another method at the same place.
func CompareChoices(ctx context.Context, s Suggester, r *Explanation, other Suggester, o ExplainOptions,
	progress sessions.Progress) (*Comparison, error) {
	o.OnRecord = nil
	o.Influence = true
	o.Counterfactuals = false
	theirs, err := ExplainNext(ctx, other, o, progress)
	if err != nil {
		return nil, err
	}
	st := s.State()
	a, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	b, err := other.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	in, domain := st.Input(), st.Problem.Domain
	beside := &Comparison{Name: other.State().Spec.Name, Title: other.State().Spec.Title, Other: theirs}
	beside.Distance, beside.Same = inspection.Separation(in, domain.ToUnit(r.Chosen.X), domain.ToUnit(theirs.Chosen.X))
	beside.Agreement, err = inspection.CompareAcquisitions(ctx, in, a, b)
	if optimizers.IgnoreUnsupported(err) != nil {
		return nil, err
	}
	switch {
	case r.Unavailable != "" || theirs.Unavailable != "":
		beside.SeparationUnavailable = cmp.Or(r.Unavailable, theirs.Unavailable)
	case r.InfluenceUnavailable != "" || theirs.InfluenceUnavailable != "":
		beside.SeparationUnavailable = cmp.Or(r.InfluenceUnavailable, theirs.InfluenceUnavailable)
	default:
		beside.separate(in, Results(st), r.Influence, theirs.Influence)
	}
	return beside, nil
}

// separate fills in the distances without each result, and the separating result.
func (b *Comparison) separate(in optimizers.Input, results []Result, ours, theirs []Influence) {
	plain := func(all []Influence) (influences []inspection.Influence) {
		for _, i := range all {
			influences = append(influences, i.Influence)
		}
		return influences
	}
	for i := range ours {
		separation, _ := inspection.Separation(in, ours[i].Influence.X, theirs[i].Influence.X)
		b.Distances = append(b.Distances, separation)
	}
	if b.Same {
		return
	}
	if i, separation := inspection.SeparatingDatum(in, b.Distance, plain(ours), plain(theirs)); i >= 0 {
		b.Separating = &SeparatingResult{results[i], separation, [2][]float64{ours[i].XWithout, theirs[i].XWithout}}
	}
}
