package gp

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// evidence is the log marginal likelihood as a function of the logarithms of the hyperparameters: ℓ of every input or
// shared by several, s, and σ if it is fitted. It is safe for concurrent use, with one workspace per goroutine.
type evidence struct {
	x              *mat.Dense // n×d
	y              []float64
	opt            Options
	lo, hi         []float64 // the box, in logarithms
	d              int       // number of lengthscales
	subsampleAbove int       // observations above which a search finds its starting points with half of them
	workspaces     *sync.Pool
}

// length returns the index of the lengthscale of input c.
func (e *evidence) length(c int) int {
	if e.opt.SharedLengthscales == nil {
		return c
	}
	return e.opt.SharedLengthscales[c]
}

func newEvidence(X *mat.Dense, y []float64, opt Options) *evidence {
	_, d := X.Dims()
	e := &evidence{x: X, y: y, opt: opt, d: d, subsampleAbove: subsampleAbove, workspaces: &sync.Pool{}}
	if opt.SharedLengthscales != nil {
		e.d = slices.Max(opt.SharedLengthscales) + 1
	}
	add := func(box [2]float64) {
		e.lo, e.hi = append(e.lo, math.Log(box[0])), append(e.hi, math.Log(box[1]))
	}
	box := lengthBox
	if opt.Length > 0 {
		box = [2]float64{opt.Length, opt.Length}
	}
	for range e.d {
		add(box)
	}
	add(scaleBox)
	if opt.FitNoise {
		add(noiseBox)
	}
	return e
}

// inputs returns the number of inputs.
func (e *evidence) inputs() int {
	_, d := e.x.Dims()
	return d
}

// unpack returns the kernel and the noise at a point.
func (e *evidence) unpack(theta []float64) (kernel.Stationary, float64) {
	k := kernel.Stationary{Form: e.opt.Form, Lengths: make([]float64, e.inputs())}
	for c := range k.Lengths {
		if k.Lengths[c] = e.opt.Length; e.opt.Length == 0 {
			k.Lengths[c] = math.Exp(theta[e.length(c)])
		}
	}
	k.Scale = math.Exp(theta[e.d])
	noise := e.opt.Noise
	if e.opt.FitNoise {
		noise = math.Exp(theta[e.d+1])
	}
	return k, noise
}

// workspace is memory that successive evaluations of the evidence reuse.
type workspace struct {
	cov     []float64 // K without noise, n×n, upper triangle
	slope   []float64 // the factor g of the kernel's derivatives, n×n, upper triangle
	factor  []float64 // of K + σ²I, then its inverse, then the pulls (weights of pairs in the gradient), n×n
	alpha   []float64 // (K + σ²I)⁻¹ y
	of      []float64 // sum of the pulls of each observation
	sums    []float64 // weighted squared distances of each input
	product []float64 // n×d
}

// workspace returns a free workspace. The caller may put it back into the pool afterwards.
func (e *evidence) workspace() *workspace {
	if w, ok := e.workspaces.Get().(*workspace); ok {
		return w
	}
	n := len(e.y)
	d := e.inputs()
	return &workspace{cov: make([]float64, n*n), slope: make([]float64, n*n), factor: make([]float64, n*n),
		alpha: make([]float64, n), of: make([]float64, n),
		sums: make([]float64, d), product: make([]float64, n*d)}
}

// value returns the log marginal likelihood, plus the log prior if there is one, and writes its gradient to grad unless
// that is nil (Rasmussen & Williams 2006, eq. 5.8). It returns −∞ if the covariance matrix cannot be factorized.
func (e *evidence) value(theta, grad []float64, w *workspace) float64 {
	k, noise := e.unpack(theta)
	e.covariance(k, w)
	factor, ok := e.factorize(noise, w)
	if !ok {
		return math.Inf(-1)
	}
	n := len(e.y)
	copy(w.alpha, e.y)
	alpha := blas64.Vector{N: n, Data: w.alpha, Inc: 1}
	blas64.Trsv(blas.Trans, factor, alpha) // many times faster than lapack's solution of one column
	blas64.Trsv(blas.NoTrans, factor, alpha)
	v := -0.5 * float64(n) * math.Log(2*math.Pi)
	for i, a := range w.alpha {
		v -= 0.5*a*e.y[i] + math.Log(w.factor[i*n+i])
	}
	if grad != nil {
		if _, ok := lapack64.Potri(factor); !ok {
			return math.Inf(-1)
		}
		e.gradient(k, noise, grad, w)
	}
	if e.opt.Priors == nil {
		return v
	}
	return v + e.logPrior(theta, grad)
}

// covariance computes K and the factors of its derivatives.
func (e *evidence) covariance(k kernel.Stationary, w *workspace) {
	n := len(e.y)
	k.Within(e.x, w.slope)
	for i := range n {
		slope := w.slope[i*n+i : i*n+n]
		k.Radials(slope, w.cov[i*n+i:i*n+n], slope)
	}
}

// factorize computes the Cholesky factor of K + σ²I, with jitter if necessary, as in Factorize.
func (e *evidence) factorize(noise float64, w *workspace) (blas64.Triangular, bool) {
	n := len(e.y)
	variance := w.cov[0] // constant for a stationary kernel
	for rel := 0.0; rel < 2e-4; rel = max(10*rel, 1e-10) {
		copy(w.factor, w.cov)
		for i := range n {
			own := noiseFor(e.opt.NoiseSDs, i, noise)
			w.factor[i*n+i] = (variance + own*own) * (1 + rel)
		}
		if t, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: w.factor}); ok {
			return t, true
		}
	}
	return blas64.Triangular{}, false
}

// gradient computes ½ tr((ααᵀ − K⁻¹) ∂K/∂θ) for every θ (Rasmussen & Williams 2006, eq. 5.9). The workspace holds the
// inverse, which the pulls of pairs overwrite.
func (e *evidence) gradient(k kernel.Stationary, noise float64, grad []float64, w *workspace) {
	clear(grad)
	clear(w.of)
	n := len(e.y)
	trace, unknown := 0.0, 0.0 // of all observations, and of those whose noise is the fitted one
	for i, a := range w.alpha {
		pull, cov, slope := w.factor[i*n:i*n+n], w.cov[i*n:i*n+n], w.slope[i*n:i*n+n]
		trace += a*a - pull[i]
		if e.opt.NoiseSDs == nil || math.IsNaN(e.opt.NoiseSDs[i]) {
			unknown += a*a - pull[i]
		}
		pull[i] = 0
		sum, own := 0.0, 0.0
		for j := i + 1; j < n; j++ {
			v := a*w.alpha[j] - pull[j] // twice ½, for both triangles
			sum += v * cov[j]
			v *= slope[j]
			pull[j] = v
			own += v
			w.of[j] += v
		}
		w.of[i] += own
		grad[e.d] += 2 * sum
	}
	e.weightedDistances(w)
	for c, l := range k.Lengths {
		grad[e.length(c)] += w.sums[c] / (l * l)
	}
	grad[e.d] += trace * k.Scale * k.Scale
	if e.opt.FitNoise {
		grad[e.d+1] = unknown * noise * noise
	}
}

// center is the center of the unit cube. Relative to it, differences of squares lose fewer digits.
const center = 0.5

// weightedDistances writes Σ_{i<j} p_ij (x_ic − x_jc)² of every input c to the sums. With the upper triangle P of the
// pulls and their sums r per observation it is Σ_i r_i x_ic² − 2 x_cᵀPx_c, one product with a triangular matrix for all
// inputs.
func (e *evidence) weightedDistances(w *workspace) {
	n, d := e.x.Dims()
	clear(w.sums)
	for i := range n {
		for c, x := range e.x.RawRowView(i) {
			w.product[i*d+c] = x - center
		}
	}
	product := blas64.General{Rows: n, Cols: d, Stride: d, Data: w.product}
	blas64.Trmm(blas.Left, blas.NoTrans, 1,
		blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: n, Stride: n, Data: w.factor}, product)
	for i, r := range w.of {
		for c, x := range e.x.RawRowView(i) {
			w.sums[c] += (x - center) * (r*(x-center) - 2*w.product[i*d+c])
		}
	}
}
