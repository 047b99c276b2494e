package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
	"bandscope/optimizers"
)

// Target is a function over the unit cube that is to be maximized. Each of its functions may be called by several
// goroutines at once.
type Target struct {
	// Values is the function at the rows of X.
	Values func(ctx context.Context, X *mat.Dense) ([]float64, error)
	// Gradient is the function at one point, with its gradient in grad; nil if it is not known.
	Gradient func(x, grad []float64) float64
	// Approximate is a cheap approximation of Values, on the same scale; nil if there is none. Values is computed only
	// for the most promising of a search's candidates by it; see evaluatePromising.
	Approximate func(ctx context.Context, X *mat.Dense) ([]float64, error)
	// ApproximateGradient is a cheap approximation of Gradient, of which the first steps of climbs are made; nil if
	// there is none.
	ApproximateGradient func(x, grad []float64) float64
	// Excess is 0 where the point may lie, and its violation elsewhere; nil: it may lie everywhere. See WithLimits.
	Excess optimizers.Excess
}

const batchRows = 256 // rows evaluated between two checks of the context

// Maximize finds the largest value of a target over a space, which is the unit cube unless the user narrowed it. It
// starts with the best points of a seeded sample (a grid in one dimension, a scrambled Halton sequence in more),
// refines them in rounds in more than two dimensions, and runs L-BFGS from the best few that are separated. If inputs
// have levels, climbs alternate with moves to neighbouring levels; if all inputs do and there are few points, all of
// them are evaluated. If the levels are the grid of a real number, the climbs ignore them at first, and the moves begin
// near their top. More candidates, such as the incumbents, can be given as the rows of extra; points around them
// are tried too. The result is never worse than the best candidate and never outside the space, and it violates the
// target's constraint only if no point satisfies it. If inputs have levels, no point is found twice, unless there is no
// other.
func Maximize(ctx context.Context, space Space, t Target, rng *rand.Rand, extra *mat.Dense) (x []float64,
	value float64, err error) {
	space = space.withRegion()
	if t.Excess != nil {
		return maximizeConstrained(ctx, space, t, rng, extra)
	}
	if all := space.all(); all != nil {
		x, value, _, _, err = best(ctx, space, t, all)
	} else {
		x, value, err = maximizeByClimbs(ctx, space, t, rng, extra)
	}
	if errors.Is(err, errNowhere) && space.evaluated != nil {
		space.evaluated = nil
		return Maximize(ctx, space, t, rng, extra)
	}
	return x, value, err
}

// errNowhere is the error of a target without a finite value in the space of the next point.
var errNowhere = errors.New("the acquisition function has no finite value in the remaining domain")

// best is the row of the pool with the largest value, with all values and their descending order.
func best(ctx context.Context, space Space, t Target, pool *mat.Dense) (x []float64, value float64, values []float64,
	order []int, err error) {
	values, err = evaluate(ctx, t, space, pool)
	if err != nil {
		return nil, 0, nil, nil, err
	}
	order, err = descendingOrder(values)
	if err != nil {
		return nil, 0, nil, nil, err
	}
	return mat.Row(nil, order[0], pool), values[order[0]], values, order, nil
}

// descendingOrder is the order of values, the largest first; errNowhere if there is none.
func descendingOrder(values []float64) ([]int, error) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	if len(order) == 0 || math.IsInf(values[order[0]], -1) {
		return nil, errNowhere
	}
	return order, nil
}

// maximizeByClimbs climbs from the best few of the candidates.
func maximizeByClimbs(ctx context.Context, space Space, t Target, rng *rand.Rand, extra *mat.Dense) (x []float64,
	value float64, err error) {
	places, err := climbStarts(ctx, space, t, rng, extra)
	if err != nil {
		return nil, 0, err
	}
	if !space.Domain.HasGrids() {
		top, err := successiveHalving(ctx, space, t, places)
		return top.X, top.Value, err
	}
	top, err := successiveHalving(ctx, space.relaxed(), t, places)
	if err != nil {
		return nil, 0, err
	}
	x, value = places[0].X, places[0].Value
	for _, from := range [][]float64{top.X, places[0].X} {
		end, v, err := climbOnGrid(ctx, t, space, from)
		if err != nil {
			return nil, 0, err
		}
		if v > value {
			x, value = end, v
		}
	}
	return x, value, nil
}

// evaluate computes the target at every row, in parts on all cores so that it stops soon after the context ends. NaN,
// and points where the next one may not lie, count as −∞.
func evaluate(ctx context.Context, t Target, space Space, pool *mat.Dense) ([]float64, error) {
	n, d := pool.Dims()
	values := make([]float64, n)
	err := parallel.Try((n+batchRows-1)/batchRows, func(batch int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := batch * batchRows
		part, err := t.Values(ctx, pool.Slice(from, min(from+batchRows, n), 0, d).(*mat.Dense))
		if err != nil {
			return err
		}
		for i, v := range part {
			if math.IsNaN(v) || !space.isAllowed(pool.RawRowView(from+i)) {
				v = math.Inf(-1)
			}
			values[from+i] = v
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return values, nil
}

const (
	// share of the candidates whose exact values are computed if there is an approximation
	promisingShare = 0.25
	// the same if climbs begin by an approximation too, so that no exact value is needed of most of them
	promisingStarts = 0.1
	minPromising    = 50 // or this many
)

// evaluatePromising computes the target at the rows of the pool that are promising by its approximation, and at all
// rows from a given one on; −∞ at the others. Without an approximation it is evaluate.
func evaluatePromising(ctx context.Context, t Target, space Space, pool *mat.Dense, from int) ([]float64, error) {
	n, d := pool.Dims()
	share := promisingShare
	if t.ApproximateGradient != nil {
		share = promisingStarts
	}
	most := max(int(share*float64(from)), minPromising)
	if t.Approximate == nil || most >= from {
		return evaluate(ctx, t, space, pool)
	}
	coarse, err := evaluate(ctx, Target{Values: t.Approximate}, space, pool.Slice(0, from, 0, d).(*mat.Dense))
	if err != nil {
		return nil, err
	}
	values := slices.Repeat([]float64{math.Inf(-1)}, n)
	order, err := descendingOrder(coarse)
	if err != nil {
		order = nil // no finite value among these
	}
	order = order[:min(len(order), most)]
	for i := from; i < n; i++ {
		order = append(order, i)
	}
	if len(order) == 0 {
		return values, nil
	}
	closely := mat.NewDense(len(order), d, nil)
	for k, i := range order {
		closely.SetRow(k, pool.RawRowView(i))
	}
	found, err := evaluate(ctx, t, space, closely)
	if err != nil {
		return nil, err
	}
	for k, i := range order {
		values[i] = found[k]
	}
	return values, nil
}
