package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
)

// Every form is the covariance of the functions with its spectral density: over draws of the spread s, the mean of
// exp(−s²r²/2) is the value of the form.
func TestFormsAreMixturesOfTheirSpreads(t *testing.T) {
	const n = 100_000
	for _, form := range forms {
		spread := form.Spread(rand.New(rand.NewPCG(1, 2)))
		for _, r := range []float64{0, 0.3, 1, 2.5} {
			sum, sum2 := 0.0, 0.0
			for range n {
				s := spread()
				v := math.Exp(-s * s * r * r / 2)
				sum, sum2 = sum+v, sum2+v*v
			}
			mean := sum / n
			se := math.Sqrt(max(sum2/n-mean*mean, 0) / n)
			if want, _ := form.Radial(1, r*r); math.Abs(mean-want) > 4*se+1e-9 {
				t.Errorf("%s at distance %g is %g, by draws of its spectrum %g ± %g", form.Name(), r, want, mean, se)
			}
		}
	}
}

// The factor of the derivatives of every form equals differences, and the batch functions equal the single ones.
func TestDerivativesOfForms(t *testing.T) {
	for _, form := range append(slices.Clone(forms), rationalQuadratic{0.6}) {
		k := Stationary{Form: form, Scale: 1.3, Lengths: []float64{0.4}}
		r2 := []float64{0, 1e-4, 0.2, 1, 3, 30}
		c, g := make([]float64, len(r2)), make([]float64, len(r2))
		k.Radials(r2, c, g)
		for i, r := range r2 {
			value, slope := k.Radial(r)
			if math.Abs(c[i]-value) > 1e-13 || math.Abs(g[i]-slope) > 1e-13*(1+slope) {
				t.Errorf("%s at %g is %g with the factor %g, among others %g and %g", form.Name(), r, value, slope, c[i], g[i])
			}
			if r == 0 {
				continue
			}
			want := fd.Derivative(func(r2 float64) float64 { v, _ := k.Radial(r2); return -2 * v }, r,
				&fd.Settings{Formula: fd.Central, Step: 1e-4 * r})
			if math.Abs(slope-want) > 1e-6*(1e-3+math.Abs(want)) {
				t.Errorf("%s at %g has the factor %g, by differences %g", form.Name(), r, slope, want)
			}
		}
	}
}
