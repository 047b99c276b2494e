package registry

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/sample"
	"bandscope/optimizers/baselines"
	"bandscope/optimizers/multiobjective"
	"bandscope/optimizers/testbed"
)

// Every method for several objectives has the band and the samples of each, an acquisition, and a suggestion.
func TestSeveralObjectivesMethods(t *testing.T) {
	ctx := context.Background()
	for _, spec := range sample.Of(All(), 2, 12) {
		if !spec.Multi || spec.Name == baselines.Random.Name {
			continue
		}
		for _, name := range []string{"branin-currin", "dtlz2-k3"} {
			p, err := functions.Find(name, 1)
			require.NoError(t, err)
			in := testbed.InputFor(t, spec, p.Dim(), testbed.ObserveAll(t, name, 8), cheap...)
			in.Objectives = len(p.Objectives)
			b := testbed.Fit(t, spec, in)
			x := testbed.Probes(4, p.Dim())
			bands, err := b.Predict(ctx, x)
			samples, errS := b.Samples(ctx, x, 2, 1)
			acq, errA := b.Acquisition(ctx, x)
			if err != nil || errS != nil || errA != nil || len(bands) != in.Objectives ||
				len(samples) != in.Objectives || len(acq) != 4 {
				t.Errorf("%s on %s: %d bands, %d samples, %d values (%v, %v, %v)", spec.Name, name, len(bands),
					len(samples), len(acq), err, errS, errA)
			}
			s, err := b.Suggest(ctx)
			if err != nil || !functions.Finite(s.X.RawRowView(0)) {
				t.Errorf("%s on %s: %v (%v)", spec.Name, name, s.X, err)
			}
		}
	}
}

// What is known tells little of the front: an evaluation that is made again promises a fraction of the one that is
// suggested, also at an end of the front, where a law that is cut loses most however narrow it is.
func TestTheFrontIsNotAskedForWhereItIsKnown(t *testing.T) {
	ctx := context.Background()
	p, err := functions.Find("branin4-currin4", 1)
	require.NoError(t, err)
	data := testbed.ObserveAll(t, p.Name, 12)
	end := []float64{1, 1, 1, 1} // of the front
	v, err := p.TrueValues(p.Domain.FromUnit(end))
	require.NoError(t, err)
	data.X.SetRow(11, end)
	for k, o := range p.Objectives {
		data.Y.Set(11, k, o.Transform().Apply(v[k]))
	}
	in := testbed.InputFor(t, multiobjective.PESMO, p.Dim(), data, "noise=fixed")
	in.Objectives = len(p.Objectives)
	b := testbed.Fit(t, multiobjective.PESMO, in)
	s, err := b.Suggest(ctx)
	require.NoError(t, err)
	there, err := b.Acquisition(ctx, s.X)
	known, wrong := b.Acquisition(ctx, in.Data.X)
	if err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	if again := slices.Max(known); again > there[0]/10 {
		t.Errorf("at a point that was evaluated %g nats, at the one that is suggested %g", again, there[0])
	}
}
