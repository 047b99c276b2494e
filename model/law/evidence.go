package law

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/model/kernel"
)

// leastNoise is the variance, of standardized targets, that stands for none where a noiseless determinant would be 0 or without bound.
const leastNoise = 1e-6

// LogEvidence is log p(y) of the Gaussian process under the NTK, with covariance ν²(Θ + σ²I), or the known variances in place of σ², over the rows of X (n×d in [−1, 1]^d).
// σ² below 1e-6 counts as 1e-6: without any noise smooth kernels are singular to rounding, and what is left is rounding's.
func LogEvidence(ctx context.Context, n kernel.Network, s Setup, X *mat.Dense, y []float64) (float64, error) {
	pair, err := n.Cross(ctx, X, X)
	if err != nil {
		return 0, err
	}
	rows, nu := len(y), s.scale()
	a := mat.NewSymDense(rows, nil)
	for i := range rows {
		for j := i; j < rows; j++ {
			a.SetSym(i, j, nu*nu*pair.NTK.At(i, j))
		}
		a.SetSym(i, i, a.At(i, i)+nu*nu*max(s.Noise(i), leastNoise))
	}
	var chol mat.Cholesky
	if _, err := gp.Factorize(&chol, a); err != nil {
		return 0, fmt.Errorf("the evidence of the networks: %w", err)
	}
	target, weights := mat.NewVecDense(rows, y), mat.NewVecDense(rows, nil)
	if err := model.Solved(chol.SolveVecTo(weights, target)); err != nil {
		return 0, err
	}
	return -0.5*mat.Dot(target, weights) - 0.5*chol.LogDet() - 0.5*float64(rows)*math.Log(2*math.Pi), nil
}

// Evidence is the log marginal likelihood over γ, and the γ that maximizes it.
type Evidence struct {
	Gamma, Log []float64 // the curve, γ ascending
	Best       float64   // the maximizer
	Max        float64   // the log evidence there
}

// The range of γ that is searched, and into how many points on a log scale.
const (
	leastGamma, greatestGamma = 0.2, 10
	gammaPoints               = 33
)

// FitGamma chooses σ_W = σ_b = γ by maximum marginal likelihood of the Gaussian process under the NTK: a grid over γ in [0.2, 10], refined
// around its best point by golden sections. It is the future work of Paria et al. 2022, App. G. n's own scales do not matter. Data that say
// nothing of γ (fewer than two) leave it where it is given.
func FitGamma(ctx context.Context, n kernel.Network, s Setup, X *mat.Dense, y []float64) (Evidence, error) {
	var failed error
	at := func(gamma float64) float64 {
		n.SigmaW, n.SigmaB = gamma, gamma
		v, err := LogEvidence(ctx, n, s, X, y)
		if err != nil {
			failed = err
			return math.Inf(-1)
		}
		return v
	}
	e := Evidence{Best: n.SigmaW, Max: math.Inf(-1)}
	best := 0
	for i := range gammaPoints {
		gamma := leastGamma * math.Pow(greatestGamma/leastGamma, float64(i)/(gammaPoints-1))
		v := at(gamma)
		if ctx.Err() != nil {
			return e, ctx.Err()
		}
		e.Gamma, e.Log = append(e.Gamma, gamma), append(e.Log, v)
		if v > e.Max {
			best, e.Best, e.Max = i, gamma, v
		}
	}
	if math.IsInf(e.Max, -1) {
		return e, failed
	}
	lo, hi := math.Log(e.Gamma[max(best-1, 0)]), math.Log(e.Gamma[min(best+1, gammaPoints-1)])
	ratio := (math.Sqrt(5) - 1) / 2
	for hi-lo > 1e-3 && ctx.Err() == nil {
		a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
		va, vb := at(math.Exp(a)), at(math.Exp(b))
		if va > vb {
			hi = b
		} else {
			lo = a
		}
		for _, p := range [2][2]float64{{a, va}, {b, vb}} {
			if p[1] > e.Max {
				e.Best, e.Max = math.Exp(p[0]), p[1]
			}
		}
	}
	return e, ctx.Err()
}

// Spectrum tells how much data say under a kernel matrix K (n×n) observed with noise of variance σ²: the information gain after each of the
// observations in their order, ½ log det(I + σ⁻²K) of the leading minors, and K's eigenvalues, the greatest first.
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
