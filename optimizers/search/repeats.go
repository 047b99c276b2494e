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

// nextBestNote is the note of a suggestion in place of a repeat.
const nextBestNote = "the next best point, because the best one was evaluated before"

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

// maxRepeats is the number of evaluated maxima around which a search looks for another point.
const maxRepeats = 5

// MaximizeWithoutRepeats is Maximize, but it finds no point that was evaluated before unless repeats are allowed or
// there is no other. If a maximum was evaluated before, nothing is gained close to it, so that the search runs again
// without its neighborhood. The note says so; it is StopNote if promises reports that the point promises no improvement
// over the observations, or if there is no other point. promises may be nil.
func MaximizeWithoutRepeats(ctx context.Context, in optimizers.Input, space Space, t Target, rng *rand.Rand,
	extra *mat.Dense, promises func(x []float64) (bool, error)) (x []float64, value float64, note string, err error) {
	x, value, err = Maximize(ctx, space, t, rng, extra)
	if err != nil {
		return nil, 0, "", err
	}
	if AllowsRepeats(in) {
		return x, value, RepeatNote(in.Data, x), nil
	}
	evaluated := evaluatedPoints(in)
	if !space.near(x, evaluated, RepeatRadius) {
		return x, value, "", nil
	}
	first, firstValue := x, value
	space.Avoid, space.evaluated, space.evaluatedRadius = slices.Clone(space.Avoid), evaluated, RepeatRadius
	for range maxRepeats {
		space.repeated = append(space.repeated, x)
		x, value, err = Maximize(ctx, space, t, rng, extra)
		if errors.Is(err, errNowhere) {
			break
		}
		if err != nil {
			return nil, 0, "", err
		}
		if space.near(x, evaluated, RepeatRadius) {
			continue
		}
		if promises != nil {
			if ok, err := promises(x); err != nil || !ok {
				return x, value, StopNote, err
			}
		}
		return x, value, nextBestNote, nil
	}
	space.repeated = nil
	if u, err := space.unevaluated(ctx, rng); u != nil || err != nil {
		return u, math.Inf(-1), StopNote, err
	}
	return first, firstValue, StopNote, nil
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
