// Package why tells why the next point of a session is the one it is, where the session stands: what the acquisition is made of there, which points were nearly chosen and what they lack, how a
// function that was drawn stands among others, which results hold the choice and which change of a parameter moves it. A place of a session comes in, numbers in the problem's own
// units and directions go out, which the screen and the command tell each in its way. What is computed of a belief is optimizers/insight/why's.
package why

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/insight/why"
	"bandscope/optimizers/search"
	"bandscope/sessions"
	"bandscope/sessions/appraisal"
)

// Source is a place of a session: with what is believed there, and the next point.
type Source interface {
	appraisal.Source
	Next(context.Context, sessions.Progress) (optimizers.Suggestion, error)
}

// Options say what is asked for that takes longer.
type Options struct {
	Influence bool // leave every result out
	Refit     bool // with a fit of its own to all others
	Change    bool // look for the smallest change of every parameter that moves the choice

	Taken *sessions.Iteration // what was evaluated next, where that is on record; nil where it is not. See Taken
}

// Report is why a point is the next one. Nothing in it is changed once it is there.
type Report struct {
	Origin      string // what the point is: what the method suggests, of the initial design, of a person
	Note        string // what the method says of it; empty for nothing
	Acquisition string // by what is chosen, and which end is better
	Lower       bool
	Fixed       string // why neither results nor parameters have anything to do with it; empty where they have
	Lacking     string // why there is no acquisition to speak of; empty where there is one
	Chosen      Place
	Others      []Other // that were nearly chosen, the best first
	Drawn       *why.Drawn
	Influence   []Influence // of every result, in their order; nil where it was not asked for
	Untold      string      // why results cannot be left out; empty where they can
	Refit       bool        // they were, with a fit of its own to all others
	Tried       bool        // changes were looked for
	Changes     []Change
}

// Place is a point in the problem's units.
type Place struct {
	X        []float64
	Whole    optimizers.Term // the acquisition and its parts, as the acquisition is shown
	Believed []appraisal.Normal
}

// Other is a point that was nearly chosen.
type Other struct {
	Place
	Lacks string // what it lacks, in words
}

// Influence is what a result has to do with the choice.
type Influence struct {
	appraisal.Result
	why.Influence
	Then []float64 // what would be chosen without it
}

// Change is a change of a parameter that moves the choice.
type Change struct {
	why.Change
	Then []float64
}

// Taken is what was evaluated next where a session stands, if that is on record on its branch; nil otherwise.
func Taken(s *sessions.Session) (*sessions.Iteration, error) {
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

// Of tells why the next point is the one it is.
func Of(ctx context.Context, s Source, o Options, progress sessions.Progress) (*Report, error) {
	st := s.State()
	t := teller{ctx: ctx, state: st, in: st.Input(), r: &Report{Refit: o.Refit}}
	t.in.Progress = progress
	var err error
	if t.x, err = t.point(s, o, progress); err != nil {
		return nil, err
	}
	if t.belief, err = s.Belief(ctx, progress); err != nil {
		return nil, err
	}
	l := t.belief.Legend()
	t.r.Acquisition, t.r.Lower = l.Acquisition, l.Lower
	t.r.Chosen.X = st.Problem.Domain.FromUnit(t.x)
	if progress != nil {
		progress("asking what was nearly chosen", 0, 0)
	}
	a, err := why.Of(ctx, t.in, t.belief, t.x)
	if errors.Is(err, optimizers.ErrUnsupported) {
		t.r.Lacking = st.Spec.Title + " chooses by no acquisition"
		return t.r, nil
	}
	if err != nil {
		return nil, err
	}
	t.r.Chosen, t.r.Drawn = t.place(a.Chosen), a.Drawn
	for _, other := range a.Others {
		t.r.Others = append(t.r.Others, Other{t.place(other.Place), t.lacks(other.Lacks)})
	}
	if t.r.Fixed != "" {
		t.r.Untold = t.r.Fixed
		return t.r, nil
	}
	if o.Influence {
		if err := t.influence(); err != nil {
			return nil, err
		}
	}
	if o.Change {
		t.r.Tried = true
		changes, err := why.Changes(ctx, st.Spec, t.in, t.belief, t.x)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			t.r.Changes = append(t.r.Changes, Change{c, st.Problem.Domain.FromUnit(c.X)})
		}
	}
	return t.r, nil
}

// teller asks one belief of one point.
type teller struct {
	ctx    context.Context
	state  sessions.State
	in     optimizers.Input
	belief optimizers.Belief
	x      []float64 // of the unit cube
	r      *Report
}

// ofTheDesign is what a point of the initial design is.
const ofTheDesign = "it is of the initial design, whatever is believed"

// point is the next point, with what it is.
func (t *teller) point(s Source, o Options, progress sessions.Progress) ([]float64, error) {
	title := t.state.Spec.Title
	if it := o.Taken; it != nil {
		x := it.X[0]
		if it.Suggested != nil {
			x = it.Suggested[0]
		}
		switch {
		case it.By == sessions.ByPerson:
			t.r.Origin = "a person chose it"
			t.r.Fixed = t.r.Origin
		case search.InDesign(t.in):
			t.r.Origin = ofTheDesign
			t.r.Fixed = t.r.Origin
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
	case len(t.state.Out) > 0:
		t.r.Origin = "it is out and waits for its outcome"
	case search.InDesign(t.in):
		t.r.Origin = ofTheDesign
		t.r.Fixed = t.r.Origin
	default:
		t.r.Origin = title + " suggests it"
	}
	if n, _ := next.X.Dims(); n > 1 {
		t.r.Origin += fmt.Sprintf(", the first of %d points", n)
	}
	return mat.Row(nil, 0, next.X), nil
}

// place is a place in the problem's units and directions.
func (t *teller) place(p why.Place) Place {
	own := Place{X: t.state.Problem.Domain.FromUnit(p.X), Whole: p.Whole}
	for k, mean := range p.Mean {
		own.Believed = append(own.Believed, appraisal.Normal{Mean: t.state.Problem.Objectives[k].Gauge().Value(mean), SD: p.SD[k]})
	}
	return own
}

// influence fills what each result has to do with the choice.
func (t *teller) influence() error {
	var fit func(context.Context, optimizers.Input) (optimizers.Belief, error)
	if t.r.Refit {
		fit = t.state.Spec.Fit
	}
	all, err := why.Influences(t.ctx, t.in, t.belief, t.x, fit)
	if errors.Is(err, optimizers.ErrUnsupported) {
		if t.r.Untold = "nothing is known that could be left out"; t.in.Data.Len() > 0 {
			t.r.Untold = t.state.Spec.Title + " has no closed form without a result: it has to be fitted anew to the others"
		}
		return nil
	}
	if err != nil {
		return err
	}
	results := appraisal.ResultsOf(t.state)
	for i, of := range all {
		t.r.Influence = append(t.r.Influence, Influence{results[i], of, t.state.Problem.Domain.FromUnit(of.X)})
	}
	return nil
}
