//go:build study

package registry

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/neural"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// midway are data as they are in the middle of a run: the first half spread, the others around the best of them.
func midway(t testing.TB, function string, n int) optimizers.Data {
	t.Helper()
	p, data := testbed.Observe(t, function, n)
	rng, best := rand.New(rand.NewPCG(1, 2)), search.Incumbents(optimizers.Data{X: data.X, Y: data.Y}, 1).RawRowView(0)
	for i := n / 2; i < n; i++ {
		x := data.X.RawRowView(i)
		for j := range x {
			x[j] = min(max(best[j]+0.1*rng.NormFloat64(), 0), 1)
		}
		v, err := p.TrueValues(p.Domain.FromUnit(x))
		require.NoError(t, err)
		data.Y.Set(i, 0, p.Objectives[0].Transform().Apply(v[0]))
	}
	return data
}

// aim is what a belief's search maximizes.
func aim(t testing.TB, b optimizers.Belief, in optimizers.Input) search.Target {
	if b, ok := b.(interface{ Target() search.Target }); ok {
		return b.Target()
	}
	s := in.Scale(0, in.Data.Len())
	values := func(ctx context.Context, X *mat.Dense) ([]float64, error) { // of a network
		v, err := b.Acquisition(ctx, X)
		for i := range v {
			v[i] = -(v[i] - s.Mean) / s.SD
		}
		return v, err
	}
	value := func(x []float64) float64 {
		v, err := values(t.Context(), mat.NewDense(1, len(x), x))
		if err != nil {
			t.Error(err)
			return math.NaN()
		}
		return v[0]
	}
	return search.Target{Values: values, Gradient: func(x, grad []float64) float64 {
		fd.Gradient(grad, value, x, &fd.Settings{Formula: fd.Central, Step: 1e-6})
		return value(x)
	}}
}

// A search that narrows reaches no less of an acquisition than climbs from the ten best of a dense sample of 2,000
// points a dimension, by less than half of its values: over methods, functions, sizes and searches what it reaches more
// is on average not below nothing by two standard errors. Improvement is told in nats, all else in standard deviations
// of the data.
func TestNarrowingReachesAsMuch(t *testing.T) {
	var all []float64
	for _, spec := range []optimizers.Spec{gaussian.EI, gaussian.UCB, gaussian.TS, neural.Greedy} {
		for _, c := range []struct {
			function string
			n        int
		}{{"ackley:3", 20}, {"levy:5", 60}, {"hartmann", 40}, {"ackley:10", 80}, {"rastrigin:20", 200},
			{"ackley:100", 120}} {
			data := midway(t, c.function, c.n)
			_, d := data.X.Dims()
			if spec.Name == neural.Greedy.Name && d > 20 {
				continue // whose slopes are differences here
			}
			list := make([]float64, 12)
			var asked, before float64
			for i := range list {
				in := testbed.InputFor(t, spec, d, data, "restarts=1", "width=500")
				in.Seed = uint64(i / 4) // of a draw or a network
				v, dense, values := compared(t, in, aim(t, testbed.Fit(t, spec, in), in), uint64(i))
				list[i] = v - dense
				asked, before = asked+float64(values[0])/12, before+float64(values[1])/12
			}
			mean, sd := stat.MeanStdDev(list, nil)
			t.Logf("%-13s %-12s n = %-3d: %+.4f ± %.4f, least %+.3f; %.0f values in place of %.0f", spec.Name,
				c.function, c.n, mean, sd/math.Sqrt(12), slices.Min(list), asked, before)
			if asked > before/2 {
				t.Errorf("%s, %s: %.0f values are asked for, of a dense sample %.0f", spec.Name, c.function, asked,
					before)
			}
			all = append(all, list...)
		}
	}
	mean, sd := stat.MeanStdDev(all, nil)
	mistake := sd / math.Sqrt(float64(len(all)))
	t.Logf("all: %+.4f ± %.4f", mean, mistake)
	if mean < -2*mistake {
		t.Errorf("%.4f less is reached on average, with a standard error of %.4f", -mean, mistake)
	}
}

// compared is what a search reaches of a target, and what climbs from a dense sample do, with how many values each asks
// for.
func compared(t *testing.T, in optimizers.Input, target search.Target, seed uint64) (v, dense float64,
	values [2]int64) {
	t.Helper()
	var asked atomic.Int64
	counted := target
	counted.Values = func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		n, _ := X.Dims()
		asked.Add(int64(n))
		return target.Values(ctx, X)
	}
	space, from := search.NewSpace(in), search.Incumbents(in.Data, 3)
	_, v, err := search.Maximize(t.Context(), space, counted, rand.New(rand.NewPCG(seed, 1)), from)
	require.NoError(t, err)
	values[0] = asked.Swap(0)
	pool, err := search.Candidates(t.Context(), space, rand.New(rand.NewPCG(seed, 2)), from)
	require.NoError(t, err)
	best, ok, err := search.ClimbFrom(t.Context(), space, counted, pool, 10)
	if err != nil || !ok {
		t.Fatal(err)
	}
	values[1] = asked.Swap(0)
	return v, best.Value, values
}
