package widenet

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// Replicates with known errors are worth what their mean is, averaged by these: every law of trained networks, and the
// evidence but for what does not depend on γ, says the same of the rows apart as of one row. Where no error is known
// the noise of all counts.
func TestKnownErrorsAverageReplicates(t *testing.T) {
	ctx, n := context.Background(), network(kernel.Erf)
	apart := mat.NewDense(5, 1, []float64{-0.7, 0.1, 0.1, 0.1, 0.8})
	y, known := []float64{0.4, -0.9, -0.3, -0.6, 1.1}, []float64{math.NaN(), 0.04, 0.09, 0.25, 0.02}
	weight, mean := 0.0, 0.0
	for i := 1; i < 4; i++ {
		weight, mean = weight+1/known[i], mean+y[i]/known[i]
	}
	inputs := mat.NewDense(3, 1, []float64{-0.7, 0.1, 0.8})
	averaged, errors := []float64{0.4, mean / weight, 1.1}, []float64{math.NaN(), 1 / weight, 0.02}
	points := mat.NewDense(4, 1, []float64{-1, -0.2, 0.1, 0.5})
	for _, kind := range []Kind{Trained, Posterior, NNGP} {
		a, err := New(ctx, n, Setup{Kind: kind, Sigma2: 0.03, NoiseVars: known}, apart, y)
		require.NoError(t, err)
		b, err := New(ctx, n, Setup{Kind: kind, Sigma2: 0.03, NoiseVars: errors}, inputs, averaged)
		require.NoError(t, err)
		m1, s1, _ := a.Predict(ctx, points)
		m2, s2, _ := b.Predict(ctx, points)
		for i := range m1 {
			if math.Abs(m1[i]-m2[i]) > 1e-9 || math.Abs(s1[i]-s2[i]) > 1e-9 {
				t.Errorf("%s at input %d: %g ± %g with the rows apart, %g ± %g averaged", kind, i, m1[i], s1[i], m2[i],
					s2[i])
			}
		}
	}
	gain := func(gamma float64) float64 {
		n.SigmaW, n.SigmaB = gamma, gamma
		a, err := LogEvidence(ctx, n, Setup{Sigma2: 0.03, NoiseVars: known}, apart, y)
		require.NoError(t, err)
		b, err := LogEvidence(ctx, n, Setup{Sigma2: 0.03, NoiseVars: errors}, inputs, averaged)
		require.NoError(t, err)
		return a - b
	}
	if a, b := gain(0.8), gain(2.5); math.Abs(a-b) > 1e-9 {
		t.Errorf("the evidence of rows apart and averaged differs by %g at one γ and by %g at another", a, b)
	}
	if _, err := New(ctx, n, Setup{Kind: Posterior, NoiseVars: known}, inputs, averaged); err == nil {
		t.Error("five errors of three targets are accepted")
	}
}
