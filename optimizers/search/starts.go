package search

import (
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	maxDenseDim = 2    // dimensions up to which the whole sample is looked at
	firstCount  = 2000 // candidates of the first round in more
	rounds      = 8    // of narrowing after it
	perPlace    = 20   // candidates of a round around each place
	firstScale  = 0.2  // their standard deviation in the first of these rounds, of the width of the space
	scaleShrink = 0.7  // by which that shrinks from each of them to the next
	movedInputs = 20   // inputs that a candidate differs in from its place, on average, where there are more
)

// climbStarts are the places from which a search climbs, the best first. In one and two dimensions they are the best of
// a maxDenseDim sample that lie apart. In more the sample is small. Where all is numbers and the slopes are known many
// short climbs look on from there, see highest. Elsewhere it is rounds of candidates around each of the best places,
// ever refinePlaces to where the best is by then. Where there are many inputs a candidate moves in some only, as in
// dynamic coordinate search (Regis & Shoemaker 2013, DYCORS) and trust regions (Eriksson et al. 2019, TuRBO).
func climbStarts(ctx context.Context, space Space, t Target, rng *rand.Rand, extra *mat.Dense) ([]Optimum, error) {
	count, most, byClimbs := candidateCount(space.Dim), longClimbs,
		space.Dim > maxDenseDim && t.Gradient != nil && !space.Domain.Mixed()
	if space.Dim > maxDenseDim {
		count = firstCount
	}
	if byClimbs {
		most = shortClimbs
	}
	pool, err := sample(ctx, space, count, rng, extra)
	if err != nil {
		return nil, err
	}
	values, err := evaluatePromising(ctx, t, space, pool, count)
	if err != nil {
		return nil, err
	}
	places, err := pickSeparated(pool, values, most)
	if err != nil || space.Dim <= maxDenseDim || byClimbs {
		return places, err
	}
	for scale, k := firstScale, 0; k < rounds; scale, k = scale*scaleShrink, k+1 {
		if err := refinePlaces(ctx, space, t, rng, places, scale); err != nil {
			return nil, err
		}
	}
	pool, values = mat.NewDense(len(places), space.Dim, nil), values[:0]
	for k, p := range places {
		pool.SetRow(k, p.X)
		values = append(values, p.Value)
	}
	return pickSeparated(pool, values, most)
}

// refinePlaces moves each place to the best of some candidates around it, if one is better.
func refinePlaces(ctx context.Context, space Space, t Target, rng *rand.Rand, places []Optimum, scale float64) error {
	pool := mat.NewDense(len(places)*perPlace, space.Dim, nil)
	for i := range len(places) * perPlace {
		space.perturb(pool.RawRowView(i), places[i/perPlace].X, scale, rng)
	}
	values, err := evaluatePromising(ctx, t, space, pool, len(places)*perPlace)
	if err != nil {
		return err
	}
	for i, v := range values {
		if p := &places[i/perPlace]; v > p.Value {
			*p = Optimum{slices.Clone(pool.RawRowView(i)), v}
		}
	}
	return nil
}

// perturb fills in a point of the space near another one: some of its inputs are moved, those that are numbers by so
// much of their width.
func (s Space) perturb(at, x []float64, scale float64, rng *rand.Rand) {
	copy(at, x)
	share := min(1, movedInputs/float64(len(x)))
	sure := rng.IntN(len(x))
	for j := range at {
		if j != sure && rng.Float64() >= share {
			continue
		}
		if s.Domain.Discrete(j) {
			at[j] = s.step(j, at[j], rng)
			continue
		}
		low, high := s.Bounds(j)
		at[j] += scale * (high - low) * rng.NormFloat64()
	}
	if !s.Project(at) { // no place near is feasible that is found
		copy(at, x)
	}
}
