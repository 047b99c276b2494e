package constraints

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// The scale is increasing, leaves bounds where they are, has the slope that it says, and leaves values between two
// bounds alone. Far from a bound a tenfold distance adds width·log 10.
func TestBilog(t *testing.T) {
	inf := math.Inf(1)
	for _, b := range []bilog{{math.Inf(-1), 3, 0.1}, {-2, inf, 10}, {-2, 3, 1}, {-2, 3, inf}, {math.Inf(-1), 3, inf}} {
		for _, bound := range []float64{b.low, b.high} {
			if !math.IsInf(bound, 0) && b.apply(bound) != bound {
				t.Errorf("%+v: the bound %g becomes %g", b, bound, b.apply(bound))
			}
		}
		last := math.Inf(-1)
		for v := -40.05; v < 40; v += 0.1 {
			if b.apply(v) <= last {
				t.Errorf("%+v decreases at %g", b, v)
			}
			last = b.apply(v)
			want := fd.Derivative(b.apply, v, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			assert.InDelta(t, want, b.slope(v), 1e-6, "%+v: the slope at %g", b, v)
		}
	}
	two := bilog{-2, 3, 0.1}
	assert.Equal(t, 2.9, two.apply(2.9), "2.9 between -2 and 3 becomes")
	single := bilog{math.Inf(-1), 0, 1}
	if got := single.apply(1e7) - single.apply(1e6); math.Abs(got-math.Ln10) > 1e-5 {
		t.Errorf("a tenfold distance adds %g, want log 10", got)
	}
}

// column is an input whose only output has given values at 40 designs.
func column(t testing.TB, apply func(x []float64) float64) optimizers.Input {
	X := testbed.Probes(40, 4)
	y := mat.NewDense(40, 1, nil)
	for i := range 40 {
		y.Set(i, 0, apply(X.RawRowView(i)))
	}
	return testbed.InputFor(t, WithLimits(gaussian.EI), 4, optimizers.Data{X: X, Y: y})
}

// A quantity that is linear in the inputs stays as it is, and one that ranges over powers of ten does not. In another
// unit, the images are those in that unit.
func TestScaleFollowsTheEvidence(t *testing.T) {
	limit := optimizers.Limit{Min: math.Inf(-1), Max: 1, Objective: -1}
	linear := column(t, func(x []float64) float64 { return x[0] - x[1] + 2*x[3] })
	if got := withBilog(t.Context(), limit, linear); !mat.Equal(got.Data.Y, linear.Data.Y) {
		t.Error("a linear quantity is transformed")
	}
	steep := column(t, func(x []float64) float64 { return math.Exp(9*x[0] - 6*x[1]) })
	images := withBilog(t.Context(), limit, steep).Data.Y
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
	again := withBilog(t.Context(), limit, other).Data.Y
	again.Scale(1e-3, again)
	assert.True(t, mat.EqualApprox(again, images, 1e-9*mat.Max(images)), "in another unit the scale is another one")
}

// Standard errors follow by the delta method: those of observations, and elsewhere the one that the limit declares.
func TestErrorsOnTheScale(t *testing.T) {
	b := bilog{math.Inf(-1), 0, 2}
	data := optimizers.Data{X: mat.NewDense(2, 1, []float64{0, 1}), Y: mat.NewDense(2, 1, []float64{2, 6}),
		SE: mat.NewDense(2, 1, []float64{0.5, math.NaN()})}
	got := b.images(0.8, data)
	for i, want := range [][2]float64{{2 * math.Ln2, 0.25}, {4 * math.Ln2, 0.2}} {
		if !scalar.EqualWithinAbs(got.Y.At(i, 0), want[0], 1e-12) ||
			!scalar.EqualWithinAbs(got.SE.At(i, 0), want[1], 1e-12) {
			t.Errorf("datum %d is %g ± %g, want %v", i, got.Y.At(i, 0), got.SE.At(i, 0), want)
		}
	}
	if data.SE = nil; b.images(0, data).SE != nil {
		t.Error("errors appear from nothing")
	}
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
