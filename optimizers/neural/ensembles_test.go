package neural

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/lru"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/testbed"
)

// The acquisition is the expected improvement of a normal law with the ensemble's moments, its slope that of
// differences, and the ensemble is the same whether it was trained in one go or step by step.
func TestEnsembleExpectedImprovement(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 9)
	in := testbed.InputFor(t, EnsemblesEI, 2, data, "width=60", "initial=3")
	belief := testbed.Fit(t, EnsemblesEI, in).(acquisition.ScoredBelief)
	b := belief.Model.(*ensembleBelief)
	x := testbed.Probes(6, 2)
	acq, err := belief.Acquisition(ctx, x)
	require.NoError(t, err)
	samples, _ := b.Samples(ctx, x, 10, 0)
	best := math.Inf(1)
	for _, y := range data.Column(0) {
		best = min(best, y)
	}
	for i := range 6 {
		mean, sd := stat.MeanStdDev(mat.Col(nil, i, samples[0]), nil)
		// E max(best − f, 0) by the midpoint rule
		want, h := 0.0, 1e-3
		for z := -9.0; z < 9; z += h {
			want += h * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * math.Max(best-mean-sd*z, 0)
		}
		assert.InDelta(t, want, acq[i], 1e-4*(1e-3+want), "EI is %g at %d, by quadrature %g", acq[i], i, want)
		row := x.RawRowView(i)
		dmean, dsd := make([]float64, 2), make([]float64, 2)
		b.Surrogate.(acquisition.Differentiable).Gradient(row, dmean, dsd)
		for k, slope := range [][]float64{dmean, dsd} {
			diff := fd.Gradient(nil, func(x []float64) float64 {
				mean, sd, _ := b.Surrogate.Predict(ctx, mat.NewDense(1, 2, append([]float64(nil), x...)))
				return [2]float64{mean[0], sd[0]}[k]
			}, row, &fd.Settings{Formula: fd.Central})
			for j := range 2 {
				if math.Abs(slope[j]-diff[j]) > 1e-5*(1+math.Abs(diff[j])) {
					t.Errorf("the slope of moment %d is %v, by differences %v", k, slope, diff)
				}
			}
		}
	}
	ensembleCache = lru.New[lru.Key](trainedBytes, trainedNets.bytes)
	whole := testbed.Fit(t, EnsemblesEI, in).(acquisition.ScoredBelief).Model.(*ensembleBelief)
	ensembleCache = lru.New[lru.Key](trainedBytes, trainedNets.bytes)
	for n := 3; n <= 9; n++ {
		part := in
		part.Data = optimizers.Data{X: data.X.Slice(0, n, 0, 2).(*mat.Dense), Y: data.Y.Slice(0, n, 0, 1).(*mat.Dense)}
		b = testbed.Fit(t, EnsemblesEI, part).(acquisition.ScoredBelief).Model.(*ensembleBelief)
	}
	a, _ := whole.outputs(ctx, x)
	c, _ := b.outputs(ctx, x)
	assert.True(t, mat.Equal(a, c), "the ensemble depends on how it came about")
}
