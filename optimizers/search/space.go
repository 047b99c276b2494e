// Package search finds points: of the space where the next one may lie, the first designs, and the place where a target is greatest. What a target means is the
// methods' affair; a Target or an Input comes in, a point of the unit cube or a suggestion goes out. The designs are here because they depend on no method, so
// that methods which are compared can share the same start.
package search

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// Space is where the next point may lie: a box in the unit cube of Dim inputs, without the neighbourhoods of some points.
// Models keep the whole cube: observations outside of the space stay what they are.
type Space struct {
	Dim       int
	Low, High []float64   // of every variable; nil is the whole cube. A variable whose bounds are equal is pinned
	Avoid     [][]float64 // points around which nothing is suggested, such as rejected suggestions
	Out       [][]float64 // points that are out, around which nothing else is suggested
	apart     float64     // how far from those that are out
}

// AvoidRadius is how far, in every variable of the unit cube, a suggestion stays away from a point that is avoided: one that is
// nearer in all variables that are not pinned is as good as the same.
const AvoidRadius = 0.05

// foreseenRadius is how far, in some variable, a suggestion stays away from a point that is out where what is chosen by counts with that point: so that they are two.
const foreseenRadius = 1e-3

// Foreseen is the space for what counts with the points that are out, and may choose close to them.
func (s Space) Foreseen() Space {
	s.apart = foreseenRadius
	return s
}

// Bounds are those of variable j.
func (s Space) Bounds(j int) (low, high float64) {
	if s.Low == nil {
		return 0, 1
	}
	return s.Low[j], s.High[j]
}

// Place maps a point of the unit cube into the box, in place.
func (s Space) Place(x []float64) []float64 {
	if s.Low != nil {
		for j := range x {
			x[j] = s.Low[j] + x[j]*(s.High[j]-s.Low[j])
		}
	}
	return x
}

// Lift maps a point into the unit cube so that place brings it back, or the nearest point of the box.
func (s Space) Lift(x []float64) []float64 {
	u := s.clamp(slices.Clone(x))
	for j := range u {
		if low, high := s.Bounds(j); high > low {
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
	}
	return x
}

// avoided reports whether a point lies in the neighbourhood of one that is avoided, or of one that is out.
func (s Space) avoided(x []float64) bool {
	return near(x, s.Avoid, AvoidRadius) || near(x, s.Out, s.apart)
}

// near reports whether a point is nearer to one of others than a radius, in every variable.
func near(x []float64, others [][]float64, radius float64) bool {
	return slices.ContainsFunc(others, func(a []float64) bool {
		for j, v := range x {
			if math.Abs(v-a[j]) >= radius {
				return false
			}
		}
		return true
	})
}

// uniform draws a point of the space.
func (s Space) uniform(rng *rand.Rand) []float64 {
	x := make([]float64, s.Dim)
	for range 1000 {
		for j := range x {
			x[j] = rng.Float64()
		}
		if s.Place(x); !s.avoided(x) {
			break
		}
	}
	return x
}

// Equal reports whether two spaces are the same.
func (s Space) Equal(other Space) bool {
	return s.Dim == other.Dim && slices.Equal(s.Low, other.Low) && slices.Equal(s.High, other.High) &&
		slices.EqualFunc(s.Avoid, other.Avoid, slices.Equal) && slices.EqualFunc(s.Out, other.Out, slices.Equal) && s.apart == other.apart
}

// RandomPoint is a uniform point of the input's space, 1×d.
func RandomPoint(in optimizers.Input, purpose string) *mat.Dense {
	return mat.NewDense(1, in.Dim, SpaceOf(in).uniform(in.Stream(purpose)))
}

// SpaceOf is where the next point of an input may lie.
func SpaceOf(in optimizers.Input) Space {
	s := Space{Dim: in.Dim, Low: in.Low, High: in.High, Avoid: in.Avoid, apart: AvoidRadius}
	if in.Out != nil {
		m, _ := in.Out.Dims()
		for i := range m {
			s.Out = append(s.Out, in.Out.RawRowView(i))
		}
	}
	return s
}
