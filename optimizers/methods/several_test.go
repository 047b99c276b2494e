package methods

import (
	"context"
	"testing"

	"bandscope/functions"
	"bandscope/optimizers/baselines"
	"bandscope/optimizers/testbed"
)

// Every method for several objectives has the band and the samples of each, an acquisition, and a suggestion.
func TestSeveralObjectivesMethods(t *testing.T) {
	ctx := context.Background()
	for i, spec := range All() {
		if !spec.Multi || spec.Name == baselines.Random.Name || testing.Short() && i%4 > 0 {
			continue
		}
		for _, name := range []string{"branin-currin", "dtlz2-k3"} {
			p, err := functions.Find(name, 1)
			if err != nil {
				t.Fatal(err)
			}
			in := testbed.InputFor(t, spec, p.Dim(), testbed.ObserveAll(t, name, 8), cheap...)
			in.Objectives = len(p.Objectives)
			b := testbed.Fit(t, spec, in)
			x := testbed.Probes(4, p.Dim())
			bands, err := b.Predict(ctx, x)
			samples, errS := b.Samples(ctx, x, 2, 1)
			acq, errA := b.Acquisition(ctx, x)
			if err != nil || errS != nil || errA != nil || len(bands) != in.Objectives || len(samples) != in.Objectives || len(acq) != 4 {
				t.Errorf("%s on %s: %d bands, %d samples, %d values (%v, %v, %v)", spec.Name, name, len(bands), len(samples), len(acq), err, errS, errA)
			}
			s, err := b.Suggest(ctx)
			if err != nil || !functions.Finite(s.X.RawRowView(0)) {
				t.Errorf("%s on %s: %v (%v)", spec.Name, name, s.X, err)
			}
		}
	}
}
