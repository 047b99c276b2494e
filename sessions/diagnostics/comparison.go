package diagnostics

import (
	"cmp"
	"context"

	"bandscope/optimizers"
	optdiag "bandscope/optimizers/diagnostics"
	"bandscope/sessions"
)

// Comparison is how the choice of another method, or of the same with other parameters, stands beside the next point.
type Comparison struct {
	Name, Title       string // stubSource the other method
	Other             *Explanation
	Distance          float64           // how far the two points are from each other, in the unit cube
	Same              bool              // they are as good as the same
	optdiag.Agreement                   // stubSource the two acquisitions over the domain
	Separating        *SeparatingResult // nil where no result does
	// how far the two points are from each other without each of the results; nil where that is not known
	Distances             []float64
	SeparationUnavailable string // why it is not known which result separates them; empty where it is
}

// SeparatingResult is the result whose leaving out brings the two choices nearest together.
type SeparatingResult struct {
	Result
	Distance float64 // without it
	XWithout [2][]float64
}

// CompareChoices holds the next point of a place, of which a report is there with the influence of results, against
// that of another method at the same place.
func CompareChoices(ctx context.Context, s Suggester, r *Explanation, other Suggester, o ExplainOptions,
	progress sessions.Progress) (*Comparison, error) {
	o.OnRecord, o.Influence, o.Counterfactuals = nil, true, false
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
	beside.Distance, beside.Same = optdiag.Separation(in, domain.ToUnit(r.Chosen.X), domain.ToUnit(theirs.Chosen.X))
	if beside.Agreement, err = optdiag.CompareAcquisitions(ctx, in, a, b); optimizers.IgnoreUnsupported(err) != nil {
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

// separate fills how far the two are apart without each result, and which of those separates them.
func (b *Comparison) separate(in optimizers.Input, results []Result, ours, theirs []Influence) {
	plain := func(all []Influence) (of []optdiag.Influence) {
		for _, i := range all {
			of = append(of, i.Influence)
		}
		return of
	}
	for i := range ours {
		far, _ := optdiag.Separation(in, ours[i].Influence.X, theirs[i].Influence.X)
		b.Distances = append(b.Distances, far)
	}
	if b.Same {
		return
	}
	if i, far := optdiag.SeparatingDatum(in, b.Distance, plain(ours), plain(theirs)); i >= 0 {
		b.Separating = &SeparatingResult{results[i], far, [2][]float64{ours[i].XWithout, theirs[i].XWithout}}
	}
}
