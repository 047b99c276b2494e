package gp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"bandscope/model"
	"bandscope/model/kernel"
	"bandscope/model/parallel"
)

// Options say how hyper-parameters are found.
type Options struct {
	Form     kernel.Form
	FitNoise bool      // find the noise too
	Noise    float64   // standard deviation of the noise where it is not found, for standardized targets
	Known    []float64 // standard deviations of the noise of single observations, which are taken as they are; NaN where the noise above counts, nil: everywhere
	Length   float64   // the lengthscale of every input where it is not found, in the unit cube; 0: it is found
	Prior    bool      // weak log-normal priors, which keep few data from running into the corners of the box
	Starts   int       // of the search, for every input; 0 starts from From alone
	From     []*GP     // processes whose hyper-parameters the search starts from too
	Best     *GP       // what another search over these data has found, for which only something better is exchanged; nil where there is none
	Tied     []int     // for every input the lengthscale that it has, numbered from 0 in order; nil: one each
	Own      []int     // lengthscales of inputs of another kind, such as a fidelity, which need not resemble the others'
}

// The box of the hyper-parameters, for inputs in the unit cube and standardized targets.
var (
	lengthBox = [2]float64{0.01, 10}
	scaleBox  = [2]float64{0.05, 20}
	noiseBox  = [2]float64{1e-6, 1}
)

// prior is the law of a hyper-parameter's logarithm, normal. The median lengthscale grows with √d, as distances in the cube do; the
// widths are such that a handful of data outweigh them. That of the noise is the narrowest where it matters, far above its median:
// a few data in many dimensions are explained as well by noise alone as by anything else, and a search that believes it sees no more
// reason to look in one place than in another. Noise that is there is seen in more data: 0.3 of the targets costs 6 nats.
func (e *evidence) prior(j int) (mean, sd float64) {
	switch {
	case j < e.d:
		return math.Log(0.3) + 0.5*math.Log(float64(e.d)), 1
	case j == e.d:
		return 0, 1
	}
	return math.Log(1e-2), 1
}

// alike is the correlation, in their prior, of the logarithms of any two lengthscales. Lengthscales of their own for every input explain
// a few data in many dimensions in more ways than there are data, most of them by an input or two that happen to order them; each new
// datum then refutes one way and leads to another, and a search follows them into the corners of a plateau. So inputs matter alike, within
// a factor of two or so, until data tell them apart: a lengthscale that is ten times another costs at least 13 nats, and no more with more data.
const alike = 0.9

// logPrior is the logarithm of the prior but for its constant; its gradient is added to grad unless that is nil. The correlation
// matrix of the m lengthscales that are alike is C = (1−ρ)I + ρ11ᵀ, whose inverse is (I − ρ/(1+(m−1)ρ) 11ᵀ)/(1−ρ).
func (e *evidence) logPrior(theta, grad []float64) float64 {
	sum, m := 0.0, 0
	for j := range e.d {
		if mean, sd := e.prior(j); e.alike(j) {
			sum, m = sum+(theta[j]-mean)/sd, m+1
		}
	}
	common := sum * alike / (1 + float64(m-1)*alike)
	v := 0.0
	for j := range theta {
		mean, sd := e.prior(j)
		z := (theta[j] - mean) / sd
		slope := z
		if e.alike(j) {
			slope = (z - common) / (1 - alike)
		}
		v -= z * slope / 2
		if grad != nil {
			grad[j] -= slope / sd
		}
	}
	return v
}

// alike reports whether a hyper-parameter is a lengthscale that is correlated with others.
func (e *evidence) alike(j int) bool { return j < e.d && !slices.Contains(e.opt.Own, j) }

// Fit finds the hyper-parameters that maximize the marginal likelihood of standardized targets y at the rows of X, inputs in
// the unit cube, and returns the process with them. The search starts from several points drawn from rng, and stops soon
// after the context is cancelled. With fewer than two data there is nothing to fit, and the hyper-parameters are usual ones.
func Fit(ctx context.Context, X *mat.Dense, y []float64, d int, opt Options, rng *rand.Rand) (*GP, error) {
	if opt.Tied != nil && len(opt.Tied) != d {
		return nil, fmt.Errorf("there must be a lengthscale for each of %d inputs, got %d", d, len(opt.Tied))
	}
	k, noise := defaults(d, opt)
	if err := k.Check(d); err != nil {
		return nil, err
	}
	if X == nil || len(y) < 2 {
		return NewKnown(k, noise, opt.Known, X, y)
	}
	e := newEvidence(X, y, opt)
	best, value, err := e.search(ctx, rng)
	if err != nil {
		return nil, err
	}
	if math.IsInf(value, -1) {
		return nil, errors.New("no start of the search for hyper-parameters led to a covariance matrix that can be factorized")
	}
	k, noise = e.unpack(best)
	return NewKnown(k, noise, opt.Known, X, y)
}

// defaults are the hyper-parameters of a process without data.
func defaults(d int, opt Options) (kernel.Stationary, float64) {
	k := kernel.Stationary{Form: opt.Form, Scale: 1, Lengths: make([]float64, d)}
	free := d
	if opt.Tied != nil {
		free = slices.Max(opt.Tied) + 1
	}
	for j := range k.Lengths {
		if k.Lengths[j] = opt.Length; opt.Length == 0 {
			k.Lengths[j] = 0.3 * math.Sqrt(float64(free)) / 1.5
		}
	}
	if opt.FitNoise {
		return k, 1e-3
	}
	return k, opt.Noise
}

// A search climbs a little from many points, goes on from the best few that differ, and then looks beside the best for a better one.
const (
	drawn      = 4   // points that are drawn, for every hyper-parameter
	firstClimb = 15  // iterations from every start
	finalists  = 5   // starts that go on
	lastClimb  = 100 // iterations from those, at most
	hops       = 3   // times that it looks beside the best
	scanned    = 8   // values of every hyper-parameter that it looks at there
	hopStarts  = 6   // points beside the best from which it climbs
	hopFinal   = 2   // of them that go on
	hopeless   = 10  // nats below the best after the first climb, from which a point does not go on
	many       = 50  // data, from which on not all starts are climbed from to the end
	far        = 25  // nats below the best, from which a point beside it is not climbed from
)

// ascent is a point of the box with its value.
type ascent struct {
	theta []float64
	value float64
}

// search returns the best point of the box that was found.
func (e *evidence) search(ctx context.Context, rng *rand.Rand) ([]float64, float64, error) {
	found := e.narrowed(ctx, e.starts(ctx, rng))
	known := e.climbAll(ctx, e.distinct(found, e.manifold()*finalists, found[0].value-hopeless), lastClimb)
	if e.opt.Starts == 0 {
		if p := e.at(e.opt.Best); p != nil {
			known = append(known, ascent{p, e.value(p, nil, e.desk())})
			sortAscents(known)
		}
		return known[0].theta, known[0].value, ctx.Err()
	}
	for range hops {
		best := known[0].value
		found := e.narrowed(ctx, e.beside(ctx, known))
		heads := e.distinct(found, hopFinal, best-1)
		if len(heads) == 0 || ctx.Err() != nil {
			break
		}
		known = append(known, e.climbAll(ctx, heads, lastClimb)...)
		sortAscents(known)
		if known[0].value < best+0.01 {
			break
		}
	}
	return known[0].theta, known[0].value, ctx.Err()
}

// beside are the most promising points that differ from the best in one hyper-parameter, or in that two lengthscales are exchanged:
// the evidence has a maximum for many a way to share the data among the inputs.
func (e *evidence) beside(ctx context.Context, known []ascent) [][]float64 {
	w, best := e.desk(), known[0].theta
	var pool []ascent
	try := func(change func(p []float64)) {
		p := slices.Clone(best)
		change(p)
		if ctx.Err() == nil && !slices.ContainsFunc(known, func(a ascent) bool { return e.same(a.theta, p) }) {
			pool = append(pool, ascent{p, e.value(p, nil, w)})
		}
	}
	for j := range best {
		for i := range scanned {
			try(func(p []float64) {
				p[j] = e.lo[j] + (e.hi[j]-e.lo[j])*float64(i)/(scanned-1)
				e.inside(p)
			})
		}
		for i := range min(j, e.d) {
			if j < e.d {
				try(func(p []float64) { p[i], p[j] = p[j], p[i] })
			}
		}
	}
	sortAscents(pool)
	return e.distinct(pool, hopStarts, known[0].value-far)
}

// narrowed climbs a little from several points. Where the data are many and each step dear, it climbs a third of that from all of them, and the rest of it from the better half of
// those that then differ (successive halving: Jamieson & Talwalkar 2016).
func (e *evidence) narrowed(ctx context.Context, starts [][]float64) []ascent {
	if len(e.y) <= many || len(starts) < 4 {
		return e.climbAll(ctx, starts, firstClimb)
	}
	found := e.climbAll(ctx, starts, firstClimb/3)
	return e.climbAll(ctx, e.distinct(found, len(starts)/2, math.Inf(-1)), firstClimb-firstClimb/3)
}

// climbAll climbs from several points at once, and returns where that led, the best first.
func (e *evidence) climbAll(ctx context.Context, starts [][]float64, iterations int) []ascent {
	found := make([]ascent, len(starts))
	parallel.Do(len(starts), func(i int) { found[i] = e.climb(ctx, starts[i], iterations) })
	sortAscents(found)
	return found
}

func sortAscents(found []ascent) {
	slices.SortStableFunc(found, func(a, b ascent) int { return cmp.Compare(b.value, a.value) })
}

// distinct are the best points, at most count and none below floor, none of which is nearly another.
func (e *evidence) distinct(sorted []ascent, count int, floor float64) [][]float64 {
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

// same reports whether two points of the box are nearly one: a climb from either leads to the same place. Lengthscales that are
// much longer than the cube, and noise that is much less than the targets, do not tell points apart.
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

// starts are the medians of the priors, the points that were given, and the best of many that are spread evenly, drawn around the medians, and
// drawn all over the box.
func (e *evidence) starts(ctx context.Context, rng *rand.Rand) [][]float64 {
	starts := e.given()
	if e.opt.Starts == 0 && len(e.opt.From) > 0 {
		return starts
	}
	points := e.evenly()
	for i := range e.manifold() * drawn * len(e.lo) {
		points = append(points, e.draw(i, rng))
	}
	w := e.desk()
	var pool []ascent
	for _, p := range points {
		if ctx.Err() != nil {
			break
		}
		pool = append(pool, ascent{p, e.value(p, nil, w)})
	}
	sortAscents(pool)
	return append(starts, e.distinct(pool, e.startCount(), math.Inf(-1))...)
}

// evenly are points at which all lengthscales are the same, of all sizes, with little and with much noise: where there are several
// inputs, few of the points that are drawn are so.
func (e *evidence) evenly() [][]float64 {
	var points [][]float64
	if e.d == 1 {
		return points
	}
	for i := range scanned {
		for _, noise := range []float64{1e-2, 0.3} {
			p := make([]float64, len(e.lo))
			for j := range p {
				switch {
				case j < e.d:
					p[j] = e.lo[j] + (e.hi[j]-e.lo[j])*float64(i)/(scanned-1)
				case j > e.d:
					p[j] = math.Log(noise)
				}
			}
			points = append(points, e.inside(p))
		}
	}
	return points
}

// startCount is how many of the drawn points are climbed from: so many an input as the evidence has the more maxima the more
// lengthscales there are, and fewer where many data leave fewer maxima and make each step dear.
func (e *evidence) startCount() int {
	few := min(1, math.Pow(50/float64(len(e.y)), 1.5))
	return e.manifold() * max(e.opt.Starts, int(float64(e.opt.Starts*e.d)*few))
}

// manifold is how many times more points are tried where no prior makes the lengthscales resemble each other, which leaves many more maxima.
func (e *evidence) manifold() int {
	if e.opt.Prior || e.d == 1 {
		return 1
	}
	return 3
}

// given are the medians of the priors and the points that the caller knows.
func (e *evidence) given() [][]float64 {
	var given [][]float64
	if e.opt.Starts > 0 || len(e.opt.From) == 0 {
		median := make([]float64, len(e.lo))
		for j := range median {
			median[j], _ = e.prior(j)
		}
		given = append(given, e.inside(median))
	}
	for _, g := range e.opt.From {
		if p := e.at(g); p != nil {
			given = append(given, e.inside(p))
		}
	}
	return given
}

// at is where the hyper-parameters of a process lie in the box; nil for no process, and for one of other inputs.
func (e *evidence) at(g *GP) []float64 {
	if g == nil {
		return nil
	}
	lengths, scale, err := g.Describe()
	if err != nil || len(lengths) != len(e.columns) {
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

// climb runs L-BFGS from a start, in coordinates u in which the box is all of space: θ = lo + (hi−lo)/(1+e^−u).
func (e *evidence) climb(ctx context.Context, start []float64, iterations int) ascent {
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
	w := e.desk()
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
	result, err := model.Minimize(ctx, optimize.Problem{Func: memo.Func, Grad: memo.Grad}, u0, &optimize.Settings{MajorIterations: iterations, GradientThreshold: 1e-4,
		Converger: &optimize.FunctionConverge{Absolute: 1e-7, Relative: 1e-9, Iterations: 5}}, &optimize.LBFGS{})
	if err != nil || result == nil || math.IsNaN(result.F) {
		return ascent{start, math.Inf(-1)}
	}
	t, _ := theta(result.X)
	return ascent{t, -result.F}
}

// Describe names the hyper-parameters of a stationary process for a person.
func (g *GP) Describe() (lengths []float64, scale float64, err error) {
	k, ok := g.kernel.(kernel.Stationary)
	if !ok {
		return nil, 0, fmt.Errorf("the kernel has no lengthscales")
	}
	return k.Lengths, k.Scale, nil
}
