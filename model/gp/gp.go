// Package gp implements Gaussian-process regression, exact or through inducing inputs: the posterior with its gradient,
// joint and pathwise sampling, and hyperparameters by maximum marginal likelihood. Formulas are those of Rasmussen & Williams 2006, ch. 2
// and 5. Package kernel has the covariance functions, and package widenet the processes that follow from wide networks.
// The package keeps nothing from one fit to the next; package optimizers/gaussian caches fits.
package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/model/kernel"
	"bandscope/model/parallel"
)

// GP is the posterior of a zero-mean Gaussian process with a kernel and Gaussian observation noise, given n
// observations; with none it is the prior. It is immutable and safe for concurrent use.
type GP struct {
	kernel kernel.Kernel
	noise  float64 // standard deviation σ
	// standard deviations of the noise of single observations; NaN where it is σ, nil if it is σ for all
	noiseSDs []float64
	blocks   []int      // of the observations, −1 for none; nil if none has one
	blockSD  float64    // standard deviation of the shifts of blocks
	x        *mat.Dense // n×d, nil while n is 0
	y        []float64  // length n
	chol     mat.Cholesky
	lower    *mat.TriDense // L of K + σ²I = LLᵀ
	alpha    []float64     // (K + σ²I)⁻¹ y
	jitter   float64       // added to the diagonal
	// With inducing inputs, x are these and appended observations, y is that of the appended ones, and L belongs to the
	// covariance matrix of the pseudo-observations; nil if inference is exact.
	inducing *inducing
}

var _ model.Surrogate = (*GP)(nil)

// New conditions the process on the rows of X (n×d, or nil) and the targets y. It returns an error if the covariance
// matrix cannot be factorized even with jitter.
func New(k kernel.Kernel, noise float64, X *mat.Dense, y []float64) (*GP, error) {
	return NewFixedNoise(k, noise, nil, X, y)
}

// NewFixedNoise is New with known noise of single observations. known holds its standard deviations, NaN where the
// noise of the process applies; nil means that it applies to all.
func NewFixedNoise(k kernel.Kernel, noise float64, known []float64, X *mat.Dense, y []float64) (*GP, error) {
	return newGP(&GP{kernel: k, noise: noise, noiseSDs: known, x: X, y: y})
}

// newGP conditions a process on its data.
func newGP(g *GP) (*GP, error) {
	X := g.x
	y := g.y
	known := g.noiseSDs
	if X == nil {
		return g, nil
	}
	n, _ := X.Dims()
	if n != len(y) || known != nil && n != len(known) {
		return nil, fmt.Errorf("want one target per input, and one standard error per input or none; got %d inputs, %d targets and %d standard errors", n, len(y), len(known))
	}
	cov := g.kernel.Gram(X)
	for i := range n {
		noise := g.noiseAt(i)
		cov.SetSym(i, i, cov.At(i, i)+noise*noise)
	}
	addBlocks(cov, g.blocks, g.blockSD)
	var err error
	g.jitter, err = Factorize(&g.chol, cov)
	if err != nil {
		return nil, err
	}
	g.finish()
	return g, nil
}

// finish computes the fields that depend on the Cholesky factor.
func (g *GP) finish() {
	n := len(g.y)
	g.lower = mat.NewTriDense(n, mat.Lower, nil)
	g.chol.LTo(g.lower)
	g.alpha = slices.Clone(g.y)
	if math.IsInf(g.chol.Cond(), 1) {
		clear(g.alpha)
		return
	}
	g.solve(g.alpha)
}

// solve replaces v by (K + σ²I)⁻¹v.
func (g *GP) solve(v []float64) {
	vector := blas64.Vector{N: len(v), Data: v, Inc: 1}
	blas64.Trsv(blas.NoTrans, g.lower.RawTriangular(), vector)
	blas64.Trsv(blas.Trans, g.lower.RawTriangular(), vector)
}

// Factorize computes the Cholesky factorization. If necessary it adds jitter to the diagonal: 1e-10 of the mean
// diagonal at first, ten times more each time, up to 1e-4. It returns the jitter.
func Factorize(chol *mat.Cholesky, cov *mat.SymDense) (float64, error) {
	if chol.Factorize(cov) {
		return 0, nil
	}
	n := cov.SymmetricDim()
	mean := mat.Trace(cov) / float64(n)
	before := 0.0
	for rel := 1e-10; rel < 2e-4; rel *= 10 {
		jitter := rel * mean
		for i := range n {
			cov.SetSym(i, i, cov.At(i, i)+jitter-before)
		}
		before = jitter
		if chol.Factorize(cov) {
			return jitter, nil
		}
	}
	return 0, fmt.Errorf("the %d×%d covariance matrix is not positive definite, even with jitter %.1g on its diagonal",
		n, n, before)
}

// Kernel returns the covariance function.
func (g *GP) Kernel() kernel.Kernel { return g.kernel }

// Noise returns the standard deviation of the noise of observations whose own noise is not known.
func (g *GP) Noise() float64 { return g.noise }

// noiseAt returns the standard deviation of the noise of observation i.
func (g *GP) noiseAt(i int) float64 { return noiseFor(g.noiseSDs, i, g.noise) }

// noiseFor returns the known noise of observation i, or noise if it is not known.
func noiseFor(known []float64, i int, noise float64) float64 {
	if known == nil || math.IsNaN(known[i]) {
		return noise
	}
	return known[i]
}

// MaxNoise returns the greatest noise standard deviation of all observations; without observations, that of the
// process.
func (g *GP) MaxNoise() float64 {
	if s := g.inducing; s != nil {
		process := &GP{noise: g.noise, noiseSDs: s.noiseSDs, y: s.y}
		return process.MaxNoise()
	}
	if g.noiseSDs == nil || len(g.y) == 0 {
		return g.noise
	}
	most := 0.0
	for i := range g.y {
		most = max(most, g.noiseAt(i))
	}
	return most
}

// Jitter returns the jitter that was added to the diagonal of the covariance matrix; 0 for none.
func (g *GP) Jitter() float64 { return g.jitter }

// chunk is the number of inputs that are predicted between two checks of the context.
const chunk = 256

// Predict returns the posterior mean and standard deviation of the latent function at each row of X (m×d).
func (g *GP) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	m, d := X.Dims()
	mean, sd = make([]float64, m), make([]float64, m)
	if k, ok := g.kernel.(kernel.Stationary); ok && m == 1 && g.x != nil {
		mean[0], sd[0] = g.moments(k, X.RawRowView(0))
		return mean, sd, ctx.Err()
	}
	err = parallel.Try((m+chunk-1)/chunk, func(i int) error {
		from, end := i*chunk, min((i+1)*chunk, m)
		g.predict(X.Slice(from, end, 0, d).(*mat.Dense), mean[from:end], sd[from:end])
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	return mean, sd, nil
}

// moments returns the posterior mean and standard deviation at one input, as searches without a gradient need them often.
func (g *GP) moments(k kernel.Stationary, x []float64) (mean, sd float64) {
	n := len(g.y)
	both := make([]float64, 2*n)
	r2, cov := both[:n], both[n:]
	for i := range r2 {
		r2[i] = k.Square(x, g.x.RawRowView(i))
	}
	k.Radials(r2, cov, nil)
	mean = floats.Dot(g.alpha, cov)
	blas64.Trsv(blas.NoTrans, g.lower.RawTriangular(), blas64.Vector{N: n, Data: cov, Inc: 1})
	return mean, math.Sqrt(max(k.Scale*k.Scale-floats.Dot(cov, cov), 0))
}

// predict fills in the moments at the rows of X, and returns L⁻¹k(X_data, X), n×m; nil without data.
func (g *GP) predict(X *mat.Dense, mean, sd []float64) (v *mat.Dense) {
	variance := g.kernel.Diag(X)
	if g.x != nil {
		v = g.kernel.Cross(g.x, X)
		mv := mat.NewVecDense(len(mean), mean)
		mv.MulVec(v.T(), mat.NewVecDense(len(g.alpha), g.alpha))
		g.whiten(v)
		for i := range len(g.y) {
			for j, e := range v.RawRowView(i) {
				variance[j] -= e * e
			}
		}
	}
	for j, s := range variance {
		sd[j] = math.Sqrt(max(s, 0))
	}
	return v
}

// Mean returns the posterior mean at one input.
func (g *GP) Mean(x []float64) float64 {
	if g.x == nil {
		return 0
	}
	cov := g.kernel.Cross(g.x, mat.NewDense(1, len(x), x))
	sum := 0.0
	for i, a := range g.alpha {
		sum += a * cov.At(i, 0)
	}
	return sum
}

// Means returns the posterior mean at each row of X (m×d).
func (g *GP) Means(X *mat.Dense) []float64 {
	m, _ := X.Dims()
	means := make([]float64, m)
	if g.x == nil {
		return means
	}
	cov := g.kernel.Cross(g.x, X)
	for i, a := range g.alpha {
		floats.AddScaled(means, a, cov.RawRowView(i))
	}
	return means
}

// whiten replaces v (n×m) by L⁻¹v.
func (g *GP) whiten(v *mat.Dense) {
	blas64.Trsm(blas.Left, blas.NoTrans, 1, g.lower.RawTriangular(), v.RawMatrix())
}

// Gradient returns the posterior mean and standard deviation at one input, and writes their gradients to dmean and dsd,
// length d each. If the standard deviation is 0, so is its gradient. The kernel must be stationary or a composite.
func (g *GP) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	clear(dmean)
	clear(dsd)
	if k, ok := g.kernel.(*kernel.Composite); ok {
		return g.compositeGradient(k, x, dmean, dsd)
	}
	k := g.kernel.(kernel.Stationary)
	variance := k.Scale * k.Scale
	if g.x == nil {
		return 0, k.Scale
	}
	n := len(g.y)
	both := make([]float64, 2*n)
	slope, cov := both[:n], both[n:]
	for i := range slope {
		slope[i] = k.Square(x, g.x.RawRowView(i))
	}
	k.Radials(slope, cov, slope)
	mean = floats.Dot(g.alpha, cov)
	solved := blas64.Vector{N: n, Data: cov, Inc: 1}
	blas64.Trsv(blas.NoTrans, g.lower.RawTriangular(), solved)
	sd = math.Sqrt(max(variance-floats.Dot(cov, cov), 0))
	if sd > 0 {
		blas64.Trsv(blas.Trans, g.lower.RawTriangular(), solved)
		floats.Scale(-1/sd, cov) // the prior variance of a stationary kernel is constant
	} else {
		clear(cov)
	}
	for i, s := range slope {
		byMean, bySD := g.alpha[i]*s, cov[i]*s
		for j, v := range g.x.RawRowView(i) {
			dmean[j] += byMean * (v - x[j])
			dsd[j] += bySD * (v - x[j])
		}
	}
	for j, l := range k.Lengths {
		dmean[j] /= l * l
		dsd[j] /= l * l
	}
	return mean, sd
}

// compositeGradient is Gradient for a kernel whose variance may vary.
func (g *GP) compositeGradient(k *kernel.Composite, x, dmean, dsd []float64) (mean, sd float64) {
	variance := k.At(x, x)
	if g.x == nil {
		sd = math.Sqrt(variance)
		if sd > 0 {
			k.AddVariance(x, 0.5/sd, dsd)
		}
		return 0, sd
	}
	row := k.SlopesAt(x, g.x)
	mean = floats.Dot(g.alpha, row.Value)
	row.AddCross(dmean, g.alpha)
	solved := blas64.Vector{N: len(g.y), Data: slices.Clone(row.Value), Inc: 1}
	blas64.Trsv(blas.NoTrans, g.lower.RawTriangular(), solved)
	sd = math.Sqrt(max(variance-floats.Dot(solved.Data, solved.Data), 0))
	if sd > 0 {
		blas64.Trsv(blas.Trans, g.lower.RawTriangular(), solved)
		floats.Scale(-1/sd, solved.Data)
		row.AddCross(dsd, solved.Data)
		k.AddVariance(x, 0.5/sd, dsd)
	}
	return mean, sd
}

// Sample draws count functions jointly at the rows of X (m×d), as the rows of a count×m matrix.
func (g *GP) Sample(ctx context.Context, X *mat.Dense, count int, rng *rand.Rand) (*mat.Dense, error) {
	m, _ := X.Dims()
	mean, _, err := g.Predict(ctx, X)
	if err != nil {
		return nil, err
	}
	cov := g.kernel.Gram(X)
	if g.x != nil {
		v := g.kernel.Cross(g.x, X)
		g.whiten(v)
		var explained mat.Dense
		explained.Mul(v.T(), v)
		for i := range m {
			for j := i; j < m; j++ {
				cov.SetSym(i, j, cov.At(i, j)-explained.At(i, j))
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	z, err := Draw(mean, cov, count, rng)
	for prior, jitter := slices.Max(g.kernel.Diag(X)), minRounding; err != nil && jitter < 1e-8; jitter *= 10 {
		// the remaining variance is less than the rounding error of the prior variance
		for i := range m {
			cov.SetSym(i, i, max(cov.At(i, i), 0)+jitter*prior)
		}
		z, err = Draw(mean, cov, count, rng)
	}
	return z, err
}

// minRounding is the fraction of the prior variance that is lost to rounding in a difference of covariances.
const minRounding = 1e-14

// Draw draws count vectors from the normal distribution with a mean of length m and a covariance (m×m, overwritten), as
// the rows of a count×m matrix. A singular covariance, such as that of a posterior at its own data, gets the least
// jitter that makes it positive definite in floating point.
func Draw(mean []float64, cov *mat.SymDense, count int, rng *rand.Rand) (*mat.Dense, error) {
	m := len(mean)
	var chol mat.Cholesky
	if mat.Trace(cov) <= 0 {
		return repeat(mean, count), nil
	}
	if _, err := Factorize(&chol, cov); err != nil {
		return nil, fmt.Errorf("drawing samples: %w", err)
	}
	lower := mat.NewTriDense(m, mat.Lower, nil)
	chol.LTo(lower)
	z := mat.NewDense(count, m, nil)
	for i := range z.RawMatrix().Data {
		z.RawMatrix().Data[i] = rng.NormFloat64()
	}
	out := mat.NewDense(count, m, nil)
	out.Mul(z, lower.T())
	for i := range count {
		row := out.RawRowView(i)
		for j := range row {
			row[j] += mean[j]
		}
	}
	return out, nil
}

func repeat(mean []float64, count int) *mat.Dense {
	out := mat.NewDense(count, len(mean), nil)
	for i := range count {
		out.SetRow(i, mean)
	}
	return out
}

// LogMarginalLikelihood returns log p(y) = −½ yᵀ(K+σ²I)⁻¹y − ½ log|K+σ²I| − (n/2) log 2π; 0 without observations. With
// inducing inputs it returns that of the approximation, without appended observations.
func (g *GP) LogMarginalLikelihood() float64 {
	if g.x == nil {
		return 0
	}
	if g.inducing != nil {
		return g.inducing.evidence
	}
	fit := 0.0
	for i, a := range g.alpha {
		fit += a * g.y[i]
	}
	return -0.5*fit - 0.5*g.chol.LogDet() - 0.5*float64(len(g.y))*math.Log(2*math.Pi)
}
