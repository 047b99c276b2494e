package inspection

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/testbed"
)

func predictionFor(mean, sd float64, draws int) pointPrediction {
	return pointPrediction{bands: []optimizers.Band{{Mean: []float64{mean}, SD: []float64{sd}}}, noise: []float64{0},
		draws: draws}
}

func specFor(t testing.TB, name string) optimizers.Spec {
	t.Helper()
	s, err := registry.Find(name)
	require.NoError(t, err)
	return *s
}

// Trained again without a datum, a method says there what it says when it never saw it, with the noise of an
// observation; errors that are known are taken as they are.
func TestRetrainedIsTheBeliefOfTheOthers(t *testing.T) {
	const n = 6
	_, data := testbed.Observe(t, "forrester", n)
	data = testbed.WithErrors(data, math.NaN(), 2, 0.7)
	for _, c := range []struct {
		method string
		set    []string
		noise  func(b optimizers.Belief) float64
	}{
		{"gp-ei", []string{"restarts=1"}, func(b optimizers.Belief) float64 {
			return b.(optimizers.FitReport).NoiseSD()[0]
		}},
		{"neural-greedy", []string{"width=32", "ensemble=3", "sigma2=0.01"}, nil},
		{"forest-ei", []string{"trees=10"}, func(optimizers.Belief) float64 { return 0 }},
	} {
		spec := specFor(t, c.method)
		in := testbed.InputFor(t, spec, 1, data, c.set...)
		held, err := LeaveOneOutRefit(t.Context(), in, spec.Fit)
		require.NoError(t, err)
		for i := range n {
			others := in
			others.Data = data.Without(i)
			b := testbed.Fit(t, spec, others)
			band, err := b.Predict(t.Context(), data.X.Slice(i, i+1, 0, 1).(*mat.Dense))
			require.NoError(t, err)
			if got := held[0].Mean[i]; got != band[0].Mean[0] || held[0].Y[i] != data.Y.At(i, 0) {
				t.Errorf("%s: datum %d is expected at %g, by the others %g", c.method, i, got, band[0].Mean[0])
			}
			if c.noise == nil {
				continue
			}
			noise := c.noise(b)
			if i == 2 {
				noise = 0.7
			}
			if want := math.Hypot(band[0].SD[0], noise); math.Abs(held[0].SD[i]-want) > 1e-12 {
				t.Errorf("%s: datum %d has the deviation %g, want %g", c.method, i, held[0].SD[i], want)
			}
		}
	}
}

// What has a closed form: every method by Gaussian processes, linear heads and laws, and their laws as bands; what has
// none is trained again. All of them can be held against their data.
func TestEveryMethodIsHeld(t *testing.T) {
	closed := map[string]bool{"gp-ei": true, "gp-ucb": true, "gp-ts": true, "gp-pi": true, "turbo": true, "saas": true, "mes": true,
		"ids": true, "cost-ids": true,
		"ei-per-cost": true, "cost-mes": true, "ntk-ucb": true, "ntk-ts": true,
		"uncertainty": true, "neural-lin-ts": true, "neural-lin-ucb": true, "dngo": true}
	_, data := testbed.Observe(t, "forrester", 4)
	for _, spec := range registry.Supporting(1, false) {
		in := testbed.InputFor(t, spec, 1, data, "width=16", "depth=1", "ensemble=2", "networks=2", "trees=4",
			"restarts=1", "epochs=5", "initial=2")
		b := testbed.Fit(t, spec, in)
		held, err := LeaveOneOut(t.Context(), in, b)
		if closed[spec.Name] != (err == nil) || err != nil && !errors.Is(err, optimizers.ErrUnsupported) {
			if spec.Multi || spec.Name == "mf-mes" {
				continue
			}
			t.Errorf("%s: closed form %v", spec.Name, err)
		}
		if err != nil {
			if held, err = LeaveOneOutRefit(t.Context(), in, spec.Fit); err != nil {
				if spec.Name == "random" && errors.Is(err, optimizers.ErrUnsupported) {
					continue
				}
				t.Errorf("%s: %v", spec.Name, err)
				continue
			}
		}
		for i, z := range held[0].Z {
			if math.IsNaN(z) || math.IsNaN(held[0].LogDensity[i]) {
				t.Errorf("%s: datum %d has the residual %g and the density %g", spec.Name, i, z, held[0].LogDensity[i])
			}
		}
	}
	greedy := specFor(t, "neural-greedy")
	for _, band := range []string{"trained", "posterior", "nngp", "no-perturbation", "no-distance"} {
		in := testbed.InputFor(t, greedy, 1, data, "width=16", "band="+band, "sigma2=0.01")
		if _, err := LeaveOneOut(t.Context(), in, testbed.Fit(t, greedy, in)); err != nil {
			t.Errorf("%s: %v", band, err)
		}
	}
}

// Alternatives are told in order of what they gain, and one that is right is better by more than its uncertainty: data
// of a rough process under a smooth kernel, with the noise that it is.
func TestAlternatives(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 16)
	spec := specFor(t, "ntk-ucb")
	in := testbed.InputFor(t, spec, 1, data, "auto_gamma=off", "gamma=2", "sigma2=0.5")
	all, _, err := CompareAlternatives(t.Context(), in, ClosedFormFunc(spec.Fit))
	if err != nil || len(all) < 4 {
		t.Fatalf("%v (%v)", all, err)
	}
	now, evidence, err := ClosedFormFunc(spec.Fit)(t.Context(), in)
	require.NoError(t, err)
	for i, a := range all {
		if a.Decl.Role != optimizers.RoleAssumption && a.Decl.Role != optimizers.RoleBand || i > 0 &&
			a.Gain > all[i-1].Gain {
			t.Errorf("%s stands at %d", a.Decl.Key, i)
		}
		other := in
		if other.Params, err = in.Params.With(a.Decl.Key, a.Value); err != nil {
			t.Fatal(err)
		}
		held, its, err := ClosedFormFunc(spec.Fit)(t.Context(), other)
		if err != nil || math.Abs(held[0].LogScore()-now[0].LogScore()-a.Gain) > 1e-9 ||
			math.Abs(its-evidence-a.Evidence) > 1e-9 {
			t.Errorf("%s = %v gains %g and %g, by hand %g and %g (%v)", a.Decl.Key, a.Value, a.Gain, a.Evidence,
				held[0].LogScore()-now[0].LogScore(), its-evidence, err)
		}
	}
	if best := all[0]; !best.Better(16) || best.Better(minCompared-1) {
		t.Errorf("the best is %+v", best)
	}
	if gain, se, same := ScoreDifference([]Predictions{{LogDensity: make([]float64, 4)}},
		[]Predictions{{LogDensity: []float64{1, 2, 3, 4}}}); same || gain != 10 ||
		math.Abs(se-2*math.Sqrt(5.0/3)) > 1e-12 {
		t.Errorf("the difference is %g ± %g", gain, se)
	}
	for gain, better := range map[float64]bool{0.5: false, 1.5: true, -3: false} {
		assert.Equal(t, better, (Alternative{Gain: gain, SE: 0.1}).Better(16), "a gain of %g", gain)
	}
	assert.False(t, (Alternative{Gain: 1.5, SE: 0.8}).Better(16), "less than two standard errors are enough")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = CompareAlternatives(cancelled, in, RefitFunc(spec.Fit))
	assert.ErrorIs(t, err, context.Canceled, "cancelled: %v", err)
}

func BenchmarkLeaveOneOutGPEI100(b *testing.B) {
	_, data := testbed.Observe(b, "hartmann", 100)
	spec := specFor(b, "gp-ei")
	in := testbed.InputFor(b, spec, 6, data)
	belief := testbed.Fit(b, spec, in)
	for b.Loop() {
		if _, err := LeaveOneOut(b.Context(), in, belief); err != nil {
			b.Fatal(err)
		}
	}
}

// A network of width 1000 and its ensemble of 8, trained again without each of 20 data.
func BenchmarkRetrained1000(b *testing.B) {
	_, data := testbed.Observe(b, "branin", 20)
	spec := specFor(b, "neural-greedy")
	in := testbed.InputFor(b, spec, 2, data, "width=1000")
	for b.Loop() {
		began := time.Now()
		if _, err := LeaveOneOutRefit(b.Context(), in, spec.Fit); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s")
	}
}

// What is told is in the units of the objective: of values ten times as large, and elsewhere, predictions spread ten
// times as far, residuals stay, and so does the noise that is known of the method.
func TestUnits(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 7)
	large := optimizers.Data{X: data.X, Y: mat.DenseCopyOf(data.Y)}
	large.Y.Apply(func(_, _ int, v float64) float64 { return 10*v - 300 }, large.Y)
	spread := stat.PopStdDev(data.Column(0), nil)
	for method, c := range map[string]struct {
		set   []string
		noise float64 // in standard deviations of the data
	}{
		"neural-greedy": {[]string{"band=trained", "sigma2=0.04", "width=16", "nu=1.5"}, 1.5 * 0.2},
		"ntk-ucb":       {[]string{"sigma2=0.04", "auto_gamma=off"}, 0.2},
		"neural-ucb":    {[]string{"lambda=0.09", "width=16"}, 0.3},
		"neural-lin-ts": {[]string{"noise2=0.01", "width=16"}, 0.1},
		"gp-ei":         {[]string{"noise=fixed", "noise_sd=0.05", "restarts=1"}, 0.05},
	} {
		spec := specFor(t, method)
		in := testbed.InputFor(t, spec, 1, data, c.set...)
		b := testbed.Fit(t, spec, in)
		if noise := b.(optimizers.FitReport).NoiseSD()[0]; math.Abs(noise/spread-c.noise) > 1e-9 {
			t.Errorf("%s: the noise is %g standard deviations of the data, want %g", method, noise/spread, c.noise)
		}
		held, err := LeaveOneOut(t.Context(), in, b)
		if err != nil {
			continue
		}
		in.Data = large
		scaled, err := LeaveOneOut(t.Context(), in, testbed.Fit(t, spec, in))
		require.NoError(t, err)
		for i := range held[0].Z {
			a, b := held[0], scaled[0]
			if math.Abs(b.SD[i]/a.SD[i]-10) > 0.01 || math.Abs(b.Z[i]-a.Z[i]) > 0.01*(1+math.Abs(a.Z[i])) ||
				math.Abs(b.Mean[i]-10*a.Mean[i]+300) > 0.01*b.SD[i] {
				t.Errorf("%s: datum %d has %g ± %g (%g) and %g ± %g (%g)", method, i, a.Mean[i], a.SD[i], a.Z[i],
					b.Mean[i], b.SD[i], b.Z[i])
			}
		}
	}
}
