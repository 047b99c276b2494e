package gaussian

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// errorsFor returns standard errors of n observations of one objective; every third is unknown.
func errorsFor(n int, size float64) *mat.Dense {
	se := mat.NewDense(n, 1, nil)
	for i := range n {
		se.Set(i, 0, size*float64(1+i%4))
		if i%3 == 0 {
			se.Set(i, 0, math.NaN())
		}
	}
	return se
}

// Known standard errors affect the belief: the mean does not follow observations with large errors, and the belief does
// not depend on the unit of the errors.
func TestErrorsAreInTheBelief(t *testing.T) {
	ctx := t.Context()
	_, data := testbed.Observe(t, "branin", 12)
	plain := testbed.Fit(t, EI, testbed.InputFor(t, EI, 2, data))
	data.SE = errorsFor(12, 20)
	in := testbed.InputFor(t, EI, 2, data)
	belief := testbed.Fit(t, EI, in)
	point := data.X.Slice(1, 2, 0, 2).(*mat.Dense)
	before, err := plain.Predict(ctx, point)
	require.NoError(t, err)
	after, err := belief.Predict(ctx, point)
	require.NoError(t, err)
	if after[0].SD[0] < 3*before[0].SD[0] {
		t.Errorf("an observation with an error of 40 has the sd %g, without the error %g",
			after[0].SD[0], before[0].SD[0])
	}
	unknown := data
	unknown.SE = mat.NewDense(12, 1, nil)
	for i := range 12 {
		unknown.SE.Set(i, 0, math.NaN())
	}
	none := testbed.Fit(t, EI, testbed.InputFor(t, EI, 2, unknown))
	if same, err := none.Predict(ctx, point); err != nil || same[0].SD[0] != before[0].SD[0] ||
		same[0].Mean[0] != before[0].Mean[0] {
		t.Errorf("unknown errors change the belief: %v, %v (%v)", same, before, err)
	}
	other := in
	other.Data.Y, other.Data.SE = mat.DenseCopyOf(data.Y), mat.DenseCopyOf(data.SE)
	other.Data.Y.Scale(16, other.Data.Y)
	other.Data.SE.Scale(16, other.Data.SE)
	scaled := testbed.Fit(t, EI, other)
	if s, err := scaled.Predict(ctx, point); err != nil || math.Abs(s[0].SD[0]-16*after[0].SD[0]) > 1e-6*s[0].SD[0] {
		t.Errorf("in other units the error is %v, want 16 times %v (%v)", s, after, err)
	}
}

// The noise that an objective declares applies to observations without a standard error.
func TestDeclaredNoise(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 12)
	in := testbed.InputFor(t, EI, 2, data)
	in.Noise = []float64{7}
	p, err := Fit(t.Context(), in, 0)
	if err != nil || math.Abs(p.GP.Noise()*p.Scale.SD-7) > 1e-12 {
		t.Errorf("the noise is %g, want 7 (%v)", p.GP.Noise()*p.Scale.SD, err)
	}
	in.Data.SE = errorsFor(12, 10)
	if p, err = Fit(t.Context(), in, 0); err != nil || math.Abs(p.GP.MaxNoise()*p.Scale.SD-40) > 1e-9 ||
		math.Abs(p.GP.Noise()*p.Scale.SD-7) > 1e-12 {
		t.Errorf("with errors the noise is %g and at most %g, want 7 and 40 (%v)", p.GP.Noise()*p.Scale.SD,
			p.GP.MaxNoise()*p.Scale.SD, err)
	}
	in.Noise = []float64{0}
	if p, err = Fit(t.Context(), in, 0); err != nil || p.GP.Noise()*p.Scale.SD > 40 {
		t.Errorf("the noise that is not declared is %g, want a fitted one (%v)", p.GP.Noise(), err)
	}
}

// Residuals are those of a process without the observation, in the units of the objective.
func TestResiduals(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 10)
	data.SE = errorsFor(10, 3)
	b := testbed.Fit(t, EI, testbed.InputFor(t, EI, 2, data))
	left, ok := b.(optimizers.LeaveOneOuter)
	require.True(t, ok, "a Gaussian process has no leave-one-out predictions")
	r, err := left.LeaveOneOut(t.Context())
	if err != nil || len(r) != 1 || len(r[0].Z) != 10 {
		t.Fatalf("%v (%v)", r, err)
	}
	for i, z := range r[0].Z {
		if math.Abs(z*r[0].SD[i]+r[0].Mean[i]-data.Y.At(i, 0)) > 1e-9 || r[0].SD[i] <= 0 {
			t.Errorf("observation %d is %g, predicted %g ± %g, %g standard deviations away", i, data.Y.At(i, 0),
				r[0].Mean[i], r[0].SD[i], z)
		}
	}
}
