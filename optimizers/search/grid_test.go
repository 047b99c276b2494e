package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/space"
)

// gridSpace is a space of numbers on grids of as many levels each; the first three have the sum 1 if they are mixed.
func gridSpace(levels, dim int, mixed bool) Space {
	d := &space.Domain{Inputs: make([]space.Input, dim)}
	for j := range d.Inputs {
		d.Inputs[j] = space.Input{Levels: evenLevels(levels), Grid: true}
	}
	if mixed {
		sum := space.Linear{Text: "sum", A: make([]float64, dim), B: 1, Equal: true}
		copy(sum.A, []float64{1, 1, 1})
		d.Linear = []space.Linear{sum}
		d.Mixtures = []*space.Mixture{space.NewMixture([]int{0, 1, 2}, []float64{1, 1, 1})}
	}
	return Space{Dim: dim, Domain: d}.withRegion()
}

// On coarse grids the climbs find the best of all points, which are known.
func TestSearchOfCoarseGrids(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 24 {
		s := gridSpace(11, 3, trial%2 == 1)
		target := waves(s.Domain, 3, rng)
		if trial%3 == 0 {
			target.Gradient = nil
		}
		x, value, _, _, err := best(t.Context(), s, target, s.all())
		require.NoError(t, err)
		got, v, err := maximizeByClimbs(t.Context(), s, target, rand.New(rand.NewPCG(3, 4)), nil)
		if err != nil || v != value {
			t.Errorf("space %d: found %v of value %g, the best of all points is %v of value %g (%v)", trial, got, v, x, value,
				err)
		}
	}
}

// On fine grids the search finds nearly what it finds among all numbers, at a point of the grid that fulfils the sum.
func TestSearchOfFineGrids(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 8 {
		s := gridSpace(10001, 5, trial%2 == 1)
		target := waves(s.Domain, 5, rng)
		x, v, err := Maximize(t.Context(), s, target, rand.New(rand.NewPCG(3, 4)), nil)
		require.NoError(t, err)
		_, want, err := Maximize(t.Context(), s.relaxed(), target, rand.New(rand.NewPCG(3, 4)), nil)
		require.NoError(t, err)
		assert.InDelta(t, want, v, 1e-3*math.Abs(want), "space %d: found %g on the grid, %g without it", trial, v, want)
		if snapped := s.Domain.Snap(slices.Clone(x)); !slices.Equal(snapped, x) || !s.Domain.Feasible(x) {
			t.Errorf("space %d: %v is not on the grid, or breaks the sum", trial, x)
		}
	}
}

// A number on a grid keeps the distance of a number from points that are avoided.
func TestGridsAreAvoidedAsNumbers(t *testing.T) {
	s := gridSpace(101, 2, false)
	s.Avoid = [][]float64{{0.5, 0.5}}
	for level, want := range map[float64]bool{0.53: true, 0.56: false} {
		assert.Equal(t, want, s.isAvoided([]float64{0.5, level}), "%g is avoided", level)
	}
}

// No neighbour on the grid, in one value or in two that keep a sum, is better than the point that the search finds.
func TestNoNeighbourOnTheGridIsBetter(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for trial := range 8 {
		s := gridSpace(26, 5, trial%2 == 1)
		target := waves(s.Domain, 5, rng)
		x, v, err := Maximize(t.Context(), s, target, rand.New(rand.NewPCG(3, 4)), nil)
		require.NoError(t, err)
		values, err := target.Values(t.Context(), s.feasibleNeighbours(x))
		require.NoError(t, err)
		if best := slices.Max(values); best > v+1e-12 {
			t.Errorf("space %d: found %g at %v, a neighbour has %g", trial, v, x, best)
		}
	}
}
