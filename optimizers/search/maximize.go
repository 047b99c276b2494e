package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"bandscope/model"
	"bandscope/optimizers"
)

// Target is a function over the unit cube that is to be maximized.
type Target struct {
	// Values is the function at the rows of X.
	Values func(ctx context.Context, X *mat.Dense) ([]float64, error)
	// Gradient is the function at one point, with its gradient in grad; nil where that is not known.
	Gradient func(x, grad []float64) float64
	// Excess is 0 where the point may lie, and how far it is from that elsewhere; nil: it may lie everywhere. See Limited.
	Excess optimizers.Excess
}

const (
	refined    = 10  // candidates from which the search climbs; half of them in one dimension, where the grid is so fine
	climbSteps = 60  // iterations of one climb
	batchRows  = 256 // rows evaluated between two looks at the context
)

// Maximize finds the greatest value of a target over a space, which is the unit cube unless a person narrowed it: the best of a dense seeded sample (a grid in one
// dimension, a scrambled Halton sequence in more), refined by L-BFGS from the best few that lie apart; where inputs take levels by turns with their
// neighbouring levels, and where all do and there are few of them the best of all points. More candidates, such
// as the incumbents, can be given as the rows of extra; points around them are tried too. The result is never worse than the
// best candidate and never outside of the space, nor beyond what the target allows unless nothing is within. Where inputs take levels no point is found twice, unless there is no other.
func Maximize(ctx context.Context, space Space, t Target, rng *rand.Rand, extra *mat.Dense) (x []float64, value float64, err error) {
	if space = space.known(); t.Excess != nil {
		return restricted(ctx, space, t, rng, extra)
	}
	if all := space.all(); all != nil {
		x, value, _, _, err = best(ctx, space, t, all)
	} else {
		x, value, err = climbing(ctx, space, t, rng, extra)
	}
	if errors.Is(err, errNowhere) && space.seen != nil {
		space.seen = nil
		return Maximize(ctx, space, t, rng, extra)
	}
	return x, value, err
}

// errNowhere is what is wrong with a target that has no value where the next point may lie.
var errNowhere = errors.New("the acquisition has no finite value anywhere in the domain that is left")

// best is the row of the pool with the greatest value, with all values and their order, the greatest first.
func best(ctx context.Context, space Space, t Target, pool *mat.Dense) (x []float64, value float64, values []float64, order []int, err error) {
	if values, err = evaluate(ctx, t, space, pool); err != nil {
		return nil, 0, nil, nil, err
	}
	order = make([]int, len(values))
	falling := slices.Clone(values)
	floats.Scale(-1, falling)
	floats.ArgsortStable(falling, order)
	if len(order) == 0 || math.IsInf(values[order[0]], -1) {
		return nil, 0, nil, nil, errNowhere
	}
	return mat.Row(nil, order[0], pool), values[order[0]], values, order, nil
}

// climbing is the search from the best few of a sample.
func climbing(ctx context.Context, space Space, t Target, rng *rand.Rand, extra *mat.Dense) (x []float64, value float64, err error) {
	pool, err := sample(ctx, space, rng, extra)
	if err != nil {
		return nil, 0, err
	}
	x, value, values, order, err := best(ctx, space, t, pool)
	if err != nil {
		return nil, 0, err
	}
	for _, start := range apart(pool, order, values) {
		at, v, err := byTurns(ctx, t, space, start)
		if err != nil {
			return nil, 0, err
		}
		if v > value {
			x, value = at, v
		}
	}
	return x, value, nil
}

// candidateCount is how many points the sample has: few enough that a wide network can be evaluated at all of them.
func candidateCount(dim int) int {
	if dim == 1 {
		return 1001
	}
	return min(2000*dim, 20000)
}

// Candidates is the sample of a search. The error is that of a space without a feasible point, or of the context.
func Candidates(ctx context.Context, space Space, rng *rand.Rand, extra *mat.Dense) (*mat.Dense, error) {
	return sample(ctx, space, rng, extra)
}

// sample is where a search begins: the grid or the sequence, the extra points, and points around those at several scales. The error is that of the context.
func sample(ctx context.Context, space Space, rng *rand.Rand, extra *mat.Dense) (*mat.Dense, error) {
	dim := space.Dim
	n := candidateCount(dim)
	around := 0
	if extra != nil {
		around, _ = extra.Dims()
	}
	const perExtra = 32
	pool := mat.NewDense(n+around*(1+perExtra), dim, nil)
	if dim == 1 {
		for i := range n {
			pool.Set(i, 0, float64(i)/float64(n-1))
		}
	} else {
		sampled := pool.Slice(0, n, 0, dim).(*mat.Dense)
		if err := Halton(ctx, sampled, rng); err != nil {
			return nil, err
		}
	}
	space = space.known()
	if err := space.Spread(ctx, pool.Slice(0, n, 0, dim).(*mat.Dense), rng); err != nil {
		return nil, err
	}
	row := n
	settle := func() { // no place near is feasible that is found: one of the sample serves
		if x := pool.RawRowView(row); !space.Settle(x) {
			copy(x, pool.RawRowView(0))
		}
		row++
	}
	for i := range around {
		center := extra.RawRowView(i)
		pool.SetRow(row, center)
		settle()
		for k := range perExtra {
			scale := math.Pow(10, -1-float64(k%4)) // 0.1 to 0.0001 of the cube
			for j, c := range center {
				if space.Domain.Discrete(j) {
					c = space.step(j, c, rng)
				} else {
					c += scale * rng.NormFloat64()
				}
				pool.Set(row, j, c)
			}
			settle()
		}
	}
	return pool, nil
}

// Halton fills the rows with a scrambled Halton sequence in the unit cube, which takes most of a second for 20,000 rows of 100 columns. The library knows no
// context, but draws a permutation for every digit of every column: there the sequence is given up.
func Halton(ctx context.Context, rows *mat.Dense, rng *rand.Rand) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if err = ctx.Err(); err == nil || r != err {
				panic(r)
			}
		}
	}()
	_, d := rows.Dims()
	samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(d, rng), Src: heedful{ctx, rng}}.Sample(rows)
	return nil
}

// heedful is a source of random numbers that ends with its context, in a panic whose value is the context's error.
type heedful struct {
	ctx context.Context
	rng *rand.Rand
}

func (h heedful) Uint64() uint64 {
	if err := h.ctx.Err(); err != nil {
		panic(err)
	}
	return h.rng.Uint64()
}

// evaluate is the target at every row, in pieces so that it stops soon after the context ends; what is no number, and where the next point may not lie, counts as −∞.
func evaluate(ctx context.Context, t Target, space Space, pool *mat.Dense) ([]float64, error) {
	n, d := pool.Dims()
	values := make([]float64, 0, n)
	for from := 0; from < n; from += batchRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		part, err := t.Values(ctx, pool.Slice(from, min(from+batchRows, n), 0, d).(*mat.Dense))
		if err != nil {
			return nil, err
		}
		values = append(values, part...)
	}
	for i, v := range values {
		if math.IsNaN(v) || !space.allowed(pool.RawRowView(i)) {
			values[i] = math.Inf(-1)
		}
	}
	return values, nil
}

// apart picks starting points, the best first, none too close to a better one.
func apart(pool *mat.Dense, order []int, values []float64) [][]float64 {
	_, d := pool.Dims()
	least := 0.02 * math.Sqrt(float64(d))
	most := refined
	if d == 1 {
		most /= 2
	}
	var starts [][]float64
	for _, i := range order[:min(len(order), 2000)] {
		if len(starts) == most || math.IsInf(values[i], -1) {
			break
		}
		row := pool.RawRowView(i)
		near := false
		for _, s := range starts {
			sum := 0.0
			for j := range row {
				sum += (row[j] - s[j]) * (row[j] - s[j])
			}
			if near = sum < least*least; near {
				break
			}
		}
		if !near {
			starts = append(starts, slices.Clone(row))
		}
	}
	return starts
}

// climb follows the target upwards from a start, along the inputs that are numbers. Where the gradient is known it is L-BFGS on the function continued outside of
// the space by its value at the nearest point inside; otherwise the simplex search of Nelder and Mead. The error is that of the context or
// of the target.
func climb(ctx context.Context, t Target, space Space, from []float64) ([]float64, float64, error) {
	free := space.free()
	inside, start := slices.Clone(from), make([]float64, len(free))
	for i, j := range free {
		start[i] = from[j]
	}
	clamp := func(x []float64) []float64 {
		for i, j := range free {
			inside[j] = x[i]
		}
		if space.within != nil {
			space.within.Fit(inside) // where it fails the point is not allowed
			return inside
		}
		return space.clamp(inside)
	}
	best, bestValue := slices.Clone(from), math.Inf(-1)
	keep := func(v float64) float64 {
		if math.IsNaN(v) || ctx.Err() != nil || !space.allowed(inside) {
			return math.Inf(1)
		}
		if v > bestValue {
			bestValue = v
			copy(best, inside)
		}
		return -v
	}
	if space.within != nil && t.Gradient != nil {
		return ascend(ctx, t, space, from)
	}
	settings := &optimize.Settings{MajorIterations: climbSteps, FuncEvaluations: 4 * climbSteps,
		Converger: &optimize.FunctionConverge{Absolute: 1e-12, Relative: 1e-10, Iterations: 5}}
	if t.Gradient == nil {
		at := mat.NewDense(1, len(from), inside)
		settings.FuncEvaluations = 100 * len(start)
		if space.within != nil {
			settings.Converger = &optimize.FunctionConverge{Absolute: 1e-12, Relative: 1e-10, Iterations: 10 * len(start)} // along an edge the simplex turns before it goes on
			settings.MajorIterations *= 4
		}
		var wrong error
		_, err := model.Minimize(ctx, optimize.Problem{Func: func(x []float64) float64 {
			clamp(x)
			v, err := t.Values(ctx, at)
			if err != nil {
				wrong = cmp.Or(wrong, err)
				return math.Inf(1)
			}
			return keep(v[0])
		}}, start, settings, &optimize.NelderMead{SimplexSize: 0.02})
		return best, bestValue, cmp.Or(err, wrong)
	}
	slopes := make([]float64, len(from))
	memo := model.NewMemo(len(start), func(x, grad []float64) float64 {
		v := keep(t.Gradient(clamp(x), slopes))
		for i, out := range x { // the slope of −t, and none towards the outside
			g := -slopes[free[i]]
			low, high := space.Bounds(free[i])
			if out < low || out > high || out == low && g > 0 || out == high && g < 0 {
				g = 0
			}
			grad[i] = g
		}
		return v
	})
	_, err := model.Minimize(ctx, optimize.Problem{Func: memo.Func, Grad: memo.Grad}, start, settings, &optimize.LBFGS{})
	return best, bestValue, err
}
