package multiobjective

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/pareto"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// With noise, the front consists of the posterior means at the data, not of lucky observations. Without noise it
// consists of the observations.
func TestFrontUnderNoise(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 3))
	data := testbed.ObserveAll(t, "schaffer", 30)
	for i := range data.Y.RawMatrix().Data {
		data.Y.RawMatrix().Data[i] += 0.5 * rng.NormFloat64()
	}
	for _, spec := range []optimizers.Spec{EHVI, SMSEGO, MOEADEGO, PESMO} {
		for _, noise := range []string{"0.3", "1e-4"} {
			in := testbed.InputFor(t, spec, 1, data, "noise=fixed", "noise_sd="+noise)
			in.Objectives = 2
			belief := testbed.Fit(t, spec, in)
			b, ok := belief.(*frontBelief)
			if !ok {
				b = belief.(*informationBelief).frontBelief
			}
			bands, err := b.Predict(ctx, data.X)
			require.NoError(t, err)
			var points [][]float64
			for i := range 30 {
				y := mat.Row(nil, i, data.Y)
				if noise == "0.3" {
					y = []float64{bands[0].Mean[i], bands[1].Mean[i]}
				}
				points = append(points, b.toOutcomes(y))
			}
			front := pareto.Front(points)
			if len(front) != len(b.front) {
				t.Fatalf("%s, noise %s: the front has %d points, want %d", spec.Name, noise, len(b.front), len(front))
			}
			for n, i := range front {
				for k, v := range points[i] {
					if math.Abs(b.front[n][k]-v) > 1e-9 {
						t.Fatalf("%s, noise %s: the front has %v, want %v", spec.Name, noise, b.front[n], points[i])
					}
				}
			}
		}
	}
}
