package multiobjective

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/space"
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

// The deviation of the draws from the posterior mean is multiplied by their scale, and the points are scored by these
// draws.
func TestScaleOfDraws(t *testing.T) {
	data, x := testbed.ObserveAll(t, "branin-currin", 8), testbed.Probes(5, 2)
	belief := func(set ...string) *belief {
		in := testbed.InputFor(t, MOBOTS, 2, data, set...)
		in.Objectives = 2
		return testbed.Fit(t, MOBOTS, in).(*belief)
	}
	published, narrow := belief("draw_scale=1"), belief("draw_scale=0.5")
	bands, err := published.Predict(t.Context(), x)
	require.NoError(t, err)
	wide, err := published.Used(t.Context(), x)
	require.NoError(t, err)
	near, err := narrow.Used(t.Context(), x)
	require.NoError(t, err)
	for k, band := range bands {
		for i, mean := range band.Mean {
			require.InDelta(t, (mean+wide[k][i])/2, near[k][i], 1e-6*band.SD[i], "objective %d, point %d", k, i)
		}
	}
	again, kept := published.WarmStart(narrow.in)
	require.True(t, kept)
	acquisition, err := narrow.Acquisition(t.Context(), x)
	require.NoError(t, err)
	warm, err := again.Acquisition(t.Context(), x)
	require.NoError(t, err)
	require.Equal(t, acquisition, warm)
}

// By default, only draws over levels are narrower than those of Thompson sampling as published.
func TestDrawScaleByDefault(t *testing.T) {
	levels := &space.Domain{Inputs: []space.Input{{}, {Levels: []float64{0, 0.5, 1}}}}
	for _, c := range []struct {
		domain     *space.Domain
		objectives int
		scale      float64
		want       float64
	}{{nil, 2, 0, 1}, {levels, 2, 0, 0.25}, {levels, 1, 0, 1}, {levels, 2, 1, 1}, {nil, 3, 0.5, 0.5}} {
		in := testbed.InputFor(t, MOBOTS, 2, optimizers.Data{}, fmt.Sprintf("draw_scale=%g", c.scale))
		in.Objectives, in.Domain = c.objectives, c.domain
		require.InDelta(t, c.want, drawScale(in), 0)
	}
}
