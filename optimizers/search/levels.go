package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	maxEnumerated = 20000 // points of a space without numbers up to which all are evaluated
	maxTurns      = 50    // of one climb, along the numbers and over the levels
	levelSteps    = 0.3   // probability that an input with levels changes its level when points around another are tried
)

// free lists the inputs that are numbers.
func (s Space) free() (list []int) {
	for j := range s.Dim {
		if !s.Domain.Discrete(j) {
			list = append(list, j)
		}
	}
	return list
}

// all returns all feasible points of a space in which every input has levels, as rows; nil if one is a number, or if
// there are too many.
func (s Space) all() *mat.Dense { return s.upTo(maxEnumerated) }

// upTo is all, but nil if there are more than most points.
func (s Space) upTo(most int) *mat.Dense {
	if len(s.free()) > 0 {
		return nil
	}
	if s.region != nil {
		return stacked(s.region.All(most), s.Dim)
	}
	count, levels := 1, make([][]float64, s.Dim)
	for j := range levels {
		levels[j] = s.levels(j)
		count *= len(levels[j])
		if count > most {
			return nil
		}
	}
	var rows []float64
	for i := range count {
		x := make([]float64, s.Dim)
		for j, l := range levels {
			x[j] = l[i%len(l)]
			i /= len(l)
		}
		rows = append(rows, x...)
	}
	return mat.NewDense(count, s.Dim, rows)
}

// stacked returns points as rows; nil for none.
func stacked(points [][]float64, dim int) *mat.Dense {
	if points == nil {
		return nil
	}
	return mat.NewDense(len(points), dim, slices.Concat(points...))
}

// step is the level of an input, or sometimes another one: any for a choice, the next for a number.
func (s Space) step(j int, u float64, rng *rand.Rand) float64 {
	if rng.Float64() >= levelSteps {
		return u
	}
	l := s.levels(j)
	if s.Domain.Choice(j) {
		return l[rng.IntN(len(l))]
	}
	return l[min(max(nearest(l, u)+2*rng.IntN(2)-1, 0), len(l)-1)]
}

// neighbours are the points that differ from x in one input with levels, as rows: every other choice, and for numbers
// those one, two, four, … levels away; nil if there are none.
func (s Space) neighbours(x []float64) *mat.Dense {
	var rows []float64
	for j := range x {
		if !s.Domain.Discrete(j) {
			continue
		}
		l := s.levels(j)
		for _, i := range others(nearest(l, x[j]), len(l), s.Domain.Choice(j)) {
			other := slices.Clone(x)
			other[j] = l[i]
			rows = append(rows, other...)
		}
	}
	if rows == nil {
		return nil
	}
	return mat.NewDense(len(rows)/len(x), len(x), rows)
}

// others are the numbers below n, in their order, that differ from a number: all of a choice, otherwise those one, two,
// four, … away.
func others(from, n int, choice bool) (list []int) {
	for i := 0; choice && i < n; i++ {
		if i != from {
			list = append(list, i)
		}
	}
	for distance := 1; !choice && distance < n; distance *= 2 {
		if from-distance >= 0 {
			list = slices.Insert(list, 0, from-distance)
		}
		if from+distance < n {
			list = append(list, from+distance)
		}
	}
	slices.Sort(list)
	return list
}

// feasibleNeighbours are the feasible neighbours of x.
func (s Space) feasibleNeighbours(x []float64) *mat.Dense {
	if s.region != nil {
		return s.pairNeighbours(x)
	}
	return s.neighbours(x)
}

// relaxed is the space without the grids of real numbers, between the same bounds. A search in it uses the slopes of a
// target, which a search on the grid does not.
func (s Space) relaxed() Space {
	if s.Domain.HasGrids() {
		s.Domain, s.region = s.Domain.Relaxed(), nil
	}
	return s.withRegion()
}

// climbOnGrid is alternatingClimb on the grids of real numbers: it begins at the point of the grid near the top of a
// climb that ignores the grids. The value is −∞ if no point there is allowed.
func climbOnGrid(ctx context.Context, t Target, space Space, top []float64) ([]float64, float64, error) {
	point := slices.Clone(top)
	if !space.Project(point) {
		return top, math.Inf(-1), ctx.Err()
	}
	value, err := evaluate(ctx, t, space, mat.NewDense(1, len(point), point))
	if err != nil {
		return nil, 0, err
	}
	x, v, err := alternatingClimb(ctx, t, space, point, climbSteps)
	if err == nil && !(v > value[0]) {
		return point, value[0], nil
	}
	return x, v, err
}

// alternatingClimb alternates between climbs over the numbers and moves to the best neighbour in the levels, until
// neither improves the target. Over numbers alone it is climb. Each climb has a number of steps.
func alternatingClimb(ctx context.Context, t Target, space Space, start []float64, steps int) ([]float64, float64,
	error) {
	if !space.Domain.HasLevels() {
		return climb(ctx, t, space, start, steps)
	}
	best, value := start, math.Inf(-1)
	for range maxTurns {
		moved := false
		if len(space.free()) > 0 {
			top, v, err := climb(ctx, t, space, best, steps)
			if err != nil {
				return nil, 0, err
			}
			if v > value {
				best = top
				value = v
				moved = true
			}
		}
		around := space.feasibleNeighbours(best)
		if around == nil {
			break
		}
		values, err := evaluate(ctx, t, space, around)
		if err != nil {
			return nil, 0, err
		}
		for i, v := range values {
			if v > value {
				best = mat.Row(nil, i, around)
				value = v
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	return best, value, nil
}
