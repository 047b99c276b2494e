package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Covariances and slopes are those of single values to the last bit, for every length, given the exponentials.
func TestMatern52(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 52))
	const s2 = 1.7
	for _, n := range []int{0, 1, 3, 7, 8, 9, 63, 64, 65, 130} {
		r2 := make([]float64, n)
		for i := range r2 {
			r2[i] = math.Exp(10 * rng.NormFloat64())
		}
		if n > 2 {
			r2[0], r2[1], r2[2] = 0, math.Inf(1), 1e-310
		}
		want, slopes, q := make([]float64, n), make([]float64, n), make([]float64, n)
		plainNegativeRoots(want, q, r2)
		for from := 0; from < n; from += maternBlock {
			part := want[from:min(from+maternBlock, n)]
			Exp(part, part)
		}
		alone := slices.Clone(want)
		plainMatern52(s2, q, want, slopes)
		plainMatern52(s2, q, alone, nil)
		c, g := make([]float64, n), slices.Clone(r2)
		Matern52(s2, g, c, g) // in place
		if !sameBits(c, want) || !sameBits(g, slopes) {
			t.Errorf("%d values: %v and %v, want %v and %v", n, c, g, want, slopes)
		}
		if Matern52(s2, r2, c, nil); !sameBits(c, alone) {
			t.Errorf("%d values without slopes: %v, want %v", n, c, alone)
		}
		for i, r := range r2 {
			q := math.Sqrt(5 * r)
			if exact := s2 * (1 + q + q*q/3) * math.Exp(-q); !math.IsInf(r, 0) && math.Abs(c[i]-exact) > 1e-14*exact+1e-300 {
				t.Errorf("at %g it is %g, want %g", r, c[i], exact)
			}
		}
	}
	defer func() {
		assert.NotNil(t, recover(), "too few covariances are accepted")
	}()
	Matern52(1, make([]float64, 2), make([]float64, 1), nil)
}

// sameBits reports whether two slices are the same to the last bit, where NaN is NaN.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

// BenchmarkMatern52 is the covariance of 1,000 distances.
func BenchmarkMatern52(b *testing.B) {
	r2, c, g := make([]float64, 1000), make([]float64, 1000), make([]float64, 1000)
	for i := range r2 {
		r2[i] = float64(i) / 100
	}
	for b.Loop() {
		Matern52(1, r2, c, g)
	}
}
