package gaussian

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/gp"
	"bandscope/optimizers/testbed"
)

// With many observations, a fit starts from an earlier one and explains the data as well as a full search, within 0.1
// nats. If the newest observations contradict it, a search runs.
func TestTheFitFollows(t *testing.T) {
	_, data := testbed.Observe(t, "ackley:5", 64)
	in := testbed.InputFor(t, EI, 5, data, "restarts=2")
	f := newPrefix(in, 0, gpOptions(in), 64)
	before := f.first(63)
	earlier, err := before.warmFit(t.Context())
	require.NoError(t, err)
	g, err := f.adjustFit(t.Context(), before, earlier)
	require.NoError(t, err)
	afresh, err := f.multistartFit(t.Context(), earlier)
	require.NoError(t, err)
	if g.LogMarginalLikelihood() < afresh.LogMarginalLikelihood()-0.1 {
		t.Errorf("the evidence of the warm fit is %g, that of a full search %g", g.LogMarginalLikelihood(),
			afresh.LogMarginalLikelihood())
	}
	if a, b := g.Noise(), afresh.Noise(); a == b {
		t.Errorf("nothing contradicts the fit to 63 of 64 observations, but it is not reused: the noise is %g and %g",
			a, b)
	}
	in.Data.Y = mat.DenseCopyOf(data.Y)
	in.Data.Y.Set(63, 0, data.Y.At(63, 0)+60)
	f = newPrefix(in, 0, gpOptions(in), 64)
	if g, err = f.adjustFit(t.Context(), before, earlier); err != nil {
		t.Fatal(err)
	}
	held, err := f.reuseHyperparameters(before, earlier)
	require.NoError(t, err)
	if afresh, err = f.multistartFit(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	if g.Noise() != afresh.Noise() || g.LogMarginalLikelihood() != afresh.LogMarginalLikelihood() {
		t.Errorf("a very unexpected observation does not change the fit")
	}
}

// Reused hyperparameters are those of an earlier fit in the units of all observations: they describe the same
// functions.
func TestHeldHyperParameters(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 60)
	in := testbed.InputFor(t, EI, 2, data, "restarts=1")
	f := newPrefix(in, 0, gpOptions(in), 60)
	before := f.first(55)
	earlier, err := before.warmFit(t.Context())
	require.NoError(t, err)
	held, err := f.reuseHyperparameters(before, earlier)
	require.NoError(t, err)
	la, sa, _ := earlier.Describe()
	lb, sb, _ := held.Describe()
	for _, c := range []struct{ before, after float64 }{
		{la[0], lb[0]}, {la[1], lb[1]}, {sa * before.scale.SD, sb * f.scale.SD},
		{earlier.Noise() * before.scale.SD, held.Noise() * f.scale.SD}} {
		assert.InDelta(t, c.after, c.before, 1e-12*c.before, "%g became %g", c.before, c.after)
	}
}

// Innovations are the deviations of each observation from its prediction by those before it, in standard deviations.
// That of the last observation agrees with the process without it.
func TestSurprises(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 9)
	in := testbed.InputFor(t, EI, 2, data, "restarts=1", "noise=fixed", "noise_sd=0.1")
	p, err := Fit(t.Context(), in, 0)
	require.NoError(t, err)
	y := p.Scale.Apply(data.Column(0))
	z := p.GP.Mode().Innovations()
	others, err := gp.New(p.GP.Mode().Kernel(), p.GP.Noise(), data.X.Slice(0, 8, 0, 2).(*mat.Dense), y[:8])
	require.NoError(t, err)
	mean, sd, err := others.Predict(t.Context(), data.X.Slice(8, 9, 0, 2).(*mat.Dense))
	require.NoError(t, err)
	if want := (y[8] - mean[0]) / math.Hypot(sd[0], p.GP.Noise()); math.Abs(z[8]-want) > 1e-9*(1+math.Abs(want)) {
		t.Errorf("the last innovation is %g standard deviations, want %g", z[8], want)
	}
}
