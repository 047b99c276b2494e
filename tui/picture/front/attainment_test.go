package front

import (
	"math"
	"testing"

	"bandscope/functions"
)

// Of four fronts the median attainment at a value is the second best of what they reach there, the quarter the best: by
// hand, for every direction.
func TestAttainment(t *testing.T) {
	minimized := [][][]float64{{{1, 4}, {3, 1}}, {{2, 2}}, {{2, 3}, {4, 0}}, {{5, 0}}}
	for _, signs := range [][2]float64{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
		objectives := []functions.Objective{{Direction: functions.Minimize}, {Direction: functions.Minimize}}
		for k := range objectives {
			if signs[k] < 0 {
				objectives[k].Direction = functions.Maximize
			}
		}
		fronts := make([][][]float64, len(minimized))
		for i, front := range minimized {
			for _, y := range front {
				fronts[i] = append(fronts[i], []float64{signs[0] * y[0], signs[1] * y[1]})
			}
		}
		lo, hi := min(0, 6*signs[0]), max(0, 6*signs[0])
		a := NewAttainment(fronts, objectives, 0, 1, lo, hi)
		nan := math.NaN()
		for _, c := range []struct{ x, quarter, half, most float64 }{
			{0.5, nan, nan, nan}, {1.5, 4, nan, nan}, {2.5, 2, 3, 4}, {3.5, 1, 2, 3}, {4.5, 0, 1, 2}, {5.5, 0, 0, 1},
		} {
			position := 0
			for i, x := range a.X {
				if math.Abs(x-signs[0]*c.x) < math.Abs(a.X[position]-signs[0]*c.x) {
					position = i
				}
			}
			for name, got := range map[float64]float64{
				c.quarter: a.Quarter[position], c.half: a.Half[position], c.most: a.ThreeQuarters[position]} {
				if want := signs[1] * name; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Errorf("%v: at %g it attains %g, want %g", signs, c.x, got, want)
				}
			}
		}
	}
	if a := NewAttainment(nil, nil, 0, 1, 0, 1); a.X != nil {
		t.Error("no fronts attain something")
	}
}

// Of fronts in objectives of which factors count the attainment is 10 to that of their logarithms.
func TestAttainmentByFactors(t *testing.T) {
	logarithms := [][][]float64{{{1, 4}, {3, 1}}, {{2, 2}}, {{2, 3}, {4, 0.5}}}
	fronts := make([][][]float64, len(logarithms))
	for i, front := range logarithms {
		for _, y := range front {
			fronts[i] = append(fronts[i], []float64{math.Pow(10, y[0]), math.Pow(10, y[1])})
		}
	}
	plain := []functions.Objective{{Direction: functions.Minimize}, {Direction: functions.Minimize}}
	factors := []functions.Objective{{Direction: functions.Minimize, Scale: functions.Log,
		Range: &[2]float64{1e-3, 1e6}},
		{Direction: functions.Minimize, Scale: functions.Log, Range: &[2]float64{1e-3, 1e6}}}
	want, got := NewAttainment(logarithms, plain, 0, 1, 0, 6), NewAttainment(fronts, factors, 0, 1, 1, 1e6)
	for i := range want.X {
		for _, pair := range [][2]float64{
			{want.X[i], got.X[i]}, {want.Half[i], got.Half[i]}, {want.ThreeQuarters[i], got.ThreeQuarters[i]}} {
			if math.Abs(math.Log10(pair[1])-pair[0]) > 1e-9 || math.IsNaN(pair[0]) != math.IsNaN(pair[1]) {
				t.Errorf("at %g: %g, want 10 to the %g", want.X[i], pair[1], pair[0])
			}
		}
	}
}
