package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// Data on a plane leave almost no variance of a smooth prior, less than its rounding error. The draws then equal the
// mean within rounding.
func TestSamplesWhereNothingIsLeft(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(14, 2, nil), make([]float64, 14)
	for i := range y {
		x.SetRow(i, []float64{rng.Float64(), rng.Float64()})
		y[i] = 2*(x.At(i, 0)+x.At(i, 1)) - 2
	}
	g, err := New(kernel.Stationary{Form: kernel.SE, Scale: 6, Lengths: []float64{10, 10}}, 1e-6, x, y)
	require.NoError(t, err)
	inputs := mat.NewDense(241, 2, nil)
	for i := range 241 {
		inputs.SetRow(i, []float64{float64(i) / 240, 0.3})
	}
	z, err := g.Sample(t.Context(), inputs, 3, rng)
	require.NoError(t, err)
	mean, _, err := g.Predict(t.Context(), inputs)
	require.NoError(t, err)
	for s := range 3 {
		for i, m := range mean {
			if math.Abs(z.At(s, i)-m) > 1e-3 {
				t.Fatalf("draw %d is %g at %v, where the mean is %g", s, z.At(s, i), inputs.RawRowView(i), m)
			}
		}
	}
}
