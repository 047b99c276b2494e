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

// Options configure the search for the hyperparameters.
type Options struct {
	Form       kernel.Form
	Expression *kernel.Expression // in place of the form; nil for a form
	FitNoise   bool               // whether the noise is fitted
	Noise      float64            // standard deviation of the noise if it is not fitted, for standardized targets
	// known standard deviations of the noise of single observations; NaN where the noise above applies, nil if it
	// applies to all
	NoiseSDs   []float64
	Blocks     []int   // of the observations, −1 for none; nil without a shift of blocks
	Length     float64 // fixed lengthscale of every input, in the unit cube; 0 if the lengthscales are fitted
	Priors     *Priors // log-normal priors of the hyperparameters; nil for flat ones over the box
	Short      bool    // whether the search has fewer random starting points, because WarmStarts has good ones
	Starts     int     // starting points of the search per input; 0 to start from WarmStarts alone
	WarmStarts []*GP   // processes whose hyperparameters the search also starts from
	HalveEarly bool    // whether half of the starting points are dropped early also with few observations
	// result of another search over these data, which the search returns unless it finds a better one; nil for none
	Incumbent          *GP
	SharedLengthscales []int // index of the lengthscale of every input, from 0 in order; nil for one each
	// factors by which the median of the prior of each lengthscale is multiplied; nil for 1
	LengthFactors []float64
	// Progress, if not nil, is called with the sweeps of Integrate that are done, and their number.
	Progress func(done, total int)
	// lengthscales of inputs of another kind, such as a fidelity, whose priors are independent of the others
	IndependentPriors []int
}

// The box of the hyperparameters, for inputs in the unit cube and standardized targets.
var (
	LengthBox = [2]float64{0.01, 10}
	ScaleBox  = [2]float64{0.05, 20}
	NoiseBox  = [2]float64{1e-6, 1}
)

// Priors are log-normal priors of the hyperparameters, for inputs in the unit cube and standardized targets: medians,
// and standard deviations of the logarithms.
type Priors struct {
	LengthMedian, LengthSD float64 // of a lengthscale
	DimensionScaled        bool    // the median lengthscale is multiplied by √d (after Hvarfner et al. 2024)
	// Correlation of the logarithms of any two lengthscales that are not in Options.IndependentPriors.
	Correlation float64
	// If positive, the lengthscales have a sparse prior with this scale α of the global shrinkage, in place of a
	// log-normal one; see sparseLogPrior.
	Sparsity             float64
	ScaleMedian, ScaleSD float64 // of the signal's standard deviation
	NoiseMedian, NoiseSD float64 // of the noise's standard deviation
}

// WeakPriors keep the fitted hyperparameters out of the corners of the box when there are few observations. The median
// lengthscale grows with √d, as distances in the cube do. The widths are such that a few observations outweigh the
// priors. The prior of the noise is narrow far above its median: in many dimensions, noise alone explains a few
// observations as well as any function, and a search with such a model has no reason to prefer one place to another.
// Real noise shows with more observations: 0.3 of the standard deviation of the targets costs 6 nats.
//
// If the lengthscales are independent, a few observations in many dimensions have more explanations than there are
// observations. Most of these use one or two inputs that happen to order the results. Each new observation then refutes
// one explanation and leads to another, and the search follows them into the corners of a plateau. The lengthscales are
// therefore correlated: inputs matter about equally, within a factor of about two, until the data show otherwise. A
// ratio of ten between two lengthscales costs at least 13 nats, however many observations there are.
var WeakPriors = Priors{LengthMedian: 0.3, LengthSD: 1, DimensionScaled: true, Correlation: 0.9, ScaleMedian: 1,
	ScaleSD: 1, NoiseMedian: 1e-2, NoiseSD: 1}

// prior returns the mean and the standard deviation of the logarithm of hyperparameter j. Without priors it returns
// those of WeakPriors, around which a search draws its starting points.
func (e *evidence) prior(j int) (mean, sd float64) {
	p := &WeakPriors
	if e.opt.Priors != nil {
		p = e.opt.Priors
	}
	switch h := e.hypers[j]; h.kind {
	case kernel.Length:
		if e.shrinkage >= 0 {
			return -math.Log(p.Sparsity) / 2, sparseLengthSD
		}
		mean := math.Log(p.LengthMedian)
		if p.DimensionScaled {
			mean += 0.5 * math.Log(float64(e.d))
		}
		if e.opt.LengthFactors != nil {
			mean += math.Log(e.opt.LengthFactors[h.input])
		}
		return mean, p.LengthSD
	case kernel.Scale:
		return math.Log(p.ScaleMedian), p.ScaleSD
	case kernel.Noise:
		return math.Log(p.NoiseMedian), p.NoiseSD
	case kernel.Block:
		return math.Log(blockMedian), blockLogSD
	case kernel.Shrinkage:
		return math.Log(p.Sparsity), shrinkageSD
	}
	return math.Log(shapeMedians[e.kind(j)]), 1
}

// shapeMedians are the medians of the priors of the hyperparameters that only expressions have; the standard deviations
// of their logarithms are 1. A period of 0.3 repeats about three times in the unit cube.
var shapeMedians = map[kernel.HyperKind]float64{kernel.PeriodicLength: 1, kernel.Period: 0.3, kernel.Alpha: 1,
	kernel.Bias: 1}

// logPrior returns the log prior up to a constant, and adds its gradient to grad unless that is nil. The correlation
// matrix of the m correlated lengthscales of a kernel is C = (1−ρ)I + ρ11ᵀ, with the inverse (I − ρ/(1+(m−1)ρ)
// 11ᵀ)/(1−ρ).
func (e *evidence) logPrior(theta, grad []float64) float64 {
	rho := e.opt.Priors.Correlation
	common := map[int]float64{} // of every kernel
	for j, h := range e.hypers {
		if _, ok := common[h.leaf]; ok || !e.hasSharedPrior(j) {
			continue
		}
		sum, m := 0.0, 0
		for k := range theta {
			if mean, sd := e.prior(k); e.hasSharedPrior(k) && e.hypers[k].leaf == h.leaf {
				sum, m = sum+(theta[k]-mean)/sd, m+1
			}
		}
		common[h.leaf] = sum * rho / (1 + float64(m-1)*rho)
	}
	rest := math.Round((1-rho)*1e15) / 1e15 // so that 1 − 0.9 is 0.1 to the last bit
	v := e.sparseLogPrior(theta, grad)
	for j := range theta {
		if e.hasSparsePrior(j) {
			continue
		}
		mean, sd := e.prior(j)
		z := (theta[j] - mean) / sd
		slope := z
		if e.hasSharedPrior(j) {
			slope = (z - common[e.hypers[j].leaf]) / rest
		}
		v -= z * slope / 2
		if grad != nil {
			grad[j] -= slope / sd
		}
	}
	return v
}

// hasSharedPrior reports whether hyperparameter j is a lengthscale whose prior is correlated with that of others.
func (e *evidence) hasSharedPrior(j int) bool {
	h := e.hypers[j]
	return h.kind == kernel.Length && e.shrinkage < 0 && !slices.Contains(e.opt.IndependentPriors, h.input)
}

// Fit finds the hyperparameters that maximize the marginal likelihood, times the priors if there are any, of
// standardized targets y at the rows of X, inputs in the unit cube. It returns the process with them. The search starts
// from several points drawn from rng, and stops soon after the context is canceled. With fewer than two observations,
// Fit returns the process with default hyperparameters.
func Fit(ctx context.Context, X *mat.Dense, y []float64, d int, opt Options, rng *rand.Rand) (*GP, error) {
	if opt.SharedLengthscales != nil && len(opt.SharedLengthscales) != d {
		return nil, fmt.Errorf("want a lengthscale for each of the %d inputs, got %d", d,
			len(opt.SharedLengthscales))
	}
	k, noise, err := defaultKernel(d, opt)
	if err != nil {
		return nil, err
	}
	if X == nil || len(y) < 2 {
		return NewBlocked(k, noise, opt.NoiseSDs, Blocks{Of: opt.Blocks}, X, y)
	}
	e := newEvidence(X, y, opt)
	best, value, err := e.search(ctx, rng)
	if err != nil {
		return nil, err
	}
	if math.IsInf(value, -1) {
		return nil, errors.New("the hyperparameter search found no covariance matrix that can be factorized")
	}
	k, noise = e.kernelAt(best)
	return NewBlocked(k, noise, opt.NoiseSDs, Blocks{opt.Blocks, e.blockSD(best)}, X, y)
}

// defaultKernel returns the kernel and the noise of a process without data, or an error if there is no valid kernel.
func defaultKernel(d int, opt Options) (kernel.Kernel, float64, error) {
	k, noise := defaults(d, opt)
	if opt.Expression == nil {
		return k, noise, k.Check(d)
	}
	f := opt.Expression.Family(d, opt.SharedLengthscales, opt.Length)
	values := make([]float64, len(f.Hyperparameters()))
	for i, h := range f.Hyperparameters() {
		switch h.Kind {
		case kernel.Length:
			values[i] = k.Lengths[0]
		case kernel.Scale:
			values[i] = 1
		default:
			values[i] = shapeMedians[h.Kind]
		}
	}
	return f.Kernel(values), noise, nil
}

// defaults returns the hyperparameters of a process without data.
func defaults(d int, opt Options) (kernel.Stationary, float64) {
	k := kernel.Stationary{Form: opt.Form, Scale: 1, Lengths: make([]float64, d)}
	free := d
	if opt.SharedLengthscales != nil {
		free = slices.Max(opt.SharedLengthscales) + 1
	}
	for j := range k.Lengths {
		k.Lengths[j] = opt.Length
		if opt.Length == 0 {
			k.Lengths[j] = 0.3 * math.Sqrt(float64(free)) / 1.5
		}
	}
	if opt.FitNoise {
		return k, 1e-3
	}
	return k, opt.Noise
}

// Hyperparameters returns those of the kernel in the order of its family (lengthscales and scale, or those of an
// expression), then the standard deviations of the noise and of the shifts of blocks. See FromHyperparameters.
func (g *GP) Hyperparameters() []float64 {
	var values []float64
	switch k := g.kernel.(type) {
	case kernel.Stationary:
		values = append(slices.Clone(k.Lengths), k.Scale)
	case *kernel.Composite:
		values = slices.Clone(k.Values())
	}
	return append(values, g.noise, g.blockSD)
}

// FromHyperparameters returns the process of d inputs without data that has given hyperparameters, as Hyperparameters
// lists them: to the last bit the process that Fit found with these options, without its data. The error reports values
// that no process with these options has.
func FromHyperparameters(d int, opt Options, values []float64) (*GP, error) {
	k, _, err := defaultKernel(d, opt)
	if err != nil {
		return nil, err
	}
	g := &GP{kernel: k}
	if want := len(g.Hyperparameters()); len(values) != want {
		return nil, fmt.Errorf("want %d hyperparameters, got %d", want, len(values))
	}
	total := len(values) - 2
	for i, v := range values {
		if !(v >= 0) || math.IsInf(v, 0) || v == 0 && i < total {
			return nil, fmt.Errorf("hyperparameter %d is %g", i+1, v)
		}
	}
	switch k := k.(type) {
	case kernel.Stationary:
		k.Lengths, k.Scale = slices.Clone(values[:total-1]), values[total-1]
		g.kernel = k
	case *kernel.Composite:
		g.kernel = k.Family().Kernel(slices.Clone(values[:total]))
	}
	g.noise, g.blockSD = values[total], values[total+1]
	return g, nil
}

// Describe returns the lengthscales and the signal standard deviation of a stationary process.
func (g *GP) Describe() (lengths []float64, scale float64, err error) {
	k, ok := g.kernel.(kernel.Stationary)
	if !ok {
		return nil, 0, fmt.Errorf("the kernel has no lengthscales")
	}
	return k.Lengths, k.Scale, nil
}
