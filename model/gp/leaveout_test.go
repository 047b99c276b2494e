package gp

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// A process without any one of its observations equals the process conditioned on all others, also with known errors
// and down to the prior.
func TestWithoutIsTheOthers(t *testing.T) {
	X, y := data(9, 2, 5)
	for name, k := range kernels(2) {
		for _, known := range [][]float64{nil, {0.1, math.NaN(), 0.4, math.NaN(), 0.05, 0.2, math.NaN(), 0.3, 0.15}} {
			g, err := NewFixedNoise(k, 0.1, known, X, y)
			require.NoError(t, err)
			for i := range y {
				rest := mat.NewDense(8, 2, nil)
				for j := range rest.RawMatrix().Rows {
					from := j
					if j >= i {
						from++
					}
					rest.SetRow(j, X.RawRowView(from))
				}
				errors := known
				if known != nil {
					errors = slices.Delete(slices.Clone(known), i, i+1)
				}
				want, err := NewFixedNoise(k, 0.1, errors, rest, slices.Delete(slices.Clone(y), i, i+1))
				require.NoError(t, err)
				got, err := g.Without(i)
				require.NoError(t, err)
				probes, _ := data(5, 2, 77)
				m, s, _ := got.Predict(t.Context(), probes)
				wm, ws, _ := want.Predict(t.Context(), probes)
				for j := range m {
					if math.Abs(m[j]-wm[j]) > 1e-10 || math.Abs(s[j]-ws[j]) > 1e-10 {
						t.Errorf("%s without %d: %g ± %g, want %g ± %g", name, i, m[j], s[j], wm[j], ws[j])
					}
				}
				if math.Abs(got.LogMarginalLikelihood()-want.LogMarginalLikelihood()) > 1e-9 {
					t.Errorf("%s without %d the evidence is %g, want %g", name, i, got.LogMarginalLikelihood(),
						want.LogMarginalLikelihood())
				}
			}
		}
		alone, err := New(k, 0.1, X.Slice(0, 1, 0, 2).(*mat.Dense), y[:1])
		require.NoError(t, err)
		if prior, err := alone.Without(0); err != nil || prior.Mean([]float64{0.3, 0.3}) != 0 ||
			prior.LogMarginalLikelihood() != 0 {
			t.Errorf("%s without its only observation is not the prior (%v)", name, err)
		}
	}
}
