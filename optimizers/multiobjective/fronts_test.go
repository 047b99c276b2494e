package multiobjective

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// Fronts of the processes are non-dominated and reproducible. Near data, the fronts of draws are close to that of the
// means.
func TestBelievedFronts(t *testing.T) {
	ctx := context.Background()
	in := testbed.InputFor(t, MOBOTS, 2, testbed.ObserveAll(t, "thesis-xy", 25))
	in.Objectives = 2
	b := testbed.Fit(t, MOBOTS, in).(*belief)
	front, err := b.ExpectedFront(ctx)
	if err != nil || len(front) < 20 {
		t.Fatalf("%d points (%v)", len(front), err)
	}
	for _, p := range front {
		bands, err := b.Predict(ctx, mat.NewDense(1, 2, p.X))
		require.NoError(t, err)
		for k, band := range bands {
			require.InDelta(t, p.Y[k], band.Mean[0], 1e-9, "the front has %v where the means", p.Y)
		}
		if r := math.Hypot(p.Y[0], p.Y[1]); math.Abs(r-1) > 0.05 { // the true front is a quarter of a circle
			t.Errorf("the expected front passes through %v", p.Y)
		}
	}
	drawn, err := b.DrawnFronts(ctx, 3)
	require.NoError(t, err)
	again, err := b.DrawnFronts(ctx, 5)
	if err != nil || len(again) != 5 || &again[0][0] != &drawn[0][0] {
		t.Errorf("%d fronts after %d (%v)", len(again), len(drawn), err)
	}
	for _, f := range again {
		for _, p := range f {
			assert.InDelta(t, 1, math.Hypot(p.Y[0], p.Y[1]), 0.15, "a drawn front passes through %v", p.Y)
		}
	}
}

// Fronts of means and of draws contain feasible points only.
func TestFrontsAreFeasible(t *testing.T) {
	in := testbed.InputFor(t, MOBOTS, 2, testbed.ObserveAll(t, "thesis-xy", 12))
	in.Objectives = 2
	d := &space.Domain{Inputs: make([]space.Input, 2)}
	d.Inputs[1].Levels = []float64{0, 0.25, 0.5, 0.75, 1}
	in.Domain = d
	for name, c := range map[string]space.Domain{
		"a sum": {Linear: []space.Linear{{A: []float64{1, 1}, B: 1.1, Equal: true}}},
		"a curve": {Nonlinear: []space.Constraint{
			{Func: func(u []float64) float64 { return math.Hypot(u[0]-0.6, u[1]-0.5) - 0.3 }}}},
	} {
		d.Linear, d.Nonlinear = c.Linear, c.Nonlinear
		b := testbed.Fit(t, MOBOTS, in).(*belief)
		front, err := b.ExpectedFront(t.Context())
		if err != nil || len(front) < 2 {
			t.Fatalf("%s: %d points (%v)", name, len(front), err)
		}
		drawn, err := b.DrawnFronts(t.Context(), 1)
		require.NoError(t, err)
		for _, p := range append(front, drawn[0]...) {
			if !d.Feasible(p.X) || p.X[1] != d.Snap([]float64{0, p.X[1]})[1] {
				t.Errorf("%s: a front passes through %v", name, p.X)
			}
		}
	}
}

// A call that waits for the search of another call returns when its context ends.
func TestWaitingForFrontsEndsWithTheContext(t *testing.T) {
	in := testbed.InputFor(t, MOBOTS, 2, testbed.ObserveAll(t, "thesis-xy", 5))
	in.Objectives = 2
	b := testbed.Fit(t, MOBOTS, in).(*belief)
	require.NoError(t, b.fronts.semaphore.Acquire(t.Context(), 1))
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := b.ExpectedFront(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the front of the means: %v", err)
	}
	if _, err := b.DrawnFronts(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("drawn fronts: %v", err)
	}
}
