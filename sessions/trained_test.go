package sessions

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

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
	require.NoError(t, err)
	values := []float64{5, 12, 1}
	s.rec.State().Problem.BuiltinEvaluator = byItself{functions.Outcome{Values: values}}
	it, err := s.Step(t.Context(), nil)
	if err != nil || !slices.Equal(it.Points[0].Truth, values) || slices.Equal(it.Points[0].Y, values) ||
		!slices.Equal(values, []float64{5, 12, 1}) {
		t.Fatalf("%+v, %v", it, err)
	}
	if v, err := s.Suggestions(); err != nil {
		t.Fatal(err)
	} else if o, err := v[0].Outcome(t.Context(), 0, nil); err != nil || !slices.Equal(o.Values, it.Points[0].Y) ||
		!slices.Equal(o.Truth, values) {
		t.Errorf("again: %+v, %v, was %v", o, err, it.Points[0].Y)
	}
	point := slices.Clone(it.Points[0].X)
	point[0] *= 2
	require.NoError(t, s.CorrectOutcome(1, 0, functions.Outcome{At: point}, "it was another"))
	if it := s.State().Iterations[0]; it.Points[0].Truth != nil || !slices.Equal(it.Points[0].Judged(),
		it.Points[0].Y) {
		t.Errorf("elsewhere the truth is %v", it.Points[0].Truth)
	}
	s.rec.State().Problem.BuiltinEvaluator = byItself{functions.Outcome{Reason: "the training diverged"}}
	if it, err = s.Step(t.Context(), nil); err != nil || !it.Points[0].Failed || it.Points[0].Truth != nil ||
		it.Points[0].Reason != "the training diverged" {
		t.Errorf("%+v, %v", it, err)
	}
}
