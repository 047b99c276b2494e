package ntk

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model"
	"bandscope/model/widenet"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/testbed"
)

// The paths of ntk-ts are draws from the posterior under the kernel: mean and covariance within five standard errors and
// an allowance for the finite number of features.
func TestNTKPathsFollowThePosterior(t *testing.T) {
	for _, sigma2 := range []float64{0.01, 1} { // at 1 the noise of the draw's own data is a good part of its variance
		checkPaths(t, sigma2, "kernel=ntk", widenet.Posterior)
		checkPaths(t, sigma2, "kernel=nngp", widenet.NNGP)
	}
	checkPaths(t, 0.01, "kernel=nngp last_bias=zero", widenet.NNGP)
}

func checkPaths(t *testing.T, sigma2 float64, set string, kind widenet.Kind) {
	t.Helper()
	const draws = 600
	ctx := context.Background()
	_, data := testbed.Observe(t, "forrester", 4)
	x := mat.NewDense(3, 1, []float64{0.1, 0.45, 0.95})
	in := testbed.InputFor(t, TS, 1, data, append(strings.Fields(set), fmt.Sprintf("sigma2=%g", sigma2),
		"auto_gamma=off", "gamma=1.5")...)
	b := testbed.Fit(t, TS, in).(acquisition.SampledBelief).Model.(*belief)
	want, err := widenet.New(ctx, b.network, widenet.Setup{Kind: kind, Sigma2: sigma2}, b.x, b.y)
	require.NoError(t, err)
	mean, _, _ := want.Predict(ctx, model.Center(x))
	cov, _ := want.Covariance(ctx, model.Center(x))
	values := mat.NewDense(draws, 3, nil)
	for i := range draws {
		path, err := b.path("test", uint64(i))
		require.NoError(t, err)
		v, _ := path.Values(ctx, x)
		values.SetRow(i, v)
	}
	for i := range 3 {
		ci := mat.Col(nil, i, values)
		assert.InDelta(t, mean[i], stat.Mean(ci, nil), 5*math.Sqrt(cov.At(i, i)/draws)+0.01, "%s: mean %d", set, i)
		for j := range 3 {
			se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + cov.At(i, j)*cov.At(i, j)) / draws)
			if c := stat.Covariance(ci, mat.Col(nil, j, values), nil); math.Abs(c-cov.At(i, j)) > 5*se+0.02 {
				t.Errorf("%s: covariance %d,%d is %g, want %g ± %g", set, i, j, c, cov.At(i, j), se)
			}
		}
	}
}

// Uncertainty sampling is greedy information gain: no other point adds more to ½ log det(I + σ⁻²K).
func TestUncertaintyIsGreedyInformation(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 6)
	in := testbed.InputFor(t, Uncertainty, 2, data, "sigma2=0.01")
	scored := testbed.Fit(t, Uncertainty, in).(acquisition.ScoredBelief)
	b := scored.Model.(*belief)
	s, err := scored.Suggest(ctx)
	require.NoError(t, err)
	gain := func(point []float64) float64 {
		all := mat.NewDense(7, 2, nil)
		all.Copy(data.X)
		all.SetRow(6, point)
		c := model.Center(all)
		pair, err := b.network.Cross(ctx, c, c)
		require.NoError(t, err)
		g, _, err := widenet.Spectrum(mat.NewSymDense(7, pair.NTK.RawMatrix().Data), 0.01)
		require.NoError(t, err)
		return g[6]
	}
	best := gain(s.X.RawRowView(0))
	others := testbed.Probes(500, 2)
	for i := range 500 {
		if g := gain(others.RawRowView(i)); g > best+1e-9 {
			t.Errorf("%v gains %g, the suggestion %v %g", others.RawRowView(i), g, s.X.RawRowView(0), best)
		}
	}
}
