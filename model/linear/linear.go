// Package linear is Bayesian linear regression on features: the exact posterior over weights, for fewer data than
// features or fewer features than data, samples from it, and hyperparameters by maximum evidence (Bishop 2006, ch. 3).
// A Head predicts from features. It does not depend on their source: the last layers of networks are in model/nn,
// kernels in model/kernel.
package linear

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"bandscope/model"
	"bandscope/model/gp"
)

// Head is the posterior over the weights w of f = φ·w, w ~ N(0, prior·I), from observations with a noise variance. It
// is immutable and safe for concurrent use.
type Head struct {
	prior, noise float64 // variances
	phi          *mat.Dense
	y            []float64
	// factors of rows and targets that give all of them the same noise; nil if there are none
	scale   []float64
	weights []float64    // posterior mean, length m
	dual    mat.Cholesky // of prior ΦΦᵀ + noise I (n×n), where n < m
	primal  mat.Cholesky // of ΦᵀΦ/noise + I/prior (m×m), otherwise
	useDual bool         // n < m
}

// New conditions on features Φ (n×m; nil is no data, and then m is needed) and targets y. prior is the variance of each
// weight, noise that of the observations; both must be positive.
func New(phi *mat.Dense, y []float64, m int, prior, noise float64) (*Head, error) {
	if !(prior > 0) || !(noise > 0) {
		return nil, fmt.Errorf("the variances of weights and noise must be positive, got %g and %g", prior, noise)
	}
	h := &Head{prior: prior, noise: noise, phi: phi, y: y, weights: make([]float64, m), useDual: true}
	if phi == nil {
		return h, nil
	}
	n, cols := phi.Dims()
	if n != len(y) || cols != m {
		return nil, fmt.Errorf("want one target per row of features, got %d rows of %d features and %d targets",
			n, cols, len(y))
	}
	w := mat.NewVecDense(m, h.weights)
	target := mat.NewVecDense(n, append([]float64(nil), y...))
	h.useDual = n < m
	if h.useDual {
		a := mat.NewSymDense(n, nil)
		a.SymOuterK(prior, phi)
		for i := range n {
			a.SetSym(i, i, a.At(i, i)+noise)
		}
		if _, err := gp.Factorize(&h.dual, a); err != nil {
			return nil, fmt.Errorf("linear regression: %w", err)
		}
		if err := model.IgnoreCondition(h.dual.SolveVecTo(target, target)); err != nil {
			return nil, err
		}
		w.MulVec(phi.T(), target)
		w.ScaleVec(prior, w)
		return h, nil
	}
	a := mat.NewSymDense(m, nil)
	a.SymOuterK(1/noise, phi.T())
	for i := range m {
		a.SetSym(i, i, a.At(i, i)+1/prior)
	}
	if _, err := gp.Factorize(&h.primal, a); err != nil {
		return nil, fmt.Errorf("linear regression: %w", err)
	}
	w.MulVec(phi.T(), target)
	w.ScaleVec(1/noise, w)
	return h, model.IgnoreCondition(h.primal.SolveVecTo(w, w))
}

// minError is the smallest standard deviation of an observation, for standardized targets: smaller ones make no
// difference in floating point.
const minError = 1e-5

// NewFixedNoise is New with known standard deviations of single observations in known; where it is NaN, noise counts.
// An observation with another noise is scaled, features and target, to have the common one.
func NewFixedNoise(phi *mat.Dense, y, known []float64, m int, prior, noise float64) (*Head, error) {
	if known == nil || phi == nil {
		return New(phi, y, m, prior, noise)
	}
	scaled := mat.DenseCopyOf(phi)
	targets := slices.Clone(y)
	scale := make([]float64, len(y))
	for i := range scale {
		scale[i] = 1
		if !math.IsNaN(known[i]) {
			scale[i] = math.Sqrt(noise) / max(known[i], minError)
		}
		floats.Scale(scale[i], scaled.RawRowView(i))
		targets[i] *= scale[i]
	}
	h, err := New(scaled, targets, m, prior, noise)
	if err == nil {
		h.scale = scale
	}
	return h, err
}

// Noise is the variance of the observations.
func (h *Head) Noise() float64 { return h.noise }

// Weights are the posterior mean of the weights, length m.
func (h *Head) Weights() []float64 { return h.weights }

// Covariance is the posterior covariance of the weights times a vector of features φ: Sφ, length m.
func (h *Head) Covariance(phi []float64) []float64 {
	m := len(phi)
	f := mat.NewVecDense(m, phi)
	out := mat.NewVecDense(m, nil)
	if !h.useDual {
		if model.IgnoreCondition(h.primal.SolveVecTo(out, f)) != nil {
			out.Zero()
		}
		return out.RawVector().Data
	}
	out.ScaleVec(h.prior, f)
	if h.phi == nil {
		return out.RawVector().Data
	}
	n, _ := h.phi.Dims()
	k := mat.NewVecDense(n, nil)
	k.MulVec(h.phi, f)
	if model.IgnoreCondition(h.dual.SolveVecTo(k, k)) != nil {
		return out.RawVector().Data
	}
	back := mat.NewVecDense(m, nil)
	back.MulVec(h.phi.T(), k)
	out.AddScaledVec(out, -h.prior*h.prior, back)
	return out.RawVector().Data
}

// Predict is the mean and the standard deviation of the latent function at each row of features (q×m).
func (h *Head) Predict(phi *mat.Dense) (mean, sd []float64) {
	q, m := phi.Dims()
	mean, sd = make([]float64, q), make([]float64, q)
	mat.NewVecDense(q, mean).MulVec(phi, mat.NewVecDense(m, h.weights))
	var half *mat.Dense // the squares of a row sum to φᵀ(…)⁻¹φ
	switch {
	case h.phi == nil:
	case h.useDual:
		half = &mat.Dense{}
		half.Mul(phi, h.phi.T())
		halfSolve(&h.dual, half)
	default:
		half = mat.DenseCopyOf(phi)
		halfSolve(&h.primal, half)
	}
	for j := range q {
		v := 0.0
		if h.useDual {
			row := phi.RawRowView(j)
			v = h.prior * floats.Dot(row, row)
		}
		if half != nil {
			cut := floats.Dot(half.RawRowView(j), half.RawRowView(j))
			if h.useDual {
				cut *= -h.prior * h.prior
			}
			v += cut
		}
		sd[j] = math.Sqrt(math.Max(v, 0))
	}
	return mean, sd
}

// LeaveOneOut returns the mean and the standard deviation of the prediction of each target from all the others,
// including noise: with the leverage h of an observation, the share of its own target in its prediction, the others
// predict it by μ − h(y − μ)/(1 − h), with the variance noise/(1 − h) (Rasmussen & Williams 2006, eq. 5.12, for this
// covariance).
func (h *Head) LeaveOneOut() (mean, sd []float64, err error) {
	if h.phi == nil {
		return nil, nil, nil
	}
	mean, sd = h.Predict(h.phi)
	for i, s := range sd {
		leverage := min(s*s/h.noise, 1-1e-12)
		mean[i] -= leverage * (h.y[i] - mean[i]) / (1 - leverage)
		sd[i] = math.Sqrt(h.noise / (1 - leverage))
		if h.scale != nil {
			mean[i], sd[i] = mean[i]/h.scale[i], sd[i]/h.scale[i]
		}
	}
	return mean, sd, nil
}

// halfSolve replaces B by BU⁻¹ for the factor UᵀU.
func halfSolve(chol *mat.Cholesky, b *mat.Dense) {
	blas64.Trsm(blas.Right, blas.NoTrans, 1, chol.RawU().(*mat.TriDense).RawTriangular(), b.RawMatrix())
}

// Draw samples weights from the posterior: by Matheron's rule if there are fewer data than features, by the factor of
// the precision otherwise.
func (h *Head) Draw(rng *rand.Rand) []float64 {
	m := len(h.weights)
	w := mat.NewVecDense(m, nil)
	for i := range m {
		w.SetVec(i, rng.NormFloat64())
	}
	if !h.useDual {
		var l mat.TriDense
		h.primal.LTo(&l)
		z := mat.NewDense(m, 1, w.RawVector().Data)
		if model.IgnoreCondition(l.SolveTo(z, true, z)) != nil {
			return append([]float64(nil), h.weights...)
		}
		w.AddVec(w, mat.NewVecDense(m, h.weights)) // z is w's own memory
		return w.RawVector().Data
	}
	w.ScaleVec(math.Sqrt(h.prior), w)
	if h.phi == nil {
		return w.RawVector().Data
	}
	// The posterior mean is linear in the targets: a posterior sample is a prior sample plus the posterior mean of its
	// residuals.
	n, _ := h.phi.Dims()
	left := mat.NewVecDense(n, nil)
	left.MulVec(h.phi, w)
	for i := range n {
		left.SetVec(i, -left.AtVec(i)-math.Sqrt(h.noise)*rng.NormFloat64())
	}
	if model.IgnoreCondition(h.dual.SolveVecTo(left, left)) != nil {
		return append([]float64(nil), h.weights...)
	}
	back := mat.NewVecDense(m, nil)
	back.MulVec(h.phi.T(), left)
	w.AddScaledVec(w, h.prior, back)
	w.AddVec(w, mat.NewVecDense(m, h.weights))
	return w.RawVector().Data
}

// spectrum holds what the evidence depends on: the squared singular values of Φ, the squared projections of y on the
// left singular vectors, and the squared norm of the rest of y.
type spectrum struct {
	squares, parts []float64
	n              int
	outside        float64
}

func newSpectrum(phi *mat.Dense, y []float64) (spectrum, error) {
	var svd mat.SVD
	if !svd.Factorize(phi, mat.SVDThinU) {
		return spectrum{}, errors.New("the features have no singular value decomposition")
	}
	var u mat.Dense
	svd.UTo(&u)
	s := spectrum{n: len(y)}
	for _, v := range y {
		s.outside += v * v
	}
	for i, v := range svd.Values(nil) {
		p := mat.Dot(u.ColView(i), mat.NewVecDense(len(y), y))
		s.squares, s.parts = append(s.squares, v*v), append(s.parts, p*p)
		s.outside -= p * p
	}
	s.outside = math.Max(s.outside, 0)
	return s, nil
}

// log is the log evidence, log N(y; 0, prior ΦΦᵀ + noise I).
func (s spectrum) log(prior, noise float64) float64 {
	v := -0.5*float64(s.n)*math.Log(2*math.Pi) - 0.5*float64(s.n-len(s.squares))*math.Log(noise) - 0.5*s.outside/noise
	for i, sq := range s.squares {
		d := prior*sq + noise
		v -= 0.5 * (math.Log(d) + s.parts[i]/d)
	}
	return v
}

// FitEvidence chooses the variances of weights and noise that maximize the evidence, from several starts; the noise
// stays above least. The error is that of the context, or that the evidence is not finite for any variances.
func FitEvidence(ctx context.Context, phi *mat.Dense, y []float64, least float64) (prior, noise float64, err error) {
	s, err := newSpectrum(phi, y)
	if err != nil {
		return 0, 0, err
	}
	clampPrior := func(v float64) float64 { return math.Exp(math.Min(math.Max(v, math.Log(1e-6)), math.Log(1e6))) }
	clampNoise := func(v float64) float64 { return math.Exp(math.Min(math.Max(v, math.Log(least)), math.Log(10))) }
	best := math.Inf(-1)
	for _, p := range []float64{0.01, 1, 100} {
		for _, q := range []float64{least * 10, 1e-2, 0.5} {
			r, err := model.Minimize(ctx, optimize.Problem{Func: func(x []float64) float64 {
				return -s.log(clampPrior(x[0]), clampNoise(x[1]))
			}},
				[]float64{math.Log(p), math.Log(q)}, &optimize.Settings{FuncEvaluations: 400},
				&optimize.NelderMead{SimplexSize: 1})
			if err != nil {
				return 0, 0, err
			}
			if r != nil && -r.F > best {
				best = -r.F
				prior = clampPrior(r.X[0])
				noise = clampNoise(r.X[1])
			}
		}
	}
	if math.IsInf(best, -1) || math.IsNaN(best) {
		return 0, 0, errors.New("the evidence of the linear regression is not finite for any variances")
	}
	return prior, noise, nil
}
