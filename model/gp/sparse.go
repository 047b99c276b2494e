package gp

import (
	"math"

	"bandscope/model/kernel"
)

// The sparse axis-aligned subspace prior (SAAS: Eriksson & Jankowiak 2021, eq. 6 to 9): the global shrinkage τ has a
// half-Cauchy prior with scale α, and the inverse squared lengthscale ρ_i = 1/ℓ_i² of each input has a half-Cauchy
// prior with scale τ. Most inputs then have very long lengthscales, so that they have no effect, and a few that explain
// the data can have short ones, however many inputs there are. The signal and the noise have the priors of Priors.

// The boxes of a sparse prior. A lengthscale of 1000 leaves an input without any effect.
var (
	sparseLengthBox = [2]float64{0.01, 1000}
	shrinkageBox    = [2]float64{1e-5, 1e3}
)

// Widths around which a search draws starting points and from which slices begin, as standard deviations of the
// logarithms of lengthscales and of the shrinkage.
const (
	sparseLengthSD = 1.2
	shrinkageSD    = 1.5
)

// addShrinkage adds the global shrinkage if the prior is sparse and some lengthscale is free, and widens the box of the
// lengthscales.
func (e *evidence) addShrinkage() {
	if e.opt.Priors == nil || e.opt.Priors.Sparsity <= 0 {
		return
	}
	free := false
	for j, h := range e.hypers {
		if h.kind == kernel.Length && e.lo[j] < e.hi[j] {
			e.lo[j] = math.Log(sparseLengthBox[0])
			e.hi[j] = math.Log(sparseLengthBox[1])
			free = true
		}
	}
	if free {
		e.shrinkage = len(e.hypers)
		e.add(hyper{kind: kernel.Shrinkage}, shrinkageBox)
	}
}

// hasSparsePrior reports whether hyperparameter j is the global shrinkage, or a lengthscale with a sparse prior.
func (e *evidence) hasSparsePrior(j int) bool {
	k := e.kind(j)
	return e.shrinkage >= 0 && (k == kernel.Shrinkage || k == kernel.Length)
}

// sparseLogPrior returns the log density of the logarithms of the lengthscales and of the shrinkage, and adds its
// gradient to grad unless that is nil; 0 without a sparse prior. With u = log(ρ/τ) = −2 log ℓ − log τ, the density of
// log ℓ is 2/(π cosh u), and that of log τ is 1/(π cosh log(τ/α)).
func (e *evidence) sparseLogPrior(theta, grad []float64) float64 {
	if e.shrinkage < 0 {
		return 0
	}
	add := func(j int, slope float64) {
		if grad != nil {
			grad[j] += slope
		}
	}
	w := theta[e.shrinkage] - math.Log(e.opt.Priors.Sparsity)
	v := -math.Log(math.Pi) - logCosh(w)
	add(e.shrinkage, -math.Tanh(w))
	for j, t := range theta {
		if e.kind(j) != kernel.Length {
			continue
		}
		u := -2*t - theta[e.shrinkage]
		v += math.Log(2/math.Pi) - logCosh(u)
		add(j, 2*math.Tanh(u))
		add(e.shrinkage, math.Tanh(u))
	}
	return v
}

// logCosh is log cosh x, without overflow.
func logCosh(x float64) float64 {
	x = math.Abs(x)
	return x + math.Log1p(math.Exp(-2*x)) - math.Ln2
}

// setShrinkage sets the shrinkage of a point to its most probable value given the lengthscales, at which the slope of
// the prior, which decreases, is 0.
func (e *evidence) setShrinkage(theta []float64) {
	if e.shrinkage < 0 {
		return
	}
	lo, hi := e.lo[e.shrinkage], e.hi[e.shrinkage]
	for range 60 {
		t := (lo + hi) / 2
		slope := -math.Tanh(t - math.Log(e.opt.Priors.Sparsity))
		for j, v := range theta {
			if e.kind(j) == kernel.Length {
				slope += math.Tanh(-2*v - t)
			}
		}
		if slope > 0 {
			lo = t
		} else {
			hi = t
		}
	}
	theta[e.shrinkage] = (lo + hi) / 2
}

// shrinkageDirection is the direction in which all lengthscales grow and the shrinkage decreases, so that the ratios
// ρ/τ stay the same.
func (e *evidence) shrinkageDirection() []float64 {
	d := make([]float64, len(e.hypers))
	for j := range d {
		if e.kind(j) == kernel.Length && e.lo[j] < e.hi[j] {
			d[j] = 0.5
		}
	}
	d[e.shrinkage] = -1
	return d
}
