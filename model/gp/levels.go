package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"bandscope/model"
	"bandscope/model/kernel"
	"bandscope/model/parallel"
)

// A search works at several levels: with more than levelsAbove observations, it finds maxima with half of them,
// recursively, and climbs from these with all. The evidence of half of the observations has about the same
// shape and half of the curvature, so that a climb begins with the inverse Hessian that the climb below has found. It
// then takes ten to twenty iterations, however many hyperparameters there are. The idea is that of multigrid methods
// (Nash 2000, A multigrid approach to discretized optimization problems).
//
// Data often have two explanations: short lengthscales with little noise, and long ones with much. Which one is better
// changes with the number of observations, and the second one may be no maximum at all with few. So every level starts
// from an explanation of either kind.
//
// With at most levelsAbove observations there is one level, if there are few lengthscales and priors keep them similar or
// short. Otherwise, and with one lengthscale and few observations, there are more maxima, for which multistart looks.
const (
	levelsAbove     = 150  // observations above which a search works at several levels
	levelStarts     = 8    // random points from which the climbs at the lowest level start, at least
	levelMaxima     = 2    // maxima of a level from which the level above starts, if they are of one kind
	levelClimb      = 5    // iterations from every start of a level
	levelTolerance  = 0.02 // nats: a climb below the highest level stops when it gains less within a few iterations
	levelDeficit    = 6    // nats below the best of a level at which a start is dropped after levelClimb
	kindDeficit     = 30   // the same for the best start of the other kind
	topDeficit      = 10   // the same for all starts at the highest level,
	topClimb        = 10   // where the others climb on for these iterations
	lastDeficit     = 1    // before those are dropped that are still so many nats below the best,
	fewDeficit      = 3    // or, with one level, so many
	fewMaxima       = 3    // levelMaxima with one level
	maxTopClimbs    = 3    // climbs to the best point, at most: one can end early where the evidence is nearly flat
	minTopGain      = 3e-3 // gain of such a climb, in nats, below which it is the last one
	noisyAbove      = 0.1  // standard deviation of the noise above which an explanation has much noise
	noisyNoise      = 0.3  // noise of a start with much noise,
	quietNoise      = 0.01 // and of one with little
	otherKindLength = 2.5  // ratio of the lengthscales of two explanations
)

// With more than shortClimbsAbove observations, where an iteration is expensive, the highest level trusts the level below
// more: it drops starts by their values there, and it ends a climb when the quadratic model of the evidence promises no
// gain. On 48 data sets of 310 to 800 observations, this and the full effort find the same maxima within 0.002 nats.
const (
	shortClimbsAbove = 300
	shortLevelClimb  = 4    // levelClimb
	shortTolerance   = 5e-3 // climbTolerance
	sameKindDeficit  = 4    // nats below the best maximum of the level below at which one of its kind is no start,
	otherKindDeficit = 15   // and one of the other kind
	artificialUpTo   = 500  // observations up to which a point of the other kind is a start if the level below has none
)

// effort says how long the climbs of a level are, and which starts are dropped.
type effort struct {
	short          bool // by the rules for more than shortClimbsAbove observations
	climb          int
	tolerance      float64
	deficit, other float64 // nats below the best start after the first climb, of its kind and of the other
	last           float64 // the same for both kinds, after topClimb
	maxima         int
}

// effort returns the effort of a level.
func (e *evidence) effort(top bool) effort {
	f := effort{climb: levelClimb, tolerance: levelTolerance, deficit: levelDeficit, other: kindDeficit, last: lastDeficit,
		maxima: levelMaxima}
	if !top {
		return f
	}
	f.tolerance, f.deficit, f.other = climbTolerance, topDeficit, topDeficit
	switch {
	case len(e.y) <= levelsAbove:
		f.maxima, f.last = fewMaxima, fewDeficit
	case len(e.y) > shortClimbsAbove:
		f.short, f.climb, f.tolerance = true, shortLevelClimb, shortTolerance
	}
	return f
}

// byLevels reports whether the search works at levels.
func (e *evidence) byLevels() bool {
	if len(e.y) > levelsAbove {
		return true
	}
	few := e.shape == 2 || e.shape == 3 || e.shape == 1 && len(e.y) > halvingAbove
	return few && e.family == nil && e.opt.Priors != nil && e.shrinkage < 0
}

// levels returns the maxima that it finds, best first, with their inverse Hessians. top says that the observations are
// all that there are.
func (e *evidence) levels(ctx context.Context, rng *rand.Rand, top bool) []localMax {
	f := e.effort(top)
	starts := e.levelStarts(ctx, rng, f.short)
	found := e.distinctMaxima(e.ascendAll(ctx, starts, f.climb, f.tolerance), f.maxima, f.deficit, f.other)
	if top && len(found) > 1 {
		found = e.distinctMaxima(e.ascendAll(ctx, found, topClimb, f.tolerance), f.maxima, f.last, f.last)
	}
	all := math.Inf(1)
	found = e.distinctMaxima(e.ascendAll(ctx, found, lastClimb, f.tolerance), f.maxima, all, all)
	if len(found) == 0 { // nowhere can the covariance matrix be factorized
		return []localMax{{theta: starts[0].theta, value: math.Inf(-1)}}
	}
	for range maxTopClimbs {
		if !top || f.short && e.gainAhead(found[0]) < minTopGain {
			break
		}
		again := e.ascend(ctx, found[0], lastClimb, f.tolerance)
		gain := again.value - found[0].value
		if gain > 0 {
			found[0] = again
		}
		if gain < minTopGain {
			break
		}
	}
	return found
}

// levelStarts returns the points from which the climbs of a level start: the maxima of the level below and a point of
// the other kind, or at the lowest level the best of many points; and the points of the caller. A short level has fewer.
func (e *evidence) levelStarts(ctx context.Context, rng *rand.Rand, short bool) (starts []localMax) {
	if len(e.y) > levelsAbove {
		starts = e.subsample(func() int { return rng.IntN(2) }).levels(ctx, rng, false)
		artificial := e.noise >= 0
		if short {
			var ofBothKinds bool
			starts, ofBothKinds = e.promising(starts)
			artificial = artificial && !ofBothKinds && len(e.y) <= artificialUpTo
		}
		for _, a := range starts {
			if a.inverseHessian != nil {
				a.inverseHessian.ScaleSym(0.5, a.inverseHessian)
			}
		}
		if artificial {
			starts = append(starts, localMax{theta: e.otherKind(starts[0].theta)})
		}
		for _, p := range e.warmStarts() {
			starts = append(starts, localMax{theta: p})
		}
		return starts
	}
	points := e.isotropicPoints()
	for i := range e.startFactor() * drawsPerParam * len(e.lo) {
		points = append(points, e.draw(i, rng))
	}
	count := e.startFactor() * max(levelStarts, e.opt.Starts)
	for _, p := range append(e.givenStarts(), e.distinct(e.values(ctx, points), count, math.Inf(-1))...) {
		starts = append(starts, localMax{theta: p})
	}
	return starts
}

// promising returns the maxima of the level below that are good enough there, and whether one is of the other kind than
// the first and best one.
func (e *evidence) promising(maxima []localMax) (starts []localMax, ofBothKinds bool) {
	best := maxima[0]
	for _, a := range maxima {
		deficit := float64(sameKindDeficit)
		other := e.noisy(a.theta) != e.noisy(best.theta)
		if other {
			deficit = otherKindDeficit
		}
		if a.value >= best.value-deficit {
			starts, ofBothKinds = append(starts, a), ofBothKinds || other
		}
	}
	return starts, ofBothKinds
}

// gainAhead returns the gain of the evidence by Newton's step from a maximum of a climb, half of the squared Newton
// decrement (Boyd & Vandenberghe 2004, §9.5.1), with the inverse Hessian of the climb; +∞ without one.
func (e *evidence) gainAhead(a localMax) float64 {
	if a.inverseHessian == nil {
		return math.Inf(1)
	}
	w := e.workspace()
	defer e.workspaces.Put(w)
	grad := mat.NewVecDense(len(a.theta), nil)
	e.descent(e.unbounded(a.theta), grad.RawVector().Data, w)
	return mat.Inner(grad, a.inverseHessian, grad) / 2
}

// distinctMaxima returns the best maxima, at most count, no two nearly the same and none of them more than deficit below
// the best; and the best one of the other kind, with much noise or with little, unless it is more than other below the
// best.
func (e *evidence) distinctMaxima(sorted []localMax, count int, deficit, other float64) (maxima []localMax) {
	kinds := map[bool]bool{}
	for _, a := range sorted {
		below, kind := sorted[0].value-a.value, e.noisy(a.theta)
		switch {
		case math.IsInf(a.value, -1) || kinds[kind] && (below > deficit || len(maxima) >= count):
		case !kinds[kind] && below > max(deficit, other):
		case slices.ContainsFunc(maxima, func(b localMax) bool { return e.same(a.theta, b.theta) }):
		default:
			maxima, kinds[kind] = append(maxima, a), true
		}
	}
	return maxima
}

// noisy reports whether a point explains much of the observations as noise.
func (e *evidence) noisy(theta []float64) bool {
	return e.noise >= 0 && theta[e.noise] > math.Log(noisyAbove)
}

// otherKind returns a point that explains much of the observations as noise, with longer lengthscales than a point that
// does not; or the opposite.
func (e *evidence) otherKind(theta []float64) []float64 {
	p := slices.Clone(theta)
	factor := math.Log(otherKindLength)
	noise := math.Log(noisyNoise)
	if e.noisy(theta) {
		factor, noise = -factor, math.Log(quietNoise)
	}
	for j := range p {
		switch e.kind(j) {
		case kernel.Length:
			p[j] += factor
		case kernel.Scale:
			p[j] += factor / 2
		case kernel.Noise:
			p[j] = noise
		}
	}
	return e.inside(p)
}

// ascendAll climbs from several points in parallel, and returns the points that it reaches, best first.
func (e *evidence) ascendAll(ctx context.Context, starts []localMax, iterations int, least float64) []localMax {
	found := make([]localMax, len(starts))
	parallel.Do(len(starts), func(i int) { found[i] = e.ascend(ctx, starts[i], iterations, least) })
	sortLocalMaxima(found)
	return found
}

// ascend is climb in coordinates v in which the inverse Hessian of the start, if it has one, is the unit matrix:
// u = u₀ + c L v with LLᵀ = H⁻¹, and c such that the first step of L-BFGS, which has length 1, is Newton's step. It
// also returns the inverse Hessian that follows from the gradients on the way.
func (e *evidence) ascend(ctx context.Context, from localMax, iterations int, least float64) localMax {
	m := len(from.theta)
	w := e.workspace()
	defer e.workspaces.Put(w)
	h := newCurvature(from.inverseHessian)
	valueAt := func(u, grad []float64) float64 {
		if ctx.Err() != nil {
			return math.NaN()
		}
		f := e.descent(u, grad, w)
		if !math.IsInf(f, 0) {
			h.add(u, grad)
		}
		return f
	}
	u0, g0 := e.unbounded(from.theta), make([]float64, m)
	f0 := valueAt(u0, g0)
	nowhere := localMax{theta: from.theta, value: math.Inf(-1)}
	if math.IsNaN(f0) || math.IsInf(f0, 0) {
		return nowhere
	}
	scale := newScaling(from.inverseHessian, u0, g0)
	memo := model.NewMemo(m, func(v, grad []float64) float64 {
		f, g := f0, g0
		if slices.ContainsFunc(v, func(x float64) bool { return x != 0 }) { // not the start
			g = make([]float64, m)
			f = valueAt(scale.point(v), g)
		}
		scale.gradient(g, grad)
		return f
	})
	result, err := model.Minimize(ctx, optimize.Problem{Func: memo.Func, Grad: memo.Grad}, make([]float64, m),
		&optimize.Settings{MajorIterations: iterations, GradientThreshold: 1e-6,
			Converger: &optimize.FunctionConverge{Absolute: least, Iterations: 3}}, &optimize.LBFGS{})
	if err != nil || result == nil || math.IsNaN(result.F) {
		return nowhere
	}
	theta, _ := e.bounded(scale.point(result.X))
	return localMax{theta: theta, value: -result.F, inverseHessian: h.inverse}
}

// scaling are the coordinates of ascend.
type scaling struct {
	origin []float64
	lower  *mat.TriDense // cL; nil for the unit matrix
}

func newScaling(inverse *mat.SymDense, origin, grad []float64) scaling {
	s := scaling{origin: origin}
	var chol mat.Cholesky
	if inverse == nil || !chol.Factorize(inverse) {
		return s
	}
	s.lower = mat.NewTriDense(len(origin), mat.Lower, nil)
	chol.LTo(s.lower)
	g := make([]float64, len(origin))
	s.gradient(grad, g)
	s.lower.ScaleTri(mat.Norm(mat.NewVecDense(len(g), g), 2), s.lower)
	return s
}

// point returns u = u₀ + cLv.
func (s scaling) point(v []float64) []float64 {
	u := mat.NewVecDense(len(v), slices.Clone(v))
	if s.lower != nil {
		u.MulVec(s.lower, mat.NewVecDense(len(v), v))
	}
	u.AddVec(u, mat.NewVecDense(len(v), s.origin))
	return u.RawVector().Data
}

// gradient writes the gradient by v, of the gradient g by u, to grad.
func (s scaling) gradient(g, grad []float64) {
	copy(grad, g)
	if s.lower != nil {
		mat.NewVecDense(len(g), grad).MulVec(s.lower.T(), mat.NewVecDense(len(g), g))
	}
}

// curvature is the inverse Hessian that follows from successive gradients.
type curvature struct {
	inverse *mat.SymDense // nil while nothing is known
	u, grad []float64     // the last point
}

func newCurvature(inverse *mat.SymDense) *curvature {
	c := &curvature{}
	if inverse != nil {
		c.inverse = mat.NewSymDense(inverse.SymmetricDim(), nil)
		c.inverse.CopySym(inverse)
	}
	return c
}

// add takes in the gradient at another point.
func (c *curvature) add(u, grad []float64) {
	m := len(u)
	u, grad = slices.Clone(u), slices.Clone(grad)
	if c.u != nil {
		s, y := mat.NewVecDense(m, nil), mat.NewVecDense(m, nil)
		s.SubVec(mat.NewVecDense(m, u), mat.NewVecDense(m, c.u))
		y.SubVec(mat.NewVecDense(m, grad), mat.NewVecDense(m, c.grad))
		if sy := mat.Dot(s, y); sy > 1e-8*mat.Norm(s, 2)*mat.Norm(y, 2) {
			c.update(s, y, sy)
		}
	}
	c.u, c.grad = u, grad
}

// update is the update of BFGS, H⁻¹ + (1 + yᵀH⁻¹y/sᵀy) ssᵀ/sᵀy − (H⁻¹y sᵀ + s yᵀH⁻¹)/sᵀy (Nocedal & Wright 2006,
// eq. 6.17). The first inverse Hessian is a multiple of the unit matrix (eq. 6.20).
func (c *curvature) update(s, y *mat.VecDense, sy float64) {
	if c.inverse == nil {
		c.inverse = mat.NewSymDense(s.Len(), nil)
		for j := range s.Len() {
			c.inverse.SetSym(j, j, sy/mat.Dot(y, y))
		}
	}
	var hy mat.VecDense
	hy.MulVec(c.inverse, y)
	c.inverse.SymRankOne(c.inverse, (1+mat.Dot(y, &hy)/sy)/sy, s)
	c.inverse.RankTwo(c.inverse, -1/sy, &hy, s)
}
