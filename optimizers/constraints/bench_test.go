package constraints

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// A step of expected improvement with 100 data of six variables: without limits, and with two.
func BenchmarkStep(b *testing.B) {
	for name, count := range map[string]int{"free": 0, "two limits": 2} {
		b.Run(name, func(b *testing.B) {
			spec := WithLimits(gaussian.EI)
			_, data := testbed.Observe(b, "hartmann:6", 100)
			for i := 0; b.Loop(); i++ {
				in := testbed.InputFor(b, spec, 6, data)
				in.Seed = uint64(i) // or the fit is kept
				if count > 0 {
					in.Data.Limits = mat.NewDense(100, count, nil)
					for k := range count {
						in.Limits = append(in.Limits, optimizers.Limit{Name: "c", Min: math.Inf(-1), Max: 0.5,
							Objective: -1})
						for j := range 100 {
							in.Data.Limits.Set(j, k, math.Sin(3*data.X.At(j, k))*data.X.At(j, k+2))
						}
					}
				}
				if _, err := testbed.Fit(b, spec, in).Suggest(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
