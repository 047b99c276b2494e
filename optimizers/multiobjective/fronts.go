package multiobjective

import (
	"context"
	"math"
	"slices"

	"golang.org/x/sync/semaphore"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/pareto"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/search"
)

// Settings of the search for fronts. The front of the means is cheap, so its search is more thorough.
const (
	frontFeatures                  = 300
	meanFrontSize, meanFrontAges   = 60, 60
	drawnFrontSize, drawnFrontAges = 40, 30
)

// fronts caches the fronts of a set of processes, which do not change while only weights change.
type fronts struct {
	semaphore *semaphore.Weighted // held during a search; others wait for it until their contexts end
	expected  []optimizers.FrontPoint
	drawn     [][]optimizers.FrontPoint
}

// ExpectedFront returns the Pareto front of the posterior means.
func (b *belief) ExpectedFront(ctx context.Context) ([]optimizers.FrontPoint, error) {
	if err := b.fronts.semaphore.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer b.fronts.semaphore.Release(1)
	if b.fronts.expected == nil {
		f := func(X *mat.Dense) [][]float64 {
			n, _ := X.Dims()
			Y := make([][]float64, n)
			for _, p := range b.processes {
				for i, m := range p.GP.Means(X) {
					Y[i] = append(Y[i], p.Scale.Value(m))
				}
			}
			return Y
		}
		var excess optimizers.Excess
		if b.in.Feasible != nil {
			excess = b.in.Feasible.OptimisticExcess(0)
		}
		found := b.searchFront(ctx, f, excess, meanFrontSize, meanFrontAges, math.MaxUint64)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.fronts.expected = found
	}
	return b.fronts.expected, nil
}

// DrawnFronts returns the Pareto fronts of joint draws of the objectives.
func (b *belief) DrawnFronts(ctx context.Context, count int) ([][]optimizers.FrontPoint, error) {
	if err := b.fronts.semaphore.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer b.fronts.semaphore.Release(1)
	if have := len(b.fronts.drawn); have < count {
		values := make([][]optimizers.FrontPoint, count-have)
		err := parallel.Try(len(values), func(i int) error {
			draw := uint64(have + i)
			paths := make([]gaussian.Path, len(b.processes))
			for k, p := range b.processes {
				var err error
				paths[k], err = p.GP.Path(frontFeatures, b.in.Stream("fronts", draw, uint64(k)))
				if err != nil {
					return err
				}
			}
			f := func(X *mat.Dense) [][]float64 {
				n, _ := X.Dims()
				Y := make([][]float64, n)
				for i := range Y {
					for k, p := range paths {
						Y[i] = append(Y[i], b.processes[k].Scale.Value(p.At(X.RawRowView(i))))
					}
				}
				return Y
			}
			var excess optimizers.Excess
			if b.in.Feasible != nil {
				var err error
				excess, err = b.in.Feasible.SampleExcess(frontDraws, draw)
				if err != nil {
					return err
				}
			}
			values[i] = b.searchFront(ctx, f, excess, drawnFrontSize, drawnFrontAges, draw)
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		b.fronts.drawn = append(b.fronts.drawn, values...)
	}
	return b.fronts.drawn[:count], nil
}

// frontDraws separates the draws of limits for fronts from those of a step.
const frontDraws = 1 << 40

// infeasiblePenalty replaces the objectives of a point that violates a limit. Any feasible point dominates it, and so
// does one with a smaller violation.
const infeasiblePenalty = 1e100

// searchFront finds the front of functions over the part of the space where excess is 0 (everywhere if it is nil),
// starting from the non-dominated data. In a constrained space, every point is moved to a feasible one near it.
func (b *belief) searchFront(ctx context.Context, f func(X *mat.Dense) [][]float64, excess optimizers.Excess, size,
	ages int, stream uint64) []optimizers.FrontPoint {
	points := make([][]float64, b.in.Data.Len())
	for i := range points {
		points[i] = b.in.Data.Y.RawRowView(i)
	}
	space := search.NewSpace(b.in)
	var seeds [][]float64
	for _, i := range pareto.Front(points) {
		seeds = append(seeds, space.ToUnit(b.in.Data.X.RawRowView(i)))
	}
	if len(seeds) > size/2 {
		seeds = seeds[len(seeds)-size/2:]
	}
	if b.in.Domain.Constrained() { // random points would all be moved to the boundary
		if feasible, err := space.Feasible(ctx, size-len(seeds), b.in.Stream("seeds of a front search", stream)); err ==
			nil {
			for i := range size - len(seeds) {
				seeds = append(seeds, space.ToUnit(feasible.RawRowView(i)))
			}
		}
	}
	placed := func(points [][]float64) [][]float64 {
		Y := make([][]float64, len(points))
		X, indices := mat.NewDense(len(points), b.in.Dim, nil), make([]int, 0, len(points))
		for i, u := range points {
			x := space.FromUnit(slices.Clone(u))
			if !space.Project(x) {
				Y[i] = slices.Repeat([]float64{2 * infeasiblePenalty}, len(b.processes))
				continue
			}
			X.SetRow(len(indices), x)
			indices = append(indices, i)
		}
		if len(indices) > 0 {
			for j, y := range penalized(ctx, X.Slice(0, len(indices), 0, b.in.Dim).(*mat.Dense), f, excess) {
				Y[indices[j]] = y
			}
		}
		return Y
	}
	found := pareto.Search(b.in.Dim, size, ages, seeds, placed, func() bool {
		return ctx.Err() != nil
	}, b.in.Stream("front search", stream))
	var out []optimizers.FrontPoint
	for _, p := range found {
		if p.Y[0] < infeasiblePenalty {
			x := space.FromUnit(p.X)
			space.Project(x)
			out = append(out, optimizers.FrontPoint{X: x, Y: p.Y})
		}
	}
	return out
}

// penalized are the values of f at points, or penalties where excess is above 0 (nowhere if it is nil).
func penalized(ctx context.Context, X *mat.Dense, f func(X *mat.Dense) [][]float64,
	excess optimizers.Excess) [][]float64 {
	Y := f(X)
	if excess == nil {
		return Y
	}
	over, err := excess(ctx, X)
	for i := range Y {
		if err != nil { // the context ended, and so does the search
			Y[i] = slices.Repeat([]float64{2 * infeasiblePenalty}, len(Y[i]))
		} else if over[i] > 0 {
			Y[i] = slices.Repeat([]float64{infeasiblePenalty * (1 + over[i])}, len(Y[i]))
		}
	}
	return Y
}
