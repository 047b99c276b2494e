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
	"bandscope/model/parallel"
)

// A search climbs a little from many points, goes on from the best few that differ, and then looks beside the best for
// a better one.
const (
	drawsPerParam          = 4    // points that are drawn, for every hyper-parameter
	firstClimb             = 15   // iterations from every start
	finalists              = 5    // starts that go on
	lastClimb              = 100  // iterations from those, at most
	maxHops                = 3    // times that it looks beside the best
	gridPoints             = 8    // values of every hyper-parameter that it looks at there
	maxExchanged           = 6    // of the shortest lengthscales, which it exchanges with the others
	hopStarts              = 6    // points beside the best from which it climbs
	hopFinal               = 2    // of them that go on
	maxDeficitNats         = 10   // nats below the best after the first climb, from which a point does not go on
	halvingAbove           = 50   // data, from which on not all starts are climbed from to the end
	subsampleAbove         = 250  // data, above which the starts are found by half of them
	maxStartLengthscales   = 16   // lengthscales, above which more of them make no more starts
	maxNeighborDeficitNats = 25   // nats below the best, from which a point beside it is not climbed from
	climbTolerance         = 1e-4 // nats: what a climb gains at least, within a few iterations, as long as it goes on
	adjustTolerance        = 1e-3 // the same where what is known is only adjusted
)

// localMax is a point of the box with its value.
type localMax struct {
	theta []float64
	value float64
}

// search returns the best point of the box that was found.
func (e *evidence) search(ctx context.Context, rng *rand.Rand) ([]float64, float64, error) {
	var known []localMax
	if e.opt.Starts > 0 {
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

// explored are the maxima that are found, the best first. Of very many data every other one is enough to find them, of
// these every other one, and so on: what they say is only where the climbs by all data start.
func (e *evidence) multistart(ctx context.Context, rng *rand.Rand) []localMax {
	if len(e.y) <= e.subsampleAbove {
		return e.fullMultistart(ctx, rng)
	}
	starts := e.warmStarts()
	if known := e.subsample().multistart(ctx, rng); ctx.Err() == nil {
		starts = append(starts, e.distinct(known, finalists, known[0].value-maxDeficitNats)...)
	}
	if alike := e.values(ctx, e.isotropicPoints()); len(alike) > 0 {
		starts = append(starts, alike[0].theta)
	}
	found := e.shortlist(ctx, starts)
	return e.climbAll(ctx, e.distinct(found, hopFinal, found[0].value-maxDeficitNats), lastClimb, climbTolerance)
}

// subsample is the evidence of every other datum.
func (e *evidence) subsample() *evidence {
	less := *e
	less.y, less.opt.NoiseSDs, less.workspaces = nil, nil, &sync.Pool{}
	less.x = mat.NewDense((len(e.y)+1)/2, e.inputs(), nil)
	for i := 0; i < len(e.y); i += 2 {
		less.y = append(less.y, e.y[i])
		less.x.SetRow(i/2, e.x.RawRowView(i))
		if e.opt.NoiseSDs != nil {
			less.opt.NoiseSDs = append(less.opt.NoiseSDs, e.opt.NoiseSDs[i])
		}
	}
	return &less
}

// scoured are the maxima that are found with all data.
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

// beside are the most promising points that differ from the best in one hyper-parameter, or in that two lengthscales
// are exchanged, one of them among the shortest: the evidence has a maximum for many a way to share the data among the
// inputs.
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
	short := slices.Sorted(slices.Values(best[:e.d]))[min(maxExchanged, e.d)-1]
	for j := range best {
		for i := range gridPoints {
			try(func(p []float64) {
				p[j] = e.lo[j] + (e.hi[j]-e.lo[j])*float64(i)/(gridPoints-1)
				e.inside(p)
			})
		}
		for i := range min(j, e.d) {
			if j < e.d && min(best[i], best[j]) <= short {
				try(func(p []float64) { p[i], p[j] = p[j], p[i] })
			}
		}
	}
	return e.distinct(e.values(ctx, points), hopStarts, known[0].value-maxNeighborDeficitNats)
}

// narrowed climbs a little from several points. Where the data are many and each step dear, it climbs a third of that
// from all of them, and the rest of it from the better half of those that then differ (successive halving: Jamieson &
// Talwalkar 2016).
func (e *evidence) shortlist(ctx context.Context, starts [][]float64) []localMax {
	if len(e.y) <= halvingAbove || len(starts) < 4 {
		return e.climbAll(ctx, starts, firstClimb, climbTolerance)
	}
	found := e.climbAll(ctx, starts, firstClimb/3, climbTolerance)
	return e.climbAll(ctx, e.distinct(found, len(starts)/2, math.Inf(-1)), firstClimb-firstClimb/3, climbTolerance)
}

// values are the values at points, the best first.
func (e *evidence) values(ctx context.Context, points [][]float64) []localMax {
	found := make([]localMax, len(points))
	parallel.Do(len(points), func(i int) {
		found[i] = localMax{points[i], math.Inf(-1)}
		if ctx.Err() == nil {
			w := e.workspace()
			found[i].value = e.value(points[i], nil, w)
			e.workspaces.Put(w)
		}
	})
	sortLocalMaxima(found)
	return found
}

// climbAll climbs from several points at once, and returns where that led, the best first.
func (e *evidence) climbAll(ctx context.Context, starts [][]float64, iterations int, least float64) []localMax {
	found := make([]localMax, len(starts))
	parallel.Do(len(starts), func(i int) { found[i] = e.climb(ctx, starts[i], iterations, least) })
	sortLocalMaxima(found)
	return found
}

func sortLocalMaxima(found []localMax) {
	slices.SortStableFunc(found, func(a, b localMax) int { return cmp.Compare(b.value, a.value) })
}

// distinct are the best points, at most count and none below floor, none of which is nearly another.
func (e *evidence) distinct(sorted []localMax, count int, floor float64) [][]float64 {
	var kept [][]float64
	for _, a := range sorted {
		if len(kept) == count || a.value < floor {
			break
		}
		if !slices.ContainsFunc(kept, func(b []float64) bool { return e.same(a.theta, b) }) {
			kept = append(kept, a.theta)
		}
	}
	return kept
}

// same reports whether two points of the box are nearly one: a climb from either leads to the same place. Lengthscales
// that are much longer than the cube, and noise that is much less than the targets, do not tell points apart.
func (e *evidence) same(a, b []float64) bool {
	for j := range a {
		u, v := a[j], b[j]
		switch {
		case j < e.d:
			u, v = min(u, math.Log(4)), min(v, math.Log(4))
		case j > e.d:
			u, v = max(u, math.Log(1e-5)), max(v, math.Log(1e-5))
		}
		if math.Abs(u-v) > 0.3 {
			return false
		}
	}
	return true
}

// starts are the medians of the priors, the points that were given, and the best of many that are spread evenly, drawn
// around the medians, and drawn all over the box.
func (e *evidence) starts(ctx context.Context, rng *rand.Rand) [][]float64 {
	points := e.isotropicPoints()
	for i := range e.startFactor() * drawsPerParam * len(e.lo) {
		points = append(points, e.draw(i, rng))
	}
	return append(e.givenStarts(), e.distinct(e.values(ctx, points), e.startCount(), math.Inf(-1))...)
}

// isotropicPoints are points at which all lengthscales are the same, of all sizes, with little and with much noise:
// where there are several inputs, few of the points that are drawn are so.
func (e *evidence) isotropicPoints() [][]float64 {
	var points [][]float64
	if e.d == 1 {
		return points
	}
	for i := range gridPoints {
		for _, noise := range []float64{1e-2, 0.3} {
			p := make([]float64, len(e.lo))
			for j := range p {
				switch {
				case j < e.d:
					p[j] = e.lo[j] + (e.hi[j]-e.lo[j])*float64(i)/(gridPoints-1)
				case j > e.d:
					p[j] = math.Log(noise)
				}
			}
			points = append(points, e.inside(p))
		}
	}
	return points
}

// startCount is how many of the drawn points are climbed from: so many an input as the evidence has the more maxima the
// more lengthscales there are, up to some, and fewer where many data leave fewer maxima and make each step dear.
func (e *evidence) startCount() int {
	few := min(1, math.Pow(50/float64(len(e.y)), 1.5))
	return e.startFactor() * max(e.opt.Starts, int(float64(e.opt.Starts*min(e.d, maxStartLengthscales))*few))
}

// startFactor is how many times more points are tried where no prior makes the lengthscales resemble each other, which
// leaves many more maxima.
func (e *evidence) startFactor() int {
	if e.opt.Priors != nil || e.d == 1 {
		return 1
	}
	return 3
}

// givenStarts are the medians of the priors and the points that the caller knows.
func (e *evidence) givenStarts() [][]float64 {
	var given [][]float64
	if e.opt.Starts > 0 || len(e.opt.WarmStarts) == 0 {
		median := make([]float64, len(e.lo))
		for j := range median {
			median[j], _ = e.prior(j)
		}
		given = append(given, e.inside(median))
	}
	return append(given, e.warmStarts()...)
}

// warmStarts are the points that the caller knows.
func (e *evidence) warmStarts() [][]float64 {
	var earlier [][]float64
	for _, g := range e.opt.WarmStarts {
		if p := e.at(g); p != nil {
			earlier = append(earlier, e.inside(p))
		}
	}
	return earlier
}

// at is where the hyper-parameters of a process lie in the box; nil for no process, and for one of other inputs.
func (e *evidence) at(g *GP) []float64 {
	if g == nil {
		return nil
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
		p[e.d+1] = math.Log(g.Noise())
	}
	return p
}

// draw is a point of the box: around the medians of the priors, or, every other time, anywhere.
func (e *evidence) draw(i int, rng *rand.Rand) []float64 {
	p := make([]float64, len(e.lo))
	common := rng.NormFloat64() // lengthscales of one point resemble each other
	for j := range p {
		mean, sd := e.prior(j)
		z := rng.NormFloat64()
		if j < e.d {
			z = 0.8*common + 0.6*z
		}
		p[j] = mean + min(sd, 1.5)*z
		if j > e.d && i%2 == 0 { // much noise
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

// inside moves a point into the box, a little away from its faces, in place.
func (e *evidence) inside(p []float64) []float64 {
	for j := range p {
		margin := min(0.01, (e.hi[j]-e.lo[j])/2)
		p[j] = min(max(p[j], e.lo[j]+margin), e.hi[j]-margin)
	}
	return p
}

// climb runs L-BFGS from a start until it gains less than least, in coordinates u in which the box is all of space: θ =
// lo + (hi−lo)/(1+e^−u).
func (e *evidence) climb(ctx context.Context, start []float64, iterations int, least float64) localMax {
	m := len(start)
	theta := func(u []float64) (t, slope []float64) {
		t, slope = make([]float64, m), make([]float64, m)
		for j, v := range u {
			s := 1 / (1 + math.Exp(-v))
			t[j] = e.lo[j] + (e.hi[j]-e.lo[j])*s
			slope[j] = (e.hi[j] - e.lo[j]) * s * (1 - s)
		}
		return t, slope
	}
	u0 := make([]float64, m)
	for j, t := range start {
		if e.hi[j] > e.lo[j] { // what is held stays where it is: its slope is 0
			f := min(max((t-e.lo[j])/(e.hi[j]-e.lo[j]), 1e-6), 1-1e-6)
			u0[j] = math.Log(f / (1 - f))
		}
	}
	w := e.workspace()
	defer e.workspaces.Put(w)
	memo := model.NewMemo(m, func(u, grad []float64) float64 {
		if ctx.Err() != nil {
			return math.NaN()
		}
		t, slope := theta(u)
		v := e.value(t, grad, w)
		for j := range grad {
			grad[j] *= -slope[j]
		}
		return -v
	})
	result, err := model.Minimize(ctx, optimize.Problem{Func: memo.Func, Grad: memo.Grad}, u0,
		&optimize.Settings{MajorIterations: iterations, GradientThreshold: 1e-4,
			Converger: &optimize.FunctionConverge{Absolute: least, Iterations: 3}}, &optimize.LBFGS{})
	if err != nil || result == nil || math.IsNaN(result.F) {
		return localMax{start, math.Inf(-1)}
	}
	t, _ := theta(result.X)
	return localMax{t, -result.F}
}
