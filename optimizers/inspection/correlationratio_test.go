package inspection

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers"
	"bandscope/optimizers/space"
)

// Over proportions, uniform on the simplex, the first determines itself and a quarter of the variance of the first is
// told by each of the others (E[u₀ | u₁] = (1 − u₁)/2); the difference of two others is told by the first not at all. A
// choice beside them tells what it adds.
func TestSensitivityUnderASum(t *testing.T) {
	d := &space.Domain{Inputs: []space.Input{{}, {}, {}, {Levels: []float64{0, 1}, Choice: true}},
		Linear: []space.Linear{{Text: "a + b + c == 1", A: []float64{1, 1, 1, 0}, B: 1, Equal: true}}}
	in := optimizers.Input{Dim: 4, Objectives: 1, Domain: d}
	for name, c := range map[string]struct {
		f        func(u []float64) float64
		variance float64
		want     []float64
	}{
		"a":     {func(u []float64) float64 { return u[0] }, 1.0 / 18, []float64{1, 0.25, 0.25, 0}},
		"b − c": {func(u []float64) float64 { return u[1] - u[2] }, 1.0 / 6, []float64{0, 0.75, 0.75, 0}},
		"c and e": {func(u []float64) float64 {
			return u[2] + u[3]/3
		}, 1.0/18 + 1.0/36, []float64{1.0 / 6, 1.0 / 6, 2.0 / 3, 1.0 / 3}},
	} {
		got, err := Sensitivity(t.Context(), in, known{mean: c.f, sd: zero})
		require.NoError(t, err)
		assert.InDelta(t, c.variance, got[0].Variance, 0.06*c.variance, "%s: the variance", name)
		for j, s := range got[0].First {
			assert.InDelta(t, c.want[j], s, 0.04, "%s: index %d", name, j)
		}
	}
}

// The best by the model is where all constraints hold.
func TestBestUnderAConstraint(t *testing.T) {
	d := &space.Domain{Inputs: make([]space.Input, 2), Linear: []space.Linear{{A: []float64{1, 1}, B: 0.7}}}
	best, err := MinimizeMean(t.Context(), optimizers.Input{Dim: 2, Objectives: 1, Domain: d},
		known{mean: func(u []float64) float64 { return -2*u[0] - u[1] }, sd: zero}, 0)
	if err != nil || math.Abs(best.Mean+1.4) > 2e-3 || !d.Feasible(best.X) {
		t.Errorf("%+v, %v", best, err)
	}
}
