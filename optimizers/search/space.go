// Package search finds points in the space of the next point: initial designs, and the maximum of a target such as an
// acquisition function. It does not depend on the meaning of a target. The designs are here because they depend on no
// method, so that compared methods can share the same start.
package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/space"
)

// Space is the region of the next point: a box in the unit cube of Dim inputs, with the levels of inputs that have
// levels, without the neighborhoods of some points. Models use the whole cube: observations outside the space stay
// valid.
type Space struct {
	Dim       int
	Low, High []float64   // of every variable; nil is the whole cube. A variable with equal bounds is fixed
	Avoid     [][]float64 // points around which nothing is suggested, such as discarded suggestions
	Pending   [][]float64 // pending points, around which nothing else is suggested
	Domain    *space.Domain
	evaluated [][]float64 // evaluated points, which are not suggested again if inputs have levels
	// distance up to which a point counts as one of these; 0 is rounding
	evaluatedRadius float64
	left            [][]float64   // evaluated points, whose neighborhoods a search without repeats leaves out
	leftRadius      float64       // of these
	minDistance     float64       // minimum distance from the pending points
	distanceFloor   float64       // lower bound of minDistance
	region          *space.Region // feasible region of a constrained domain, once computed
}

// AvoidRadius is the distance, in every variable of the unit cube, that a suggestion keeps from an avoided point: one
// that is closer in all variables that are not fixed counts as the same.
const AvoidRadius = 0.05

// pendingRadius is the distance, in some variable, that a suggestion keeps from a pending point if the method accounts
// for pending points, so that they are two points.
const pendingRadius = 1e-3

// AllowNearPending is the space for methods that account for pending points and may choose close to them.
func (s Space) AllowNearPending() Space {
	s.minDistance = max(pendingRadius, s.distanceFloor)
	return s
}

// Bounds are the bounds of variable j.
func (s Space) Bounds(j int) (low, high float64) {
	if s.Low == nil {
		return 0, 1
	}
	return s.Low[j], s.High[j]
}

// levels are the levels of input j within its bounds, or the nearest level to their middle if there are none.
func (s Space) levels(j int) []float64 {
	low, high := s.Bounds(j)
	in := s.Domain.Inputs[j]
	from, _ := slices.BinarySearch(in.Levels, low-levelTolerance)
	index, _ := slices.BinarySearch(in.Levels, high+levelTolerance)
	if from >= index {
		from = in.Nearest((low + high) / 2)
		index = from + 1
	}
	return in.Levels[from:index]
}

// levelTolerance is the tolerance of a bound that is meant to be a level.
const levelTolerance = 1e-9

// FromUnit maps a point of the unit cube into the box, in place; levels are equally likely.
func (s Space) FromUnit(x []float64) []float64 {
	for j := range x {
		switch {
		case s.Domain.Discrete(j):
			l := s.levels(j)
			x[j] = l[min(max(int(x[j]*float64(len(l))), 0), len(l)-1)]
		case s.Low != nil:
			x[j] = s.Low[j] + x[j]*(s.High[j]-s.Low[j])
		}
	}
	return x
}

// ToUnit maps a point into the unit cube so that FromUnit maps it back, or to the nearest point of the box.
func (s Space) ToUnit(x []float64) []float64 {
	u := s.clamp(slices.Clone(x))
	for j := range u {
		if s.Domain.Discrete(j) {
			l := s.levels(j)
			u[j] = (float64(nearest(l, u[j])) + 0.5) / float64(len(l))
		} else if low, high := s.Bounds(j); high > low {
			u[j] = (u[j] - low) / (high - low)
		}
	}
	return u
}

// clamp moves a point to the nearest one of the box, in place.
func (s Space) clamp(x []float64) []float64 {
	for j := range x {
		low, high := s.Bounds(j)
		x[j] = min(max(x[j], low), high)
		if s.Domain.Discrete(j) {
			l := s.levels(j)
			x[j] = l[nearest(l, x[j])]
		}
	}
	return x
}

func nearest(levels []float64, u float64) int { return space.Input{Levels: levels}.Nearest(u) }

// isAvoided reports whether a point lies in the neighborhood of an avoided or a pending point, or was evaluated before
// if that counts.
func (s Space) isAvoided(x []float64) bool {
	return s.near(x, s.Avoid, AvoidRadius) || s.near(x, s.Pending, s.minDistance) ||
		s.near(x, s.evaluated, max(s.evaluatedRadius, levelTolerance)) || s.near(x, s.left, s.leftRadius)
}

// isAllowed reports whether a point of the box may be the next point.
func (s Space) isAllowed(x []float64) bool { return !s.isAvoided(x) && s.Domain.Feasible(x) }

// near reports whether a point is closer to one of others than a radius, in every variable; levels are only near
// themselves, unless they are the grid of a number.
func (s Space) near(x []float64, others [][]float64, radius float64) bool {
	return slices.ContainsFunc(others, func(a []float64) bool {
		for j, v := range x {
			distance := radius
			if s.Domain.Stepwise(j) {
				distance = levelTolerance
			}
			if math.Abs(v-a[j]) >= distance {
				return false
			}
		}
		return true
	})
}

// uniform draws a point of the space. The error is that of a space without a feasible point, or of the context.
func (s Space) uniform(ctx context.Context, rng *rand.Rand) ([]float64, error) {
	if s.Domain != nil && s.Domain.Pool != nil {
		return s.uniformRow(ctx, rng)
	}
	x := make([]float64, s.Dim)
	for range 1000 {
		for j := range x {
			x[j] = rng.Float64()
		}
		s.FromUnit(x)
		if s.isAllowed(x) {
			return x, nil
		}
	}
	if !s.Domain.Constrained() {
		return x, nil // everything is avoided
	}
	points, err := s.withRegion().region.Draw(ctx, 100, rng)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(points, s.isAllowed); i >= 0 {
		return points[i], nil
	}
	return points[0], nil
}

// Equal reports whether two spaces are the same.
func (s Space) Equal(other Space) bool {
	return s.Dim == other.Dim && slices.Equal(s.Low, other.Low) && slices.Equal(s.High, other.High) &&
		slices.EqualFunc(s.Avoid, other.Avoid, slices.Equal) &&
		slices.EqualFunc(s.Pending, other.Pending, slices.Equal) &&
		s.minDistance == other.minDistance && s.distanceFloor == other.distanceFloor &&
		s.Domain.Equal(other.Domain) && slices.EqualFunc(s.evaluated, other.evaluated, slices.Equal)
}

// RandomPoint is a uniform point of the input's space, 1×d. The error is that of a space without a feasible point, or
// of the context.
func RandomPoint(ctx context.Context, in optimizers.Input, purpose string) (*mat.Dense, error) {
	s := NewSpace(in)
	x, err := s.uniform(ctx, in.Stream(purpose))
	if err != nil {
		return nil, err
	}
	if !AllowsRepeats(in) && !s.isAllowed(x) { // only few points are left
		rest, err := s.unevaluated(ctx, in.Stream(purpose, 1))
		if err != nil {
			return nil, err
		}
		if rest != nil {
			x = rest
		}
	}
	return mat.NewDense(1, in.Dim, x), nil
}

// NewSpace is the space of the next point of an input.
func NewSpace(in optimizers.Input) Space {
	s := Space{Dim: in.Dim, Low: in.Low, High: in.High, Avoid: in.Avoid, Domain: in.Domain,
		minDistance: max(AvoidRadius, in.MinDistance), distanceFloor: in.MinDistance, Pending: rowsFor(in.Pending)}
	if in.Domain.HasLevels() {
		s.evaluated = evaluatedPoints(in)
	}
	return s.withRegion()
}

// rowsFor returns the rows of a matrix, or none for nil.
func rowsFor(m *mat.Dense) (rows [][]float64) {
	if m == nil {
		return nil
	}
	n, _ := m.Dims()
	for i := range n {
		rows = append(rows, m.RawRowView(i))
	}
	return rows
}
