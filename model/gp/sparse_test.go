package gp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// sparsePriors are priors of a process with a sparse prior of the lengthscales.
var sparsePriors = Priors{Sparsity: 0.1, ScaleMedian: 1.5, ScaleSD: 1, NoiseMedian: 1e-3, NoiseSD: 1.5}

// sparseData are n values of a function of the inputs 3 and 17 of d, standardized.
func sparseData(n, d int, seed uint64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(11, seed))
	X, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range y {
		for j := range d {
			X.Set(i, j, rng.Float64())
		}
		y[i] = math.Sin(6*X.At(i, 3)) + 1.5*math.Cos(4*X.At(i, 17))
	}
	mean, sd := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(n)
	}
	for _, v := range y {
		sd += (v - mean) * (v - mean) / float64(n)
	}
	for i := range y {
		y[i] = (y[i] - mean) / math.Sqrt(sd)
	}
	return X, y
}

// halfCauchy is the density of a half-Cauchy distribution (Eriksson & Jankowiak 2021, eq. 6).
func halfCauchy(x, scale float64) float64 { return 2 / (math.Pi * scale * (1 + x*x/(scale*scale))) }

// The log density is that of half-Cauchy distributions of τ and of ρ given τ, as densities of the logarithms of τ and of
// the lengthscales ℓ = ρ^−½: |dτ/dlog τ| = τ and |dρ/dlog ℓ| = 2ρ. Its slopes equal differences.
func TestSparsePriorIsHalfCauchy(t *testing.T) {
	X, y := sparseData(9, 20, 1)
	e := newEvidence(X, y, Options{Form: kernel.Matern52, FitNoise: true, Priors: &sparsePriors})
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		theta := make([]float64, len(e.hypers))
		for j := range theta {
			theta[j] = e.lo[j] + rng.Float64()*(e.hi[j]-e.lo[j])
		}
		tau := math.Exp(theta[e.shrinkage])
		want := math.Log(halfCauchy(tau, 0.1) * tau)
		for j := range 20 {
			rho := math.Exp(-2 * theta[j])
			want += math.Log(halfCauchy(rho, tau) * 2 * rho)
		}
		assert.InDelta(t, want, e.sparseLogPrior(theta, nil), 1e-10*(1+math.Abs(want)), "the log density")
		grad := make([]float64, len(theta))
		e.logPrior(theta, grad)
		slopes := fd.Gradient(nil, func(p []float64) float64 { return e.logPrior(p, nil) }, theta,
			&fd.Settings{Formula: fd.Central})
		for j := range grad {
			if math.Abs(grad[j]-slopes[j]) > 1e-6*(1+math.Abs(slopes[j])) {
				t.Errorf("the slope by hyperparameter %d is %g, by differences %g", j, grad[j], slopes[j])
			}
		}
		// the most probable shrinkage given the lengthscales
		e.setShrinkage(theta)
		best := e.sparseLogPrior(theta, nil)
		for _, amounts := range []float64{-1e-2, 1e-2} {
			theta[e.shrinkage] += amounts
			if v := e.sparseLogPrior(theta, nil); v > best {
				t.Errorf("a shrinkage that differs by %g has the log density %g, the most probable one %g", amounts, v, best)
			}
			theta[e.shrinkage] -= amounts
		}
	}
}

// The slopes of the evidence with a sparse prior equal differences, also with a kernel of an expression.
func TestSlopeOfTheSparseEvidence(t *testing.T) {
	X, y := sparseData(25, 20, 2)
	expression, err := kernel.Parse("se + linear")
	require.NoError(t, err)
	for _, opt := range []Options{{Form: kernel.Matern52, FitNoise: true, Priors: &sparsePriors},
		{Expression: &expression, FitNoise: true, Priors: &sparsePriors}} {
		e := newEvidence(X, y, opt)
		rng := rand.New(rand.NewPCG(5, 6))
		theta := make([]float64, len(e.hypers))
		for j := range theta {
			theta[j], _ = e.prior(j)
			theta[j] += 0.3 * rng.NormFloat64()
		}
		theta[e.noise] = math.Log(0.1)
		grad := make([]float64, len(theta))
		e.value(theta, grad, e.workspace())
		want := fd.Gradient(nil, func(p []float64) float64 { return e.value(p, nil, e.workspace()) }, theta,
			&fd.Settings{Formula: fd.Central})
		for j := range grad {
			if math.Abs(grad[j]-want[j]) > 1e-5*(1+math.Abs(want[j])) {
				t.Errorf("the slope by hyperparameter %d is %g, by differences %g", j, grad[j], want[j])
			}
		}
	}
}

// Of 30 inputs, two matter: after 40 values, their lengthscales are the two shortest in all draws, and the prediction of
// other values is better than without a sparse prior.
func TestSparsePriorFindsTheInputs(t *testing.T) {
	const n, d = 40, 30
	X, y := sparseData(n+200, d, 7)
	train, rest := X.Slice(0, n, 0, d).(*mat.Dense), X.Slice(n, n+200, 0, d).(*mat.Dense)
	rmse := func(p Priors) (float64, *Mixture) {
		opt := Options{Form: kernel.Matern52, FitNoise: true, Priors: &p, Starts: 1}
		rng := rand.New(rand.NewPCG(1, 2))
		mode, err := Fit(t.Context(), train, y[:n], d, opt, rng)
		require.NoError(t, err)
		m, err := Integrate(t.Context(), mode, train, y[:n], opt, 8, rng)
		require.NoError(t, err)
		mean, _, err := m.Predict(t.Context(), rest)
		require.NoError(t, err)
		sum := 0.0
		for i, v := range mean {
			sum += (v - y[n+i]) * (v - y[n+i]) / float64(len(mean))
		}
		return math.Sqrt(sum), m
	}
	sparse, m := rmse(sparsePriors)
	plain, _ := rmse(WeakPriors)
	for _, g := range m.Draws() {
		lengths, _, err := g.Describe()
		require.NoError(t, err)
		order := make([]int, d)
		for j := range order {
			order[j] = j
		}
		slices.SortFunc(order, func(a, b int) int {
			if lengths[a] < lengths[b] {
				return -1
			}
			return 1
		})
		slices.Sort(order[:2])
		if order[0] != 3 || order[1] != 17 {
			t.Errorf("the shortest lengthscales are those of the inputs %v: %.3g", order[:2], lengths)
		}
	}
	t.Logf("root mean squared error %.3g with a sparse prior, %.3g without", sparse, plain)
	if sparse > plain/3 {
		t.Errorf("the root mean squared error is %.3g, without a sparse prior %.3g", sparse, plain)
	}
}
