package gp

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// RoundingProbe returns values of the evidence and its gradient for fixed data, with every form of kernel and with
// squared distances by differences and by products. Builds and processors that round differently return others, so that
// the values tell whether fits are the same to the last bit.
func RoundingProbe() []float64 {
	const n = 75 // more than a block of the factorization, and no multiple of a vector
	var all []float64
	for _, d := range []int{3, 14} {
		x, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			for j := range d { // a sequence of low discrepancy
				_, f := math.Modf(float64(i+1) * math.Sqrt(float64(j+2)))
				x.Set(i, j, f)
				y[i] += (f - 0.4) * float64(1-2*(j%2))
			}
		}
		for _, name := range kernel.FormNames() {
			form, err := kernel.FindForm(name)
			if err != nil {
				continue
			}
			e := newEvidence(x, y, Options{Form: form, FitNoise: true, Priors: &WeakPriors})
			theta, grad := make([]float64, len(e.lo)), make([]float64, len(e.lo))
			for j := range theta {
				theta[j] = -0.3 - 0.1*float64(j)
			}
			all = append(all, e.value(theta, grad, e.workspace()))
			all = append(all, grad...)
		}
	}
	return all
}
