package forecast

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/pareto"
	"bandscope/functions/transform"
	"bandscope/model/gp"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/testbed"
)

// observed is the input of GP-EI with n results of a function.
func observed(t *testing.T, function string, n int, set ...string) optimizers.Input {
	t.Helper()
	p, data := testbed.Observe(t, function, n)
	return testbed.InputFor(t, gaussian.EI, p.Dim(), data, set...)
}

func compute(t *testing.T, in optimizers.Input, o Options) *Forecast {
	t.Helper()
	f, err := Compute(t.Context(), in, o)
	require.NoError(t, err)
	return f
}

// Without noise, the mean improvement of one simulated run is the expected improvement in closed form, and so are the
// probability of a worthwhile improvement and the ends of the interval. It is also what the method's own acquisition
// says.
func TestOneRunHasTheExpectedImprovement(t *testing.T) {
	for _, c := range []struct {
		name string
		set  []string
	}{
		{"forrester", nil}, {"forrester", []string{"hyperparameters=fitted"}}, {"branin", []string{"noise=fixed"}},
	} {
		in := observed(t, c.name, 7, append(c.set, "noise=fixed")...)
		f := compute(t, in, Options{Runs: []int{1}, Worthwhile: []float64{0.5}, Draws: 3000})
		first := f.After[0]
		if gain := f.Now - first.Value; math.Abs(gain-f.Next.Improvement) > 4*first.SE || first.SE > gain {
			t.Errorf("%s %v: one run gains %g ± %g, the expected improvement is %g", c.name, c.set, gain, first.SE,
				f.Next.Improvement)
		}
		fourErrors := first.Worthwhile.High - first.Worthwhile.Low // the width of a 95 % interval
		if p := f.Next.Worthwhile.Value; math.Abs(p-first.Worthwhile.Value) > fourErrors {
			t.Errorf("%s %v: an improvement by 0.5 has probability %g, simulated %+v", c.name, c.set, p, first.Worthwhile)
		}
		if low, high := f.Now-first.High, f.Now-first.Low; math.Abs(low-f.Next.Low) > 8*first.SE ||
			math.Abs(high-f.Next.High) > 8*first.SE {
			t.Errorf("%s %v: the interval is %g to %g, simulated %g to %g", c.name, c.set, f.Next.Low, f.Next.High, low,
				high)
		}
		b := testbed.Fit(t, gaussian.EI, in)
		v, err := b.Acquisition(t.Context(), mat.NewDense(1, in.Dim, f.Next.X))
		require.NoError(t, err)
		if math.Abs(v[0]-f.Next.Improvement) > 1e-3*v[0] {
			t.Errorf("%s %v: the improvement is %g, the acquisition %g", c.name, c.set, f.Next.Improvement, v[0])
		}
	}
}

// The expected value is better with more runs; without noise the simulated one of each draw is too.
func TestMoreRunsAreBetter(t *testing.T) {
	in := observed(t, "branin", 8)
	f := compute(t, in, Options{Runs: []int{1, 2, 5, 10}, Worthwhile: []float64{1}})
	last := After{Value: f.Now}
	for _, a := range f.After {
		if a.Value > last.Value || a.Worthwhile.Value < last.Worthwhile.Value || a.Low > a.High || a.SE <= 0 {
			t.Errorf("after %d runs %+v, before %+v", a.Runs, a, last)
		}
		last = a
	}
	noisy := observed(t, "branin", 8, "noise=fixed", "noise_sd=0.3")
	f = compute(t, noisy, Options{Runs: []int{1, 5, 10}, Worthwhile: []float64{1}})
	last = After{Value: f.Now}
	for _, a := range f.After {
		if a.Value > last.Value+2*math.Hypot(a.SE, last.SE) {
			t.Errorf("with noise, after %d runs %+v, before %+v", a.Runs, a, last)
		}
		last = a
	}
	m, err := fitModel(t.Context(), observed(t, "branin", 8, "noise=fixed"))
	require.NoError(t, err)
	s, err := newSimulation(t.Context(), m, Options{Runs: []int{1, 2, 5, 10}, Worthwhile: []float64{1}, Draws: 32})
	require.NoError(t, err)
	paths, err := s.run(t.Context())
	require.NoError(t, err)
	for d, p := range paths {
		for i := 1; i < len(p.values); i++ {
			if p.values[i] > p.values[i-1]+1e-2 {
				t.Errorf("draw %d worsens from %g to %g", d, p.values[i-1], p.values[i])
			}
		}
	}
}

// Runs beyond the tenth are simulated on a quarter of the draws, on the same ones as the first.
func TestLongForecasts(t *testing.T) {
	in := observed(t, "branin", 8, "noise=fixed")
	f := compute(t, in, Options{Runs: []int{1, 10, 14}, Worthwhile: []float64{1}, Draws: 64})
	short := compute(t, in, Options{Runs: []int{1, 10}, Worthwhile: []float64{1}, Draws: 64})
	assert.Equal(t, short.After, f.After[:2], "the first runs")
	few := compute(t, in, Options{Runs: []int{10}, Worthwhile: []float64{1}, Draws: 16})
	if last := f.After[2]; last.Value > few.After[0].Value || last.SE <= short.After[1].SE ||
		last.Worthwhile != estimate(int(16*last.Worthwhile.Value), 16) {
		t.Errorf("after 14 runs %+v, after 10 on the same draws %+v", last, few.After[0])
	}
}

// An independent simulation, on a grid with a process that is fitted again after every run, expects the same values.
func TestAgainstASecondSimulation(t *testing.T) {
	for _, noise := range []string{"0.0001", "0.2"} {
		in := observed(t, "forrester", 6, "hyperparameters=fitted", "noise=fixed", "noise_sd="+noise)
		runs := []int{1, 2, 4}
		f := compute(t, in, Options{Runs: runs, Worthwhile: []float64{1}, Draws: 600})
		p, err := gaussian.Fit(t.Context(), in, 0)
		require.NoError(t, err)
		const nodes, draws = 161, 150
		grid := mat.NewDense(nodes, 1, nil)
		for i := range nodes {
			grid.Set(i, 0, float64(i)/(nodes-1))
		}
		x := mat.NewDense(nodes+6, 1, nil)
		x.Stack(in.Data.X, grid)
		rng := rand.New(rand.NewPCG(1, 2))
		truth, err := p.GP.Mode().Sample(t.Context(), x, draws, rng)
		require.NoError(t, err)
		values := make([][]float64, len(runs))
		for d := range draws {
			g, tried := p.GP.Mode(), []int{0, 1, 2, 3, 4, 5}
			for run := 1; run <= runs[len(runs)-1]; run++ {
				mean, sd := predict(t, g, x)
				best := math.Inf(1)
				for _, i := range tried {
					best = min(best, mean[i])
				}
				index := 0
				most := -1.0
				for i := range mean {
					z := (best - mean[i]) / sd[i]
					if ei := sd[i] * (z*distuv.UnitNormal.CDF(z) + distuv.UnitNormal.Prob(z)); ei > most {
						index, most = i, ei
					}
				}
				if g, err = g.Append(x.RawRowView(index), truth.At(d, index)+g.Noise()*rng.NormFloat64()); err != nil {
					t.Fatal(err)
				}
				tried = append(tried, index)
				if i := slices.Index(runs, run); i >= 0 {
					mean, _ = predict(t, g, x)
					best = math.Inf(1)
					for _, i := range tried {
						best = min(best, mean[i])
					}
					values[i] = append(values[i], p.Scale.Value(best))
				}
			}
		}
		for i, a := range f.After {
			mean, sd := stat.MeanStdDev(values[i], nil)
			if se := sd / math.Sqrt(draws); math.Abs(mean-a.Value) > 3.5*math.Hypot(se, a.SE) {
				t.Errorf("noise %s, after %d runs %g ± %g, simulated otherwise %g ± %g", noise, a.Runs, a.Value, a.SE, mean,
					se)
			}
		}
	}
}

func predict(t *testing.T, g *gp.GP, x *mat.Dense) (mean, sd []float64) {
	t.Helper()
	mean, sd, err := g.Predict(t.Context(), x)
	require.NoError(t, err)
	for i := range sd {
		sd[i] = max(sd[i], 1e-9)
	}
	return mean, sd
}

// twoObjectives is an input of two objectives, the second of which may have an upper limit.
func twoObjectives(limit float64) optimizers.Input {
	rng := rand.New(rand.NewPCG(7, 7))
	n := 9
	x, y := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
	for i := range n {
		a, b := rng.Float64(), rng.Float64()
		x.SetRow(i, []float64{a, b})
		y.SetRow(i, []float64{a*a + b, (1-a)*(1-a) + b*b})
	}
	spec, _ := registry.Find("ehvi")
	in := optimizers.Input{Dim: 2, Objectives: 2, Data: optimizers.Data{X: x, Y: y}, Step: n, Budget: 30, Seed: 2,
		Params: param.Defaults(spec.ParamsFor(2)), Lo: []float64{0, 0}, Hi: []float64{2, 2},
		Transforms: []transform.Transform{{Sign: 1}, {Sign: 1}}}
	if !math.IsInf(limit, 1) {
		in.Limits = []optimizers.Limit{{Name: "f2", Min: math.Inf(-1), Max: limit, Objective: 1}}
		in.Data.Limits = mat.NewDense(n, 1, mat.Col(nil, 1, y))
	}
	return in
}

// With two objectives one run gains the expected hypervolume improvement, and the present value is the hypervolume within
// the limits.
func TestSeveralObjectives(t *testing.T) {
	for _, limit := range []float64{math.Inf(1), 0.6} {
		in := twoObjectives(limit)
		f := compute(t, in, Options{Runs: []int{1, 4}, Worthwhile: []float64{0.02, 0.02}, Draws: 400})
		var inside [][]float64
		for i := range in.Data.Len() {
			if y := in.Data.Y.RawRowView(i); y[1] <= limit {
				inside = append(inside, []float64{(y[0] - 2) / 2, (y[1] - 2) / 2})
			}
		}
		reference := []float64{0.1, min(0.1, (limit-2)/2)}
		if v := pareto.Hypervolume(inside, reference); math.Abs(v-f.Now) > 1e-3 {
			t.Errorf("limit %g: the hypervolume is %g, want %g", limit, f.Now, v)
		}
		first, last := f.After[0], f.After[1]
		if gain := first.Value - f.Now; math.Abs(gain-f.Next.Improvement) > 4*first.SE+0.02*gain || gain <= 0 {
			t.Errorf("limit %g: one run gains %g ± %g, the expected improvement is %g", limit, gain, first.SE,
				f.Next.Improvement)
		}
		if last.Value <= first.Value || last.Worthwhile.Value < first.Worthwhile.Value {
			t.Errorf("limit %g: four runs %+v, one %+v", limit, last, first)
		}
	}
}

// An outcome that improves is within the upper limit of its objective: the limit changes nothing if the best result is
// within it.
func TestLimitOfTheObjective(t *testing.T) {
	in := observed(t, "forrester", 7, "noise=fixed")
	o := Options{Runs: []int{1, 3}, Worthwhile: []float64{0.5}, Draws: 50}
	free := compute(t, in, o)
	in.Limits = []optimizers.Limit{{Name: "f", Min: math.Inf(-1), Max: free.Now + 0.1, Objective: 0}}
	in.Data.Limits = mat.NewDense(in.Data.Len(), 1, mat.Col(nil, 0, in.Data.Y))
	limited := compute(t, in, o)
	if limited.Next.Feasible >= free.Next.Feasible {
		t.Errorf("the limit is met with a probability of %g", limited.Next.Feasible)
	}
	limited.Next.Feasible = free.Next.Feasible
	if !reflect.DeepEqual(limited.Next, free.Next) || limited.Now != free.Now {
		t.Errorf("with the limit %+v, without %+v", limited.Next, free.Next)
	}
}

// A limit that rules out the best half of the domain keeps the search out of it, and without a result within the limits
// there is nothing to improve on.
func TestLimits(t *testing.T) {
	in := observed(t, "forrester", 7, "noise=fixed")
	free := compute(t, in, Options{Runs: []int{1, 5}, Worthwhile: []float64{0.5}})
	n := in.Data.Len()
	limited := in
	limited.Limits = []optimizers.Limit{{Name: "heat", Min: math.Inf(-1), Max: 0.5, Objective: -1}}
	limited.Data.Limits = mat.NewDense(n, 1, mat.Col(nil, 0, in.Data.X)) // the optimum is at 0.76
	f := compute(t, limited, Options{Runs: []int{1, 5}, Worthwhile: []float64{0.5}})
	if f.Now <= free.Now || f.Next.X[0] > 0.55 || f.Next.Feasible < 0.5 || f.Next.Feasible > 1 {
		t.Errorf("with a limit at 0.5 now %g (%g without), next %+v", f.Now, free.Now, f.Next)
	}
	limited.Limits[0].Max = -1
	if _, err := Compute(t.Context(), limited, Options{Runs: []int{1}, Worthwhile: []float64{1}}); !errors.Is(err,
		ErrNothing) {
		t.Errorf("without a feasible result: %v", err)
	}
}

// The same input has the same forecast, whatever the number of cores, and a cancelled one ends with the context's error.
func TestDeterminismAndCancelling(t *testing.T) {
	in := observed(t, "branin", 7)
	o := Options{Runs: []int{1, 3}, Worthwhile: []float64{1}, Draws: 20}
	if a, b := compute(t, in, o), compute(t, in, o); !reflect.DeepEqual(a, b) {
		t.Errorf("%+v and %+v", a, b)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in.Progress = func(subject string, done, _ int) {
		if subject == "simulating further runs" && done > 2 {
			cancel()
		}
	}
	if _, err := Compute(ctx, in, o); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled forecast: %v", err)
	}
}

// A forecast of a method without a Gaussian process uses one with default parameters.
func TestOtherMethods(t *testing.T) {
	spec, _ := registry.Find("random")
	p, data := testbed.Observe(t, "branin", 7)
	in := testbed.InputFor(t, *spec, p.Dim(), data)
	if f := compute(t, in, Options{Runs: []int{1}, Worthwhile: []float64{1}, Draws: 20}); UsesMethod(in.Params) ||
		!(f.After[0].Value <= f.Now) {
		t.Errorf("%+v", f)
	}
	if _, err := Compute(t.Context(), optimizers.Input{Dim: 1, Objectives: 1}, Options{}); !errors.Is(err,
		optimizers.ErrUnsupported) {
		t.Errorf("without results: %v", err)
	}
}

// BenchmarkForecast measures forecasts of up to 10 runs after 20 results.
func BenchmarkForecast(b *testing.B) {
	p, data := testbed.Observe(b, "branin", 20)
	in := testbed.InputFor(b, gaussian.EI, p.Dim(), data)
	for b.Loop() {
		if _, err := Compute(b.Context(), in, Options{Runs: []int{1, 5, 10}, Worthwhile: []float64{1}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkForecastOfTwoObjectives does the same for two objectives with a limit.
func BenchmarkForecastOfTwoObjectives(b *testing.B) {
	in := twoObjectives(0.6)
	for b.Loop() {
		if _, err := Compute(b.Context(), in, Options{Runs: []int{1, 5, 10}, Worthwhile: []float64{1, 1}}); err != nil {
			b.Fatal(err)
		}
	}
}
