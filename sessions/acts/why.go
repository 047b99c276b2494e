package acts

import (
	"context"
	"errors"

	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
)

// WhyArgs are the arguments of why.
type WhyArgs struct {
	Step       *int               `json:"step,omitempty" bounds:"1..10000000" jsonschema:"the step whose point is explained; without it the next one"`
	Influence  bool               `json:"influence,omitempty" jsonschema:"leave out each result, and keep the fitted hyperparameters"`
	Refit      bool               `json:"refit,omitempty" jsonschema:"leave out each result, and fit the model again to the others"`
	Changes    bool               `json:"changes,omitempty" jsonschema:"find the smallest change of each parameter that moves the point elsewhere"`
	Compare    string             `json:"compare,omitempty" length:"200" words:"methods" jsonschema:"method to compare the choice with, or the same method with other parameters"`
	Parameters map[string]Setting `json:"parameters,omitempty" items:"200" words:"parameters" jsonschema:"parameters of the method to compare with; the others are those of the session for the same method, and the defaults for another"`
}

// Why is the act of explaining a choice.
var Why = declare(Act{Name: "why", Title: "Explain why the next point was chosen", Idempotent: true, Fits: true,
	About: "Explain why the next point, or the point of a step, was chosen: the terms of the acquisition function, the runners-up, the results that it depends on, the parameters that would move it, and what another method would choose."},
	func(ctx context.Context, t Turn, a WhyArgs) (answer WhyAnswer, err error) {
		s := t.Session
		if a.Step != nil {
			back, err := seek(s, *a.Step-1, *a.Step)
			if err != nil {
				return answer, err
			}
			defer back()
		}
		other, err := a.method(s)
		if err != nil {
			return answer, asWrong(err)
		}
		o := diagnostics.ExplainOptions{Influence: a.Influence || a.Refit || other != nil, Refit: a.Refit,
			Counterfactuals: a.Changes}
		o.OnRecord, err = diagnostics.NextOnRecord(s)
		if err != nil {
			return answer, err
		}
		r, err := diagnostics.ExplainNext(ctx, s, o, t.Progress)
		if err != nil {
			return answer, err
		}
		answer = newWhyAnswer(s.State(), r)
		answer.args = a
		if other != nil {
			answer.compared, err = diagnostics.CompareChoices(ctx, s, r, other, o, t.Progress)
			if err != nil {
				return answer, err
			}
			answer.Comparison = newComparison(s.State(), answer.compared)
		}
		answer.Stopping, err = diagnostics.StoppingAdvice(ctx, s, t.Progress)
		return answer, err
	})

// seek goes to a step of the branch, and returns a function that goes back. An error names the step that was asked for.
func seek(s *sessions.Session, step, named int) (back func(), err error) {
	st := s.State()
	if n := len(st.Iterations) + st.Ahead; step > n {
		return nil, wrong("there is no step %d; the branch has %s", named, numfmt.Count(n, "step"))
	}
	back = returnOrEnd(s)
	s.Seek(step)
	return back, nil
}

// method is the method to compare the session's choice with; nil if none is named.
func (a WhyArgs) method(s *sessions.Session) (*sessions.Alternative, error) {
	if a.Compare == "" {
		if len(a.Parameters) > 0 {
			return nil, errors.New("parameters need compare, the method that they belong to")
		}
		return nil, nil
	}
	st := s.State()
	spec, err := registry.Find(a.Compare)
	if err != nil {
		return nil, err
	}
	params := param.Defaults(spec.ParamsForInputs(len(st.Problem.Objectives), st.Problem.Dim()))
	if spec.Name == st.Spec.Name {
		params = st.Params
	}
	for key, v := range a.Parameters {
		params, err = params.WithText(key, string(v))
		if err != nil {
			return nil, err
		}
	}
	return s.WithMethod(spec.Name, params.Changed())
}

// WhyAnswer explains a choice.
type WhyAnswer struct {
	Answer               string         `json:"answer" jsonschema:"why the point was chosen"`
	Reason               string         `json:"reason" jsonschema:"its kind"`
	Problem              string         `json:"problem"`
	Method               string         `json:"method"`
	Seed                 uint64         `json:"seed"`
	Step                 int            `json:"step"`
	Origin               string         `json:"origin"`
	Note                 string         `json:"note,omitempty"`
	Stopping             string         `json:"stopping,omitempty" jsonschema:"the advice on stopping, or why there is none"`
	Unavailable          string         `json:"unavailable,omitempty" jsonschema:"why there is no acquisition"`
	Acquisition          string         `json:"acquisition,omitempty"`
	Integration          string         `json:"integration,omitempty"`
	Inference            string         `json:"inference,omitempty" jsonschema:"how the model is approximated, unless it is exact"`
	Chosen               WhyCandidate   `json:"chosen"`
	RunnersUp            []WhyCandidate `json:"runners_up,omitempty"`
	DrawRank             *WhyDrawRank   `json:"draw_rank,omitempty"`
	Influence            []WhyInfluence `json:"influence,omitempty"`
	Refit                bool           `json:"refit,omitempty"`
	InfluenceUnavailable string         `json:"influence_unavailable,omitempty" jsonschema:"why no result could be left out"`
	Counterfactuals      []WhyChange    `json:"changes,omitempty"`
	SkippedValues        string         `json:"skipped_values,omitempty" jsonschema:"values of parameters that were not tried"`
	Comparison           *WhyComparison `json:"comparison,omitempty" jsonschema:"with the choice of another method"`

	state       sessions.State
	args        WhyArgs
	explanation *diagnostics.Explanation
	compared    *diagnostics.Comparison
}

// WhyCandidate is an input with its acquisition value and what the model predicts there.
type WhyCandidate struct {
	X           Input                    `json:"x"`
	Acquisition *WhyTerm                 `json:"acquisition,omitempty"`
	Predictions map[string]WhyPrediction `json:"predictions,omitempty"`
	Deficit     string                   `json:"deficit,omitempty"`
}

// WhyTerm is a value of the acquisition function, with the terms that it consists of.
type WhyTerm struct {
	Name      string `json:"name"`
	Value     Number `json:"value"`
	Operation string `json:"operation,omitempty" jsonschema:"how the terms make it: sum, product or least"`
	Terms     []any  `json:"terms,omitempty" jsonschema:"terms in the same form"`
}

// WhyPrediction is what the model predicts for an objective.
type WhyPrediction struct {
	Mean Number `json:"mean"`
	SD   Number `json:"sd"`
}

// WhyDrawRank is the rank of the input in the functions that the model draws.
type WhyDrawRank struct {
	Below int    `json:"below"`
	Total int    `json:"total"`
	Least Number `json:"share_with_minimum_there"`
}

// WhyInfluence is how the choice changes if a result is left out.
type WhyInfluence struct {
	Point    string `json:"point"`
	X        Input  `json:"x"`
	XWithout Input  `json:"x_without" jsonschema:"the choice without the result"`
	Moved    Number `json:"moved"`
	Same     bool   `json:"same_point,omitempty"`
	Here     Number `json:"acquisition"`
	There    Number `json:"acquisition_without"`
}

// WhyChange is a change to a parameter that changes the choice.
type WhyChange struct {
	Parameter string  `json:"parameter"`
	From      any     `json:"from"`
	To        any     `json:"to"`
	Part      *Number `json:"share_of_range,omitempty"`
	NewX      Input   `json:"new_x"`
	Moved     Number  `json:"moved"`
}

func newWhyAnswer(st sessions.State, r *diagnostics.Explanation) WhyAnswer {
	point := func(x []float64) Input { return encoding.EncodeMap(st.Problem.Domain, x) }
	place := func(p diagnostics.Candidate) WhyCandidate {
		candidate := WhyCandidate{X: point(p.X)}
		for k, n := range p.Predictions {
			if candidate.Predictions == nil {
				candidate.Predictions = map[string]WhyPrediction{}
			}
			candidate.Predictions[st.Problem.Objectives[k].Name] = WhyPrediction{Number(n.Mean), Number(n.SD)}
		}
		if r.Unavailable == "" {
			whole := newTerm(st, p.Acquisition)
			candidate.Acquisition = &whole
		}
		return candidate
	}
	answer := WhyAnswer{Answer: r.Reason.Text, Reason: string(r.Reason.Kind),
		Problem: st.Problem.Name, Method: st.Spec.Name, Seed: st.Config.Seed,
		Step: len(st.Iterations), Origin: r.Origin, Note: r.Note, Unavailable: r.Unavailable,
		Acquisition: r.Acquisition, Integration: r.Integration, Inference: r.Inference, Chosen: place(r.Chosen), Refit: r.Refit,
		InfluenceUnavailable: r.InfluenceUnavailable, state: st, explanation: r}
	for _, other := range r.RunnersUp {
		p := place(other.Candidate)
		p.Deficit = other.Deficit
		answer.RunnersUp = append(answer.RunnersUp, p)
	}
	if d := r.DrawRank; d != nil {
		answer.DrawRank = &WhyDrawRank{d.Below, d.Total, Number(d.Least)}
	}
	for _, influence := range r.Influence {
		answer.Influence = append(answer.Influence,
			WhyInfluence{influence.Label, point(influence.Result.X), point(influence.XWithout),
				Number(influence.Distance), influence.Same, Number(influence.AtChosen),
				Number(influence.AtRefit)})
	}
	if r.Searched {
		answer.SkippedValues = diagnostics.SkippedValues(st)
	}
	for _, c := range r.Counterfactuals {
		answer.Counterfactuals = append(answer.Counterfactuals,
			WhyChange{c.Decl.Key, c.From, c.To, optional(c.Fraction),
				point(c.NewX), Number(c.Distance)})
	}
	return answer
}

func newTerm(st sessions.State, p optimizers.Term) WhyTerm {
	term := WhyTerm{Name: diagnostics.TermName(st, p), Value: Number(p.Value), Operation: string(p.Operation)}
	for _, part := range p.Terms {
		term.Terms = append(term.Terms, newTerm(st, part))
	}
	return term
}

// WhyComparison is the choice of another method.
type WhyComparison struct {
	Method                string         `json:"method"`
	Chosen                any            `json:"chosen"`
	Distance              Number         `json:"distance"`
	Same                  bool           `json:"same_point,omitempty"`
	Correlation           *Number        `json:"rank_correlation,omitempty"`
	Shared                *Number        `json:"shared_of_best_tenth,omitempty"`
	SeparationUnavailable string         `json:"separation_unavailable,omitempty"`
	Separates             *WhySeparation `json:"separated_by,omitempty"`
}

// WhySeparation is the result without which the choices of two optimizers are nearest.
type WhySeparation struct {
	Point           string  `json:"point"`
	X               Input   `json:"x"`
	DistanceWithout Number  `json:"distance_without"`
	XWithout        []Input `json:"x_without"`
}

func newComparison(st sessions.State, b *diagnostics.Comparison) *WhyComparison {
	comparison := &WhyComparison{Method: b.Name, Chosen: encoding.EncodeMap(st.Problem.Domain, b.Other.Chosen.X),
		Distance: Number(b.Distance), Same: b.Same, Correlation: optional(b.Correlation),
		Shared: optional(b.Overlap), SeparationUnavailable: b.SeparationUnavailable}
	if datum := b.Separating; datum != nil {
		comparison.Separates = &WhySeparation{Point: datum.Label, X: encoding.EncodeMap(st.Problem.Domain, datum.X),
			DistanceWithout: Number(datum.Distance)}
		for _, x := range datum.XWithout {
			comparison.Separates.XWithout = append(comparison.Separates.XWithout, encoding.EncodeMap(st.Problem.Domain, x))
		}
	}
	return comparison
}
