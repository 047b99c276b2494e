package model

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"
)

// By hand: 1, 3 and 8 have the mean 4 and the variance 26/3 about it, over n, so that standardized targets have exactly
// the standard deviation 1 over themselves.
func TestStandardize(t *testing.T) {
	for _, c := range []struct {
		y        []float64
		mean, sd float64
	}{
		{[]float64{1, 3, 8}, 4, math.Sqrt(26.0 / 3)},
		{[]float64{-1, 1}, 0, 1},
		{[]float64{7}, 7, 1},
		{nil, 0, 1},
		{[]float64{2, 2, 2}, 2, 1},
		{[]float64{1e9, 1e9 + 1e-5}, 1e9 + 5e-6, 1}, // equal but for rounding
	} {
		s := Standardize(c.y)
		if math.Abs(s.Mean-c.mean) > 1e-5 || math.Abs(s.SD-c.sd) > 1e-12 {
			t.Errorf("%v: got mean %g, sd %g, want %g and %g", c.y, s.Mean, s.SD, c.mean, c.sd)
		}
		for i, z := range s.Apply(c.y) {
			assert.InDelta(t, c.y[i], s.Value(z), 1e-12*math.Max(1, math.Abs(c.y[i])), "%v does not come back", c.y[i])
		}
	}
}

// A matrix that is nearly singular is solved with a warning, one that is singular is not solved.
func TestSolved(t *testing.T) {
	solve := func(small float64) error {
		var lu mat.LU
		lu.Factorize(mat.NewDense(2, 2, []float64{1, 0, 0, small}))
		return lu.SolveVecTo(mat.NewVecDense(2, nil), false, mat.NewVecDense(2, []float64{1, 1}))
	}
	for small, want := range map[float64][2]bool{1: {true, true}, 1e-18: {false, true}, 0: {false, false}} {
		err := solve(small)
		if got := [2]bool{err == nil, IgnoreCondition(err) == nil}; got != want {
			t.Errorf("%g on the diagonal: %v, solved %v", small, err, IgnoreCondition(err))
		}
	}
}
