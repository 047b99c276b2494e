package optimizers

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/transform"
)

// A value that is too large for models counts as one beyond the others by their range; ordinary values stay in the
// matrix in which they came.
func TestWinsorize(t *testing.T) {
	huge, inf := math.MaxFloat64, math.Inf(1)
	for _, c := range []struct {
		name     string
		y, want  []float64
		clips    int
		maximize bool
	}{
		{"ordinary", []float64{5, -60, 9e15, 1e-300}, []float64{5, -60, 9e15, 1e-300}, 0, false},
		{"converged to 0", []float64{1e4, 1e-13, 0, 1e-14}, []float64{1e4, 1e-13, 0, 1e-14}, 0, false},
		{"large, without gaps", []float64{1, 1e15, 1e30, 1e45, 1e60}, []float64{1, 1e15, 1e30, 1e45, 1e60}, 0, false},
		{"large alone", []float64{1e60}, []float64{1e60}, 0, false},
		{"one of 1e155", []float64{5, 60, 1e155}, []float64{5, 60, 115}, 1, false},
		{"several on both sides", []float64{huge, 5, 1e155, -1e300, 60}, []float64{115, 5, 115, -50, 60}, 3, false},
		{"beside one other", []float64{-3, 1e155}, []float64{-3, 0}, 1, false},
		{"beside zeros", []float64{0, 0, -1e155}, []float64{0, 0, -1}, 1, false},
		{"none is ordinary", []float64{huge, -1e155}, []float64{1e75, -1e75}, 2, false},
		{"large without gaps beyond what can be squared", []float64{1, 1e15, 1e30, 1e45, 1e60, 1e75, 1e90},
			[]float64{1, 1e15, 1e30, 1e45, 1e60, 1e75, 2e75}, 1, false},
		{"to be maximized", []float64{5, 60, 1e155}, []float64{5, 60, 115}, 1, true},
	} {
		y := mat.NewDense(len(c.y), 1, append([]float64(nil), c.y...))
		x := mat.NewDense(len(c.y), 1, nil)
		x.Apply(func(i, _ int, _ float64) float64 { return float64(i) }, x)
		in := Input{Dim: 1, Objectives: 1, Data: Data{X: x, Y: y}}
		if c.maximize {
			in.Transforms = []transform.Transform{{Sign: -1}}
		}
		in.Winsorize()
		got := in.Data.Column(0)
		for i := range got {
			assert.InDelta(t, c.want[i], got[i], 1e-12*math.Abs(c.want[i]), "%s: %v, want %v", c.name, got, c.want)
		}
		if len(in.Clipped) != c.clips || (in.Data.Y == y) != (c.clips == 0) ||
			(in.DataFacts() != nil) != (c.clips > 0) {
			t.Errorf("%s: clipped %+v, told as %v, in place %v", c.name, in.Clipped, in.DataFacts(), in.Data.Y == y)
		}
		for _, clip := range in.Clipped {
			if sign := map[bool]float64{
				true: -1, false: 1}[c.maximize]; clip.Value != sign*c.y[clip.Row] || clip.As != sign*got[clip.Row] ||
				clip.Limit != -1 {
				t.Errorf("%s: %+v", c.name, clip)
			}
		}
	}
	// Of a limit a value stays on its side of the bounds, and of errors those whose squares overflow are bounded.
	in := Input{Dim: 1, Objectives: 1, Limits: []Limit{{Name: "l", Min: -inf, Max: 1e6, Objective: -1}},
		Data: Data{X: mat.NewDense(3, 1, nil), Y: mat.NewDense(3, 1, nil),
			Limits:  mat.NewDense(3, 1, []float64{1, huge, 2}),
			LimitSE: mat.NewDense(3, 1, []float64{math.NaN(), 1, huge})}}
	in.Winsorize()
	if v, se := in.Data.Limits.At(1, 0), in.Data.LimitSE; !(v > 1e6 && v < 3e6) || in.IsFeasible(1) ||
		!in.IsFeasible(0) ||
		len(in.Clipped) != 1 || in.Clipped[0].Limit != 0 || se.At(2, 0) != maxMagnitude || se.At(1, 0) != 1 ||
		!math.IsNaN(se.At(0, 0)) {
		t.Errorf("limits %v, errors %v, clipped %+v", mat.Formatted(in.Data.Limits), mat.Formatted(se), in.Clipped)
	}
}
