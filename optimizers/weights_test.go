package optimizers

import (
	"math"
	"testing"
)

// Scalarizations by hand: the weighted sum, the least weighted objective, and that with ρ = 0.05 of the sum (Knowles 2006, eq. 2), counted from where they are said to.
func TestScalarize(t *testing.T) {
	for _, c := range []struct {
		kind    string
		weights []float64
		zero    []float64
		u       []float64
		want    float64
		worst   int
	}{
		{Linear, []float64{0.25, 0.75}, nil, []float64{0.8, 0.4}, 0.5, -1},
		{Tchebyshev, []float64{0.25, 0.75}, nil, []float64{0.8, 0.4}, 0.2, 0},
		{Augmented, []float64{0.25, 0.75}, nil, []float64{0.8, 0.4}, 0.2 + 0.05*0.5, 0},
		{Augmented, []float64{0.5, 0.5}, nil, []float64{0.8, 0.4}, 0.2 + 0.05*0.6, 1},
		{Augmented, []float64{0.5, 0.3, 0.2}, nil, []float64{0.2, 0.5, 1}, 0.1 + 0.05*0.45, 0},
		{Tchebyshev, []float64{0.5, 0.5}, []float64{-0.4, 0}, []float64{-0.2, 0.6}, 0.1, 0},
		{Linear, []float64{0.5, 0.5}, []float64{-0.4, 0}, []float64{-0.2, 0.6}, 0.4, -1},
	} {
		got, worst := Scalarize(Scalarization{Kind: c.kind, Weights: c.weights, Zero: c.zero}, c.u)
		if math.Abs(got-c.want) > 1e-12 || worst != c.worst {
			t.Errorf("%s %v of %v is %g, decided by %d; want %g, %d", c.kind, c.weights, c.u, got, worst, c.want, c.worst)
		}
	}
	// Of two outcomes whose least objective is the same, the augmented one prefers that which is better elsewhere, the other does not.
	worse, better := []float64{0.4, 0.5}, []float64{0.4, 0.9}
	for kind, differ := range map[string]bool{Tchebyshev: false, Augmented: true} {
		s := Scalarization{Kind: kind, Weights: []float64{0.3, 0.7}}
		a, _ := Scalarize(s, worse)
		b, _ := Scalarize(s, better)
		if (b > a) != differ {
			t.Errorf("%s: %g and %g", kind, a, b)
		}
	}
}
