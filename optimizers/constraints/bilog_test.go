package constraints

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// column is an input whose only output has given values at 40 designs.
func column(t testing.TB, apply func(x []float64) float64) optimizers.Input {
	X := testbed.Probes(40, 4)
	y := mat.NewDense(40, 1, nil)
	for i := range 40 {
		y.Set(i, 0, apply(X.RawRowView(i)))
	}
	return testbed.InputFor(t, WithLimits(gaussian.EI), 4, optimizers.Data{X: X, Y: y})
}

// onBilog is an input on the scale of a limit.
func onBilog(t testing.TB, l optimizers.Limit, in optimizers.Input) optimizers.Input {
	b, _ := gaussian.FindBilog(t.Context(), l.Min, l.Max, in)
	return gaussian.OnBilog(b, in)
}

// A quantity that is linear in the inputs stays as it is, and one that ranges over powers of ten does not. In another
// unit, the images are those in that unit.
func TestScaleFollowsTheEvidence(t *testing.T) {
	limit := optimizers.Limit{Min: math.Inf(-1), Max: 1, Objective: -1}
	linear := column(t, func(x []float64) float64 { return x[0] - x[1] + 2*x[3] })
	if got := onBilog(t, limit, linear); !mat.Equal(got.Data.Y, linear.Data.Y) {
		t.Error("a linear quantity is transformed")
	}
	steep := column(t, func(x []float64) float64 { return math.Exp(9*x[0] - 6*x[1]) })
	images := onBilog(t, limit, steep).Data.Y
	if most := mat.Max(images); most > mat.Max(steep.Data.Y)/10 {
		t.Errorf("of up to %g, images are up to %g", mat.Max(steep.Data.Y), most)
	}
	for i := range 40 {
		if v := steep.Data.Y.At(i, 0); (v > limit.Max) != (images.At(i, 0) > limit.Max) {
			t.Errorf("%g is %g, on the other side of the limit", v, images.At(i, 0))
		}
	}
	limit.Max = 1000
	other := column(t, func(x []float64) float64 { return 1000 * math.Exp(9*x[0]-6*x[1]) })
	again := onBilog(t, limit, other).Data.Y
	again.Scale(1e-3, again)
	assert.True(t, mat.EqualApprox(again, images, 1e-9*mat.Max(images)), "in another unit the scale is another one")
}

// On the bilog scale, climbs are approximate, and probabilities differ from those on the linear one.
func TestScaleMatters(t *testing.T) {
	in := beamInput(t, WithLimits(gaussian.EI), beamData(), 12)
	probes := testbed.Probes(20, 4)
	probabilities := func(scale string) []float64 {
		scaled := in
		scaled.Params, _ = in.Params.WithText(ScaleKey, scale)
		b, err := Fit(t.Context(), scaled, optimizers.LimitsByProbability)
		require.NoError(t, err)
		assert.Equal(t, scale == scaleBilog, b.ApproximateGradient() != nil, "%q: climbs are approximate", scale)
		return logProbability(t, b, probes)
	}
	linear := probabilities(scaleLinear)
	bilog := probabilities(scaleBilog)
	if floats.Distance(linear, bilog, math.Inf(1)) < 0.1 {
		t.Error("the scale makes no difference")
	}
}
