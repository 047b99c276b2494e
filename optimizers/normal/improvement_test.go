package normal

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// The expected improvement is an integral over the normal law, in whatever units.
func TestExpectedImprovementIsTheIntegral(t *testing.T) {
	for _, c := range [][3]float64{{0, 1, 0}, {0, 1, 1.3}, {5, 2, 3}, {-100, 30, -140}, {0.2, 0.01, 0.21}} {
		law := distuv.Normal{Mu: c[0], Sigma: c[1]}
		want := quad.Fixed(func(f float64) float64 { return (c[2] - f) * law.Prob(f) }, c[0]-12*c[1], c[2], 400, nil, 0)
		if got := ExpectedImprovement(c[0], c[1], c[2]); math.Abs(got-want) > 1e-9*(c[1]+want) {
			t.Errorf("below %g of %g ± %g it is %g, want %g", c[2], c[0], c[1], got, want)
		}
	}
}
