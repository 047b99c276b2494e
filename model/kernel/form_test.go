package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
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
