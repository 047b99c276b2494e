package registry_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/testbed"
)

// Before any data a belief of a Gaussian process is of what is declared: its mean is the middle of the range, and two
// standard deviations reach its ends. Of every other method it is as before, moved to the middle and as many quarters
// of the range wide. With two results a declared range changes nothing.
func TestPriorIsInTheDeclaredRange(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{0.1, 0.5, 0.8})
	_, all := testbed.Observe(t, "forrester", 2)
	for _, name := range []string{
		"gp-ei", "gp-ts", "ntk-ucb", "neural-greedy", "deep-ensemble", "neural-lin-ts", "neural-ucb", "forest-ei"} {
		spec, err := registry.Find(name)
		require.NoError(t, err)
		var set []string
		for _, d := range spec.Params {
			if d.Key == "width" {
				set = append(set, "width=40")
			}
		}
		predict := func(data optimizers.Data, expected []float64) (mean, sd []float64) {
			in := testbed.InputFor(t, *spec, 1, data, set...)
			in.Expected = [][]float64{expected}
			bands, err := testbed.Fit(t, *spec, in).Predict(t.Context(), x)
			if errors.Is(err, optimizers.ErrUnsupported) {
				return nil, nil
			}
			require.NoError(t, err)
			return bands[0].Mean, bands[0].SD
		}
		mean, sd := predict(optimizers.Data{}, nil)
		inMean, inSD := predict(optimizers.Data{}, []float64{100, 140})
		for i := range mean {
			if math.Abs(inMean[i]-(120+10*mean[i])) > 1e-9 || math.Abs(inSD[i]-10*sd[i]) > 1e-9 {
				t.Errorf("%s: %g ± %g in the range is %g ± %g", name, mean[i], sd[i], inMean[i], inSD[i])
			}
			if name[:3] == "gp-" && (math.Abs(inMean[i]-120) > 1e-9 || math.Abs(inSD[i]-10) > 1e-6) {
				t.Errorf("%s: before any data it is %g ± %g, want 120 ± 10", name, inMean[i], inSD[i])
			}
		}
		mean, sd = predict(all, nil)
		inMean, inSD = predict(all, []float64{100, 140})
		for i := range mean {
			if inMean[i] != mean[i] || inSD[i] != sd[i] {
				t.Errorf("%s: with two results %g ± %g is %g ± %g where a range is declared", name, mean[i], sd[i],
					inMean[i], inSD[i])
			}
		}
	}
}

// One result is met, and far away from it the belief is as wide as what is declared, not as one unit.
func TestOneResultInTheDeclaredRange(t *testing.T) {
	spec, err := registry.Find("gp-ei")
	require.NoError(t, err)
	data := optimizers.Data{X: mat.NewDense(1, 1, []float64{0}), Y: mat.NewDense(1, 1, []float64{134})}
	in := testbed.InputFor(t, *spec, 1, data, "noise=fixed")
	in.Expected = [][]float64{{100, 140}}
	bands, err := testbed.Fit(t, *spec, in).Predict(t.Context(), mat.NewDense(2, 1, []float64{0, 1}))
	if err != nil || math.Abs(bands[0].Mean[0]-134) > 0.1 || bands[0].SD[0] > 0.1 || bands[0].SD[1] < 2 {
		t.Errorf("after one result of 134 it is %v (%v)", bands, err)
	}
}
