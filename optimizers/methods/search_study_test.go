//go:build study

package methods

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/networks"
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
		if err != nil {
			t.Fatal(err)
		}
		data.Y.Set(i, 0, p.Objectives[0].Gauge().Counted(v[0]))
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
	one := func(x []float64) float64 {
		v, err := values(t.Context(), mat.NewDense(1, len(x), x))
		if err != nil {
			t.Error(err)
			return math.NaN()
		}
		return v[0]
	}
	return search.Target{Values: values, Gradient: func(x, grad []float64) float64 {
		fd.Gradient(grad, one, x, &fd.Settings{Formula: fd.Central, Step: 1e-6})
		return one(x)
	}}
}

// A search that narrows reaches no less of an acquisition than climbs from the ten best of a dense sample of 2,000 points a dimension, at a part of its values: by what it reaches
// more on average, over functions, sizes and searches, with its standard error.
func TestNarrowingReachesAsMuch(t *testing.T) {
	for _, spec := range []optimizers.Spec{gaussian.EI, gaussian.UCB, gaussian.TS, networks.Greedy} {
		for _, c := range []struct {
			function string
			n        int
		}{{"branin", 20}, {"ackley:3", 40}, {"hartmann", 40}, {"levy:5", 60}, {"ackley:10", 80}, {"rastrigin:20", 100}, {"ackley:100", 120}} {
			data := midway(t, c.function, c.n)
			_, d := data.X.Dims()
			if spec.Name == networks.Greedy.Name && d > 20 {
				continue
			}
			in := testbed.InputFor(t, spec, d, data, "restarts=1", "width=500")
			target := aim(t, testbed.Fit(t, spec, in), in)
			var asked, climbed atomic.Int64
			counted := target
			counted.Values = func(ctx context.Context, X *mat.Dense) ([]float64, error) {
				n, _ := X.Dims()
				asked.Add(int64(n))
				return target.Values(ctx, X)
			}
			counted.Gradient = func(x, grad []float64) float64 { climbed.Add(1); return target.Gradient(x, grad) }
			more, text := make([]float64, 5), ""
			var cost [4]int64
			for seed := range more {
				space, from := search.SpaceOf(in), search.Incumbents(data, 3)
				_, v, err := search.Maximize(t.Context(), space, counted, rand.New(rand.NewPCG(uint64(seed), 1)), from)
				if err != nil {
					t.Fatal(err)
				}
				cost[0], cost[1] = asked.Swap(0), climbed.Swap(0)
				pool, err := search.Candidates(t.Context(), space, rand.New(rand.NewPCG(uint64(seed), 2)), from)
				if err != nil {
					t.Fatal(err)
				}
				dense, ok, err := search.Climbed(t.Context(), space, counted, pool, 10)
				if err != nil || !ok {
					t.Fatal(err)
				}
				cost[2], cost[3] = asked.Swap(0), climbed.Swap(0)
				more[seed] = v - dense.Value
				text += fmt.Sprintf(" %.3g(%.3g)", v, more[seed])
			}
			mean, sd := stat.MeanStdDev(more, nil)
			fmt.Printf("%-14s %-12s n=%d: %+.4f ± %.4f, asked %v:%s\n", spec.Name, c.function, c.n, mean, sd/math.Sqrt(5), cost, text)
		}
	}
}
