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

// JointPosterior is a surrogate whose values are jointly normal, and which knows how they are tied to each other.
type JointPosterior interface {
	Differentiable
	// CrossCovariance ties values to those at the rows of Z.
	CrossCovariance(Z *mat.Dense) (CrossCovariance, error)
	// Noise is the standard deviation of the noise of an observation to come.
	Noise() float64
}

// CrossCovariance is the covariance of values with those at m places.
type CrossCovariance interface {
	// Covariances are those of the values at the rows of X with those at the places, n×m.
	Covariances(X *mat.Dense) *mat.Dense
	// Gradient is the covariances at one input, in cov, with the gradient of each as a row of slopes (m×d).
	Gradient(x, cov []float64, slopes *mat.Dense)
}

// KrigingBeliever is a surrogate that can be made to believe its own mean at some places: the moments it has then keep
// their mean, and are more certain around them.
type KrigingBeliever interface {
	Believe(ctx context.Context, X *mat.Dense) (Moments, error)
}

// fantasy are the moments that a score is taken of while points are out, for a surrogate that ties its values: when the
// outcomes there are known, y = μ_out + L ε with ε ~ N(0, I), LLᵀ the covariance of y, the mean at x will have moved by
// pull·ε, pull = L⁻¹ cov(out, x), and of the variance σ² − |pull|² is left.
type fantasy struct {
	of    JointPosterior
	tie   CrossCovariance
	lower *mat.TriDense // L, m×m
	mean  []float64     // at the points that are out
}

// newFantasy ties a surrogate to the points that are out; noise is that of what will be known of them: none for the
// values themselves.
func newFantasy(ctx context.Context, of JointPosterior, out *mat.Dense, noise float64) (*fantasy, error) {
	f := &fantasy{of: of}
	var err error
	if f.mean, _, err = of.Predict(ctx, out); err != nil {
		return nil, err
	}
	if f.tie, err = of.CrossCovariance(out); err != nil {
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

// fantasyJitter is the variance that is added to that of foreseen outcomes, of standardized targets: where two points
// that are out lie at nearly one place, or at a datum, their covariance is singular.
const fantasyJitter = 1e-10

// moments are the mean as it is now, the standard deviation that will be left, and the pull (n×m) at the rows of X.
func (f *fantasy) moments(ctx context.Context, X *mat.Dense) (mean, sd []float64, pull *mat.Dense, err error) {
	if mean, sd, err = f.of.Predict(ctx, X); err != nil {
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

// Predict makes the moments of a foreseen surrogate those of one that believes its mean at the points that are out
// (Desautels et al. 2014, the hallucinated band).
func (f *fantasy) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	mean, sd, _, err = f.moments(ctx, X)
	return mean, sd, err
}

// slopes are the moments at one input with their gradients; dpull is m×d.
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

// Gradient is that of the moments that will be left.
func (f *fantasy) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	return f.slopes(x, dmean, dsd, make([]float64, len(f.mean)), mat.NewDense(len(f.mean), len(x), nil))
}

// fantasies average a score over outcomes of the points that are out. For expected improvement that is the joint
// expected improvement of all these points and the next one, less what is expected of these alone, which does not
// depend on the next: E max(y* − min(f_out, f_x), 0) = E max(y* − min f_out, 0) + E EI(x | f_out, min(y*, f_out)). The
// inner expectation is exact, the outer one is over a fixed quasi-random sample of ε (Wilson et al. 2018 for the
// reparameterization; Snoek et al. 2012 for fantasies), so that it is smooth in x and can be climbed, and it stays in
// the log domain.
type fantasies struct {
	*fantasy
	draws *mat.Dense                                             // ε, S×m
	of    []func(mean, sd float64) (value, byMean, bySD float64) // of each draw
	known [][]float64                                            // the values that count, of each draw
}

// newFantasies draws outcomes of the points that are out of an input.
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

// feasiblePending are the points that are out of which it is more probable than not that they are within all limits: of
// the others no outcome would be the best. Without limits it is nil.
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

// score is the logarithm of the mean of the scores over the draws, with its derivatives by the mean, by the standard
// deviation, and by the pull where byPull is not nil.
func (a *fantasies) score(mean, sd float64, pull, byPull []float64) (v, byMean, bySD float64) {
	values := make([]float64, len(a.of))
	slopes := make([][2]float64, len(a.of))
	top := math.Inf(-1)
	for s, of := range a.of {
		moved := mean
		for j, e := range a.draws.RawRowView(s) {
			moved += pull[j] * e
		}
		values[s], slopes[s][0], slopes[s][1] = of(moved, sd)
		top = max(top, values[s])
	}
	clear(byPull)
	if math.IsInf(top, -1) {
		return top, 0, 0
	}
	sum := 0.0
	for s, one := range values {
		w := math.Exp(one - top)
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

// fantasyRows is at how many inputs one goroutine averages between two looks at the context.
const fantasyRows = 32

// values are the averages at the rows of X.
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

// gradient is the average at one input, with its gradient.
func (a *fantasies) gradient(x, grad []float64) float64 {
	m, d := len(a.mean), len(x)
	pull, byPull := make([]float64, m), make([]float64, m)
	dmean, dsd, dpull := make([]float64, d), make([]float64, d), mat.NewDense(m, d, nil)
	mean, sd := a.slopes(x, dmean, dsd, pull, dpull)
	v, byMean, bySD := a.score(mean, sd, pull, byPull)
	for j := range grad {
		grad[j] = byMean*dmean[j] + bySD*dsd[j]
		for i, by := range byPull {
			grad[j] += by * dpull.At(i, j)
		}
	}
	return v
}

// improvementGiven is log EI below y*, or below the least of the values that are known by then.
func improvementGiven(best float64) func(values []float64) func(mean, sd float64) (v, byMean, bySD float64) {
	return func(values []float64) func(mean, sd float64) (v, byMean, bySD float64) {
		least := best
		for _, f := range values {
			least = min(least, f)
		}
		return func(mean, sd float64) (v, byMean, bySD float64) { return normdist.LogImprovement(mean, sd, least) }
	}
}

// DataWithPending are the data of an input with what its posterior expects at the points that are out (Ginsbourger et
// al. 2010, the kriging believer), for surrogates that have no joint law: fitted to these, they are certain where the
// outcomes are to come.
func (b *Posterior) DataWithPending(ctx context.Context) (optimizers.Data, error) {
	bands, err := b.Predict(ctx, b.In.Pending)
	if err != nil {
		return optimizers.Data{}, err
	}
	d := b.In.Data
	m := len(bands[0].Mean)
	return optimizers.Data{X: search.Stack(d.X, b.In.Pending), Y: search.Stack(d.Y, mat.NewDense(m, 1, bands[0].Mean)),
		Failed: d.Failed}, nil
}
