package search

import (
	"math/rand/v2"
	"testing"
)

// What is avoided is the open box of half-width 0.05 around a rejected point: by hand, just within it and just outside, in one variable and in another.
func TestAvoidedNeighbourhood(t *testing.T) {
	s := Space{Dim: 2, Avoid: [][]float64{{0.5, 0.5}, {0.1, 0.9}}}
	for _, c := range []struct {
		x    []float64
		want bool
	}{
		{[]float64{0.5, 0.5}, true},
		{[]float64{0.549, 0.451}, true},
		{[]float64{0.551, 0.5}, false},
		{[]float64{0.5, 0.449}, false},
		{[]float64{0.14, 0.94}, true},
		{[]float64{0.16, 0.9}, false},
		{[]float64{0.1, 0.5}, false},
	} {
		if got := s.avoided(c.x); got != c.want {
			t.Errorf("%v is avoided: %v, want %v", c.x, got, c.want)
		}
	}
	for range 200 { // a draw keeps out, also where little is left
		tight := Space{Dim: 1, Low: []float64{0.45}, High: []float64{0.56}, Avoid: [][]float64{{0.5}}}
		if x := tight.uniform(rand.New(rand.NewPCG(1, 1))); x[0] < 0.55 || x[0] > 0.56 {
			t.Fatalf("%v was drawn", x)
		}
	}
}
