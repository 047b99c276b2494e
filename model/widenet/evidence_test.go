package widenet

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"bandscope/model/kernel"
)

// The evidence is the density of the targets under a normal law, written apart.
func TestEvidenceIsANormalDensity(t *testing.T) {
	n := network(kernel.Erf)
	pair, _ := n.Cross(context.Background(), train, train)
	cov := mat.NewSymDense(4, nil)
	for i := range 4 {
		for j := i; j < 4; j++ {
			cov.SetSym(i, j, 0.49*pair.NTK.At(i, j))
		}
		cov.SetSym(i, i, cov.At(i, i)+0.49*0.1)
	}
	normal, ok := distmv.NewNormal(make([]float64, 4), cov, nil)
	require.True(t, ok, "no normal law")
	got, err := LogEvidence(context.Background(), n, Setup{Sigma2: 0.1, Nu: 0.7}, train, y)
	if err != nil || math.Abs(got-normal.LogProb(y)) > 1e-9 {
		t.Errorf("log evidence %g (%v), the density %g", got, err, normal.LogProb(y))
	}
}

// Data drawn from the process at a γ have their evidence's maximum near it, and nowhere on a fine grid is there more.
func TestFitGammaFindsTheGammaOfTheData(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	X := mat.NewDense(40, 1, nil)
	for i := range 40 {
		X.Set(i, 0, -1+2*float64(i)/39)
	}
	for _, gamma := range []float64{0.7, 2, 5} {
		n := kernel.Network{Unit: kernel.Erf, Depth: 1, SigmaW: gamma, SigmaB: gamma}
		prior, err := New(context.Background(), n, Setup{Kind: Posterior}, nil, nil)
		require.NoError(t, err)
		draws, err := prior.Sample(context.Background(), X, 12, rng)
		require.NoError(t, err)
		logs := 0.0
		for i := range 12 {
			v := draws.RawRowView(i)
			for j := range v {
				v[j] += 0.03 * rng.NormFloat64()
			}
			e, err := FitGamma(context.Background(), n, Setup{Sigma2: 0.0009, Nu: 1}, X, v)
			require.NoError(t, err)
			logs += math.Log(e.Best) / 12
			if len(e.Gamma) > 24 {
				t.Errorf("γ = %g is found by %d looks at the evidence", e.Best, len(e.Gamma))
			}
			if i > 0 {
				continue
			}
			for g := 0.2; g <= 10; g *= 1.02 {
				m := kernel.Network{Unit: kernel.Erf, Depth: 1, SigmaW: g, SigmaB: g}
				if v, _ := LogEvidence(context.Background(), m, Setup{Sigma2: 0.0009, Nu: 1}, X, v); v > e.Max+1e-4 {
					t.Errorf("γ = %g has log evidence %g, above %g at the maximum %g", g, v, e.Max, e.Best)
				}
			}
		}
		if math.Abs(logs-math.Log(gamma)) > 0.25 {
			t.Errorf("drawn at γ = %g, found %g in the mean", gamma, math.Exp(logs))
		}
	}
}

// The gain is ½ log det(I + σ⁻²K) of the first data, from eigenvalues.
func TestSpectrum(t *testing.T) {
	n := network(kernel.ReLU)
	pair, _ := n.Cross(context.Background(), train, train)
	K := mat.NewSymDense(4, append([]float64(nil), pair.NTK.RawMatrix().Data...))
	gain, values, err := Spectrum(K, 0.01)
	require.NoError(t, err)
	trace := 0.0
	for i, v := range values {
		trace += v
		if i > 0 && v > values[i-1] {
			t.Errorf("eigenvalues are not in order: %v", values)
		}
	}
	if math.Abs(trace-mat.Trace(K)) > 1e-10 {
		t.Errorf("eigenvalues sum to %g, the trace is %g", trace, mat.Trace(K))
	}
	for m := 1; m <= 4; m++ {
		var eigen mat.EigenSym
		part := K.SliceSym(0, m).(*mat.SymDense)
		eigen.Factorize(part, false)
		want := 0.0
		for _, v := range eigen.Values(nil) {
			want += 0.5 * math.Log(1+v/0.01)
		}
		assert.InDelta(t, want, gain[m-1], 1e-9, "after %d data the gain", m)
	}
	_, _, err = Spectrum(K, 0)
	assert.Error(t, err, "no noise is accepted")
}
