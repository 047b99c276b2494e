package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// Suggester is a place of a session with its model and its next point.
type Suggester interface {
	Source
	Next(context.Context, sessions.Progress) (optimizers.Suggestion, error)
}

// ExplainOptions are the slow parts of an explanation.
type ExplainOptions struct {
	Influence       bool // leave out every result
	Refit           bool // fit the model again to the others
	Counterfactuals bool // find the smallest change of every parameter that moves the choice

	OnRecord *sessions.Iteration // the recorded next iteration, if any; see NextOnRecord
}

// Explanation explains why a point is the next one. It is not changed after it is made.
type Explanation struct {
	Origin               string // who chose the point: "GP-EI suggests it"
	Reason               Reason
	Note                 string // of the method; empty for none
	Acquisition          string // the acquisition function
	Lower                bool   // lower values of it are better
	NonNegative          bool   // no value of it is below 0
	Integration          string // what it is averaged over; empty if the hyperparameters are fitted
	Inference            string // how the model is approximated; empty if inference is exact
	NoInfluence          string // why the point depends on no result and no parameter; empty if it does
	Unavailable          string // why there is no acquisition function; empty if there is one
	Chosen               Candidate
	RunnersUp            []RunnerUp // the best first
	DrawRank             *inspection.DrawRank
	Influence            []Influence // of every result, in their order; nil if it was not requested
	InfluenceUnavailable string      // why results cannot be left out; empty if they can
	Refit                bool        // the influence is that of fits to all other results
	Searched             bool        // counterfactuals were requested
	Counterfactuals      []Counterfactual

	origin string    // Origin as a format, with %s for the point
	x      []float64 // the chosen point in the unit cube
}

// DescribeOrigin is Origin with a text for the point: "GP-EI suggests x = 0.148".
func (e *Explanation) DescribeOrigin(point string) string { return fmt.Sprintf(e.origin, point) }

// Legend names the acquisition function.
func (e *Explanation) Legend() optimizers.Legend {
	return optimizers.Legend{Acquisition: e.Acquisition, LowerIsBetter: e.Lower, NonNegative: e.NonNegative}
}

// setOrigin sets who chose the point, by a format with %s for the point.
func (e *Explanation) setOrigin(format string) {
	e.origin, e.Origin = format, fmt.Sprintf(format, "it")
}

// literal escapes a text for a format.
func literal(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// Candidate is a point in the problem's units.
type Candidate struct {
	X           []float64
	Acquisition optimizers.Term // the acquisition function and its terms, as shown
	Predictions []Normal
}

// RunnerUp is another local optimum of the acquisition function.
type RunnerUp struct {
	Candidate
	Deficit string // why it is worse, in words
}

// Influence is the influence of a result on the choice.
type Influence struct {
	Result
	inspection.Influence
	XWithout []float64 // the choice without it
}

// Counterfactual is a change of a parameter that moves the choice.
type Counterfactual struct {
	inspection.Counterfactual
	NewX []float64
}

// NextOnRecord is the iteration after the current state of a session on its branch; nil if there is none.
func NextOnRecord(s *sessions.Session) (*sessions.Iteration, error) {
	list, err := s.Suggestions()
	if err != nil {
		return nil, err
	}
	head := s.State().Head
	if i := slices.IndexFunc(list, func(suggestion sessions.Suggestion) bool { return suggestion.Before.Head == head }); i >= 0 {
		return &list[i].Iteration, nil
	}
	return nil, nil
}

// ExplainNext explains why the next point was chosen.
func ExplainNext(ctx context.Context, s Suggester, o ExplainOptions, progress sessions.Progress) (*Explanation, error) {
	r, err := explainChoice(ctx, s, o, progress)
	if err != nil {
		return nil, err
	}
	return r.With(ctx, s, o, progress)
}

// explainChoice is the explanation without the influence of results and without counterfactuals.
func explainChoice(ctx context.Context, s Suggester, o ExplainOptions, progress sessions.Progress) (*Explanation,
	error) {
	st := s.State()
	t := explainer{ctx: ctx, state: st, in: st.Input(), r: &Explanation{}, onRecord: o.OnRecord}
	t.in.Progress = progress
	var err error
	t.x, err = t.point(s, o, progress)
	if err != nil {
		return nil, err
	}
	t.belief, err = s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	t.r.x = t.x
	l := t.belief.Legend()
	t.r.Acquisition = l.Acquisition
	t.r.Lower = l.LowerIsBetter
	t.r.Integration = l.DescribeIntegration()
	t.r.NonNegative, t.r.Inference = l.NonNegative, l.Inference
	t.r.Chosen.X = st.Problem.Domain.FromUnit(t.x)
	if progress != nil {
		progress("finding the runners-up", 0, 0)
	}
	a, err := inspection.Explain(ctx, t.in, t.belief, t.x)
	if errors.Is(err, optimizers.ErrUnsupported) {
		t.r.Unavailable = st.Spec.Title + " has no acquisition function"
		t.r.Reason, err = t.reason()
		return t.r, err
	}
	if err != nil {
		return nil, err
	}
	t.r.Chosen = t.candidate(a.Chosen)
	t.r.DrawRank = a.DrawRank
	t.unit = a.Chosen
	for _, other := range a.RunnersUp {
		t.r.RunnersUp = append(t.r.RunnersUp, RunnerUp{t.candidate(other.Candidate), t.deficit(other.Deficit)})
	}
	t.r.InfluenceUnavailable = t.r.NoInfluence
	t.r.Reason, err = t.reason()
	return t.r, err
}

// With is the explanation with the slow parts that are requested and that it does not have yet, for the place that it
// explains.
func (e *Explanation) With(ctx context.Context, s Suggester, o ExplainOptions, progress sessions.Progress) (*Explanation,
	error) {
	influence := (o.Influence || o.Refit) && (e.Influence == nil || o.Refit && !e.Refit)
	change := o.Counterfactuals && !e.Searched
	if e.Unavailable != "" || e.NoInfluence != "" || !influence && !change {
		return e, nil
	}
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	explanation, st := *e, s.State()
	t := explainer{ctx: ctx, state: st, in: st.Input(), belief: b, x: e.x, r: &explanation}
	t.in.Progress = progress
	if influence {
		explanation.Refit = o.Refit
		explanation.Influence = nil
		explanation.InfluenceUnavailable = ""
		if err := t.influences(); err != nil {
			return nil, err
		}
	}
	if change {
		explanation.Searched = true
		changes, err := inspection.Counterfactuals(ctx, st.Spec, t.in, t.belief, t.x)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			explanation.Counterfactuals = append(explanation.Counterfactuals, Counterfactual{c, st.Problem.Domain.FromUnit(c.X)})
		}
	}
	return &explanation, nil
}

// explainer explains one point of one belief.
type explainer struct {
	ctx    context.Context
	state  sessions.State
	in     optimizers.Input
	belief optimizers.Belief
	x      []float64 // in the unit cube
	r      *Explanation

	onRecord *sessions.Iteration  // see ExplainOptions
	points   int                  // of the suggestion
	unit     inspection.Candidate // the chosen point, in the unit cube and of the minimized objectives
}

// designOrigin is the origin of a point of the initial design, with %s for the point.
const designOrigin = "%s belongs to the initial design, which does not use the model"

// point is the next point; it also fills in its origin.
func (t *explainer) point(s Suggester, o ExplainOptions, progress sessions.Progress) ([]float64, error) {
	title := t.state.Spec.Title
	if it := o.OnRecord; it != nil {
		x := it.Points[0].Planned()
		t.points = len(it.Points)
		switch {
		case it.By == sessions.ByPerson:
			t.r.setOrigin("a person chose %s")
			t.r.NoInfluence = t.r.Origin
		case t.inDesign():
			t.r.setOrigin(designOrigin)
			t.r.NoInfluence = t.r.Origin
		default:
			t.r.setOrigin(literal(it.By) + " suggested %s")
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
		t.r.setOrigin("%s is pending")
	case t.inDesign():
		t.r.setOrigin(designOrigin)
		t.r.NoInfluence = t.r.Origin
	default:
		t.r.setOrigin(literal(title) + " suggests %s")
	}
	t.points, _ = next.X.Dims()
	if t.points > 1 {
		t.r.setOrigin(t.r.origin + fmt.Sprintf(", the first of %d points", t.points))
	}
	return mat.Row(nil, 0, next.X), nil
}

// inDesign reports whether the next point belongs to the initial design; a method without a model has none.
func (t *explainer) inDesign() bool { return search.InDesign(t.in) && !t.state.Spec.NoBand }

// candidate is a place in the problem's units and directions.
func (t *explainer) candidate(p inspection.Candidate) Candidate {
	local := Candidate{X: t.state.Problem.Domain.FromUnit(p.X), Acquisition: p.Acquisition}
	for k, mean := range p.Mean {
		local.Predictions = append(local.Predictions,
			Normal{Mean: t.state.Problem.Objectives[k].Transform().Invert(mean), SD: p.SD[k]})
	}
	return local
}

// influences fills in the influence of each result on the choice.
func (t *explainer) influences() error {
	var fit func(context.Context, optimizers.Input) (optimizers.Belief, error)
	if t.r.Refit {
		fit = t.state.Spec.Fit
	}
	all, err := inspection.Influences(t.ctx, t.in, t.belief, t.x, fit)
	if errors.Is(err, optimizers.ErrUnsupported) {
		t.r.InfluenceUnavailable = "there are no results to leave out"
		if t.in.Data.Len() > 0 {
			t.r.InfluenceUnavailable = t.state.Spec.Title +
				" has no closed form for leaving out a result: it must be fitted again without it"
		}
		return nil
	}
	if err != nil {
		return err
	}
	results := Results(t.state)
	for i, influence := range all {
		t.r.Influence = append(t.r.Influence, Influence{results[i], influence, t.state.Problem.Domain.FromUnit(influence.X)})
	}
	return nil
}
