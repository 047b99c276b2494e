package optimizers

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// initial is the point of the initial design, without anything in its place; false if the design is over.
func initial(t testing.TB, in Input) ([]float64, bool) {
	t.Helper()
	if !InDesign(in) {
		return nil, false
	}
	s, err := InitialPoint(t.Context(), in)
	if err != nil || s.Note != "" && in.Avoid == nil {
		t.Fatalf("%q, %v", s.Note, err)
	}
	return mat.Row(nil, 0, s.X), true
}

// A design that fails, or whose point was refused, says what took its place; one that is cancelled suggests nothing.
func TestFailedDesign(t *testing.T) {
	spec, err := Find("random")
	if err != nil {
		t.Fatal(err)
	}
	in := input(t, *spec, 2, Data{X: mat.NewDense(1, 2, []float64{math.NaN(), 0}), Y: mat.NewDense(1, 1, nil)}, "design=uncertainty", "initial=4")
	in.Step = 1
	failed, err := InitialPoint(t.Context(), in)
	if err != nil || !strings.Contains(failed.Note, "Latin hypercube in place of the design by uncertainty, which failed: ") {
		t.Fatalf("%q, %v", failed.Note, err)
	}
	lhs := input(t, *spec, 2, Data{}, "initial=4")
	lhs.Step = 1
	if x, _ := initial(t, lhs); failed.X.At(0, 0) != x[0] || failed.X.At(0, 1) != x[1] {
		t.Errorf("it suggests %v, the Latin hypercube %v", mat.Formatted(failed.X), x)
	}
	lhs.Avoid = [][]float64{mat.Row(nil, 0, failed.X)}
	if s, err := InitialPoint(t.Context(), lhs); err != nil || !strings.Contains(s.Note, "which was rejected") {
		t.Errorf("%q, %v", s.Note, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	in.Data = Data{}
	if s, err := InitialPoint(ended, in); !errors.Is(err, context.Canceled) || s.X != nil {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
}
