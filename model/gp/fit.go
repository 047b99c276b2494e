package gp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// Options say how hyper-parameters are found.
type Options struct {
	Form     kernel.Form
	FitNoise bool    // find the noise too
	Noise    float64 // standard deviation of the noise where it is not found, for standardized targets
	// standard deviations of the noise of single observations, which are taken as they are; NaN where the noise above
	// counts, nil: everywhere
	NoiseSDs []float64
	Length   float64 // the lengthscale of every input where it is not found, in the unit cube; 0: it is found
	Priors   *Priors // log-normal priors of the hyper-parameters; nil: flat ones over the box
	// prior standard deviation of a constant mean that is integrated out; 0: the mean is 0
	Offset     float64
	Starts     int   // of the search, for every input; 0 starts from WarmStarts alone
	WarmStarts []*GP // processes whose hyper-parameters the search starts from too
	// what another search over these data has found, for which only something better is exchanged; nil where there is
	// none
	Incumbent          *GP
	SharedLengthscales []int // for every input the lengthscale that it has, numbered from 0 in order; nil: one each
	// lengthscales of inputs of another kind, such as a fidelity, which need not resemble the others'
	IndependentPriors []int
}

// The box of the hyper-parameters, for inputs in the unit cube and standardized targets.
var (
	lengthBox = [2]float64{0.01, 10}
	scaleBox  = [2]float64{0.05, 20}
	noiseBox  = [2]float64{1e-6, 1}
)

// Priors are log-normal priors of the hyper-parameters, for inputs in the unit cube and standardized targets: medians,
// and standard deviations of the logarithms.
type Priors struct {
	LengthMedian, LengthSD float64 // of a lengthscale
	DimensionScaled        bool    // the median lengthscale is multiplied by √d (after Hvarfner et al. 2024)
	// Correlation of the logarithms of any two lengthscales that are not in Options.IndependentPriors.
	Correlation          float64
	ScaleMedian, ScaleSD float64 // of the signal's standard deviation
	NoiseMedian, NoiseSD float64 // of the noise's standard deviation
}

// WeakPriors keep few data from running into the corners of the box when hyper-parameters are fitted. The median
// lengthscale grows with √d, as distances in the cube do; the widths are such that a handful of data outweigh them.
// That of the noise is the narrowest where it matters, far above its median: a few data in many dimensions are
// explained as well by noise alone as by anything else, and a search that believes it sees no more reason to look in
// one place than in another. Noise that is there is seen in more data: 0.3 of the targets costs 6 nats.
//
// Lengthscales of their own for every input explain a few data in many dimensions in more ways than there are data,
// most of them by an input or two that happen to order them; each new datum then refutes one way and leads to another,
// and a search follows them into the corners of a plateau. So lengthscales are correlated: inputs matter by nearly the
// same amount, within a factor of two or so, until data show otherwise. A lengthscale that is ten times another costs
// at least 13 nats, and no more with more data.
var WeakPriors = Priors{LengthMedian: 0.3, LengthSD: 1, DimensionScaled: true, Correlation: 0.9, ScaleMedian: 1,
	ScaleSD: 1, NoiseMedian: 1e-2, NoiseSD: 1}

// prior is the mean and the standard deviation of the logarithm of hyper-parameter j. Without priors it is that of
// WeakPriors, around which a search draws its starts.
func (e *evidence) prior(j int) (mean, sd float64) {
	p := &WeakPriors
	if e.opt.Priors != nil {
		p = e.opt.Priors
	}
	switch {
	case j < e.d && p.DimensionScaled:
		return math.Log(p.LengthMedian) + 0.5*math.Log(float64(e.d)), p.LengthSD
	case j < e.d:
		return math.Log(p.LengthMedian), p.LengthSD
	case j == e.d:
		return math.Log(p.ScaleMedian), p.ScaleSD
	}
	return math.Log(p.NoiseMedian), p.NoiseSD
}

// logPrior is the logarithm of the prior but for its constant; its gradient is added to grad unless that is nil. The
// correlation matrix of the m lengthscales that are correlated is C = (1−ρ)I + ρ11ᵀ, whose inverse is
// (I − ρ/(1+(m−1)ρ) 11ᵀ)/(1−ρ).
func (e *evidence) logPrior(theta, grad []float64) float64 {
	sum, m, rho := 0.0, 0, e.opt.Priors.Correlation
	for j := range e.d {
		if mean, sd := e.prior(j); e.hasSharedPrior(j) {
			sum, m = sum+(theta[j]-mean)/sd, m+1
		}
	}
	common := sum * rho / (1 + float64(m-1)*rho)
	v := 0.0
	for j := range theta {
		mean, sd := e.prior(j)
		z := (theta[j] - mean) / sd
		slope := z
		if e.hasSharedPrior(j) {
			slope = (z - common) / (1 - rho)
		}
		v -= z * slope / 2
		if grad != nil {
			grad[j] -= slope / sd
		}
	}
	return v
}

// hasSharedPrior reports whether a hyper-parameter is a lengthscale that is correlated with others.
func (e *evidence) hasSharedPrior(j int) bool {
	return j < e.d && !slices.Contains(e.opt.IndependentPriors, j)
}

// Fit finds the hyper-parameters that maximize the marginal likelihood of standardized targets y at the rows of X,
// inputs in the unit cube, and returns the process with them. The search starts from several points drawn from rng, and
// stops soon after the context is cancelled. With fewer than two data there is nothing to fit, and the hyper-parameters
// are usual ones.
func Fit(ctx context.Context, X *mat.Dense, y []float64, d int, opt Options, rng *rand.Rand) (*GP, error) {
	if opt.SharedLengthscales != nil && len(opt.SharedLengthscales) != d {
		return nil, fmt.Errorf("want a lengthscale for each of the %d inputs, got %d", d,
			len(opt.SharedLengthscales))
	}
	k, noise := defaults(d, opt)
	if err := k.Check(d); err != nil {
		return nil, err
	}
	if X == nil || len(y) < 2 {
		return NewFixedNoise(k, noise, opt.NoiseSDs, X, y)
	}
	e := newEvidence(X, y, opt)
	best, value, err := e.search(ctx, rng)
	if err != nil {
		return nil, err
	}
	if math.IsInf(value, -1) {
		return nil, errors.New("the hyperparameter search found no covariance matrix that can be factorized")
	}
	k, noise = e.unpack(best)
	return NewFixedNoise(k, noise, opt.NoiseSDs, X, y)
}

// defaults are the hyper-parameters of a process without data.
func defaults(d int, opt Options) (kernel.Stationary, float64) {
	k := kernel.Stationary{Form: opt.Form, Scale: 1, Lengths: make([]float64, d), Offset: opt.Offset}
	free := d
	if opt.SharedLengthscales != nil {
		free = slices.Max(opt.SharedLengthscales) + 1
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

// Describe names the hyper-parameters of a stationary process for a person.
func (g *GP) Describe() (lengths []float64, scale float64, err error) {
	k, ok := g.kernel.(kernel.Stationary)
	if !ok {
		return nil, 0, fmt.Errorf("the kernel has no lengthscales")
	}
	return k.Lengths, k.Scale, nil
}
