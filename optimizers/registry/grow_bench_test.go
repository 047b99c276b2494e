package registry

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// BenchmarkGrowing is a step of a Gaussian process of many data, on average over as many numbers of data as stand
// between two looks at its hyper-parameters, after the fits that they follow from. Its baseline is a search for them,
// which without looks every step would begin with.
func BenchmarkGrowing(b *testing.B) {
	for _, c := range []struct {
		name, function  string
		n, dim, between int
	}{{"n=100,d=2", "branin", 100, 2, 2}, {"n=500,d=20", "ackley:20", 500, 20, 10},
		{"n=1000,d=100", "ackley:100", 1000, 100, 21}} {
		_, data := testbed.Observe(b, c.function, c.n)
		b.Run(c.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if i == 0 {
					suggest(b, data, c.n-c.between, c.dim) // with the fits that it follows
					b.ResetTimer()
				}
				suggest(b, data, c.n-i%c.between, c.dim)
			}
		})
		if c.n > 500 {
			continue // minutes
		}
		b.Run(c.name+",searched", func(b *testing.B) {
			in := testbed.InputFor(b, gaussian.EI, c.dim, data)
			for b.Loop() {
				renew(in.Data)
				if _, err := gaussian.FitFromScratch(b.Context(), in, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// suggest is a step after the first n data.
func suggest(b *testing.B, data optimizers.Data, n, dim int) {
	owner := optimizers.Data{X: data.X.Slice(0, n, 0, dim).(*mat.Dense), Y: data.Y.Slice(0, n, 0, 1).(*mat.Dense)}
	renew(owner)
	if _, err := testbed.Fit(b, gaussian.EI, testbed.InputFor(b, gaussian.EI, dim, owner)).Suggest(b.Context()); err !=
		nil {
		b.Fatal(err)
	}
}
