package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	maxDenseDim = 2    // dimensions up to which the whole sample is evaluated
	coarseCount = 1000 // candidates if climbs begin by an approximation of the target
	firstCount  = 2000 // candidates of the first round in higher dimensions
	rounds      = 8    // refinement rounds after it
	perPlace    = 20   // candidates around each place in a round
	firstScale  = 0.2  // their standard deviation in the first of these rounds, relative to the width of the space
	scaleShrink = 0.7  // factor of that per round
	movedInputs = 20   // average number of changed inputs of a candidate, if there are more inputs
)

// climbStarts are the starting points of climbs, the best first. In one and two dimensions they are the best separated
// points of a dense sample. In higher dimensions the sample is small. If all inputs are numbers and the gradient is
// known, many short climbs continue from there; see successiveHalving. Otherwise there are rounds of candidates around
// each of the best places, closer in every round (refinePlaces). With many inputs a candidate changes only some of
// them, as in dynamic coordinate search (Regis & Shoemaker 2013, DYCORS) and trust regions (Eriksson et al. 2019,
// TuRBO).
func climbStarts(ctx context.Context, space Space, t Target, rng *rand.Rand, extra *mat.Dense) ([]Optimum, error) {
	count := candidateCount(space.Dim)
	most := longClimbs
	byClimbs := space.Dim > maxDenseDim && t.Gradient != nil && !space.Domain.Mixed()
	coarsely := t.Approximate != nil && t.ApproximateGradient != nil && space.Dim > 1 && !space.Domain.Mixed()
	switch {
	case coarsely:
		count = coarseCount
	case space.Dim > maxDenseDim:
		count = firstCount
	}
	if byClimbs {
		most = shortClimbs
	}
	pool, err := sample(ctx, space, count, rng, extra)
	if err != nil {
		return nil, err
	}
	if coarsely {
		return coarseStarts(ctx, space, t, pool, most)
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

// coarseStarts returns the best separated rows of a pool by the approximation of the target, in the order of their exact
// values.
func coarseStarts(ctx context.Context, space Space, t Target, pool *mat.Dense, most int) ([]Optimum, error) {
	values, err := evaluate(ctx, Target{Values: t.Approximate}, space, pool)
	if err != nil {
		return nil, err
	}
	places, err := pickSeparated(pool, values, most)
	if err != nil {
		return nil, err
	}
	if err := evaluateOptima(ctx, t, space, places); err != nil {
		return nil, err
	}
	sortOptima(places)
	if math.IsInf(places[0].Value, -1) {
		return nil, errNowhere
	}
	return places, nil
}

// perturb samples a point of the space near another one: some of its inputs change, numbers by a share of their width.
func (s Space) perturb(point, x []float64, scale float64, rng *rand.Rand) {
	copy(point, x)
	share := min(1, movedInputs/float64(len(x)))
	sure := rng.IntN(len(x))
	for j := range point {
		if j != sure && rng.Float64() >= share {
			continue
		}
		if s.Domain.Stepwise(j) {
			point[j] = s.step(j, point[j], rng)
			continue
		}
		low, high := s.Bounds(j)
		point[j] += scale * (high - low) * rng.NormFloat64()
	}
	if !s.Project(point) { // no feasible point nearby
		copy(point, x)
	}
}
