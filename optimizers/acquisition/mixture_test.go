package acquisition

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/normdist"
)

// line is a surrogate whose mean and standard deviation are linear in the only input.
type line struct{ mean, byX, sd, sdByX float64 }

func (l line) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	dmean[0], dsd[0] = l.byX, l.sdByX
	return l.mean + l.byX*x[0], l.sd + l.sdByX*x[0]
}

func (l line) Predict(_ context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	n, _ := X.Dims()
	for i := range n {
		m, s := l.Gradient(X.RawRowView(i), make([]float64, 1), make([]float64, 1))
		mean, sd = append(mean, m), append(sd, s)
	}
	return mean, sd, nil
}

// lines is a mixture of line surrogates.
type lines []Differentiable

func (l lines) Components() []Differentiable { return l }

func (l lines) Thin(int) Differentiable { return l[0] }

func (l lines) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	return l[0].Predict(ctx, X)
}

// The expected improvement of a mixture is the mean of those of its surrogates, and its gradient that of the mean, also
// if one of them expects almost no improvement. A confidence bound is that of the moments of the mixture.
func TestScoreOfAMixture(t *testing.T) {
	mixture := lines{line{0.2, -0.5, 0.3, 0.1}, line{0.1, 0.4, 0.05, 0.2}, line{3, 0, 0.01, 0}}
	var b Posterior
	ei := scoreTarget(mixture, b.ExpectedImprovement(0.05))
	for _, x := range []float64{0, 0.3, 0.9} {
		inputs, want := mat.NewDense(1, 1, []float64{x}), 0.0
		for _, l := range mixture {
			mean, sd, _ := l.Predict(t.Context(), inputs)
			log, _, _ := normdist.LogImprovement(mean[0], sd[0], 0.05)
			want += math.Exp(log) / 3
		}
		v, err := ei.Values(t.Context(), inputs)
		if err != nil || math.Abs(math.Exp(v[0])-want) > 1e-12 {
			t.Errorf("at %g the improvement is %g, want %g (%v)", x, math.Exp(v[0]), want, err)
		}
		grad := make([]float64, 1)
		got := ei.Gradient([]float64{x}, grad)
		slope := fd.Gradient(nil, func(x []float64) float64 { return ei.Gradient(x, make([]float64, 1)) },
			[]float64{x}, &fd.Settings{Formula: fd.Central})
		if math.Abs(got-v[0]) > 1e-12 || math.Abs(grad[0]-slope[0]) > 1e-6*(1+math.Abs(slope[0])) {
			t.Errorf("at %g the value is %g and the slope %g, want %g and %g", x, got, grad[0], v[0], slope[0])
		}
	}
	bound, err := scoreTarget(mixture, b.LowerBound(2)).Values(t.Context(), mat.NewDense(1, 1, []float64{0.3}))
	if want := 2*0.33 - 0.05; err != nil || math.Abs(bound[0]-want) > 1e-12 {
		t.Errorf("the bound is %g, want %g (%v)", bound[0], want, err)
	}
}
