package search

import (
	"math"
	"sync/atomic"
	"testing"

	"bandscope/optimizers"
)

// If the first climbs go by an approximation, the value that is found is that of the target itself, and so is its place:
// an approximation that is too high everywhere, and whose top lies elsewhere, decides nothing in the end.
func TestApproximateClimbs(t *testing.T) {
	bump := func(center, offset float64) func(x, grad []float64) float64 {
		return func(x, grad []float64) float64 {
			v := offset
			for j, u := range x {
				v -= (u - center) * (u - center)
				grad[j] = -2 * (u - center)
			}
			return v
		}
	}
	target := of(bump(0.4, 0))
	var approximations atomic.Int64
	target.ApproximateGradient = func(x, grad []float64) float64 {
		approximations.Add(1)
		return bump(0.6, 100)(x, grad)
	}
	places := []Optimum{{X: []float64{0.1, 0.2, 0.9}, Value: math.Inf(-1)},
		{X: []float64{0.7, 0.7, 0.7}, Value: math.Inf(-1)}}
	top, err := successiveHalving(t.Context(), NewSpace(optimizers.Input{Dim: 3}), target, places)
	if err != nil || approximations.Load() == 0 {
		t.Fatalf("%d approximations (%v)", approximations.Load(), err)
	}
	x, value := top.X, top.Value
	if want := bump(0.4, 0)(x, make([]float64, 3)); value != want || math.Abs(value) > 1e-9 {
		t.Errorf("at %v the value is %g, want %g, and 0 at the top", x, value, want)
	}
}
