package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// repeatsKey is the key of the parameter that allows repeats.
const repeatsKey = "repeats"

// RepeatRadius is the distance, in every variable of the unit cube, below which two points count as the same.
const RepeatRadius = 1e-6

// StopNote is the note of a suggestion if nothing better is expected anywhere.
const StopNote = "nothing better is expected: stop, or widen the space"

// nextBestNote is the note of a suggestion if nothing is gained at the best point.
const nextBestNote = "the next best point, because nothing is gained near points that were evaluated before"

// AllowsRepeats reports whether an input allows points that were evaluated before: if it is noisy, or if the parameter
// says so.
func AllowsRepeats(in optimizers.Input) bool {
	return !in.Params.Has(repeatsKey) || in.Params.Switch(repeatsKey) || in.Noisy || in.Data.SE != nil ||
		slices.ContainsFunc(in.Noise, func(sd float64) bool { return sd > 0 })
}

// evaluatedPoints returns the points that were evaluated, with and without a result.
func evaluatedPoints(in optimizers.Input) [][]float64 {
	return append(rowsFor(in.Data.X), rowsFor(in.Data.Failed)...)
}

// MaximizeWithoutRepeats is Maximize, but unless repeats are allowed it leaves the neighborhoods of evaluated points
// where nothing is gained; see neighbors. If nothing is gained at the maximum, the search runs again without the
// neighborhoods of all evaluated points. The note says so. If that maximum promises no improvement either, the note is
// StopNote, and the point is the one that is farthest from all others, where the model may be wrong.
func MaximizeWithoutRepeats(ctx context.Context, in optimizers.Input, space Space, t Target, rng *rand.Rand,
	extra *mat.Dense, predict Prediction) (x []float64, value float64, note string, err error) {
	x, value, err = Maximize(ctx, space, t, rng, extra)
	if err != nil {
		return nil, 0, "", err
	}
	if AllowsRepeats(in) {
		return x, value, RepeatNote(in.Data, x), nil
	}
	n := newNeighbors(in, space, predict)
	if useful, err := n.useful(ctx, x); err != nil || useful {
		return x, value, "", err
	}
	for _, radius := range []float64{n.spacing, closeRadius, RepeatRadius} {
		space.left, space.leftRadius = n.points, radius
		elsewhere, v, err := Maximize(ctx, space, t, rng, extra)
		if errors.Is(err, errNowhere) {
			continue
		}
		if err != nil {
			return nil, 0, "", err
		}
		x, value = elsewhere, v
		if better, err := n.promises(ctx, x); err != nil || better {
			return x, value, nextBestNote, err
		}
		break
	}
	space.left, space.leftRadius = n.points, RepeatRadius
	if !space.isAllowed(x) || in.Feasible == nil && in.Cost == nil {
		x, value, err = space.farthest(ctx, t, rng, x, value)
	}
	return x, value, StopNote, err
}

// farthest is the point of a sample that is farthest from the evaluated and pending points, with the value of a target
// there; x and its value if there is none.
func (s Space) farthest(ctx context.Context, t Target, rng *rand.Rand, x []float64, value float64) ([]float64, float64,
	error) {
	pool := s.all()
	if pool == nil {
		var err error
		pool, err = sample(ctx, s, min(candidateCount(s.Dim), firstCount), rng, nil)
		if err != nil {
			return nil, 0, err
		}
	}
	n, _ := pool.Dims()
	best, most := -1, 0.0
	for i := range n {
		row := pool.RawRowView(i)
		distance := min(s.distance(row, s.left), s.distance(row, s.Pending))
		if distance > most && s.isAllowed(row) {
			best, most = i, distance
		}
	}
	if best < 0 {
		return x, value, nil
	}
	x = mat.Row(nil, best, pool)
	values, err := t.Values(ctx, mat.NewDense(1, s.Dim, slices.Clone(x)))
	if err != nil {
		return nil, 0, err
	}
	return x, values[0], nil
}

// distance is the squared distance of a point from the nearest of others in the unit cube, in which two choices are 1
// apart; +Inf without others.
func (s Space) distance(x []float64, others [][]float64) float64 {
	least := math.Inf(1)
	for _, other := range others {
		sum := 0.0
		for j, v := range x {
			difference := v - other[j]
			if s.Domain.Choice(j) && math.Abs(difference) > levelTolerance {
				difference = 1
			}
			sum += difference * difference
		}
		least = min(least, sum)
	}
	return least
}

// unevaluated draws a point of the space that was not evaluated; nil if there is none.
func (s Space) unevaluated(ctx context.Context, rng *rand.Rand) ([]float64, error) {
	x, err := s.uniform(ctx, rng)
	if err != nil || s.isAllowed(x) {
		return x, err
	}
	all := s.all()
	if all == nil {
		return nil, nil
	}
	n, _ := all.Dims()
	for _, i := range rng.Perm(n) {
		if row := all.RawRowView(i); s.isAllowed(row) {
			return row, nil
		}
	}
	return nil, nil
}
