package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Optimum is a local maximum of a target.
type Optimum struct {
	X     []float64
	Value float64
}

// maxPeaks bounds the number of points of a sample that are compared with each other, and from how many of them the
// search climbs.
const (
	maxPeaks  = 4000
	maxClimbs = 12
)

// Optima are local maxima of a target in a space, the best first and at most a given number: the search climbs from the
// points of a seeded sample from which a better point is farthest away, for their rank. The rows of from belong to the
// sample. An empty result is not an error.
func Optima(ctx context.Context, space Space, t Target, rng *rand.Rand, from *mat.Dense, count int) ([]Optimum, error) {
	space = space.withRegion()
	pool := space.all()
	if pool == nil {
		var err error
		pool, err = sample(ctx, space, candidateCount(space.Dim), rng, from)
		if err != nil {
			return nil, err
		}
	}
	if n, d := pool.Dims(); n > maxPeaks {
		pool = pool.Slice(n-maxPeaks, n, 0, d).(*mat.Dense) // the given points are at the end
	}
	_, _, values, order, err := best(ctx, space, t, pool)
	if errors.Is(err, errNowhere) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []Optimum
	for _, start := range peaks(pool, values, order) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, v, err := climbToTop(ctx, t, space.relaxed(), start)
		if err == nil && space.Domain.HasGrids() {
			x, v, err = climbOnGrid(ctx, t, space, x)
		}
		if err != nil {
			return nil, err
		}
		if !math.IsInf(v, -1) {
			found = append(found, Optimum{x, v})
		}
	}
	slices.SortStableFunc(found, func(a, b Optimum) int {
		if a.Value > b.Value {
			return -1
		}
		if a.Value < b.Value {
			return 1
		}
		return 0
	})
	var apart []Optimum
	var places [][]float64
	for _, o := range found {
		if len(apart) < count && !space.near(o.X, places, AvoidRadius) {
			apart, places = append(apart, o), append(places, o.X)
		}
	}
	return apart, nil
}

// climbToTop climbs from a start, and again from the end of each climb, until a climb no longer improves: without
// gradients a climb ends before a top that is far away.
func climbToTop(ctx context.Context, t Target, space Space, start []float64) (x []float64, value float64, err error) {
	x, value = start, math.Inf(-1)
	for range maxTurns {
		top, v, err := alternatingClimb(ctx, t, space, x, climbSteps)
		if err != nil {
			return nil, 0, err
		}
		if !(v > value+1e-6*math.Abs(value)) && !math.IsInf(value, -1) || math.IsInf(v, -1) {
			break
		}
		x, value = top, v
	}
	return x, value, nil
}

// Same reports whether two points are practically the same: closer in every number than AvoidRadius, and at the same
// levels.
func (s Space) Same(x, y []float64) bool { return s.near(x, [][]float64{y}, AvoidRadius) }

// peaks are the points of a sample that a search for optima climbs from: the best, and those from which the nearest
// better point is farthest away.
func peaks(pool *mat.Dense, values []float64, order []int) [][]float64 {
	type peak struct {
		i   int
		far float64
	}
	var all []peak // the farthest so far, the first of equal ones
	for rank, i := range order {
		if math.IsInf(values[i], -1) {
			break
		}
		least := math.Inf(-1)
		if len(all) == maxClimbs {
			least = all[maxClimbs-1].far
		}
		distance := nearestDistance2(pool, order[:rank], pool.RawRowView(i), least)
		if distance <= least {
			continue
		}
		index, _ := slices.BinarySearchFunc(all, distance, func(p peak, distance float64) int {
			if p.far >= distance {
				return -1
			}
			return 1
		})
		all = slices.Insert(all, index, peak{i, distance})
		all = all[:min(len(all), maxClimbs)]
	}
	var starts [][]float64
	for _, p := range all {
		starts = append(starts, slices.Clone(pool.RawRowView(p.i)))
	}
	return starts
}

// nearestDistance2 is the squared distance of a point to the nearest of some rows, +Inf if there are none. If it is at
// most least, it may be overestimated, but not above least.
func nearestDistance2(pool *mat.Dense, rows []int, x []float64, least float64) float64 {
	distance := math.Inf(1)
	for _, row := range slices.Backward(rows) { // close points are often next to each other
		sum := 0.0
		for j, v := range pool.RawRowView(row) {
			sum += (v - x[j]) * (v - x[j])
			if sum >= distance {
				break
			}
		}
		distance = min(distance, sum)
		if distance <= least {
			break
		}
	}
	return distance
}
