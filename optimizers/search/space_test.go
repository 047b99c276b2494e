package search

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// What is avoided is the open box of half-width 0.05 around a rejected point: by hand, just within it and just outside,
// in one variable and in another.
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
		assert.Equal(t, c.want, s.isAvoided(c.x), "%v is avoided", c.x)
	}
	for range 200 { // a draw keeps out, also where little is left
		tight := Space{Dim: 1, Low: []float64{0.45}, High: []float64{0.56}, Avoid: [][]float64{{0.5}}}
		if x, err := tight.uniform(t.Context(), rand.New(rand.NewPCG(1, 1))); err != nil || x[0] < 0.55 || x[0] > 0.56 {
			t.Fatalf("%v was drawn, %v", x, err)
		}
	}
}

// A distance that is asked for holds for what foresees, too, and within the first design; without one all is as the
// method needs.
func TestPointsThatAreApart(t *testing.T) {
	in := optimizers.Input{Dim: 2, Pending: mat.NewDense(1, 2, []float64{0.5, 0.5}), MinDistance: 0.2}
	for _, c := range []struct {
		space        Space
		within, with float64 // what is too near, and what is far enough
	}{
		{NewSpace(in), 0.19, 0.21}, {NewSpace(in).AllowNearPending(), 0.19, 0.21}, {designSpace(in), 0.19, 0.21},
		{NewSpace(optimizers.Input{Dim: 2, Pending: in.Pending}), 0.049, 0.051},
		{NewSpace(optimizers.Input{Dim: 2, Pending: in.Pending}).AllowNearPending(), 0.0009, 0.0011},
	} {
		if !c.space.isAvoided([]float64{0.5 + c.within, 0.5}) || c.space.isAvoided([]float64{0.5, 0.5 - c.with}) {
			t.Errorf("%v is not kept, or more is", c.space.minDistance)
		}
	}
	if NewSpace(in).Equal(NewSpace(optimizers.Input{Dim: 2, Pending: in.Pending})) {
		t.Error("spaces with another distance are the same")
	}
}
