package registry

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/neural"
	"bandscope/optimizers/ntk"
	"bandscope/optimizers/testbed"
)

// Samples at more inputs than a joint draw is made at follow the band as the others do: in the problem's units, with
// its mean and its standard deviation.
func TestManySamplesFollowTheBand(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine draws at thousands of inputs: nothing is shared")
	}
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 7)
	x := testbed.Probes(acquisition.JointRows+1, 2)
	const draws = 3
	for _, spec := range []optimizers.Spec{gaussian.EI, ntk.TS} {
		b := testbed.Fit(t, spec, testbed.InputFor(t, spec, 2, data, "auto_gamma=off"))
		samples, err := b.Samples(ctx, x, draws, 3)
		require.NoError(t, err)
		band, err := b.Predict(ctx, x)
		require.NoError(t, err)
		square, n := 0.0, 0.0
		for j, sd := range band[0].SD {
			for i := range draws {
				z := (samples[0].At(i, j) - band[0].Mean[j]) / sd
				square, n = square+z*z, n+1
			}
		}
		// Of few functions the mean square over all inputs is about 1: their values at different inputs are not
		// independent.
		if m := square / n; m < 0.4 || m > 2.2 {
			t.Errorf("%s: samples are off the mean by %.2f standard deviations in the mean square", spec.Name, m)
		}
		again, err := b.Samples(ctx, x, draws, 3)
		if err != nil || !mat.Equal(samples[0], again[0]) {
			t.Errorf("%s: the same draw is another (%v)", spec.Name, err)
		}
		if other, _ := b.Samples(ctx, x, draws, 4); mat.Equal(samples[0], other[0]) {
			t.Errorf("%s: another draw is the same", spec.Name)
		}
	}
}

// Before the first datum no method has a theory, a band is the prior's, and the legend says so.
func TestBeforeTheFirstDatum(t *testing.T) {
	ctx := context.Background()
	for _, spec := range []optimizers.Spec{gaussian.EI, ntk.UCB, neural.Greedy, neural.NeuralUCB} {
		b := testbed.Fit(t, spec, testbed.InputFor(t, spec, 2, optimizers.Data{}, cheap...))
		if _, err := b.(optimizers.Spectrum).Theory(ctx); !errors.Is(err, optimizers.ErrUnsupported) {
			t.Errorf("%s has a theory of no data: %v", spec.Name, err)
		}
	}
	for _, spec := range []optimizers.Spec{gaussian.EI, ntk.UCB} {
		before := testbed.Fit(t, spec, testbed.InputFor(t, spec, 2, optimizers.Data{})).Legend()
		_, data := testbed.Observe(t, "branin", 4)
		after := testbed.Fit(t, spec, testbed.InputFor(t, spec, 2, data)).Legend()
		if before.Samples != "prior samples" || after.Samples != "posterior samples" || before.Band == after.Band {
			t.Errorf("%s: %q with %q before, %q with %q after", spec.Name, before.Samples, before.Band, after.Samples,
				after.Band)
		}
	}
}
