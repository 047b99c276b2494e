package widenet

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// What a law says of a datum that is left out is what the same law of the others says there, with the noise of an
// observation, whatever the law and whether noise is known of single targets.
func TestLeaveOneOutIsTheLawOfTheOthers(t *testing.T) {
	const n = 7
	x, y := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		a := 0.9 * math.Sin(float64(3*i+1))
		x.SetRow(i, []float64{a, 0.8 * math.Cos(float64(2*i))})
		y[i] = math.Sin(3*a) + 0.3*float64(i%3)
	}
	net := kernel.Network{Unit: kernel.Erf, Depth: 2, SigmaW: 1.7, SigmaB: 1.7}
	known := []float64{0.01, math.NaN(), 0.2, math.NaN(), 0.05, 0.3, math.NaN()}
	for _, kind := range []Kind{Trained, Posterior, NoPerturbation, NoDistance, NNGP} {
		for _, errors := range [][]float64{nil, known} {
			s := Setup{Kind: kind, Sigma2: 0.04, NoiseVars: errors, Nu: 1.5}
			l, err := New(t.Context(), net, s, x, y)
			require.NoError(t, err)
			mean, sd, err := l.LeaveOneOut()
			require.NoError(t, err)
			for i := range n {
				rest, others := mat.NewDense(n-1, 2, nil), s
				for j, row := 0, 0; j < n; j++ {
					if j != i {
						rest.SetRow(row, x.RawRowView(j))
						row++
					}
				}
				if errors != nil {
					others.NoiseVars = slices.Delete(slices.Clone(errors), i, i+1)
				}
				o, err := New(t.Context(), net, others, rest, slices.Delete(slices.Clone(y), i, i+1))
				require.NoError(t, err)
				m, spread, err := o.Predict(t.Context(), x.Slice(i, i+1, 0, 2).(*mat.Dense))
				require.NoError(t, err)
				want := math.Sqrt(spread[0]*spread[0] + s.Nu*s.Nu*s.Noise(i))
				if math.Abs(mean[i]-m[0]) > 1e-7 || math.Abs(sd[i]-want) > 1e-7 {
					t.Errorf("%s, datum %d: %g ± %g, by the law of the others %g ± %g", kind, i, mean[i], sd[i], m[0],
						want)
				}
			}
		}
	}
	for _, kind := range []Kind{FiniteTime, WarmStart} {
		l, err := New(t.Context(), net, Setup{Kind: kind, Sigma2: 0.04, Time: 3}, x, y)
		require.NoError(t, err)
		_, _, err = l.LeaveOneOut()
		assert.Error(t, err, "%s leaves one out", kind)
	}
}

// The evidence of the law that is a Gaussian process is that of its covariance, whose scale is ν².
func TestLogMarginalLikelihood(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{-0.9, -0.2, 0.3, 0.8}), []float64{1, -0.3, 0.2, -0.9}
	net := kernel.Network{Unit: kernel.ReLU, Depth: 1, SigmaW: 1.3, SigmaB: 1.3}
	s := Setup{Kind: Posterior, Sigma2: 0.1, Nu: 0.7}
	l, err := New(t.Context(), net, s, x, y)
	require.NoError(t, err)
	want, err := LogEvidence(t.Context(), net, s, x, y)
	if err != nil || math.Abs(l.LogMarginalLikelihood()-want) > 1e-9 {
		t.Errorf("log evidence %g, want %g (%v)", l.LogMarginalLikelihood(), want, err)
	}
	s.Kind = Trained
	if l, err = New(t.Context(), net, s, x, y); err != nil || !math.IsNaN(l.LogMarginalLikelihood()) {
		t.Errorf("networks that were trained have the evidence %g (%v)", l.LogMarginalLikelihood(), err)
	}
}
