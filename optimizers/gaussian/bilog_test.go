package gaussian

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/transform"
	"bandscope/model"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// Standard errors follow by the delta method: those of observations, and elsewhere the declared noise.
func TestErrorsOnABilog(t *testing.T) {
	b := transform.Bilog{Low: math.Inf(-1), High: 0, Width: 2}
	in := optimizers.Input{Objectives: 1, Noise: []float64{0.8}, Data: optimizers.Data{X: mat.NewDense(2, 1, []float64{0, 1}),
		Y: mat.NewDense(2, 1, []float64{2, 6}), SE: mat.NewDense(2, 1, []float64{0.5, math.NaN()})}}
	got := OnBilog(b, in).Data
	for i, want := range [][2]float64{{2 * math.Ln2, 0.25}, {4 * math.Ln2, 0.2}} {
		if !scalar.EqualWithinAbs(got.Y.At(i, 0), want[0], 1e-12) || !scalar.EqualWithinAbs(got.SE.At(i, 0), want[1], 1e-12) {
			t.Errorf("datum %d is %g ± %g, want %v", i, got.Y.At(i, 0), got.SE.At(i, 0), want)
		}
	}
	if in.Data.SE, in.Noise = nil, []float64{0}; OnBilog(b, in).Data.SE != nil {
		t.Error("errors appear from nothing")
	}
}

// warpedInput is an input of a method with results that range over decades.
func warpedInput(t *testing.T, spec optimizers.Spec, n int, set ...string) optimizers.Input {
	t.Helper()
	p, data := testbed.Observe(t, "goldstein-price", n)
	return testbed.InputFor(t, spec, p.Dim(), data, append(set, "outcome_scale=warped")...)
}

// Results over decades are warped if the parameters say so; a plane, blocks, a fixed scale and two results are not.
func TestWarpFollowsTheEvidence(t *testing.T) {
	in := warpedInput(t, EI, 20)
	w := findWarp(t.Context(), in)
	require.NotNil(t, w)
	assert.Greater(t, w.Gain, 10.0)
	assert.Equal(t, mat.Min(in.Data.Y), w.Low)
	for name, change := range map[string]func(in *optimizers.Input){
		"a plane": func(in *optimizers.Input) {
			in.Data.Y = mat.DenseCopyOf(in.Data.Y)
			for i := range in.Data.Len() {
				in.Data.Y.Set(i, 0, 3*in.Data.X.At(i, 0)-in.Data.X.At(i, 1))
			}
		},
		"blocks":        func(in *optimizers.Input) { in.Data.Blocks = make([]int, 20) },
		"a fixed scale": func(in *optimizers.Input) { in.FixedScale = true },
		"two results":   func(in *optimizers.Input) { in.Data = in.Data.Select([]int{0, 1}) },
		"linear":        func(in *optimizers.Input) { in.Params, _ = in.Params.WithText("outcome_scale", "linear") },
	} {
		other := in
		change(&other)
		assert.Nil(t, findWarp(t.Context(), other), name)
	}
}

// Between two scheduled searches for hyperparameters the scale is the same.
func TestWarpFollowsTheSchedule(t *testing.T) {
	in := warpedInput(t, EI, 70)
	last := scheduleFor(nil, 70).search(70)
	require.Less(t, last, 70)
	in.Data.Y.Set(69, 0, -1e4)
	assert.Equal(t, findWarp(t.Context(), optimizers.Input{Dim: 2, Objectives: 1, Params: in.Params, Data: in.Data.Select(firstRows(last))}),
		findWarp(t.Context(), in))
}

// The band of a warped process is the process of the images, mapped back: its medians, its quantiles and its samples. The
// leave-one-out residuals are those of the images.
func TestWarpedProcess(t *testing.T) {
	for _, spec := range []optimizers.Spec{EI, UCB, TS} {
		in := warpedInput(t, spec, 20)
		w := findWarp(t.Context(), in)
		plain, err := Fit(t.Context(), OnBilog(w.Bilog, in), 0)
		require.NoError(t, err)
		b := testbed.Fit(t, spec, in)
		x := testbed.Probes(9, 2)
		want, err := plain.Predict(t.Context(), x)
		require.NoError(t, err)
		got, err := b.Predict(t.Context(), x)
		require.NoError(t, err)
		for i := range 9 {
			assert.InDelta(t, w.Invert(want[0].Mean[i]), got[0].Mean[i], 1e-9)
			for _, z := range []float64{-2, 0.5, 2} {
				assert.InDelta(t, want[0].Quantile(i, z), w.Apply(got[0].Quantile(i, z)), 1e-6, "quantile %g", z)
			}
			assert.InDelta(t, (got[0].Quantile(i, 1)-got[0].Quantile(i, -1))/2, got[0].SD[i], 1e-9)
		}
		images, err := plain.Samples(t.Context(), x, 2, 5)
		require.NoError(t, err)
		samples, err := b.Samples(t.Context(), x, 2, 5)
		require.NoError(t, err)
		assert.InDelta(t, images[0].At(1, 3), w.Apply(samples[0].At(1, 3)), 1e-6)
		residuals, err := plain.LeaveOneOut(t.Context())
		require.NoError(t, err)
		warped, err := b.(optimizers.LeaveOneOuter).LeaveOneOut(t.Context())
		require.NoError(t, err)
		assert.InDeltaSlice(t, residuals[0].Z, warped[0].Z, 1e-9)
		evidence, err := plain.LogEvidence(t.Context())
		require.NoError(t, err)
		ofValues, err := b.(optimizers.FitReport).LogEvidence(t.Context())
		require.NoError(t, err)
		assert.InDelta(t, evidence[0]+logDensityRatio(w, in.Data.Column(0)), ofValues[0], 1e-4, "change of variables")
		l := b.Legend()
		assert.Contains(t, l.Facts, optimizers.Fact{Name: optimizers.FactOutcomes, Value: w.Describe()})
		assert.Contains(t, l.Band, "warped")
		next, err := b.Suggest(t.Context())
		require.NoError(t, err)
		at, err := b.Predict(t.Context(), next.X)
		require.NoError(t, err)
		assert.InDelta(t, at[0].Mean[0], next.Mean[0], 1e-9*math.Abs(next.Mean[0]), "the prediction at the suggestion")
	}
}

// On a scale that is nearly linear, everything is as without one, and so is the evidence, of which the Jacobian is a part.
func TestNearlyLinearWarp(t *testing.T) {
	in := warpedInput(t, EI, 12)
	warp := &optimizers.Warp{Bilog: transform.Bilog{Low: mat.Min(in.Data.Y), High: math.Inf(1), Width: 1e12}}
	on := OnBilog(warp.Bilog, in)
	on.Warp = warp
	narrow := &optimizers.Warp{Bilog: transform.Bilog{Low: warp.Low, High: warp.High, Width: 1e12 * 1e-9}}
	linear, err := Fit(t.Context(), in, 0)
	require.NoError(t, err)
	warped, err := Fit(t.Context(), on, 0)
	require.NoError(t, err)
	x := testbed.Probes(5, 2)
	want, _ := linear.Predict(t.Context(), x)
	got, _ := warped.Predict(t.Context(), x)
	assert.InEpsilonSlice(t, want[0].Mean, got[0].Mean, 1e-4)
	assert.InEpsilonSlice(t, want[0].SD, got[0].SD, 1e-3)
	assert.InEpsilon(t, linear.NoiseSD()[0], warped.NoiseSD()[0], 1e-2)
	evidence := func(b *Process) float64 {
		v, err := b.LogEvidence(t.Context())
		require.NoError(t, err)
		return v[0]
	}
	assert.InDelta(t, evidence(linear), evidence(warped), 1e-2)
	steep := OnBilog(narrow.Bilog, in)
	steep.Warp = narrow
	b, err := Fit(t.Context(), steep, 0)
	require.NoError(t, err)
	assert.Greater(t, math.Abs(evidence(b)-b.GP.LogMarginalLikelihood()), 1.0, "the Jacobian counts")
}

// logDensityRatio is the logarithm of the density of standardized values over that of their standardized images, with
// derivatives by differences.
func logDensityRatio(w *optimizers.Warp, values []float64) (sum float64) {
	images := make([]float64, len(values))
	for i, v := range values {
		images[i] = w.Apply(v)
	}
	unit := model.Standardize(values).SD / model.Standardize(images).SD
	for _, v := range values {
		sum += math.Log(fd.Derivative(w.Apply, v, &fd.Settings{Formula: fd.Central}) * unit)
	}
	return sum
}
