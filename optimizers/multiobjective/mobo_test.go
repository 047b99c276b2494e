package multiobjective

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
	"bandscope/optimizers/weights"
)

// With one objective, the methods equal GP-UCB and GP-TS exactly.
func TestOneObjectiveReduces(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 9)
	for _, c := range [][2]optimizers.Spec{{MOBOUCB, gaussian.UCB}, {MOBOTS, gaussian.TS}} {
		a, errA := testbed.Fit(t, c[0], testbed.InputFor(t, c[0], 2, data)).Suggest(context.Background())
		b, errB := testbed.Fit(t, c[1], testbed.InputFor(t, c[1], 2, data)).Suggest(context.Background())
		if errA != nil || errB != nil || !mat.Equal(a.X, b.X) {
			t.Errorf("%s suggests %v (%v), %s %v (%v)", c[0].Name, mat.Formatted(a.X), errA, c[1].Name,
				mat.Formatted(b.X), errB)
		}
	}
}

// The gradient of every scalarization equals differences.
func TestScalarizationSlopes(t *testing.T) {
	data := testbed.ObserveAll(t, "branin-currin", 8)
	for _, spec := range []optimizers.Spec{MOBOUCB, MOBOTS} {
		for _, kind := range []string{weights.Linear, weights.Tchebyshev, weights.Augmented} {
			in := testbed.InputFor(t, spec, 2, data, "scalarization="+kind)
			in.Objectives = 2
			b := testbed.Fit(t, spec, in).(*belief)
			for _, x := range [][]float64{{0.3, 0.6}, {0.8, 0.2}} {
				grad := make([]float64, 2)
				v := b.value(x, grad)
				valueAt := func(x []float64) float64 {
					v, err := b.values(context.Background(), mat.NewDense(1, 2, append([]float64(nil), x...)))
					require.NoError(t, err)
					return v[0]
				}
				if math.Abs(v-valueAt(x)) > 1e-9 {
					t.Errorf("%s %s: %g with the slope, %g without", spec.Name, kind, v, valueAt(x))
				}
				for j, want := range fd.Gradient(nil, valueAt, x, &fd.Settings{Formula: fd.Central}) {
					if math.Abs(grad[j]-want) > 1e-4*(1+math.Abs(want)) {
						t.Errorf("%s %s: slope %g, by differences %g", spec.Name, kind, grad[j], want)
					}
				}
			}
		}
	}
}
