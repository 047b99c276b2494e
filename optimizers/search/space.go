// Package search finds points: of the space where the next one may lie, the first designs, and the place where a target
// is greatest. What a target means is the methods' affair; a Target or an Input comes in, a point of the unit cube or a
// suggestion goes out. The designs are here because they depend on no method, so that methods which are compared can
// share the same start.
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

// Space is where the next point may lie: a box in the unit cube of Dim inputs, of those that take levels the levels,
// without the neighbourhoods of some points. Models keep the whole cube: observations outside of the space stay what
// they are.
type Space struct {
	Dim           int
	Low, High     []float64   // of every variable; nil is the whole cube. A variable whose bounds are equal is pinned
	Avoid         [][]float64 // points around which nothing is suggested, such as rejected suggestions
	Pending       [][]float64 // points that are out, around which nothing else is suggested
	Domain        *space.Domain
	evaluated     [][]float64   // points that were evaluated, which are not suggested again where inputs take levels
	minDistance   float64       // how far from those that are out
	distanceFloor float64       // the least that apart may be
	region        *space.Region // where the domain is constrained, once it is known
}

// AvoidRadius is how far, in every variable of the unit cube, a suggestion stays away from a point that is avoided: one
// that is nearer in all variables that are not pinned is as good as the same.
const AvoidRadius = 0.05

// pendingRadius is how far, in some variable, a suggestion stays away from a point that is out where what is chosen by
// counts with that point: so that they are two.
const pendingRadius = 1e-3

// AllowNearPending is the space for what counts with the points that are out, and may choose close to them.
func (s Space) AllowNearPending() Space {
	s.minDistance = max(pendingRadius, s.distanceFloor)
	return s
}

// Bounds are those of variable j.
func (s Space) Bounds(j int) (low, high float64) {
	if s.Low == nil {
		return 0, 1
	}
	return s.Low[j], s.High[j]
}

// levels are those of input j inside of its bounds; where none is, the nearest to their middle.
func (s Space) levels(j int) []float64 {
	low, high := s.Bounds(j)
	in := s.Domain.Inputs[j]
	from, _ := slices.BinarySearch(in.Levels, low-levelTolerance)
	to, _ := slices.BinarySearch(in.Levels, high+levelTolerance)
	if from >= to {
		from = in.Nearest((low + high) / 2)
		to = from + 1
	}
	return in.Levels[from:to]
}

// levelTolerance is by how much a bound may miss a level that it names.
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

// ToUnit maps a point into the unit cube so that place brings it back, or the nearest point of the box.
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

// isAvoided reports whether a point lies in the neighbourhood of one that is avoided, or of one that is out, or was
// evaluated before where that counts.
func (s Space) isAvoided(x []float64) bool {
	return s.near(x, s.Avoid, AvoidRadius) || s.near(x, s.Pending, s.minDistance) ||
		s.near(x, s.evaluated, levelTolerance)
}

// isAllowed reports whether the next point may be this one, which is in the box.
func (s Space) isAllowed(x []float64) bool { return !s.isAvoided(x) && s.Domain.Feasible(x) }

// near reports whether a point is nearer to one of others than a radius, in every variable; levels are near to
// themselves only.
func (s Space) near(x []float64, others [][]float64, radius float64) bool {
	return slices.ContainsFunc(others, func(a []float64) bool {
		for j, v := range x {
			far := radius
			if s.Domain.Discrete(j) {
				far = levelTolerance
			}
			if math.Abs(v-a[j]) >= far {
				return false
			}
		}
		return true
	})
}

// uniform draws a point of the space. The error is that of a space without a feasible point, or of the context.
func (s Space) uniform(ctx context.Context, rng *rand.Rand) ([]float64, error) {
	x := make([]float64, s.Dim)
	for range 1000 {
		for j := range x {
			x[j] = rng.Float64()
		}
		if s.FromUnit(x); s.isAllowed(x) {
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
	x, err := NewSpace(in).uniform(ctx, in.Stream(purpose))
	if err != nil {
		return nil, err
	}
	return mat.NewDense(1, in.Dim, x), nil
}

// NewSpace is where the next point of an input may lie.
func NewSpace(in optimizers.Input) Space {
	s := Space{Dim: in.Dim, Low: in.Low, High: in.High, Avoid: in.Avoid, Domain: in.Domain,
		minDistance: max(AvoidRadius, in.MinDistance), distanceFloor: in.MinDistance, Pending: rowsFor(in.Pending)}
	if in.Domain.Mixed() {
		s.evaluated = append(rowsFor(in.Data.X), rowsFor(in.Data.Failed)...)
	}
	return s.withRegion()
}

// rowsFor are the rows of a matrix, or none of nil.
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
