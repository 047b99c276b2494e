// Package classifier models the probability of an event as a function of the inputs: a latent Gaussian process f with
// P(event) = Φ(f), by expectation propagation. The result is a regression on pseudo-observations, each with its own
// noise, so package gp computes its moments, gradients and samples. It depends on no method.
package classifier

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/model/parallel"
)

// Latent is f = Mean + a Gaussian process with mean 0.
type Latent struct {
	*gp.GP
	Mean        float64 // averaged over the prior of f, Φ gives the share of the events
	Length      float64 // the lengthscale of every input
	LogEvidence float64 // logarithm of the approximate evidence
}

// lengths and scales are the hyperparameters that are tried: a few events, with one bit each, only support a coarse
// choice.
var (
	lengths = []float64{0.1, 0.17, 0.3, 0.55, 1}
	scales  = []float64{1, 2}
)

// Fit fits the model to events, or their absence, at the rows of X (n×d). Its hyperparameters, a standard deviation and
// a lengthscale that all inputs share (as it grows with √d), have the largest approximate evidence among a few
// candidates, under a log-normal prior of lengthscales around 0.3 √d; the kernel is Matérn 5/2.
func Fit(ctx context.Context, X *mat.Dense, happened []bool) (*Latent, error) {
	if X == nil || len(happened) == 0 {
		return nil, errors.New("a classifier needs observations")
	}
	_, d := X.Dims()
	found := make([]*Latent, len(lengths)*len(scales))
	if err := parallel.Try(len(found), func(i int) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := kernel.Stationary{Form: kernel.Matern52, Scale: scales[i%len(scales)], Lengths: make([]float64, d)}
		for j := range k.Lengths {
			k.Lengths[j] = lengths[i/len(scales)] * math.Sqrt(float64(d))
		}
		found[i], err = propagate(k, X, happened)
		return err
	}); err != nil {
		return nil, err
	}
	var best *Latent
	for i, l := range found {
		z := math.Log(lengths[i/len(scales)] / 0.3)
		l.LogEvidence -= z * z / 2
		if best == nil || l.LogEvidence > best.LogEvidence {
			best = l
		}
	}
	return best, nil
}

// Maximum number of sweeps over the sites, and when they have converged.
const (
	maxSweeps = 50
	tolerance = 1e-10
	minSite   = 1e-10 // of a site's precision: a certain event gives no information, and its noise must be finite
)

// sites are the normal approximations of the likelihoods in expectation propagation, by their natural parameters, with
// the posterior that they give.
type sites struct {
	k       *mat.SymDense
	mean    float64   // of f
	signs   []float64 // +1 where the event happened
	tau, nu []float64
	sigma   *mat.SymDense
	mu      []float64
	lower   *mat.TriDense // L, LLᵀ = I + S½ K S½, S = diag(τ)
}

// propagate is Rasmussen & Williams 2006, algorithm 3.5, with the likelihood Φ(±f). The result is a regression on ν/τ
// with the noise variance 1/τ.
func propagate(k kernel.Stationary, X *mat.Dense, happened []bool) (*Latent, error) {
	n, events := len(happened), 1.0
	s := &sites{k: k.Gram(X), signs: make([]float64, n), tau: make([]float64, n), nu: make([]float64, n),
		mu: make([]float64, n)}
	for i, y := range happened {
		s.signs[i] = -1
		if y {
			s.signs[i] = 1
			events++
		}
	}
	s.mean = distuv.UnitNormal.Quantile(events/float64(n+2)) * math.Sqrt(1+k.Scale*k.Scale)
	s.sigma = mat.NewSymDense(n, nil)
	s.sigma.CopySym(s.k)
	for range maxSweeps {
		moved := 0.0
		for i := range n {
			moved = max(moved, s.update(i))
		}
		if err := s.refresh(); err != nil {
			return nil, err
		}
		if moved < tolerance {
			break
		}
	}
	l := &Latent{Mean: s.mean, Length: k.Lengths[0], LogEvidence: s.evidence()}
	z, noise := make([]float64, n), make([]float64, n)
	for i := range z {
		tau := max(s.tau[i], minSite)
		z[i], noise[i] = s.nu[i]/tau, 1/math.Sqrt(tau)
	}
	var err error
	l.GP, err = gp.NewFixedNoise(k, 1, noise, X, z)
	return l, err
}

// cavity is the posterior of f at an observation without its site: precision and natural mean, then the moments after
// the exact likelihood.
func (s *sites) cavity(i int) (tau, nu, logZ, mean, variance float64) {
	tau = 1/s.sigma.At(i, i) - s.tau[i]
	nu = s.mu[i]/s.sigma.At(i, i) - s.nu[i]
	m, v := nu/tau, 1/tau
	root := math.Sqrt(1 + v)
	t := s.signs[i] * (s.mean + m) / root
	logZ, hazard := logCDF(t)
	return tau, nu, logZ, m + s.signs[i]*v*hazard/root, v - v*v*hazard*(t+hazard)/(1+v)
}

// update matches the moments at an observation, and returns the change of its site.
func (s *sites) update(i int) float64 {
	tau, nu, _, mean, variance := s.cavity(i)
	if !(tau > 0) || !(variance > 0) {
		return 0
	}
	newTau := max(1/variance-tau, 0)
	byTau, byNu := newTau-s.tau[i], mean/variance-nu-s.nu[i]
	s.tau[i], s.nu[i] = newTau, s.nu[i]+byNu
	n := len(s.mu)
	column := mat.NewVecDense(n, nil)
	for j := range n {
		column.SetVec(j, s.sigma.At(i, j))
	}
	s.sigma.SymRankOne(s.sigma, -byTau/(1+byTau*column.AtVec(i)), column)
	mu := mat.NewVecDense(n, s.mu)
	mu.MulVec(s.sigma, mat.NewVecDense(n, s.nu))
	return max(math.Abs(byTau), math.Abs(byNu))
}

// refresh computes the posterior again from the sites, without accumulated rounding errors.
func (s *sites) refresh() error {
	n := len(s.mu)
	b := mat.NewSymDense(n, nil)
	half := mat.NewDense(n, n, nil) // S½ K
	for i := range n {
		for j := range n {
			half.Set(i, j, math.Sqrt(s.tau[i])*s.k.At(i, j))
			if j >= i {
				b.SetSym(i, j, math.Sqrt(s.tau[i]*s.tau[j])*s.k.At(i, j))
			}
		}
		b.SetSym(i, i, b.At(i, i)+1)
	}
	var chol mat.Cholesky
	if _, err := gp.Factorize(&chol, b); err != nil {
		return err
	}
	s.lower = mat.NewTriDense(n, mat.Lower, nil)
	chol.LTo(s.lower)
	var v mat.Dense
	if err := model.IgnoreCondition(s.lower.SolveTo(&v, false, half)); err != nil {
		return err
	}
	s.sigma.SymOuterK(-1, v.T())
	s.sigma.AddSym(s.sigma, s.k)
	mu := mat.NewVecDense(n, s.mu)
	mu.MulVec(s.sigma, mat.NewVecDense(n, s.nu))
	return nil
}

// evidence is the logarithm of expectation propagation's approximation of the marginal likelihood (Rasmussen & Williams
// 2006, eq. 3.65, in the form of eq. 3.73 and 3.74).
func (s *sites) evidence() float64 {
	sum := 0.0
	for i := range s.mu {
		tau, nu, logZ, _, _ := s.cavity(i)
		m := nu / tau
		sum += logZ - math.Log(s.lower.At(i, i)) + math.Log1p(s.tau[i]/tau)/2
		sum += m * tau / (s.tau[i] + tau) * (s.tau[i]*m - 2*s.nu[i]) / 2
		sum += s.nu[i] * (s.mu[i] - s.nu[i]/(s.tau[i]+tau)) / 2
	}
	return sum
}

// logCDF is log Φ(t) and its slope φ(t)/Φ(t).
func logCDF(t float64) (v, slope float64) {
	const logSqrt2Pi = 0.91893853320467274178
	if t > -30 {
		v = math.Log(math.Erfc(-t/math.Sqrt2) / 2)
	} else { // the first terms of the tail's series
		r := 1 / (t * t)
		v = -t*t/2 - logSqrt2Pi - math.Log(-t) + math.Log1p(-r*(1-3*r*(1-5*r)))
	}
	return v, math.Exp(-t*t/2 - logSqrt2Pi - v)
}
