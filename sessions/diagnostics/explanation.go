package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	optdiag "bandscope/optimizers/diagnostics"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// Suggester is a place of a session: with what is believed there, and the next point.
type Suggester interface {
	Source
	Next(context.Context, sessions.Progress) (optimizers.Suggestion, error)
}

// ExplainOptions say what is asked for that takes longer.
type ExplainOptions struct {
	Influence       bool // leave every result out
	Refit           bool // with a fit of its own to all others
	Counterfactuals bool // look for the smallest change of every parameter that moves the choice

	OnRecord *sessions.Iteration // what was evaluated next, where that is on record; nil where it is not. See Taken
}

// Explanation is why a point is the next one. Nothing in it is changed once it is there.
type Explanation struct {
	Origin               string // what the point is: what the method suggests, of the initial design, of a person
	Note                 string // what the method says of it; empty for nothing
	Acquisition          string // by what is chosen, and which end is better
	Lower                bool
	NoInfluence          string // why neither results nor parameters have anything to do with it; empty where they have
	Unavailable          string // why there is no acquisition to speak of; empty where there is one
	Chosen               Candidate
	RunnersUp            []RunnerUp // that were nearly chosen, the best first
	DrawRank             *optdiag.DrawRank
	Influence            []Influence // stubSource every result, in their order; nil where it was not asked for
	InfluenceUnavailable string      // why results cannot be left out; empty where they can
	Refit                bool        // they were, with a fit of its own to all others
	Searched             bool        // changes were looked for
	Counterfactuals      []Counterfactual
}

// Candidate is a point in the problem's units.
type Candidate struct {
	X           []float64
	Acquisition optimizers.Term // the acquisition and its parts, as the acquisition is shown
	Predictions []Normal
}

// RunnerUp is a point that was nearly chosen.
type RunnerUp struct {
	Candidate
	Deficit string // what it lacks, in words
}

// Influence is what a result has to do with the choice.
type Influence struct {
	Result
	optdiag.Influence
	XWithout []float64 // what would be chosen without it
}

// Counterfactual is a change of a parameter that moves the choice.
type Counterfactual struct {
	optdiag.Counterfactual
	NewX []float64
}

// NextOnRecord is what was evaluated next where a session stands, if that is on record on its branch; nil otherwise.
func NextOnRecord(s *sessions.Session) (*sessions.Iteration, error) {
	list, err := s.Suggestions()
	if err != nil {
		return nil, err
	}
	head := s.State().Head
	if i := slices.IndexFunc(list, func(of sessions.Suggestion) bool { return of.Before.Head == head }); i >= 0 {
		return &list[i].Iteration, nil
	}
	return nil, nil
}

// ExplainNext tells why the next point is the one it is.
func ExplainNext(ctx context.Context, s Suggester, o ExplainOptions, progress sessions.Progress) (*Explanation, error) {
	st := s.State()
	t := explainer{ctx: ctx, state: st, in: st.Input(), r: &Explanation{Refit: o.Refit}}
	t.in.Progress = progress
	var err error
	if t.x, err = t.point(s, o, progress); err != nil {
		return nil, err
	}
	if t.belief, err = s.Belief(ctx, progress); err != nil {
		return nil, err
	}
	l := t.belief.Legend()
	t.r.Acquisition, t.r.Lower = l.Acquisition, l.LowerIsBetter
	t.r.Chosen.X = st.Problem.Domain.FromUnit(t.x)
	if progress != nil {
		progress("asking what was nearly chosen", 0, 0)
	}
	a, err := optdiag.Explain(ctx, t.in, t.belief, t.x)
	if errors.Is(err, optimizers.ErrUnsupported) {
		t.r.Unavailable = st.Spec.Title + " chooses by no acquisition"
		return t.r, nil
	}
	if err != nil {
		return nil, err
	}
	t.r.Chosen, t.r.DrawRank = t.candidate(a.Chosen), a.DrawRank
	for _, other := range a.RunnersUp {
		t.r.RunnersUp = append(t.r.RunnersUp, RunnerUp{t.candidate(other.Candidate), t.deficit(other.Deficit)})
	}
	if t.r.NoInfluence != "" {
		t.r.InfluenceUnavailable = t.r.NoInfluence
		return t.r, nil
	}
	if o.Influence {
		if err := t.influences(); err != nil {
			return nil, err
		}
	}
	if o.Counterfactuals {
		t.r.Searched = true
		changes, err := optdiag.Counterfactuals(ctx, st.Spec, t.in, t.belief, t.x)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			t.r.Counterfactuals = append(t.r.Counterfactuals, Counterfactual{c, st.Problem.Domain.FromUnit(c.X)})
		}
	}
	return t.r, nil
}

// explainer asks one belief of one point.
type explainer struct {
	ctx    context.Context
	state  sessions.State
	in     optimizers.Input
	belief optimizers.Belief
	x      []float64 // stubSource the unit cube
	r      *Explanation
}

// designOrigin is what a point of the initial design is.
const designOrigin = "it is of the initial design, whatever is believed"

// point is the next point, with what it is.
func (t *explainer) point(s Suggester, o ExplainOptions, progress sessions.Progress) ([]float64, error) {
	title := t.state.Spec.Title
	if it := o.OnRecord; it != nil {
		x := it.Points[0].Planned()
		switch {
		case it.By == sessions.ByPerson:
			t.r.Origin = "a person chose it"
			t.r.NoInfluence = t.r.Origin
		case search.InDesign(t.in):
			t.r.Origin = designOrigin
			t.r.NoInfluence = t.r.Origin
		default:
			t.r.Origin = it.By + " suggested it"
		}
		t.r.Note = it.Note
		return t.state.Problem.Domain.ToUnit(x), nil
	}
	next, err := s.Next(t.ctx, progress)
	if err != nil {
		return nil, err
	}
	t.r.Note = next.Note
	switch {
	case len(t.state.Pending) > 0:
		t.r.Origin = "it is out and waits for its outcome"
	case search.InDesign(t.in):
		t.r.Origin = designOrigin
		t.r.NoInfluence = t.r.Origin
	default:
		t.r.Origin = title + " suggests it"
	}
	if n, _ := next.X.Dims(); n > 1 {
		t.r.Origin += fmt.Sprintf(", the first of %d points", n)
	}
	return mat.Row(nil, 0, next.X), nil
}

// candidate is a place in the problem's units and directions.
func (t *explainer) candidate(p optdiag.Candidate) Candidate {
	own := Candidate{X: t.state.Problem.Domain.FromUnit(p.X), Acquisition: p.Acquisition}
	for k, mean := range p.Mean {
		own.Predictions = append(own.Predictions,
			Normal{Mean: t.state.Problem.Objectives[k].Transform().Invert(mean), SD: p.SD[k]})
	}
	return own
}

// influences fills what each result has to do with the choice.
func (t *explainer) influences() error {
	var fit func(context.Context, optimizers.Input) (optimizers.Belief, error)
	if t.r.Refit {
		fit = t.state.Spec.Fit
	}
	all, err := optdiag.Influences(t.ctx, t.in, t.belief, t.x, fit)
	if errors.Is(err, optimizers.ErrUnsupported) {
		if t.r.InfluenceUnavailable = "nothing is known that could be left out"; t.in.Data.Len() > 0 {
			t.r.InfluenceUnavailable = t.state.Spec.Title +
				" has no closed form without a result: it has to be fitted anew to the others"
		}
		return nil
	}
	if err != nil {
		return err
	}
	results := Results(t.state)
	for i, of := range all {
		t.r.Influence = append(t.r.Influence, Influence{results[i], of, t.state.Problem.Domain.FromUnit(of.X)})
	}
	return nil
}
