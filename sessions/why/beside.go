package why

import (
	"cmp"
	"context"
	"errors"

	"bandscope/optimizers"
	"bandscope/optimizers/insight/why"
	"bandscope/sessions"
	"bandscope/sessions/appraisal"
)

// Beside is how the choice of another method, or of the same with other parameters, stands beside the next point.
type Beside struct {
	Name, Title   string // of the other method
	Other         *Report
	Apart         float64     // how far the two points are from each other, in the unit cube
	Same          bool        // they are as good as the same
	why.Agreement             // of the two acquisitions over the domain
	Separates     *Separating // nil where no result does
	Without       []float64   // how far the two points are from each other without each of the results; nil where that is not known
	Untold        string      // why it is not known which result separates them; empty where it is
}

// Separating is the result whose leaving out brings the two choices nearest together.
type Separating struct {
	appraisal.Result
	Apart float64 // without it
	Then  [2][]float64
}

// Compare holds the next point of a place, of which a report is there with the influence of results, against that of another method at the same place.
func Compare(ctx context.Context, s Source, r *Report, other Source, o Options, progress sessions.Progress) (*Beside, error) {
	o.Taken, o.Influence, o.Change = nil, true, false
	theirs, err := Of(ctx, other, o, progress)
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
	beside := &Beside{Name: other.State().Spec.Name, Title: other.State().Spec.Title, Other: theirs}
	beside.Apart, beside.Same = why.Apart(in, domain.ToUnit(r.Chosen.X), domain.ToUnit(theirs.Chosen.X))
	if beside.Agreement, err = why.Agree(ctx, in, a, b); err != nil && !errors.Is(err, optimizers.ErrUnsupported) {
		return nil, err
	}
	switch {
	case r.Lacking != "" || theirs.Lacking != "":
		beside.Untold = cmp.Or(r.Lacking, theirs.Lacking)
	case r.Untold != "" || theirs.Untold != "":
		beside.Untold = cmp.Or(r.Untold, theirs.Untold)
	default:
		beside.separate(in, appraisal.ResultsOf(st), r.Influence, theirs.Influence)
	}
	return beside, nil
}

// separate fills how far the two are apart without each result, and which of those separates them.
func (b *Beside) separate(in optimizers.Input, results []appraisal.Result, ours, theirs []Influence) {
	plain := func(all []Influence) (of []why.Influence) {
		for _, i := range all {
			of = append(of, i.Influence)
		}
		return of
	}
	for i := range ours {
		far, _ := why.Apart(in, ours[i].Influence.X, theirs[i].Influence.X)
		b.Without = append(b.Without, far)
	}
	if b.Same {
		return
	}
	if i, far := why.Separating(in, b.Apart, plain(ours), plain(theirs)); i >= 0 {
		b.Separates = &Separating{results[i], far, [2][]float64{ours[i].Then, theirs[i].Then}}
	}
}
