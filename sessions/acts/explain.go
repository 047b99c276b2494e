package acts

import (
	"context"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
)

// WhyArgs are the arguments of why.
type WhyArgs struct {
	Step      *int `json:"step,omitempty" bounds:"1..10000000" jsonschema:"the step whose point is explained; without it the next one"`
	Influence bool `json:"influence,omitempty" jsonschema:"leave out each result, with the same hyperparameters"`
	Refit     bool `json:"refit,omitempty" jsonschema:"leave out each result, and fit the model again"`
	Changes   bool `json:"changes,omitempty" jsonschema:"find the smallest change of each parameter that moves the point"`
}

// Sentence is the answer in one sentence.
func (a WhyAnswer) Sentence() string { return a.Answer }

// Why is the act of explaining a choice.
var Why = declare(Act{Name: "why", Idempotent: true,
	About: "Explain why the next point, or the point of a step, was chosen: the parts of the acquisition function, the runners-up, and the results that it depends on."},
	func(ctx context.Context, t Turn, a WhyArgs) (answer WhyAnswer, err error) {
		if a.Step != nil {
			st := t.Session.State()
			if n := len(st.Iterations) + st.Ahead; *a.Step > n+1 {
				return answer, wrong("there is no step %d; the branch has %s", *a.Step, numfmt.Count(n, "step"))
			}
			defer returnOrEnd(t.Session)()
			t.Session.Seek(*a.Step - 1)
		}
		r, err := ExplainChoice(ctx, t, diagnostics.ExplainOptions{Influence: a.Influence || a.Refit, Refit: a.Refit,
			Counterfactuals: a.Changes})
		if err != nil {
			return answer, err
		}
		answer = NewWhyAnswer(t.Session.State(), r, nil)
		answer.Stopping, err = diagnostics.StoppingAdvice(ctx, t.Session, t.Progress)
		return answer, err
	})

// ExplainChoice explains why the point after the present step is the next one, as it is on record, if it is.
func ExplainChoice(ctx context.Context, t Turn, o diagnostics.ExplainOptions) (r *diagnostics.Explanation, err error) {
	o.OnRecord, err = diagnostics.NextOnRecord(t.Session)
	if err != nil {
		return nil, err
	}
	return diagnostics.ExplainNext(ctx, t.Session, o, t.Progress)
}

// NewWhyAnswer is an explanation for other programs, with the comparison with another method, if there is one.
func NewWhyAnswer(st sessions.State, r *diagnostics.Explanation, b *diagnostics.Comparison) WhyAnswer {
	a := newWhyAnswer(st, r)
	a.Comparison = newComparison(st, b)
	return a
}

// CheckArgs are the arguments of check.
type CheckArgs struct {
	Retrain      bool `json:"retrain,omitempty" jsonschema:"retrain the model without each result, instead of the exact formula"`
	Alternatives bool `json:"alternatives,omitempty" jsonschema:"compare with other values of the method's parameters"`
}

// Sentence is the verdict in one sentence.
func (a CheckAnswer) Sentence() string { return a.Answer }

// Check is the act of checking the model.
var Check = declare(Act{Name: "check", Idempotent: true,
	About: "Check whether the model can be believed: leave-one-out predictions, coverage of the bands, alternatives, and a verdict in one sentence."},
	func(ctx context.Context, t Turn, a CheckArgs) (answer CheckAnswer, err error) {
		r, err := diagnostics.CheckModel(ctx, t.Session,
			diagnostics.CheckOptions{Refit: a.Retrain, Alternatives: a.Alternatives}, t.Progress)
		if err != nil {
			return answer, err
		}
		answer = NewCheckAnswer(t.Session.State(), r)
		answer.Stopping, err = diagnostics.StoppingAdvice(ctx, t.Session, t.Progress)
		return answer, err
	})
