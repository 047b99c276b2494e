package inspection

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/testbed"
)

// known is a belief whose moments are known functions of the unit cube.
type known struct {
	optimizers.Unsupported
	mean, sd func(u []float64) float64
}

func (known) Legend() optimizers.Legend { return optimizers.Legend{} }

func (known) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{}, optimizers.ErrUnsupported
}

func (b known) Predict(ctx context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	n, _ := X.Dims()
	band := optimizers.Band{Mean: make([]float64, n), SD: make([]float64, n)}
	for i := range n {
		band.Mean[i], band.SD[i] = b.mean(X.RawRowView(i)), b.sd(X.RawRowView(i))
	}
	return []optimizers.Band{band}, ctx.Err()
}

func zero([]float64) float64 { return 0 }

// Sobol' indices have closed forms: of a linear function a_j²/Σa², of Ishigami's those of Ishigami & Homma 1990.
func TestSensitivity(t *testing.T) {
	ishigami := func(u []float64) float64 {
		x := make([]float64, 3)
		for j := range x {
			x[j] = math.Pi * (2*u[j] - 1)
		}
		return math.Sin(x[0]) + 7*math.Pow(math.Sin(x[1]), 2) + 0.1*math.Pow(x[2], 4)*math.Sin(x[0])
	}
	pi4 := math.Pow(math.Pi, 4)
	v1, v2, v13 := 0.5*math.Pow(1+0.1*pi4/5, 2), 49.0/8, 0.01*pi4*pi4*(1.0/18-1.0/50)
	for name, c := range map[string]struct {
		f        func(u []float64) float64
		variance float64
		want     []float64
		total    []float64
	}{
		"linear": {func(u []float64) float64 {
			return 100 + 3*u[0] - 2*u[1] + u[2]
		}, 14.0 / 12, []float64{9.0 / 14, 4.0 / 14, 1.0 / 14}, []float64{9.0 / 14, 4.0 / 14, 1.0 / 14}},
		"Ishigami": {ishigami, v1 + v2 + v13, []float64{v1 / (v1 + v2 + v13), v2 / (v1 + v2 + v13), 0},
			[]float64{(v1 + v13) / (v1 + v2 + v13), v2 / (v1 + v2 + v13), v13 / (v1 + v2 + v13)}},
		"constant": {func([]float64) float64 { return 5 }, 0, []float64{0, 0, 0}, []float64{0, 0, 0}},
	} {
		got, err := Sensitivity(t.Context(), optimizers.Input{Dim: 3, Objectives: 1}, known{mean: c.f, sd: zero})
		require.NoError(t, err)
		assert.InDelta(t, c.variance, got[0].Variance, 0.02*(c.variance+1e-9), "%s: the variance", name)
		for j, s := range got[0].First {
			assert.InDelta(t, c.want[j], s, 0.02, "%s: index %d", name, j)
			assert.InDelta(t, c.total[j], got[0].Total[j], 0.02, "%s: the total index %d", name, j)
		}
	}
	narrowed := optimizers.Input{Dim: 2, Objectives: 1, Low: []float64{0, 0.5}, High: []float64{1, 0.5}}
	got, err := Sensitivity(t.Context(), narrowed,
		known{mean: func(u []float64) float64 { return u[0] + u[1] }, sd: zero})
	if err != nil || got[0].First[1] != 0 || math.Abs(got[0].First[0]-1) > 0.02 {
		t.Errorf("with a variable that is pinned: %v (%v)", got, err)
	}
}

// The best by the model and the improvement that is left are found where they are, and are told in the objective's
// units.
func TestBestAndImprovementLeft(t *testing.T) {
	b := known{mean: func(u []float64) float64 {
		return 10 + math.Pow(u[0]-0.3, 2) + math.Pow(u[1]-0.8, 2)
	}, sd: func(u []float64) float64 { return 2 * u[0] }}
	in := optimizers.Input{Dim: 2, Objectives: 1, Seed: 4,
		Data: optimizers.Data{X: mat.NewDense(2, 2, []float64{0.5, 0.8, 0.9, 0.1}),
			Y: mat.NewDense(2, 1, []float64{9, 12})}}
	best, err := MinimizeMean(t.Context(), in, b, 0)
	if err != nil || math.Abs(best.X[0]-0.3) > 1e-3 || math.Abs(best.X[1]-0.8) > 1e-3 ||
		math.Abs(best.Mean-10) > 1e-6 || math.Abs(best.SD-0.6) > 2e-3 {
		t.Errorf("the best by the model is %+v (%v)", best, err)
	}
	left, err := MaxImprovement(t.Context(), in, b, 0)
	require.NoError(t, err)
	most := 0.0 // by a grid
	for i := range 201 {
		for j := range 201 {
			u := []float64{float64(i) / 200, float64(j) / 200}
			z := (10.04 - b.mean(u)) / b.sd(u)
			if b.sd(u) > 0 {
				most = max(most, (10.04-b.mean(u))*math.Erfc(-z/math.Sqrt2)/2+
					b.sd(u)*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
			}
		}
	}
	if math.Abs(left.Incumbent-10.04) > 1e-12 || math.Abs(left.Value-most) > 1e-4 {
		t.Errorf("the improvement that is left is %+v, by a grid %g", left, most)
	}
	_, err = MaxImprovement(t.Context(), optimizers.Input{Dim: 2, Objectives: 1}, b, 0)
	assert.ErrorIs(t, err, optimizers.ErrUnsupported, "without data: %v", err)
	none := known{mean: b.mean, sd: zero}
	in.Data = optimizers.Data{X: mat.NewDense(1, 2, []float64{0.3, 0.8}), Y: mat.NewDense(1, 1, []float64{10})}
	if left, err := MaxImprovement(t.Context(), in, none, 0); err != nil || left.Value > 1e-9 {
		t.Errorf("where all is known, %+v is left (%v)", left, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err1 := MinimizeMean(ctx, in, b, 0)
	_, err2 := MaxImprovement(ctx, in, b, 0)
	_, err3 := Sensitivity(ctx, in, b)
	for _, err := range []error{err1, err2, err3} {
		assert.ErrorIs(t, err, context.Canceled, "cancelled: %v", err)
	}
}

// Of a method that maximizes it, what is left is the acquisition at its suggestion; asking moves no suggestion. What
// has no band has neither.
func TestMethodsAreAsked(t *testing.T) {
	spec, err := registry.Find("gp-ei")
	require.NoError(t, err)
	_, data := testbed.Observe(t, "branin", 12)
	in := testbed.InputFor(t, *spec, 2, data, "noise=fixed", "noise_sd=0.0001", "hyperparameters=fitted")
	b := testbed.Fit(t, *spec, in)
	left, err := MaxImprovement(t.Context(), in, b, 0)
	require.NoError(t, err)
	s, err := b.Suggest(t.Context())
	if err != nil || math.Abs(left.Value-s.Acquisition[0]) > 1e-4*s.Acquisition[0] {
		t.Errorf("%g is left, the suggestion's is %g (%v)", left.Value, s.Acquisition[0], err)
	}
	if s, err := Sensitivity(t.Context(), in, b); err != nil || s[0].First[0] <= 0 || s[0].First[1] <= 0 {
		t.Errorf("the sensitivity is %+v (%v)", s, err)
	}
	none, err := registry.Find("random")
	require.NoError(t, err)
	_, err = MinimizeMean(t.Context(), in, testbed.Fit(t, *none, in), 0)
	assert.ErrorIs(t, err, optimizers.ErrUnsupported, "random search has a best: %v", err)
}
