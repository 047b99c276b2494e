package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	maxEnumerated = 20000 // points of a space without numbers up to which all are looked at
	maxTurns      = 50    // of one climb, along the numbers and over the levels
	levelSteps    = 0.3   // how likely an input that takes levels leaves its own where points around another are tried
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

// all are all feasible points of a space in which every input takes levels, a row each; nil where one is a number, or
// where there are too many.
func (s Space) all() *mat.Dense {
	if len(s.free()) > 0 {
		return nil
	}
	if s.region != nil {
		return stacked(s.region.All(maxEnumerated), s.Dim)
	}
	count, levels := 1, make([][]float64, s.Dim)
	for j := range levels {
		levels[j] = s.levels(j)
		if count *= len(levels[j]); count > maxEnumerated {
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

// stacked are points as rows; nil of none.
func stacked(points [][]float64, dim int) *mat.Dense {
	if points == nil {
		return nil
	}
	return mat.NewDense(len(points), dim, slices.Concat(points...))
}

// step is the level of an input, or sometimes another: of a choice any, of a number the next.
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

// neighbours are the points that differ from x in one input that takes levels, as rows: every other choice, and of
// numbers those one, two, four, … levels away; nil where there is none.
func (s Space) neighbours(x []float64) *mat.Dense {
	var rows []float64
	for j := range x {
		if !s.Domain.Discrete(j) {
			continue
		}
		l := s.levels(j)
		at := nearest(l, x[j])
		for i, u := range l {
			if far := max(i-at, at-i); far == 0 || !s.Domain.Choice(j) && far&(far-1) != 0 {
				continue
			}
			other := slices.Clone(x)
			other[j] = u
			rows = append(rows, other...)
		}
	}
	if rows == nil {
		return nil
	}
	return mat.NewDense(len(rows)/len(x), len(x), rows)
}

// feasibleNeighbours are the neighbours of x that are feasible.
func (s Space) feasibleNeighbours(x []float64) *mat.Dense {
	if s.region != nil {
		return s.pairNeighbours(x)
	}
	return s.neighbours(x)
}

// alternatingClimb climbs along the numbers, goes to the best of the neighbours in what takes levels, and climbs on
// from there until neither leads upwards. Over numbers alone it is climb. One climb is of so many steps.
func alternatingClimb(ctx context.Context, t Target, space Space, start []float64, steps int) ([]float64, float64,
	error) {
	if !space.Domain.Mixed() {
		return climb(ctx, t, space, start, steps)
	}
	best, value := start, math.Inf(-1)
	for range maxTurns {
		moved := false
		if len(space.free()) > 0 {
			at, v, err := climb(ctx, t, space, best, steps)
			if err != nil {
				return nil, 0, err
			}
			if v > value {
				best, value, moved = at, v, true
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
				best, value, moved = mat.Row(nil, i, around), v, true
			}
		}
		if !moved {
			break
		}
	}
	return best, value, nil
}
