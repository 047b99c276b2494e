package widenet

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/model/parallel"
)

// minNoise is the variance, for standardized targets, that replaces 0 where a determinant without noise would be 0 or
// unbounded.
const minNoise = 1e-6

// LogEvidence is log p(y) of the Gaussian process under the NTK or, for NNGP, under the NNGP kernel, with covariance
// ν²(Θ + σ²I), or the known variances in place of σ², over the rows of X (n×d in [−1, 1]^d). σ² below 1e-6 counts as 1e-6: without any noise smooth kernels
// are singular up to rounding, and the result would be rounding errors.
func LogEvidence(ctx context.Context, n kernel.Network, s Setup, X *mat.Dense, y []float64) (float64, error) {
	pair, err := n.Cross(ctx, X, X)
	if err != nil {
		return 0, err
	}
	matrix := pair.NTK
	if s.Kind == NNGP {
		matrix = pair.NNGP
	}
	rows, nu := len(y), s.scale()
	a := mat.NewSymDense(rows, nil)
	for i := range rows {
		for j := i; j < rows; j++ {
			a.SetSym(i, j, nu*nu*matrix.At(i, j))
		}
		a.SetSym(i, i, a.At(i, i)+nu*nu*max(s.Noise(i), minNoise))
	}
	var chol mat.Cholesky
	if _, err := gp.Factorize(&chol, a); err != nil {
		return 0, fmt.Errorf("the evidence of γ: %w", err)
	}
	target, weights := mat.NewVecDense(rows, y), mat.NewVecDense(rows, nil)
	if err := model.IgnoreCondition(chol.SolveVecTo(weights, target)); err != nil {
		return 0, err
	}
	return -0.5*mat.Dot(target, weights) - 0.5*chol.LogDet() - 0.5*float64(rows)*math.Log(2*math.Pi), nil
}

// Evidence is the log marginal likelihood over γ, and the γ that maximizes it.
type Evidence struct {
	Gamma, Log []float64 // evaluated points, γ ascending
	Best       float64   // the maximizer
	Max        float64   // the log evidence there
}

// The searched range of γ, the number of initial points on a log scale, the tolerance of log γ, and the number of
// points of a curve.
const (
	minGamma, maxGamma = 0.2, 10
	firstGammas        = 9
	gammaTolerance     = 1e-3
	curveGammas        = 33
)

// FitGamma chooses σ_W = σ_b = γ by maximum marginal likelihood of the Gaussian process of LogEvidence: nine γ in [0.2,
// 10], evenly on a log scale, and from each of them without a better neighbour Brent's method, until log γ is known to
// 0.001. A peak between two of the nine that both have a better neighbour is missed. It is the future work of Paria et
// al. 2022, App. G. The scales of n have no effect. With fewer than two observations γ stays as given.
func FitGamma(ctx context.Context, n kernel.Network, s Setup, X *mat.Dense, y []float64) (Evidence, error) {
	points, err := peaks(ctx, evidenceOverGamma(ctx, n, s, X, y))
	if err != nil {
		return Evidence{Best: n.SigmaW, Max: math.Inf(-1)}, err
	}
	return evidenceFor(points), nil
}

// GammaCurve is FitGamma with a curve of 33 points, for display.
func GammaCurve(ctx context.Context, n kernel.Network, s Setup, X *mat.Dense, y []float64) (Evidence, error) {
	e, err := FitGamma(ctx, n, s, X, y)
	if err != nil {
		return e, err
	}
	curve, err := gammas(ctx, curveGammas, evidenceOverGamma(ctx, n, s, X, y))
	shown := evidenceFor(curve)
	e.Gamma, e.Log = shown.Gamma, shown.Log
	return e, err
}

// evidenceOverGamma is the log evidence as a function of log γ.
func evidenceOverGamma(ctx context.Context, n kernel.Network, s Setup, X *mat.Dense,
	y []float64) func(log float64) (float64,
	error) {
	return func(log float64) (float64, error) {
		scaled := n
		scaled.SigmaW, scaled.SigmaB = math.Exp(log), math.Exp(log)
		return LogEvidence(ctx, scaled, s, X, y)
	}
}

// peaks searches for the maxima of a function of log γ, and returns all evaluated points.
func peaks(ctx context.Context, f func(log float64) (float64, error)) ([]peak, error) {
	first, err := gammas(ctx, firstGammas, f)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(first)
	for i, p := range first {
		low, high := first[max(i-1, 0)], first[min(i+1, len(first)-1)]
		if math.IsInf(p.value, -1) || p.value < low.value || p.value < high.value {
			continue
		}
		all = append(all, brentMax(low, p, high, func(log float64) float64 {
			v, err := f(log)
			if err != nil {
				return math.Inf(-1)
			}
			return v
		})...)
	}
	return all, ctx.Err()
}

// gammas is the evidence at count points of the range, evenly in log γ; −∞ where it cannot be computed. The error is
// that of the context, or of all of them.
func gammas(ctx context.Context, count int, f func(log float64) (float64, error)) ([]peak, error) {
	points, failed := make([]peak, count), make([]error, count)
	err := parallel.Try(count, func(i int) error {
		points[i].at = math.Log(minGamma) + math.Log(maxGamma/minGamma)*float64(i)/float64(count-1)
		points[i].value, failed[i] = f(points[i].at)
		if failed[i] != nil {
			points[i].value = math.Inf(-1)
		}
		return ctx.Err()
	})
	if err == nil && !slices.Contains(failed, nil) {
		err = failed[0]
	}
	return points, err
}

// evidenceFor sorts points by γ; the first of the largest is the maximum.
func evidenceFor(points []peak) Evidence {
	slices.SortStableFunc(points, func(a, b peak) int { return cmp.Compare(a.at, b.at) })
	e := Evidence{Max: math.Inf(-1)}
	for _, p := range points {
		gamma := math.Exp(p.at)
		e.Gamma, e.Log = append(e.Gamma, gamma), append(e.Log, p.value)
		if p.value > e.Max {
			e.Best, e.Max = gamma, p.value
		}
	}
	return e
}

// Spectrum returns the information in data under a kernel matrix K (n×n), observed with noise of variance σ²: the
// information gain after each of the observations in their order, ½ log det(I + σ⁻²K) of the leading minors, and K's
// eigenvalues, the largest first.
func Spectrum(K *mat.SymDense, sigma2 float64) (gain, eigenvalues []float64, err error) {
	n := K.SymmetricDim()
	if !(sigma2 > 0) {
		return nil, nil, fmt.Errorf("the information gain needs a noise variance above 0, got %g", sigma2)
	}
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, K.At(i, j)/sigma2)
		}
		a.SetSym(i, i, 1+a.At(i, i))
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		return nil, nil, fmt.Errorf("the matrix I + σ⁻²K has no Cholesky factor at σ² = %g", sigma2)
	}
	var l mat.TriDense
	chol.LTo(&l)
	sum := 0.0
	for i := range n { // det of a leading minor is the product of the squares on the factor's diagonal
		sum += math.Log(l.At(i, i))
		gain = append(gain, sum)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(K, false) {
		return nil, nil, fmt.Errorf("the kernel matrix has no eigenvalues")
	}
	values := eigen.Values(nil)
	for i := range values {
		eigenvalues = append(eigenvalues, max(values[n-1-i], 0))
	}
	return gain, eigenvalues, nil
}
