package registry

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// BenchmarkWhole is the processor time of a whole run of gp-ei with default parameters: all fits and all searches for
// the next point. The first run has seed 1, the next one seed 2, so that -benchtime 10x averages over ten seeds.
func BenchmarkWhole(b *testing.B) {
	for _, c := range []struct {
		function string
		steps    int
	}{{"branin", 50}, {"hartmann:6", 100}, {"ackley:5", 60}, {"levy:5", 60}} {
		b.Run(fmt.Sprintf("%s/%d", c.function, c.steps), func(b *testing.B) {
			p, err := functions.Find(c.function, 0)
			require.NoError(b, err)
			var regrets []float64
			fitting, searching, start := 0.0, 0.0, processorTime()
			for b.Loop() {
				f, s, r := wholeRun(b, p, uint64(len(regrets)+1), c.steps)
				fitting, searching, regrets = fitting+f, searching+s, append(regrets, r)
			}
			n := float64(b.N)
			b.ReportMetric(1e3*fitting/n, "fit-cpu-ms")
			b.ReportMetric(1e3*searching/n, "search-cpu-ms")
			b.ReportMetric(1e3*(processorTime()-start)/n, "cpu-ms")
			slices.Sort(regrets)
			b.ReportMetric((regrets[(len(regrets)-1)/2]+regrets[len(regrets)/2])/2, "median-regret")
		})
	}
}

// wholeRun makes one run, and returns the processor time of its fits and of its searches, and its simple regret.
func wholeRun(b *testing.B, p *functions.Problem, seed uint64, steps int) (fitting, searching, regret float64) {
	in := testbed.InputFor(b, gaussian.EI, p.Dim(), optimizers.Data{})
	in.Seed, in.Budget, regret = seed, steps, math.Inf(1)
	var x, y []float64
	for in.Step = range steps {
		u, ok := testbed.Initial(b, in)
		if !ok {
			start := processorTime()
			belief, err := gaussian.EI.Fit(b.Context(), in)
			require.NoError(b, err)
			between := processorTime()
			next, err := belief.Suggest(b.Context())
			require.NoError(b, err)
			fitting, searching = fitting+between-start, searching+processorTime()-between
			u = next.X.RawRowView(0)
		}
		v, err := p.TrueValues(p.Domain.FromUnit(u))
		require.NoError(b, err)
		x, y = append(x, u...), append(y, v[0])
		in.Data = optimizers.Data{X: mat.NewDense(len(y), p.Dim(), slices.Clone(x)),
			Y: mat.NewDense(len(y), 1, slices.Clone(y))}
		regret = min(regret, v[0]-p.Optimum().Value)
	}
	return fitting, searching, regret
}
