package gp

import (
	"fmt"
	"testing"

	"bandscope/model/kernel"
)

// BenchmarkEvidence is one evaluation of the evidence, with its gradient and without.
func BenchmarkEvidence(b *testing.B) {
	for _, c := range []struct{ n, d int }{{15, 2}, {30, 2}, {50, 2}, {30, 6}, {50, 6}, {100, 6}} {
		X, y := data(c.n, c.d, 7)
		e := newEvidence(X, y, Options{Form: kernel.Matern52, FitNoise: true, Priors: &WeakPriors})
		theta, w := e.inside(make([]float64, len(e.lo))), e.workspace()
		theta[e.noise] = -6
		for name, grad := range map[string][]float64{"value": nil, "gradient": make([]float64, len(theta))} {
			b.Run(fmt.Sprintf("n=%d/d=%d/%s", c.n, c.d, name), func(b *testing.B) {
				for b.Loop() {
					e.value(theta, grad, w)
				}
			})
		}
	}
}
