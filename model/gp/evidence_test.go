package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// The gradient of the evidence by matrix products equals differences, and for lengthscales also the sum over pairs, on
// data of several shapes, some with points that are close together.
func TestSlopeOfTheEvidence(t *testing.T) {
	for i, c := range []struct{ n, d int }{{2, 1}, {7, 1}, {23, 2}, {40, 5}, {65, 20}, {30, 40}} {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		X, y := mat.NewDense(c.n, c.d, nil), make([]float64, c.n)
		for i := range y {
			for j := range c.d {
				X.Set(i, j, rng.Float64())
				if i%3 == 2 {
					X.Set(i, j, X.At(i-1, j)+1e-4*rng.NormFloat64())
				}
			}
			y[i] = math.Sin(5*X.At(i, 0)) + 0.1*rng.NormFloat64()
		}
		for _, form := range []kernel.Form{kernel.SE, kernel.Matern52} {
			e := newEvidence(X, y, Options{Form: form, FitNoise: true})
			theta := make([]float64, c.d+2)
			for j := range theta {
				theta[j] = 0.3*math.Sqrt(float64(c.d))*rng.Float64() - 0.5
			}
			theta[c.d+1] = math.Log(0.1)
			w, grad := e.workspace(), make([]float64, len(theta))
			e.value(theta, grad, w)
			want := fd.Gradient(nil, func(p []float64) float64 {
				return e.value(p, nil, e.workspace())
			}, theta, &fd.Settings{Formula: fd.Central})
			pairs := pairSums(t, e, theta, X)
			for j := range grad {
				if math.Abs(grad[j]-want[j]) > 1e-6*(1+math.Abs(want[j])) {
					t.Errorf("n = %d, d = %d, %s: the slope by hyperparameter %d is %g, by differences %g", c.n, c.d,
						form.Name(), j, grad[j], want[j])
				}
				if j < c.d && math.Abs(grad[j]-pairs[j]) > 1e-10*(1+math.Abs(pairs[j])) {
					t.Errorf("n = %d, d = %d, %s: the slope by lengthscale %d is %.14g, summed over pairs %.14g", c.n,
						c.d, form.Name(), j, grad[j], pairs[j])
				}
			}
		}
	}
}

// pairSums returns the derivatives of the evidence by the logarithms of the lengthscales: ½ Σ_ij (α_iα_j − K⁻¹_ij) g_ij
// ((x_ic − x_jc)/ℓ_c)², summed over pairs.
func pairSums(t *testing.T, e *evidence, theta []float64, X *mat.Dense) []float64 {
	t.Helper()
	k, noise := e.unpack(theta)
	g, err := New(k, noise, X, e.y)
	require.NoError(t, err)
	var inverse mat.SymDense
	require.NoError(t, g.chol.InverseTo(&inverse))
	n, d := X.Dims()
	sums := make([]float64, d)
	for i := range n {
		for j := range n {
			_, slope := k.Radial(k.Square(X.RawRowView(i), X.RawRowView(j)))
			for c, l := range k.Lengths {
				off := (X.At(i, c) - X.At(j, c)) / l
				sums[c] += (g.alpha[i]*g.alpha[j] - inverse.At(i, j)) * slope * off * off / 2
			}
		}
	}
	return sums
}
