package multiobjective

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// The incumbent is the best observation if the process has no noise. With noise it is the least posterior mean at the
// data, which a lucky observation does not reduce to its own value.
func TestIncumbent(t *testing.T) {
	ctx := context.Background()
	x, y := mat.NewDense(21, 1, nil), mat.NewDense(21, 1, nil)
	for i := range 21 {
		x.Set(i, 0, float64(i)/20)
		y.Set(i, 0, math.Cos(2*math.Pi*float64(i)/20))
	}
	y.Set(3, 0, -4) // far below its neighbors
	for noise, want := range map[string]func(mean []float64) float64{
		"1e-6": func([]float64) float64 { return -4 },
		"0.5": func(mean []float64) float64 {
			least := math.Inf(1)
			for _, v := range mean {
				least = min(least, v)
			}
			return least
		},
	} {
		for _, spec := range []optimizers.Spec{gaussian.EI, ParEGO} {
			if spec.Name == ParEGO.Name && noise == "1e-6" {
				continue // its observations are scalarized
			}
			in := testbed.InputFor(t, spec, 1, optimizers.Data{X: x, Y: y}, "noise=fixed", "noise_sd="+noise,
				"hyperparameters=fitted")
			b := testbed.Fit(t, spec, in)
			var s acquisition.ScoredBelief
			if p, ok := b.(*parEGOBelief); ok {
				s = p.improvement
			} else {
				s = b.(acquisition.ScoredBelief)
			}
			grid := mat.NewDense(21, 1, mat.Col(nil, 0, x))
			bands, err := s.Predict(ctx, grid)
			require.NoError(t, err)
			best := want(bands[0].Mean)
			shown, err := s.Acquisition(ctx, grid)
			require.NoError(t, err)
			for i, got := range shown {
				sd := bands[0].SD[i]
				z := (best - bands[0].Mean[i]) / sd
				ei := (best-bands[0].Mean[i])*math.Erfc(-z/math.Sqrt2)/2 + sd*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
				if ei > 1e-9 && math.Abs(got-ei) > 1e-6*ei {
					t.Fatalf("%s, noise %s: the improvement at observation %d is %g, over the incumbent %g it is %g",
						spec.Name, noise, i, got, best, ei)
				}
			}
			if noise == "0.5" && best < -3.5 {
				t.Errorf("%s: the noise does not explain the lucky observation: the incumbent is %g", spec.Name, best)
			}
		}
	}
}

// The search starts from the data where the acquisition function is greatest, whatever the values of a single objective
// there.
func TestStartsOfASearch(t *testing.T) {
	data := optimizers.Data{X: mat.NewDense(4, 1, []float64{0.1, 0.2, 0.3, 0.4}),
		Y: mat.NewDense(4, 2, []float64{3, -9, 1, 5, 2, 7, 1, -3})}
	b := &belief{in: optimizers.Input{Dim: 1, Objectives: 2, Data: data}}
	got, err := b.starts(context.Background(),
		search.Target{Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
			return mat.Col(nil, 0, X), nil
		}})
	if err != nil || !mat.Equal(got, mat.NewDense(3, 1, []float64{0.4, 0.3, 0.2})) {
		t.Errorf("the search starts from %v, %v", mat.Col(nil, 0, got), err)
	}
}
