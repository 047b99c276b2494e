package acquisition

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/search"
)

// JointPosterior is a surrogate whose values are jointly normal, with known covariances between them.
type JointPosterior interface {
	Differentiable
	// CrossCovariance returns the covariance of values with those at the rows of Z.
	CrossCovariance(Z *mat.Dense) (CrossCovariance, error)
	// Noise returns the standard deviation of the noise of a future observation.
	Noise() float64
}

// CrossCovariance is the covariance of values with those at m given points.
type CrossCovariance interface {
	// Covariances returns the covariances of the values at the rows of X with those at the given points, n×m.
	Covariances(X *mat.Dense) *mat.Dense
	// Gradient writes the covariances at one input to cov, and their gradients to the rows of slopes (m×d).
	Gradient(x, cov []float64, slopes *mat.Dense)
}

// KrigingBeliever is a surrogate that can take its own mean at given points as observations. Its mean does not change,
// and its standard deviation decreases around these points.
type KrigingBeliever interface {
	Believe(ctx context.Context, X *mat.Dense) (Moments, error)
}

// fantasy holds the moments from which a score is computed while points are pending, for a surrogate with a joint
// posterior. The outcomes at the pending points p are y = μ_p + L ε with ε ~ N(0, I) and LLᵀ the covariance of y. Given
// these outcomes, the mean at x moves by pull·ε, pull = L⁻¹ cov(p, x), and the remaining variance is σ² − |pull|².
type fantasy struct {
	of    JointPosterior
	tie   CrossCovariance
	lower *mat.TriDense // L, m×m
	mean  []float64     // at the pending points
}

// newFantasy returns the moments of a surrogate given the outcomes at the pending points. noise is the standard
// deviation of the noise of these outcomes; it is 0 if they are the values themselves.
func newFantasy(ctx context.Context, jointPosterior JointPosterior, out *mat.Dense, noise float64) (*fantasy, error) {
	f := &fantasy{of: jointPosterior}
	var err error
	f.mean, _, err = jointPosterior.Predict(ctx, out)
	if err != nil {
		return nil, err
	}
	f.tie, err = jointPosterior.CrossCovariance(out)
	if err != nil {
		return nil, err
	}
	m := len(f.mean)
	c := f.tie.Covariances(out)
	cov := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			cov.SetSym(i, j, (c.At(i, j)+c.At(j, i))/2)
		}
		cov.SetSym(i, i, max(cov.At(i, i), 0)+noise*noise+fantasyJitter)
	}
	var chol mat.Cholesky
	if _, err := gp.Factorize(&chol, cov); err != nil {
		return nil, err
	}
	f.lower = mat.NewTriDense(m, mat.Lower, nil)
	chol.LTo(f.lower)
	return f, nil
}

// fantasyJitter is the variance that is added to that of pending outcomes, for standardized targets. If two pending
// points are nearly the same, or a pending point is nearly an observed one, the covariance of the outcomes is singular.
const fantasyJitter = 1e-10

// moments returns the current mean, the remaining standard deviation, and the pull (n×m) at the rows of X.
func (f *fantasy) moments(ctx context.Context, X *mat.Dense) (mean, sd []float64, pull *mat.Dense, err error) {
	mean, sd, err = f.of.Predict(ctx, X)
	if err != nil {
		return nil, nil, nil, err
	}
	var solved mat.Dense
	if err := model.IgnoreCondition(f.lower.SolveTo(&solved, false, f.tie.Covariances(X).T())); err != nil {
		return nil, nil, nil, err
	}
	pull = mat.DenseCopyOf(solved.T())
	for i, s := range sd {
		rest := s * s
		for _, p := range pull.RawRowView(i) {
			rest -= p * p
		}
		sd[i] = math.Sqrt(max(rest, 0))
	}
	return mean, sd, pull, nil
}

// Predict returns the moments of the surrogate that believes its own mean at the pending points (Desautels et al. 2014,
// the hallucinated band).
func (f *fantasy) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	mean, sd, _, err = f.moments(ctx, X)
	return mean, sd, err
}

// slopes returns the moments at one input, and writes their gradients; dpull is m×d.
func (f *fantasy) slopes(x, dmean, dsd, pull []float64, dpull *mat.Dense) (mean, sd float64) {
	mean, before := f.of.Gradient(x, dmean, dsd)
	f.tie.Gradient(x, pull, dpull)
	blas64.Trsv(blas.NoTrans, f.lower.RawTriangular(), blas64.Vector{N: len(pull), Data: pull, Inc: 1})
	blas64.Trsm(blas.Left, blas.NoTrans, 1, f.lower.RawTriangular(), dpull.RawMatrix())
	rest := before * before
	for _, p := range pull {
		rest -= p * p
	}
	sd = math.Sqrt(max(rest, 0))
	for j := range dsd {
		if sd == 0 {
			dsd[j] = 0
			continue
		}
		dsd[j] *= before
		for i, p := range pull {
			dsd[j] -= p * dpull.At(i, j)
		}
		dsd[j] /= sd
	}
	return mean, sd
}

// Gradient returns the remaining moments, and writes their gradients.
func (f *fantasy) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	return f.slopes(x, dmean, dsd, make([]float64, len(f.mean)), mat.NewDense(len(f.mean), len(x), nil))
}

// fantasies averages a score over outcomes of the pending points p. For expected improvement, the average is the joint
// expected improvement of the pending points and the next point x, minus that of the pending points alone, which does
// not depend on x: E max(y* − min(f_p, f_x), 0) = E max(y* − min f_p, 0) + E EI(x | f_p, min(y*, f_p)). The inner
// expectation is exact. The outer one is over a fixed quasi-random sample of ε (Wilson et al. 2018 for the
// reparameterization; Snoek et al. 2012 for fantasies), so that the average is smooth in x and has a gradient. It is
// computed in the log domain.
type fantasies struct {
	*fantasy
	draws *mat.Dense                                             // ε, S×m
	of    []func(mean, sd float64) (value, byMean, bySD float64) // score given each draw
	known [][]float64                                            // each draw's values at probably feasible points
}

// newFantasies draws outcomes of the pending points of an input.
func newFantasies(ctx context.Context, in optimizers.Input, f *fantasy, s Score) (*fantasies, error) {
	m := len(f.mean)
	a := &fantasies{fantasy: f, draws: mat.NewDense(s.Fantasies, m, nil)}
	if err := search.Halton(ctx, a.draws, in.Stream("fantasies")); err != nil {
		return nil, err
	}
	a.draws.Apply(func(_, _ int, u float64) float64 {
		return distuv.UnitNormal.Quantile(min(max(u, 1e-9), 1-1e-9))
	}, a.draws)
	var values mat.Dense
	values.Mul(a.draws, f.lower.T())
	counts, err := feasiblePending(ctx, in)
	if err != nil {
		return nil, err
	}
	for i := range s.Fantasies {
		var known []float64
		for j, v := range values.RawRowView(i) {
			if counts == nil || counts[j] {
				known = append(known, v+f.mean[j])
			}
		}
		a.of, a.known = append(a.of, s.Conditional(known)), append(a.known, known)
	}
	return a, nil
}

// feasiblePending reports for each pending point whether it is more likely than not within all limits. Outcomes at the
// other points do not count as the best. Without limits it returns nil.
func feasiblePending(ctx context.Context, in optimizers.Input) ([]bool, error) {
	if in.Feasible == nil {
		return nil, nil
	}
	p, err := in.Feasible.LogProbability(ctx, in.Pending)
	counts := make([]bool, len(p))
	for j, v := range p {
		counts[j] = v >= -math.Ln2
	}
	return counts, err
}

// score returns the logarithm of the mean of the scores over the draws, with its derivatives by the mean, by the
// standard deviation and, unless byPull is nil, by the pull.
func (a *fantasies) score(mean, sd float64, pull, byPull []float64) (v, byMean, bySD float64) {
	values := make([]float64, len(a.of))
	slopes := make([][2]float64, len(a.of))
	top := math.Inf(-1)
	for s, score := range a.of {
		moved := mean
		for j, e := range a.draws.RawRowView(s) {
			moved += pull[j] * e
		}
		values[s], slopes[s][0], slopes[s][1] = score(moved, sd)
		top = max(top, values[s])
	}
	clear(byPull)
	if math.IsInf(top, -1) {
		return top, 0, 0
	}
	sum := 0.0
	for s, value := range values {
		w := math.Exp(value - top)
		if w == 0 {
			continue
		}
		sum += w
		byMean += w * slopes[s][0]
		bySD += w * slopes[s][1]
		if byPull != nil {
			for j, e := range a.draws.RawRowView(s) {
				byPull[j] += w * slopes[s][0] * e
			}
		}
	}
	for j := range byPull {
		byPull[j] /= sum
	}
	return top + math.Log(sum/float64(len(values))), byMean / sum, bySD / sum
}

// fantasyRows is the number of inputs at which one goroutine averages between two checks of the context.
const fantasyRows = 32

// values returns the averages at the rows of X.
func (a *fantasies) values(ctx context.Context, X *mat.Dense) ([]float64, error) {
	mean, sd, pull, err := a.moments(ctx, X)
	if err != nil {
		return nil, err
	}
	err = parallel.Try((len(mean)+fantasyRows-1)/fantasyRows, func(batch int) error {
		for i := batch * fantasyRows; i < min((batch+1)*fantasyRows, len(mean)); i++ {
			mean[i], _, _ = a.score(mean[i], sd[i], pull.RawRowView(i), nil)
		}
		return ctx.Err()
	})
	return mean, err
}

// gradient returns the average at one input, and writes its gradient to grad.
func (a *fantasies) gradient(x, grad []float64) float64 {
	m, d := len(a.mean), len(x)
	pull, byPull := make([]float64, m), make([]float64, m)
	dmean := make([]float64, d)
	dsd := make([]float64, d)
	dpull := mat.NewDense(m, d, nil)
	mean, sd := a.slopes(x, dmean, dsd, pull, dpull)
	v, byMean, bySD := a.score(mean, sd, pull, byPull)
	for j := range grad {
		grad[j] = byMean*dmean[j] + bySD*dsd[j]
		for i, slope := range byPull {
			grad[j] += slope * dpull.At(i, j)
		}
	}
	return v
}

// improvementGiven returns log EI below y* = best, or below the least of the given values if that is less.
func improvementGiven(best float64) func(values []float64) func(mean, sd float64) (v, byMean, bySD float64) {
	return func(values []float64) func(mean, sd float64) (v, byMean, bySD float64) {
		least := leastOf(best, values)
		return func(mean, sd float64) (v, byMean, bySD float64) { return normdist.LogImprovement(mean, sd, least) }
	}
}

// DataWithPending returns the data of an input, with the posterior means at the pending points as further results
// (Ginsbourger et al. 2010, the kriging believer). It is for surrogates without a joint posterior: fitted to these
// data, they are certain at the pending points.
func (b *Posterior) DataWithPending(ctx context.Context) (optimizers.Data, error) {
	bands, err := b.Predict(ctx, b.In.Pending)
	if err != nil {
		return optimizers.Data{}, err
	}
	d := b.In.Data
	m := len(bands[0].Mean)
	return optimizers.Data{X: search.Stack(d.X, b.In.Pending), Y: search.Stack(d.Y, mat.NewDense(m, 1, bands[0].Mean)),
		Failed: d.Failed, Imports: d.Imports}, nil
}
