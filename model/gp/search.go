package gp

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"bandscope/model"
	"bandscope/model/kernel"
	"bandscope/model/parallel"
)

// A search climbs a few iterations from many starting points, continues from the best distinct ones, and then looks for
// a better point near the best.
const (
	drawsPerParam          = 4    // random points per hyperparameter
	firstClimb             = 15   // iterations from every starting point
	halfClimb              = 8    // of these, iterations before half of the points are dropped with few observations
	finalists              = 5    // starting points that are continued
	lastClimb              = 100  // iterations from these, at most
	maxHops                = 3    // searches near the best point, at most
	gridPoints             = 8    // values of every hyperparameter that these try
	maxExchanged           = 6    // shortest lengthscales that these exchange with others, at most
	hopStarts              = 6    // points near the best from which these climb
	hopFinal               = 2    // of these points, those that are continued
	maxDeficitNats         = 10   // nats below the best after the first climb at which a point is dropped
	halvingAbove           = 50   // observations above which the first climb drops half of the points early
	subsampleAbove         = 250  // observations above which the starting points are found with half of them
	maxStartLengthscales   = 16   // lengthscales above which the number of starting points no longer grows
	shortStartLengthscales = 2    // the same for a short search
	maxNeighborDeficitNats = 25   // nats below the best at which a point near it is dropped
	climbTolerance         = 1e-4 // nats: a climb stops when it gains less within a few iterations
	adjustTolerance        = 1e-3 // the same for a climb that adjusts known hyperparameters
)

// localMax is a point of the box with the value of the evidence there.
type localMax struct {
	theta          []float64
	value          float64
	inverseHessian *mat.SymDense // of the negative evidence in unbounded coordinates; nil if not known
}

// search returns the best point of the box that it finds, with its value.
func (e *evidence) search(ctx context.Context, rng *rand.Rand) ([]float64, float64, error) {
	var known []localMax
	if !e.free() {
		known = e.values(ctx, [][]float64{e.lo})
	} else if e.opt.Starts > 0 && e.byLevels() {
		known = e.levels(ctx, rng, true)
	} else if e.opt.Starts > 0 {
		known = e.multistart(ctx, rng)
	} else {
		known = e.climbAll(ctx, e.givenStarts(), lastClimb, adjustTolerance)
		if p := e.at(e.opt.Incumbent); p != nil {
			known = append(known, e.values(ctx, [][]float64{p})...)
			sortLocalMaxima(known)
		}
	}
	return known[0].theta, known[0].value, ctx.Err()
}

// multistart returns the maxima that it finds, best first. With many observations it first runs on half of them,
// recursively: those maxima only provide starting points for the climbs with all observations.
func (e *evidence) multistart(ctx context.Context, rng *rand.Rand) []localMax {
	if len(e.y) <= e.subsampleAbove {
		return e.fullMultistart(ctx, rng)
	}
	starts := e.warmStarts()
	if known := e.subsample(nil).multistart(ctx, rng); ctx.Err() == nil {
		starts = append(starts, e.distinct(known, finalists, known[0].value-maxDeficitNats)...)
	}
	if alike := e.values(ctx, e.isotropicPoints()); len(alike) > 0 {
		starts = append(starts, alike[0].theta)
	}
	found := e.shortlist(ctx, starts)
	return e.climbAll(ctx, e.distinct(found, hopFinal, found[0].value-maxDeficitNats), lastClimb, climbTolerance)
}

// subsample returns the evidence of one observation of every two, by default the first; pick, unless it is nil, returns
// 0 or 1.
func (e *evidence) subsample(pick func() int) *evidence {
	less := *e
	less.y = nil
	less.opt.NoiseSDs = nil
	less.opt.Blocks = nil
	less.workspaces = &sync.Pool{}
	less.x = mat.NewDense((len(e.y)+1)/2, e.inputs(), nil)
	for i := 0; i < len(e.y); i += 2 {
		k := i
		if pick != nil && i+1 < len(e.y) {
			k += pick()
		}
		less.y = append(less.y, e.y[k])
		less.x.SetRow(i/2, e.x.RawRowView(k))
		if e.opt.NoiseSDs != nil {
			less.opt.NoiseSDs = append(less.opt.NoiseSDs, e.opt.NoiseSDs[k])
		}
		if e.opt.Blocks != nil {
			less.opt.Blocks = append(less.opt.Blocks, e.opt.Blocks[k])
		}
	}
	return &less
}

// fullMultistart is multistart with all observations at every stage.
func (e *evidence) fullMultistart(ctx context.Context, rng *rand.Rand) []localMax {
	found := e.shortlist(ctx, e.starts(ctx, rng))
	known := e.climbAll(ctx, e.distinct(found, e.startFactor()*finalists, found[0].value-maxDeficitNats), lastClimb,
		climbTolerance)
	for range maxHops {
		best := known[0].value
		found := e.shortlist(ctx, e.neighbors(ctx, known))
		heads := e.distinct(found, hopFinal, best-1)
		if len(heads) == 0 || ctx.Err() != nil {
			break
		}
		known = append(known, e.climbAll(ctx, heads, lastClimb, climbTolerance)...)
		sortLocalMaxima(known)
		if known[0].value < best+0.01 {
			break
		}
	}
	return known
}

// neighbors returns the most promising points that differ from the best in one hyperparameter, or by an exchange of two
// lengthscales, one of them among the shortest. The exchanges matter because the evidence often has several maxima,
// which explain the data by different inputs.
func (e *evidence) neighbors(ctx context.Context, known []localMax) [][]float64 {
	best := known[0].theta
	var points [][]float64
	try := func(change func(p []float64)) {
		p := slices.Clone(best)
		change(p)
		if !slices.ContainsFunc(known, func(a localMax) bool { return e.same(a.theta, p) }) {
			points = append(points, p)
		}
	}
	short := e.shortest(best)
	for j := range best {
		for i := range gridPoints {
			try(func(p []float64) {
				p[j] = e.lo[j] + (e.hi[j]-e.lo[j])*float64(i)/(gridPoints-1)
				e.inside(p)
			})
		}
		for i := range j {
			if e.exchangeable(i, j) && min(best[i], best[j]) <= short {
				try(func(p []float64) { p[i], p[j] = p[j], p[i] })
			}
		}
	}
	return e.distinct(e.values(ctx, points), hopStarts, known[0].value-maxNeighborDeficitNats)
}

// shortest returns the longest of the maxExchanged shortest lengthscales at a point; NaN without lengthscales.
func (e *evidence) shortest(theta []float64) float64 {
	var lengths []float64
	for j, v := range theta {
		if e.kind(j) == kernel.Length {
			lengths = append(lengths, v)
		}
	}
	if lengths == nil {
		return math.NaN()
	}
	slices.Sort(lengths)
	return lengths[min(maxExchanged, len(lengths))-1]
}

// exchangeable reports whether two hyperparameters are lengthscales of the same kernel.
func (e *evidence) exchangeable(i, j int) bool {
	a, b := e.hypers[i], e.hypers[j]
	return a.kind == kernel.Length && b.kind == kernel.Length && a.leaf == b.leaf
}

// shortlist climbs a few iterations from several points. With many observations, where an iteration is expensive, or if
// the options say so, it runs a part of them from all points and the rest from the better half of the points that then
// differ (successive halving: Jamieson & Talwalkar 2016).
func (e *evidence) shortlist(ctx context.Context, starts [][]float64) []localMax {
	first := firstClimb / 3
	if len(e.y) <= halvingAbove {
		first = halfClimb
	}
	if len(e.y) <= halvingAbove && !e.opt.HalveEarly || len(starts) < 4 {
		return e.climbAll(ctx, starts, firstClimb, climbTolerance)
	}
	found := e.climbAll(ctx, starts, first, climbTolerance)
	return e.climbAll(ctx, e.distinct(found, len(starts)/2, math.Inf(-1)), firstClimb-first, climbTolerance)
}

// values returns points with the values of the evidence there, best first.
func (e *evidence) values(ctx context.Context, points [][]float64) []localMax {
	found := make([]localMax, len(points))
	parallel.Do(len(points), func(i int) {
		found[i] = localMax{theta: points[i], value: math.Inf(-1)}
		if ctx.Err() == nil {
			w := e.workspace()
			found[i].value = e.value(points[i], nil, w)
			e.workspaces.Put(w)
		}
	})
	sortLocalMaxima(found)
	return found
}

// climbAll climbs from several points in parallel, and returns the points that it reaches, best first.
func (e *evidence) climbAll(ctx context.Context, starts [][]float64, iterations int, least float64) []localMax {
	found := make([]localMax, len(starts))
	parallel.Do(len(starts), func(i int) { found[i] = e.climb(ctx, starts[i], iterations, least) })
	sortLocalMaxima(found)
	return found
}

func sortLocalMaxima(found []localMax) {
	slices.SortStableFunc(found, func(a, b localMax) int { return cmp.Compare(b.value, a.value) })
}

// distinct returns the best points, at most count, none of them below floor and no two nearly the same.
func (e *evidence) distinct(sorted []localMax, count int, floor float64) [][]float64 {
	var values [][]float64
	for _, a := range sorted {
		if len(values) == count || a.value < floor {
			break
		}
		if !slices.ContainsFunc(values, func(b []float64) bool { return e.same(a.theta, b) }) {
			values = append(values, a.theta)
		}
	}
	return values
}

// same reports whether two points of the box are nearly the same, so that a climb from either leads to the same
// maximum. Differences between lengthscales that are much longer than the cube, and between noise levels that are far
// below the targets, do not count.
func (e *evidence) same(a, b []float64) bool {
	for j := range a {
		u, v := a[j], b[j]
		switch e.kind(j) {
		case kernel.Length:
			u, v = min(u, math.Log(4)), min(v, math.Log(4))
		case kernel.Noise:
			u, v = max(u, math.Log(1e-5)), max(v, math.Log(1e-5))
		case kernel.Block:
			u, v = max(u, math.Log(1e-2)), max(v, math.Log(1e-2))
		case kernel.Shrinkage: // it follows from the lengthscales
			continue
		}
		if math.Abs(u-v) > 0.3 {
			return false
		}
	}
	return true
}

// starts returns the starting points of a search: the medians of the priors, the given points, and the best distinct
// ones of many points that are spread evenly, drawn around the medians, and drawn uniformly over the box.
func (e *evidence) starts(ctx context.Context, rng *rand.Rand) [][]float64 {
	points := e.isotropicPoints()
	for i := range e.startFactor() * drawsPerParam * len(e.lo) {
		points = append(points, e.draw(i, rng))
	}
	return append(e.givenStarts(), e.distinct(e.values(ctx, points), e.startCount(), math.Inf(-1))...)
}

// isotropicPoints returns points with equal lengthscales, from the shortest to the longest, with little and with much
// noise. Few of the random points are like that if there are several inputs.
func (e *evidence) isotropicPoints() [][]float64 {
	if e.d == 1 {
		return nil
	}
	return e.isotropicGrid(1e-2, 0.3)
}

// isotropicGrid returns points with equal lengthscales, from the shortest to the longest, with each of some noises.
func (e *evidence) isotropicGrid(noises ...float64) [][]float64 {
	var points [][]float64
	for i := range gridPoints {
		for _, noise := range noises {
			p := make([]float64, len(e.lo))
			for j := range p {
				switch e.kind(j) {
				case kernel.Length:
					p[j] = e.lo[j] + (e.hi[j]-e.lo[j])*float64(i)/(gridPoints-1)
				case kernel.Noise:
					p[j] = math.Log(noise)
				case kernel.Scale:
				default:
					p[j], _ = e.prior(j)
				}
			}
			points = append(points, e.inside(p))
		}
	}
	return points
}

// IsotropicEvidence returns the greatest log marginal likelihood of standardized targets y at the rows of X, times the
// priors if there are any, over a coarse grid of processes with equal lengthscales: enough to compare transformations of
// the targets. It is −∞ if no covariance matrix can be factorized or the context ends.
func IsotropicEvidence(ctx context.Context, X *mat.Dense, y []float64, opt Options) float64 {
	e := newEvidence(X, y, opt)
	return e.values(ctx, e.isotropicGrid(1e-3, 3e-2))[0].value
}

// startCount returns the number of points that are climbed from. It grows with the number of lengthscales, and of other
// shapes of the kernels of an expression, as the number of maxima does, up to maxStartLengthscales or in a short search
// shortStartLengthscales. It decreases with many observations, which leave fewer maxima and make each iteration
// expensive.
func (e *evidence) startCount() int {
	most, few := maxStartLengthscales, min(1, math.Pow(50/float64(len(e.y)), 1.5))
	if e.opt.Short {
		most = shortStartLengthscales
	}
	return e.startFactor() * max(e.opt.Starts, int(float64(e.opt.Starts*min(e.shape, most))*few))
}

// startFactor returns the factor by which more points are tried if no prior keeps the lengthscales similar, because
// there are then many more maxima.
func (e *evidence) startFactor() int {
	if e.opt.Priors != nil || e.shape <= 1 {
		return 1
	}
	return 3
}

// givenStarts returns the medians of the priors and the starting points of the caller.
func (e *evidence) givenStarts() [][]float64 {
	var values [][]float64
	if e.opt.Starts > 0 || len(e.opt.WarmStarts) == 0 {
		median := make([]float64, len(e.lo))
		for j := range median {
			median[j], _ = e.prior(j)
		}
		values = append(values, e.inside(median))
	}
	return append(values, e.warmStarts()...)
}

// warmStarts returns the starting points of the caller.
func (e *evidence) warmStarts() [][]float64 {
	var earlier [][]float64
	for _, g := range e.opt.WarmStarts {
		if p := e.at(g); p != nil {
			earlier = append(earlier, e.inside(p))
		}
	}
	return earlier
}

// at returns the point of the box for the hyperparameters of a process; nil without a process or if its inputs differ.
func (e *evidence) at(g *GP) []float64 {
	if g == nil {
		return nil
	}
	if e.family != nil {
		return e.atComposite(g)
	}
	lengths, scale, err := g.Describe()
	if err != nil || len(lengths) != e.inputs() {
		return nil
	}
	p := make([]float64, len(e.lo))
	for c, l := range lengths {
		p[e.length(c)] = math.Log(l)
	}
	p[e.d] = math.Log(scale)
	if e.opt.FitNoise {
		p[e.noise] = math.Log(g.Noise())
	}
	e.setBlockSD(p, g)
	e.setShrinkage(p)
	return p
}

// atComposite is at for an expression; nil if the process has another expression.
func (e *evidence) atComposite(g *GP) []float64 {
	k, ok := g.kernel.(*kernel.Composite)
	if !ok || len(k.Values()) != len(e.family.Hyperparameters()) ||
		k.Family().Expression().String() != e.family.Expression().String() {
		return nil
	}
	p := make([]float64, len(e.lo))
	for i, v := range k.Values() {
		p[i] = math.Log(v)
	}
	if e.opt.FitNoise {
		p[e.noise] = math.Log(g.Noise())
	}
	e.setBlockSD(p, g)
	e.setShrinkage(p)
	return p
}

// draw returns random point i of the box: around the medians of the priors or, for every fifth i, uniform.
func (e *evidence) draw(i int, rng *rand.Rand) []float64 {
	p := make([]float64, len(e.lo))
	common := rng.NormFloat64() // makes the lengthscales of one point similar
	for j := range p {
		mean, sd := e.prior(j)
		z := rng.NormFloat64()
		if e.kind(j) == kernel.Length {
			z = 0.8*common + 0.6*z
		}
		p[j] = mean + min(sd, 1.5)*z
		if e.kind(j) == kernel.Noise && i%2 == 0 { // much noise
			p[j] = math.Log(0.3) + 0.7*z
		}
	}
	if i%5 == 4 {
		for j := range p {
			p[j] = e.lo[j] + rng.Float64()*(e.hi[j]-e.lo[j])
		}
	}
	return e.inside(p)
}

// inside moves a point into the box, slightly away from its faces, in place.
func (e *evidence) inside(p []float64) []float64 {
	for j := range p {
		margin := min(0.01, (e.hi[j]-e.lo[j])/2)
		p[j] = min(max(p[j], e.lo[j]+margin), e.hi[j]-margin)
	}
	return p
}

// climb runs L-BFGS from a start until it gains less than least, in unbounded coordinates.
func (e *evidence) climb(ctx context.Context, start []float64, iterations int, least float64) localMax {
	m := len(start)
	w := e.workspace()
	defer e.workspaces.Put(w)
	memo := model.NewMemo(m, func(u, grad []float64) float64 {
		if ctx.Err() != nil {
			return math.NaN()
		}
		return e.descent(u, grad, w)
	})
	result, err := model.Minimize(ctx, optimize.Problem{Func: memo.Func, Grad: memo.Grad}, e.unbounded(start),
		&optimize.Settings{MajorIterations: iterations, GradientThreshold: 1e-4,
			Converger: &optimize.FunctionConverge{Absolute: least, Iterations: 3}}, &optimize.LBFGS{})
	if err != nil || result == nil || math.IsNaN(result.F) {
		return localMax{theta: start, value: math.Inf(-1)}
	}
	t, _ := e.bounded(result.X)
	return localMax{theta: t, value: -result.F}
}

// descent returns the negative evidence at unbounded coordinates, and writes its gradient by them to grad.
func (e *evidence) descent(u, grad []float64, w *workspace) float64 {
	theta, slope := e.bounded(u)
	v := e.value(theta, grad, w)
	for j := range grad {
		grad[j] *= -slope[j]
	}
	return -v
}

// unbounded returns the coordinates u of a point of the box, in which there are no bounds: θ = lo + (hi−lo)/(1+e^−u).
func (e *evidence) unbounded(theta []float64) []float64 {
	u := make([]float64, len(theta))
	for j, t := range theta {
		if e.hi[j] > e.lo[j] { // a fixed hyperparameter does not move: its slope is 0
			f := min(max((t-e.lo[j])/(e.hi[j]-e.lo[j]), 1e-6), 1-1e-6)
			u[j] = math.Log(f / (1 - f))
		}
	}
	return u
}

// bounded returns the point of the box at unbounded coordinates, and its slope by them.
func (e *evidence) bounded(u []float64) (theta, slope []float64) {
	theta, slope = make([]float64, len(u)), make([]float64, len(u))
	for j, v := range u {
		s := 1 / (1 + math.Exp(-v))
		theta[j] = e.lo[j] + (e.hi[j]-e.lo[j])*s
		slope[j] = (e.hi[j] - e.lo[j]) * s * (1 - s)
	}
	return theta, slope
}
