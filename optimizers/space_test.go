package optimizers

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Every method keeps to bounds, pinned variables and away from rejected points, in the initial design and after it, and a space that is the whole
// cube changes nothing.
func TestSpace(t *testing.T) {
	for i, spec := range All() {
		if testing.Short() && i%4 > 0 {
			continue
		}
		for _, n := range []int{0, 6} {
			var data Data
			if n > 0 {
				_, data = observe(t, "branin", n)
			}
			in := input(t, spec, 2, data, "width=100")
			in.Low, in.High = []float64{0.3, 0.25}, []float64{0.6, 0.25}
			next := func() []float64 {
				if x, ok := initial(t, in); ok {
					return x
				}
				s, err := fit(t, spec, in).Suggest(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				return mat.Row(nil, 0, s.X)
			}
			first := next()
			in.Avoid = [][]float64{first}
			second := next()
			for _, x := range [][]float64{first, second} {
				if x[0] < 0.3 || x[0] > 0.6 || x[1] != 0.25 {
					t.Errorf("%s after %d data: %v lies outside of [0.3, 0.6] × {0.25}", spec.Name, n, x)
				}
			}
			if math.Abs(first[0]-second[0]) < AvoidRadius {
				t.Errorf("%s after %d data: %v was rejected, and %v is suggested", spec.Name, n, first, second)
			}
		}
	}
}

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
