package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// Within is the part of the space between other bounds, which must lie within its own.
func (s Space) Within(low, high []float64) Space {
	s.Low = low
	s.High = high
	s.region = nil
	return s.withRegion()
}

// BoxAround returns the part of a box around a center that belongs to the space: half has half of its side along every
// input. The center is moved into the space first, in place. Along an input with levels the box reaches at least to the
// next levels, and along a choice it contains all choices.
func (s Space) BoxAround(center, half []float64) (low, high []float64) {
	s.clamp(center)
	low, high = make([]float64, s.Dim), make([]float64, s.Dim)
	for j, c := range center {
		least, most := s.Bounds(j)
		low[j], high[j] = max(c-half[j], least), min(c+half[j], most)
		if !s.Domain.Discrete(j) {
			continue
		}
		l := s.levels(j)
		if s.Domain.Choice(j) {
			low[j], high[j] = l[0], l[len(l)-1]
			continue
		}
		position := nearest(l, c)
		low[j] = min(low[j], l[max(position-1, 0)])
		high[j] = max(high[j], l[min(position+1, len(l)-1)])
	}
	return low, high
}

// perturbedInputs is the expected number of inputs in which a candidate of Perturbed differs from the center, if there
// are more inputs (Eriksson et al. 2019, suppl.; Regis & Shoemaker 2013).
const perturbedInputs = 20

// Perturbed returns up to n feasible points of the space, m×d, for a search in many dimensions around a center: those
// of a scrambled Halton sequence over the space, in which each input that is not fixed keeps the value of the center with
// probability 1 − min(1, 20/d). None changes with a probability below e⁻²⁰. If the space is a pool, it returns all rows.
// The matrix is nil if there is no feasible point.
func (s Space) Perturbed(ctx context.Context, center []float64, n int, rng *rand.Rand) (*mat.Dense, error) {
	if s.Domain != nil && s.Domain.Pool != nil {
		rows := s.withRegion().region.All(0)
		if len(rows) == 0 {
			return nil, nil
		}
		return stacked(rows, s.Dim), nil
	}
	s = s.withRegion()
	points := mat.NewDense(n, s.Dim, nil)
	if err := Halton(ctx, points, rng); err != nil {
		return nil, err
	}
	var moving []int
	for j := range s.Dim {
		if low, high := s.Bounds(j); low < high {
			moving = append(moving, j)
		}
	}
	share := min(1, perturbedInputs/float64(max(len(moving), 1)))
	var rows []float64
	for i := range n {
		x := s.FromUnit(points.RawRowView(i))
		for _, j := range moving {
			if rng.Float64() >= share {
				x[j] = center[j]
			}
		}
		if s.Domain.Feasible(x) || s.region != nil && s.Project(x) && s.contains(x) && s.Domain.Feasible(x) {
			rows = append(rows, x...)
		}
	}
	if rows == nil {
		return nil, ctx.Err()
	}
	return mat.NewDense(len(rows)/s.Dim, s.Dim, rows), ctx.Err()
}

// DesignPoint returns a point of a design of n points that begins during a search: a row of a Latin hypercube or, from
// row n on and in place of a point that may not be the next one, a random point of the space. The design depends on the
// random stream alone. The error is that of the context, or of a space without a feasible point.
func DesignPoint(ctx context.Context, in optimizers.Input, row, n int, rng *rand.Rand) ([]float64, error) {
	s := NewSpace(in).AllowNearPending()
	var x []float64
	switch {
	case row >= n:
	case s.Domain.Constrained():
		points, err := s.constrainedDesign(ctx, n, rng)
		if err != nil {
			return nil, err
		}
		x = points[row]
	default:
		x = mat.Row(nil, row, latinHypercube(n, s.Dim, rng))
		centerLevels(x, n, s.Domain)
		s.FromUnit(x)
	}
	if x != nil && s.isAllowed(x) {
		return x, nil
	}
	return s.uniform(ctx, in.Stream("in place of a design point"))
}

// contains reports whether a point lies between the bounds.
func (s Space) contains(x []float64) bool {
	for j, v := range x {
		if low, high := s.Bounds(j); v < low-levelTolerance || v > high+levelTolerance {
			return false
		}
	}
	return true
}

// Best returns the row of candidates with the largest value of a target among those that may be the next point, with
// the value there and its excess, 0 if the target has none. If its constraint holds nowhere, it is the row of the
// smallest excess. x is nil if no row may be the next point.
func Best(ctx context.Context, in optimizers.Input, s Space, t Target, candidates *mat.Dense) (x []float64, value,
	excess float64, err error) {
	if candidates == nil {
		return nil, 0, 0, nil
	}
	if !AllowsRepeats(in) {
		s.evaluated, s.evaluatedRadius = evaluatedPoints(in), RepeatRadius
	}
	values, err := evaluate(ctx, t, s, candidates)
	if err != nil {
		return nil, 0, 0, err
	}
	beyond := make([]float64, len(values))
	if t.Excess != nil {
		beyond, err = t.Excess(ctx, candidates)
		if err != nil {
			return nil, 0, 0, err
		}
	}
	best := -1
	for i, v := range values {
		if math.IsInf(v, -1) {
			continue
		}
		if best < 0 || beyond[i] < beyond[best] || beyond[i] == beyond[best] && v > values[best] {
			best = i
		}
	}
	if best < 0 {
		return nil, 0, 0, nil
	}
	return slices.Clone(candidates.RawRowView(best)), values[best], beyond[best], nil
}
