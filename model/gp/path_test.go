package gp

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCosine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, size := range []float64{1, 10, 1e3, 9e5, 1e9} {
		for range 10_000 {
			x := size * (2*rng.Float64() - 1)
			if got, want := cosine(x), math.Cos(x); math.Abs(got-want) > 1e-9 {
				t.Fatalf("cos %g is %g, want %g", x, got, want)
			}
		}
	}
	for _, x := range []float64{0, math.Pi / 2, -math.Pi / 2, math.Pi, 3 * math.Pi / 2} {
		if got, want := cosine(x), math.Cos(x); math.Abs(got-want) > 1e-12 {
			t.Errorf("cos %g is %g, want %g", x, got, want)
		}
	}
	if !math.IsNaN(cosine(math.NaN())) || !math.IsNaN(cosine(math.Inf(1))) {
		t.Error("the cosine of what is no number is one")
	}
}

var sink float64

// BenchmarkCosine is of random arguments: regular ones would be predicted.
func BenchmarkCosine(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float64, 1<<16)
	for i := range x {
		x[i] = 10 * rng.NormFloat64()
	}
	for _, c := range []struct {
		name string
		f    func(float64) float64
	}{{"ours", cosine}, {"math", math.Cos}} {
		b.Run(c.name, func(b *testing.B) {
			for i := range b.N {
				sink += c.f(x[i%len(x)])
			}
		})
	}
}
