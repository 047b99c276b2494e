package constraints

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// With five limits, gp-ucb suggests a design that may well meet them all. Where only the optimistic bounds of the limits
// are met, fewer do.
func TestBoundUnderSeveralLimits(t *testing.T) {
	spec := WithLimits(gaussian.UCB)
	in := beamInput(t, spec, beamData(), 40)
	probability := func(mode string) float64 {
		in.Params, _ = in.Params.WithText(optimizers.LimitsKey, mode)
		b := testbed.Fit(t, spec, in)
		s, err := b.Suggest(t.Context())
		require.NoError(t, err)
		return math.Exp(logProbability(t, optimizers.FeasibilityFor(b), s.X)[0])
	}
	p, byBounds := probability(optimizers.LimitsProbability), probability(optimizers.LimitsBounds)
	if t.Logf("%g, by bounds %g", p, byBounds); p < 0.15 || byBounds > 0.1 {
		t.Errorf("the suggestion meets all limits with probability %g, and by bounds %g", p, byBounds)
	}
}

// A search that begins with a few draws of the hyperparameters ends where one that always takes all of them ends, or
// higher, after different numbers of results.
func TestApproximateClimbsEndAsHigh(t *testing.T) {
	data := beamData()
	for _, method := range []optimizers.Spec{gaussian.EI, gaussian.UCB} {
		spec := WithLimits(method)
		for _, n := range []int{10, 25, 40} {
			in := beamInput(t, spec, data, n)
			b := testbed.Fit(t, spec, in).(acquisition.ScoredBelief)
			maximum := func(target search.Target) float64 {
				_, v, err := search.Maximize(t.Context(), search.NewSpace(b.In), target, b.In.Stream("acquisition"),
					search.Incumbents(b.In.Data, 3))
				require.NoError(t, err)
				return v
			}
			target := b.Target()
			if target.ApproximateGradient == nil || target.Approximate == nil {
				t.Fatalf("%s has no approximation", spec.Name)
			}
			got := maximum(target)
			target.Approximate, target.ApproximateGradient = nil, nil
			if want := maximum(target); got < want-1e-3 {
				t.Errorf("%s after %d results: the log acquisition is %g, and exactly searched %g", spec.Name, n, got,
					want)
			}
		}
	}
}

// The gradient of the approximation is that of its differences.
func TestApproximateGradient(t *testing.T) {
	spec := WithLimits(gaussian.UCB)
	b := testbed.Fit(t, spec, beamInput(t, spec, beamData(), 15)).(acquisition.ScoredBelief)
	target := b.Target()
	const h = 1e-5
	probes := testbed.Probes(30, 4)
	for i := 15; i < 30; i++ {
		x, grad := probes.RawRowView(i), make([]float64, 4)
		v := target.ApproximateGradient(x, grad)
		if approximate, err := target.Approximate(t.Context(), mat.NewDense(1, 4, x)); err != nil ||
			math.Abs(approximate[0]-v) > 1e-8*(1+math.Abs(v)) {
			t.Errorf("at %v the value is %g with the gradient and %v without (%v)", x, v, approximate, err)
		}
		for j := range x {
			up, down := append([]float64(nil), x...), append([]float64(nil), x...)
			up[j], down[j] = x[j]+h, x[j]-h
			unused := make([]float64, 4)
			want := (target.ApproximateGradient(up, unused) - target.ApproximateGradient(down, unused)) / (2 * h)
			if math.Abs(grad[j]-want) > 1e-3*(1+math.Abs(want)) {
				t.Errorf("at %v the slope along %d is %g, by differences %g", x, j, grad[j], want)
			}
		}
	}
}
