package gaussian

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// mixed returns an input of four variables (real, integer, a choice of three and listed) with n observations of a
// smooth function of them. order is the order in which the choices are listed.
func mixed(t *testing.T, n int, order []int, set ...string) optimizers.Input {
	t.Helper()
	value := []float64{0.3, -0.8, 0.5} // of the choices
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := mat.NewDense(n, 4, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		c := rng.IntN(3)
		row := []float64{rng.Float64(), float64(rng.IntN(5)) / 4, float64(slices.Index(order, c)) / 2,
			[]float64{0, 0.1, 1}[rng.IntN(3)]}
		x.SetRow(i, row)
		y.Set(i, 0, math.Sin(5*row[0])+row[1]*row[1]+value[c]*(1+row[0])-row[3])
	}
	in := testbed.InputFor(t, EI, 4, optimizers.Data{X: x, Y: y}, set...)
	in.Domain = &space.Domain{Inputs: []space.Input{{}, {Levels: []float64{0, 0.25, 0.5, 0.75, 1}},
		{Levels: []float64{0, 0.5, 1}, Choice: true}, {Levels: []float64{0, 0.1, 1}}}}
	return in
}

// With rounding, moments, samples, paths and covariances are constant on a step, and gradients along discrete variables
// are 0. Along real variables gradients are the derivatives.
func TestThePosteriorIsConstantOnAStep(t *testing.T) {
	ctx := t.Context()
	b, err := Fit(ctx, mixed(t, 20, []int{0, 1, 2}), 0)
	require.NoError(t, err)
	rows := mat.NewDense(2, 4, []float64{0.37, 0.5, 0.5, 0.1, 0.37, 0.61, 0.3, 0.5})
	mean, sd, err := b.GP.Predict(ctx, rows)
	if err != nil || mean[0] != mean[1] || sd[0] != sd[1] {
		t.Errorf("on one step the mean is %v and the deviation %v (%v)", mean, sd, err)
	}
	path, err := b.GP.Path(200, rand.New(rand.NewPCG(1, 2)))
	if err != nil || path.At(rows.RawRowView(0)) != path.At(rows.RawRowView(1)) {
		t.Errorf("a path is %g and %g (%v)", path.At(rows.RawRowView(0)), path.At(rows.RawRowView(1)), err)
	}
	if m := b.GP.Means(rows); math.Abs(m[0]-mean[0]) > 1e-12 || m[0] != m[1] {
		t.Errorf("the means are %g, want %g", m, mean[0])
	}
	tie, err := b.GP.CrossCovariance(mat.NewDense(1, 4, []float64{0.2, 0.25, 1, 0}))
	require.NoError(t, err)
	cov := tie.Covariances(rows)
	if cov.At(0, 0) != cov.At(1, 0) {
		t.Errorf("covariances %g and %g", cov.At(0, 0), cov.At(1, 0))
	}
	row := rows.RawRowView(1)
	slopes := map[string]struct {
		f func(x []float64) float64
		g func(grad []float64)
	}{
		"mean": {func(x []float64) float64 { return b.GP.Means(mat.NewDense(1, 4, slices.Clone(x)))[0] }, func(g []float64) { b.GP.Gradient(row, g, make([]float64, 4)) }},
		"path": {path.At, func(g []float64) { path.Gradient(row, g) }},
		"covariance": {func(x []float64) float64 {
			return tie.Covariances(mat.NewDense(1, 4, slices.Clone(x))).At(0, 0)
		}, func(g []float64) { tie.Gradient(row, make([]float64, 1), mat.NewDense(1, 4, g)) }},
	}
	for name, s := range slopes {
		got := make([]float64, 4)
		s.g(got)
		want := fd.Gradient(nil, s.f, row, &fd.Settings{Formula: fd.Central, Step: 1e-6})
		for j := range got {
			if math.Abs(got[j]-want[j]) > 1e-5 || j > 0 && got[j] != 0 {
				t.Errorf("the slope of the %s along input %d is %g, by differences %g", name, j, got[j], want[j])
			}
		}
	}
}

// The order of the choices affects neither the fit nor its predictions.
func TestRelabellingAChoiceChangesNothing(t *testing.T) {
	predict := func(order []int) (float64, float64) {
		b, err := Fit(context.Background(), mixed(t, 20, order), 0)
		require.NoError(t, err)
		mean, sd, err := b.GP.Predict(t.Context(),
			mat.NewDense(1, 4, []float64{0.4, 0.5, float64(slices.Index(order, 1)) / 2, 0.1}))
		require.NoError(t, err)
		return mean[0], sd[0]
	}
	mean, sd := predict([]int{0, 1, 2})
	for _, order := range [][]int{{1, 0, 2}, {2, 0, 1}, {2, 1, 0}} {
		if m, s := predict(order); math.Abs(m-mean) > 1e-6 || math.Abs(s-sd) > 1e-6 {
			t.Errorf("in the order %v it is %g ± %g, in the first %g ± %g", order, m, s, mean, sd)
		}
	}
}

// Any covariance matrix of mixed inputs is positive definite up to rounding.
func TestKernelsOfMixedInputsAreCovariances(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, form := range []string{"se", "matern52"} {
		b, err := Fit(t.Context(), mixed(t, 12, []int{0, 1, 2}, "kernel="+form), 0)
		require.NoError(t, err)
		for range 20 {
			x := mat.NewDense(30, 4, nil)
			x.Apply(func(int, int, float64) float64 { return rng.Float64() }, x)
			var eigen mat.EigenSym
			if g := b.GP.Gram(x); !eigen.Factorize(g, false) || eigen.Values(nil)[0] < -1e-10*mat.Trace(g) {
				t.Fatalf("%s: the least eigenvalue is %g", form, eigen.Values(nil)[0])
			}
		}
	}
}

// A choice has one lengthscale: its influence is reported as one number, and its columns share it.
func TestAChoiceHasOneLengthscale(t *testing.T) {
	b, err := Fit(t.Context(), mixed(t, 20, []int{0, 1, 2}), 0)
	require.NoError(t, err)
	lengths, _, err := b.GP.Describe()
	if err != nil || len(lengths) != 6 || lengths[2] != lengths[3] || lengths[3] != lengths[4] ||
		lengths[1] == lengths[2] {
		t.Errorf("the lengthscales are %v (%v)", lengths, err)
	}
	assert.Len(t, b.lengths(len(lengths)), 3, "the estimates")
}

// The similarity of choices is reported as the correlation of values that differ in the choice only, exp(−1/(2ℓ²)) for
// a squared-exponential kernel; with descriptors, the correlations of the least and of the most similar levels are
// reported. Without choices nothing is reported.
func TestHowAlikeChoicesAre(t *testing.T) {
	describe := func(in optimizers.Input) (string, []float64) {
		b, err := Fit(t.Context(), in, 0)
		require.NoError(t, err)
		lengths, _, _ := b.GP.Describe()
		for _, f := range b.Describe().Facts {
			if f.Name == "choice correlation" {
				return f.Value, lengths
			}
		}
		return "", lengths
	}
	correlation := func(distance, length float64) string {
		return fmt.Sprintf("%.2f", math.Exp(-distance*distance/(2*length*length)))
	}
	in := mixed(t, 20, []int{0, 1, 2}, "kernel=se", "hyperparameters=fitted")
	if got, lengths := describe(in); got != correlation(1, lengths[2]) {
		t.Errorf("the choice correlation is %s, with a lengthscale of %g", got, lengths[2])
	}
	in.Domain.Inputs[2].Descriptors = [][]float64{{0}, {0.3}, {1}}
	if got, lengths := describe(in); got != correlation(1, lengths[2])+"…"+correlation(0.3, lengths[2]) {
		t.Errorf("with descriptors the choice correlation is %s, with a lengthscale of %g", got, lengths[2])
	}
	in.Domain = nil
	if got, _ := describe(in); got != "" {
		t.Errorf("without choices the facts contain %q", got)
	}
}
