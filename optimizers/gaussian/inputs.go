package gaussian

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/gp"
	"bandscope/optimizers/space"
)

// EncodedGP is a process over the inputs of a domain. Its methods take points of the unit cube and encode them for the
// process, so that its functions are constant on a step of a discrete variable and do not depend on the order of
// choices (Garrido-Merchán & Hernández-Lobato 2020). Gradients are with respect to the points before the encoding.
type EncodedGP struct {
	*gp.Mixture
	in *space.Domain
}

// NewEncodedGP returns a process over the encoded inputs of a domain.
func NewEncodedGP(g *gp.GP, in *space.Domain) EncodedGP { return EncodedGP{gp.NewMixture(g), in} }

// Components returns the processes of the mixture, over the same inputs; only itself if there is one.
func (o EncodedGP) Components() (all []EncodedGP) {
	for _, g := range o.Draws() {
		all = append(all, NewEncodedGP(g, o.in))
	}
	return all
}

func (o EncodedGP) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	return o.Mixture.Predict(ctx, o.in.Encode(X))
}

// Means returns the posterior mean at each row of X.
func (o EncodedGP) Means(X *mat.Dense) []float64 { return o.Mixture.Means(o.in.Encode(X)) }

func (o EncodedGP) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	if !o.in.Encoded() {
		return o.Mixture.Gradient(x, dmean, dsd)
	}
	e := o.in.EncodeRow(x)
	byMean, bySD := make([]float64, len(e)), make([]float64, len(e))
	mean, sd = o.Mixture.Gradient(e, byMean, bySD)
	o.in.Slope(byMean, dmean)
	o.in.Slope(bySD, dsd)
	return mean, sd
}

func (o EncodedGP) Sample(ctx context.Context, X *mat.Dense, count int, rng *rand.Rand) (*mat.Dense, error) {
	return o.in.SampleSteps(X, func(X *mat.Dense) (*mat.Dense, error) {
		return o.Mixture.Sample(ctx, o.in.Encode(X), count, rng)
	})
}

func (o EncodedGP) PredictPairs(ctx context.Context, X, Z *mat.Dense) (atX, atZ gp.Moments, cov []float64, err error) {
	return o.Mixture.PredictPairs(ctx, o.in.Encode(X), o.in.Encode(Z))
}

func (o EncodedGP) Covariance(x, z, dx, dz []float64) float64 {
	if !o.in.Encoded() {
		return o.Mixture.Covariance(x, z, dx, dz)
	}
	ex, ez := o.in.EncodeRow(x), o.in.EncodeRow(z)
	byX, byZ := make([]float64, len(ex)), make([]float64, len(ez))
	cov := o.Mixture.Covariance(ex, ez, byX, byZ)
	o.in.Slope(byX, dx)
	o.in.Slope(byZ, dz)
	return cov
}

// Believe returns the process after observations at the rows of X that equal its own means there; see gp.GP.Believe.
func (o EncodedGP) Believe(ctx context.Context, X *mat.Dense) (EncodedGP, error) {
	g, err := o.Mixture.Believe(ctx, o.in.Encode(X))
	return EncodedGP{g, o.in}, err
}

// Gram returns the prior covariance of the rows of X with each other.
func (o EncodedGP) Gram(X *mat.Dense) *mat.SymDense { return o.Mixture.Gram(o.in.Encode(X)) }

// PriorCovariances returns the prior covariances of the values at the rows of X with those at the rows of Z.
func (o EncodedGP) PriorCovariances(X, Z *mat.Dense) *mat.Dense {
	return o.Mixture.PriorCovariances(o.in.Encode(X), o.in.Encode(Z))
}

// CrossCovariance returns the covariance of values with those at the rows of Z.
func (o EncodedGP) CrossCovariance(Z *mat.Dense) (CrossCovariance, error) {
	t, err := o.Mixture.CrossCovariance(o.in.Encode(Z))
	return CrossCovariance{t, o.in}, err
}

// CrossCovariance is the posterior covariance of values with those at given points; see gp.CrossCovariance.
type CrossCovariance struct {
	*gp.MixtureCovariance
	in *space.Domain
}

func (t CrossCovariance) Covariances(X *mat.Dense) *mat.Dense {
	return t.MixtureCovariance.Covariances(t.in.Encode(X))
}

func (t CrossCovariance) Gradient(x, cov []float64, slopes *mat.Dense) {
	if !t.in.Encoded() {
		t.MixtureCovariance.Gradient(x, cov, slopes)
		return
	}
	e := t.in.EncodeRow(x)
	byColumn := mat.NewDense(len(cov), len(e), nil)
	t.MixtureCovariance.Gradient(e, cov, byColumn)
	for i := range cov {
		t.in.Slope(byColumn.RawRowView(i), slopes.RawRowView(i))
	}
}

// Path draws a function from the posterior; see gp.GP.Path.
func (o EncodedGP) Path(features int, rng *rand.Rand) (Path, error) {
	p, err := o.Mixture.Path(features, rng)
	return Path{p, o.in}, err
}

// Path is a function drawn from the posterior, over the unit cube.
type Path struct {
	*gp.Path
	in *space.Domain
}

func (p Path) Values(X *mat.Dense) []float64 { return p.Path.Values(p.in.Encode(X)) }

func (p Path) At(x []float64) float64 { return p.Path.At(p.in.EncodeRow(x)) }

func (p Path) Gradient(x, grad []float64) float64 {
	if !p.in.Encoded() {
		return p.Path.Gradient(x, grad)
	}
	e := p.in.EncodeRow(x)
	byColumn := make([]float64, len(e))
	v := p.Path.Gradient(e, byColumn)
	p.in.Slope(byColumn, grad)
	return v
}

// independentLengthscales returns the indices of the lengthscales with independent priors: those of choices, which need
// not resemble those of numbers, and that of a fidelity.
func independentLengthscales(in *space.Domain, dim, fidelity int) (list []int) {
	tied := in.SharedLengthscales(dim)
	for c, j := range in.Columns(dim) {
		if j == fidelity || in.Choice(j) {
			list = append(list, tied[c])
		}
	}
	return list
}

// gapsPerLengthscale is the median lengthscale of an input with levels, in distances between neighbouring levels, if
// that is more than the median of a real input. A shorter one makes neighbouring levels nearly independent, so that all
// levels that were not seen have the same prediction. TestMixedRegret (-tags study) compares other values.
const gapsPerLengthscale = 2

// lengthFactors returns the factors of the median lengthscales of a mixed domain: for an input with levels, they make
// the median at least gapsPerLengthscale distances of neighbouring levels. It returns nil if all inputs are real.
func lengthFactors(in *space.Domain, dim int) []float64 {
	if !in.Mixed() {
		return nil
	}
	shared := in.SharedLengthscales(dim)
	factors := slices.Repeat([]float64{1}, slices.Max(shared)+1)
	median := integratedPriors.LengthMedian * math.Sqrt(float64(len(factors)))
	for c, j := range in.Columns(dim) {
		factors[shared[c]] = max(1, gapsPerLengthscale*in.LevelGap(j)/median)
	}
	return factors
}
