package registry

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// What a method suggests is where its acquisition is best, as it is shown and in the direction that the legend says:
// nowhere among many points is it better. What the suggestion tells is what the belief says there. The networks are
// smooth: the random function that is added to one of ReLU units jumps at its kinks.
func TestSuggestionsAreTheBest(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 8)
	x := testbed.Probes(150, 2)
	for _, spec := range sample.Of(Supporting(1, false), 3, 6) {
		b := testbed.Fit(t, spec, testbed.InputFor(t, spec, 2, data, cheap...))
		s, err := b.Suggest(ctx)
		require.NoError(t, err, spec.Name)
		l := b.Legend()
		if band, err := b.Predict(ctx, s.X); err == nil && s.SD != nil {
			if math.Abs(band[0].Mean[0]-s.Mean[0]) > 1e-6*(1+math.Abs(s.Mean[0])) ||
				math.Abs(band[0].SD[0]-s.SD[0]) > 1e-6*(1+s.SD[0]) {
				t.Errorf("%s: it suggests %g ± %g, its band is %g ± %g", spec.Name, s.Mean[0], s.SD[0],
					band[0].Mean[0], band[0].SD[0])
			}
		}
		if l.Acquisition == "" {
			continue
		}
		here, err := b.Acquisition(ctx, s.X)
		require.NoError(t, err, spec.Name)
		if len(s.Acquisition) != 1 || math.Abs(s.Acquisition[0]-here[0]) > 1e-6*(1+math.Abs(here[0])) {
			t.Errorf("%s: it suggests a point of %v, the acquisition there is %g", spec.Name, s.Acquisition, here[0])
		}
		all, err := b.Acquisition(ctx, x)
		require.NoError(t, err, spec.Name)
		var allowed []bool
		if limiter, ok := b.(optimizers.Constrained); ok {
			if allowed, err = limiter.Feasible(ctx, x); err != nil {
				t.Fatal(err)
			}
		}
		for i, v := range all {
			better := v - here[0]
			if l.LowerIsBetter {
				better = -better
			}
			if better > 1e-6*(1+math.Abs(here[0])) && (allowed == nil || allowed[i]) {
				t.Errorf("%s: %q is %g at %v, %g at the suggestion %v", spec.Name, l.Acquisition, v,
					mat.Row(nil, i, x), here[0], mat.Row(nil, 0, s.X))
				break
			}
		}
	}
}

// Outcomes in other units are believed and searched alike: the same point is suggested, and the band is the same in
// those units. The unit is a power of two, by which rounding is the same.
func TestOutcomesInOtherUnits(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 8)
	other := optimizers.Data{X: data.X, Y: mat.DenseCopyOf(data.Y)}
	other.Y.Scale(16, other.Y)
	x := testbed.Probes(20, 2)
	for _, spec := range sample.Of(Supporting(1, false), 3, 7) {
		a, b := testbed.Fit(t, spec, testbed.InputFor(t, spec, 2, data, cheap...)),
			testbed.Fit(t, spec, testbed.InputFor(t, spec, 2, other, cheap...))
		first, err := a.Suggest(ctx)
		require.NoError(t, err)
		second, err := b.Suggest(ctx)
		require.NoError(t, err)
		if !mat.EqualApprox(first.X, second.X, 1e-6) {
			t.Errorf("%s: it suggests %v, in other units %v", spec.Name, mat.Formatted(first.X),
				mat.Formatted(second.X))
		}
		before, err := a.Predict(ctx, x)
		if err != nil {
			continue // it has no band
		}
		after, err := b.Predict(ctx, x)
		require.NoError(t, err)
		for i, m := range before[0].Mean {
			if math.Abs(after[0].Mean[i]-16*m) > 1e-6*(1+math.Abs(16*m)) ||
				math.Abs(after[0].SD[i]-16*before[0].SD[i]) > 1e-6*(1+16*before[0].SD[i]) {
				t.Errorf("%s: %g ± %g becomes %g ± %g", spec.Name, m, before[0].SD[i], after[0].Mean[i], after[0].SD[i])
				break
			}
		}
	}
}
