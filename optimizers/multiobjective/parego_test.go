package multiobjective

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers/testbed"
)

// The standard error of a scalarization is its spread when the values of the objectives are drawn with their errors,
// within five standard errors of that spread. If the error of one objective is unknown, so is that of the
// scalarization.
func TestErrorsOfAScalarization(t *testing.T) {
	const draws = 4000
	data := testbed.ObserveAll(t, "branin-currin", 8)
	in := testbed.InputFor(t, ParEGO, 2, data, "restarts=1")
	in.Objectives = 2
	input := in
	input.Data.SE = mat.NewDense(8, 2, nil)
	input.Data.SE.Apply(func(_, k int, _ float64) float64 { return []float64{0.02, 0.001}[k] }, input.Data.SE)
	input.Data.SE.Set(3, 1, math.NaN())
	m := testbed.Fit(t, ParEGO, input).(*parEGOBelief)
	_, se, _ := m.scalarized()
	drawn, rng := make([][]float64, 8), rand.New(rand.NewPCG(1, 5))
	for range draws {
		m.in.Data.Y = mat.NewDense(8, 2, nil)
		m.in.Data.Y.Apply(func(i, k int, _ float64) float64 {
			return data.Y.At(i, k) + []float64{0.02, 0.001}[k]*rng.NormFloat64()
		}, m.in.Data.Y)
		y, _, _ := m.scalarized()
		for i := range drawn {
			drawn[i] = append(drawn[i], y.At(i, 0))
		}
	}
	for i := range drawn {
		want := stat.StdDev(drawn[i], nil)
		if got := se.At(i, 0); i == 3 && !math.IsNaN(got) || i != 3 && math.Abs(got-want) > 5*want/math.Sqrt(2*draws) {
			t.Errorf("observation %d has an error of %g, by draws %g", i, got, want)
		}
	}
	if _, se, _ := testbed.Fit(t, ParEGO, in).(*parEGOBelief).scalarized(); se != nil {
		t.Errorf("without known errors there are some: %v", mat.Formatted(se))
	}
}
