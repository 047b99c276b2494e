package widenet

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// The slopes of the posterior are those of differences, under both kernels, with and without data.
func TestGradientOfThePosterior(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{-0.5, 0.3, 0.8, 0.1, 0.2, -0.9, -0.1, 0.6})
	y := []float64{0.3, -1, 0.5, 1.1}
	points := []float64{0.35, 0.2}
	for _, u := range []kernel.Unit{kernel.Erf, kernel.ReLU, kernel.Tanh} {
		for i, data := range []*mat.Dense{nil, X, nil, X} {
			kind := []Kind{Posterior, NNGP}[i/2]
			l, err := New(t.Context(), network(u), Setup{Kind: kind, Sigma2: 0.01, Nu: 1.7}, data, y)
			require.NoError(t, err)
			moment := func(which int) func(x []float64) float64 {
				return func(x []float64) float64 {
					mean, sd, err := l.Predict(t.Context(), mat.NewDense(1, 2, append([]float64(nil), x...)))
					require.NoError(t, err)
					return [2]float64{mean[0], sd[0]}[which]
				}
			}
			var grads [2][]float64
			grads[0], grads[1] = make([]float64, 2), make([]float64, 2)
			var values [2]float64
			values[0], values[1] = l.Gradient(points, grads[0], grads[1])
			only := make([]float64, 2)
			if v := l.MeanGradient(points, only); v != values[0] || only[0] != grads[0][0] || only[1] != grads[0][1] {
				t.Errorf("%s: the mean is %g with slopes %v by itself, %g with %v otherwise", u, v, only, values[0],
					grads[0])
			}
			for which := range 2 {
				if want := moment(which)(points); math.Abs(values[which]-want) > 1e-10 {
					t.Errorf("%s: moment %d is %g, want %g", u, which, values[which], want)
				}
				for j, want := range fd.Gradient(nil, moment(which), points,
					&fd.Settings{Formula: fd.Central, Step: 1e-5}) {
					if math.Abs(grads[which][j]-want) > 1e-6*(1+math.Abs(want)) {
						t.Errorf("%s: slope %d of moment %d is %g, by differences %g", u, j, which, grads[which][j],
							want)
					}
				}
			}
		}
	}
}

// A law of other targets is the law that is made with them.
func TestLawOfOtherTargets(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{-0.5, 0.3, 0.8})
	inputs := mat.NewDense(2, 1, []float64{0.1, -0.9})
	for _, s := range []Setup{
		{Kind: Posterior, Sigma2: 0.01}, {Kind: FiniteTime, Sigma2: 0.01, Time: 3,
			NoiseVars: []float64{0.1, 0.2, 0.01}}} {
		var laws [2]*Model
		for i, y := range [][]float64{{1, 2, 3}, {0.5, -1, 0.2}} {
			var err error
			if laws[i], err = New(t.Context(), network(kernel.Erf), s, X, y); err != nil {
				t.Fatal(err)
			}
		}
		other, err := laws[0].WithTargets([]float64{0.5, -1, 0.2})
		require.NoError(t, err)
		mean, sd, _ := other.Predict(t.Context(), inputs)
		wantMean, wantSD, _ := laws[1].Predict(t.Context(), inputs)
		if !slices.Equal(mean, wantMean) || !slices.Equal(sd, wantSD) {
			t.Errorf("%s: %v ± %v, want %v ± %v", s.Kind, mean, sd, wantMean, wantSD)
		}
		_, err = laws[0].WithTargets([]float64{1})
		assert.Error(t, err, "a wrong number of targets is accepted")
	}
}
