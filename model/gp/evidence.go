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
// shared by several, s, σ if it is fitted, σ_b with blocks, and τ with a sparse prior; or those of an expression in its
// order, σ, σ_b and τ. It is safe for concurrent use, with one workspace per goroutine.
type evidence struct {
	x              *mat.Dense // n×d
	y              []float64
	opt            Options
	family         *kernel.Family // of an expression; nil for a form
	hypers         []hyper
	lo, hi         []float64 // the box, in logarithms
	d              int       // number of lengthscales of a kernel
	noise, block   int       // indices of the noise and of the shifts of blocks; −1 if they are not fitted
	shrinkage      int       // index of the global shrinkage of a sparse prior; −1 without one
	shape          int       // number of hyperparameters other than scales and noise
	subsampleAbove int       // observations above which a search finds its starting points with half of them
	workspaces     *sync.Pool
}

// hyper says what a hyperparameter is.
type hyper struct {
	kind  kernel.HyperKind
	leaf  int // number of its kernel in an expression, from 0
	input int // number of the lengthscale in its kernel
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
	e := &evidence{x: X, y: y, opt: opt, d: d, noise: -1, block: -1, shrinkage: -1, subsampleAbove: subsampleAbove, workspaces: &sync.Pool{}}
	if opt.SharedLengthscales != nil {
		e.d = slices.Max(opt.SharedLengthscales) + 1
	}
	if opt.Expression != nil {
		e.family = opt.Expression.Family(d, opt.SharedLengthscales, opt.Length)
		for _, h := range e.family.Hyperparameters() {
			box := h.Box
			if h.Fixed > 0 {
				box = [2]float64{h.Fixed, h.Fixed}
			}
			e.add(hyper{h.Kind, h.Leaf, h.Input}, box)
		}
	} else {
		box := LengthBox
		if opt.Length > 0 {
			box = [2]float64{opt.Length, opt.Length}
		}
		for j := range e.d {
			e.add(hyper{kernel.Length, 0, j}, box)
		}
		e.add(hyper{kind: kernel.Scale}, ScaleBox)
	}
	if opt.FitNoise {
		e.noise = len(e.hypers)
		e.add(hyper{kind: kernel.Noise}, NoiseBox)
	}
	if opt.Blocks != nil {
		e.block = len(e.hypers)
		e.add(hyper{kind: kernel.Block}, BlockBox)
	}
	e.addShrinkage()
	return e
}

// add appends a hyperparameter with the box of its values.
func (e *evidence) add(h hyper, box [2]float64) {
	e.hypers = append(e.hypers, h)
	e.lo, e.hi = append(e.lo, math.Log(box[0])), append(e.hi, math.Log(box[1]))
	if h.kind != kernel.Scale && h.kind != kernel.Noise && h.kind != kernel.Block && h.kind != kernel.Shrinkage {
		e.shape++
	}
}

// kind returns the kind of hyperparameter j.
func (e *evidence) kind(j int) kernel.HyperKind { return e.hypers[j].kind }

// free reports whether any hyperparameter is not fixed.
func (e *evidence) free() bool {
	return !slices.Equal(e.lo, e.hi)
}

// inputs returns the number of inputs.
func (e *evidence) inputs() int {
	_, d := e.x.Dims()
	return d
}

// kernelAt returns the kernel and the noise at a point.
func (e *evidence) kernelAt(theta []float64) (kernel.Kernel, float64) {
	if e.family == nil {
		return e.unpack(theta)
	}
	return e.composite(theta)
}

// composite returns the kernel and the noise of an expression at a point.
func (e *evidence) composite(theta []float64) (*kernel.Composite, float64) {
	values := make([]float64, len(e.family.Hyperparameters()))
	for i := range values {
		values[i] = math.Exp(theta[i])
	}
	noise := e.opt.Noise
	if e.opt.FitNoise {
		noise = math.Exp(theta[e.noise])
	}
	return e.family.Kernel(values), noise
}

// unpack returns the kernel and the noise of a form at a point.
func (e *evidence) unpack(theta []float64) (kernel.Stationary, float64) {
	k := kernel.Stationary{Form: e.opt.Form, Lengths: make([]float64, e.inputs())}
	for c := range k.Lengths {
		k.Lengths[c] = e.opt.Length
		if e.opt.Length == 0 {
			k.Lengths[c] = math.Exp(theta[e.length(c)])
		}
	}
	k.Scale = math.Exp(theta[e.d])
	noise := e.opt.Noise
	if e.opt.FitNoise {
		noise = math.Exp(theta[e.noise])
	}
	return k, noise
}

// workspace is memory that successive evaluations of the evidence reuse.
type workspace struct {
	cov []float64 // K without noise, n×n, upper triangle
	// the factor g of the kernel's derivatives or, of an expression, the weights of pairs in the gradient; n×n, upper
	// triangle
	slope   []float64
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
	k, noise := e.kernelAt(theta)
	e.covariance(k, w, grad != nil)
	blocks := e.blockSD(theta)
	factor, ok := e.factorize(noise, blocks, w)
	if !ok {
		return math.Inf(-1)
	}
	v := e.likelihood(factor, w)
	if grad != nil {
		if _, ok := lapack64.Potri(factor); !ok {
			return math.Inf(-1)
		}
		byBlocks := e.blockGradient(blocks, w)
		switch k := k.(type) {
		case kernel.Stationary:
			e.gradient(k, noise, grad, w)
		case *kernel.Composite:
			e.compositeGradient(k, noise, grad, w)
		}
		if e.block >= 0 {
			grad[e.block] = byBlocks
		}
	}
	if e.opt.Priors == nil {
		return v
	}
	return v + e.logPrior(theta, grad)
}

// valueOfCovariance is value where the workspace holds the covariance of the kernel at the point.
func (e *evidence) valueOfCovariance(theta []float64, w *workspace) float64 {
	_, noise := e.kernelAt(theta)
	factor, ok := e.factorize(noise, e.blockSD(theta), w)
	if !ok {
		return math.Inf(-1)
	}
	v := e.likelihood(factor, w)
	if e.opt.Priors == nil {
		return v
	}
	return v + e.logPrior(theta, nil)
}

// likelihood returns the log marginal likelihood for the Cholesky factor of the covariance.
func (e *evidence) likelihood(factor blas64.Triangular, w *workspace) float64 {
	n := len(e.y)
	copy(w.alpha, e.y)
	alpha := blas64.Vector{N: n, Data: w.alpha, Inc: 1}
	blas64.Trsv(blas.Trans, factor, alpha) // many times faster than lapack's solution of one column
	blas64.Trsv(blas.NoTrans, factor, alpha)
	v := -0.5 * float64(n) * math.Log(2*math.Pi)
	for i, a := range w.alpha {
		v -= 0.5*a*e.y[i] + math.Log(w.factor[i*n+i])
	}
	return v
}

// covariance computes K and, for a form and if they are needed, the factors of its derivatives.
func (e *evidence) covariance(owner kernel.Kernel, w *workspace, slopes bool) {
	n := len(e.y)
	if k, ok := owner.(*kernel.Composite); ok {
		k.Within(e.x, w.cov)
		return
	}
	k := owner.(kernel.Stationary)
	k.Within(e.x, w.slope)
	slope := w.slope
	if !slopes {
		slope = nil
	}
	k.UpperRadials(n, w.slope, w.cov, slope)
}

// factorize computes the Cholesky factor of K + σ²I, with jitter if necessary, as in Factorize.
func (e *evidence) factorize(noise, blocks float64, w *workspace) (blas64.Triangular, bool) {
	n := len(e.y)
	variance := w.cov[0]
	for rel := 0.0; rel < 2e-4; rel = max(10*rel, 1e-10) {
		copy(w.factor, w.cov)
		for i := range n {
			if e.family != nil { // constant for a form
				variance = w.cov[i*n+i]
			}
			sd := noiseFor(e.opt.NoiseSDs, i, noise)
			w.factor[i*n+i] = (variance + sd*sd) * (1 + rel)
		}
		e.addBlocks(blocks, w)
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
		pull := w.factor[i*n : i*n+n]
		cov := w.cov[i*n : i*n+n]
		slope := w.slope[i*n : i*n+n]
		trace += a*a - pull[i]
		if e.opt.NoiseSDs == nil || math.IsNaN(e.opt.NoiseSDs[i]) {
			unknown += a*a - pull[i]
		}
		pull[i] = 0
		sum, total := 0.0, 0.0
		for j := i + 1; j < n; j++ {
			v := a*w.alpha[j] - pull[j] // twice ½, for both triangles
			sum += v * cov[j]
			v *= slope[j]
			pull[j] = v
			total += v
			w.of[j] += v
		}
		w.of[i] += total
		grad[e.d] += 2 * sum
	}
	e.weightedDistances(w)
	for c, l := range k.Lengths {
		grad[e.length(c)] += w.sums[c] / (l * l)
	}
	grad[e.d] += trace * k.Scale * k.Scale
	if e.opt.FitNoise {
		grad[e.noise] = unknown * noise * noise
	}
}

// compositeGradient is gradient for the kernel of an expression.
func (e *evidence) compositeGradient(k *kernel.Composite, noise float64, grad []float64, w *workspace) {
	clear(grad)
	n, unknown := len(e.y), 0.0
	for i, a := range w.alpha {
		weights, inverse := w.slope[i*n:i*n+n], w.factor[i*n:i*n+n]
		diagonal := a*a - inverse[i]
		if e.opt.NoiseSDs == nil || math.IsNaN(e.opt.NoiseSDs[i]) {
			unknown += diagonal
		}
		weights[i] = diagonal / 2
		for j := i + 1; j < n; j++ {
			weights[j] = a*w.alpha[j] - inverse[j] // twice ½, for both triangles
		}
	}
	k.AddHyperGradient(e.x, w.slope, grad)
	if e.opt.FitNoise {
		grad[e.noise] = unknown * noise * noise
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
