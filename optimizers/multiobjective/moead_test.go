package multiobjective

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat"
)

// The moments of a maximum agree with Monte Carlo: exactly for two normals and approximately, as published, for three.
func TestTchebyshevMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, c := range []struct {
		w, mean, sd []float64
		tolerance   float64
	}{
		{[]float64{0.3, 0.7}, []float64{-0.2, -0.7}, []float64{0.3, 0.1}, 0},
		{[]float64{0.5, 0.5}, []float64{-0.5, -0.5}, []float64{0, 0.2}, 0},
		{[]float64{0.2, 0.5, 0.3}, []float64{-0.2, -0.6, -0.4}, []float64{0.2, 0.1, 0.2}, 0.003},
	} {
		const draws = 200_000
		values := make([]float64, draws)
		for i := range values {
			z := make([]float64, len(c.w))
			for k := range z {
				z[k] = c.mean[k] + c.sd[k]*rng.NormFloat64()
			}
			values[i] = tchebyshevCost(c.w, z)
		}
		m, s := stat.MeanStdDev(values, nil)
		gotM, gotS := costMoments(c.w, c.mean, c.sd)
		if se := s / math.Sqrt(draws); math.Abs(gotM-m) > 5*se+c.tolerance || math.Abs(gotS-s) > 5*se+c.tolerance {
			t.Errorf("%v: mean %g and sd %g, by Monte-Carlo %g and %g", c.w, gotM, gotS, m, s)
		}
	}
}

func TestSimplexLattice(t *testing.T) {
	for _, c := range []struct{ k, count, want int }{{1, 10, 1}, {2, 60, 60}, {3, 60, 55}, {4, 60, 56}, {3, 2, 3}} {
		lattice := simplexLattice(c.k, c.count)
		assert.Equal(t, c.want, len(lattice), "K=%d: %d weight vectors of at most %d", c.k, len(lattice), c.count)
		for _, w := range lattice {
			sum := 0.0
			for _, v := range w {
				sum += v
			}
			assert.InDelta(t, 1, sum, 1e-12, "%v sums to", w)
		}
	}
}
