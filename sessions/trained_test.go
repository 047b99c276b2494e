package sessions

import (
	"context"
	"slices"
	"testing"

	"bandscope/functions"
)

// byItself is an evaluator of a problem's own, as a training is.
type byItself struct{ functions.Outcome }

func (e byItself) Evaluate(context.Context, []float64) (functions.Outcome, error) {
	return e.Outcome, nil
}

// What a problem's own evaluator gives is the truth where noise is added, though it has none to be asked; a failure has
// neither; and where it was really run nobody knows the truth.
func TestNoiseOnWhatEvaluatesItself(t *testing.T) {
	s, err := New(t.Context(), Config{Problem: "hierarchy-forecast", Optimizer: "random", Seed: 3, Noise: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	values := []float64{5, 12, 1}
	s.rec.State().Problem.By = byItself{functions.Outcome{Values: values}}
	it, err := s.Step(t.Context(), nil)
	if err != nil || !slices.Equal(it.Truth[0], values) || slices.Equal(it.Y[0], values) ||
		!slices.Equal(values, []float64{5, 12, 1}) {
		t.Fatalf("%+v, %v", it, err)
	}
	if v, err := s.Suggestions(); err != nil {
		t.Fatal(err)
	} else if o, err := v[0].Outcome(t.Context(), 0, nil); err != nil || !slices.Equal(o.Values, it.Y[0]) ||
		!slices.Equal(o.Truth, values) {
		t.Errorf("again: %+v, %v, was %v", o, err, it.Y[0])
	}
	at := slices.Clone(it.X[0])
	at[0] *= 2
	if err := s.CorrectOutcome(1, 0, functions.Outcome{At: at}, "it was another"); err != nil {
		t.Fatal(err)
	}
	if it := s.State().Iterations[0]; it.Truth != nil || !slices.Equal(it.Judged()[0], it.Y[0]) {
		t.Errorf("elsewhere the truth is %v", it.Truth)
	}
	s.rec.State().Problem.By = byItself{functions.Outcome{Reason: "the training diverged"}}
	if it, err = s.Step(t.Context(), nil); err != nil || !it.Failed[0] || it.Truth != nil ||
		it.Reasons[0] != "the training diverged" {
		t.Errorf("%+v, %v", it, err)
	}
}
