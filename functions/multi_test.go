package functions

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// Values by hand and, of branin4-currin4, computed apart from this package.
func TestSeveralObjectives(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want []float64
	}{
		{"thesis-xy", []float64{0.6, 0.5}, []float64{0.3, 0.4}},
		{"schaffer", []float64{3}, []float64{9, 1}},
		{"branin4-currin4", []float64{0.3, 0.6, 0.8, 0.15}, []float64{-81.91942484, 17.64656876}},
		{"branin-currin", []float64{(math.Pi + 5) / 15, 2.275 / 15},
			[]float64{0.397887357729739, Currin((math.Pi+5)/15, 2.275/15)}},
		{"zdt1:3", []float64{0.25, 0, 0}, []float64{0.25, 0.5}},
		{"zdt2:3", []float64{0.5, 1, 1}, []float64{0.5, 10 * (1 - 0.0025)}},
		{"four-bar-truss", []float64{1, 2, 2, 1}, []float64{200 * (3 + 3*math.Sqrt2), 0.04}},
		{"vehicle-safety", []float64{1, 1, 1, 1, 1}, []float64{1661.7078225, 8.3046, 0.0708}},
		// these three by BoTorch 0.18.1
		{"vehicle-safety", []float64{1.3, 2.1, 1.7, 2.6, 1.1}, []float64{1680.96721498, 10.588388, 0.118638}},
		{"vehicle-safety", []float64{2.9, 1.2, 2.4, 1.5, 2.2}, []float64{1682.255397, 9.343155, 0.117927}},
		{"vehicle-safety", []float64{1.9, 2.7, 1.05, 2.95, 2.75}, []float64{1690.859839575, 11.47063275, 0.06945825}},
		{"dtlz2-k2", []float64{1.0 / 3, 0.5, 0.5, 0.5, 0.5, 1}, []float64{1.25 * math.Sqrt(3) / 2, 1.25 * 0.5}},
		{"zdt3:2", []float64{0.05, 0}, []float64{0.05, 1 - math.Sqrt(0.05) - 0.05*math.Sin(math.Pi/2)}},
	} {
		y, err := find(t, c.name, 0).TrueValues(c.x)
		if err != nil || !floats.EqualApprox(y, c.want, 1e-7) {
			t.Errorf("%s%v = %v (%v), want %v", c.name, c.x, y, err, c.want)
		}
	}
}

// The front of branin4-currin4 ends where it does, and passes through the regions top and mid of the thesis.
func TestBranin4Currin4Front(t *testing.T) {
	p := find(t, "branin4-currin4", 0)
	front := p.Front().Points(0)
	best, least := front[0], front[0]
	for _, y := range front {
		if y[0] > best[0] {
			best = y
		}
		if y[0] < least[0] {
			least = y
		}
		if f1, f2 := y[0], y[1]; f1 > -80 && f1 < -70 && (f2 < 20.2 || f2 > 22) || f1 > -100 && f1 < -95 &&
			(f2 < 25.4 || f2 > 27.5) {
			t.Errorf("the front passes through %v", y)
		}
	}
	for _, c := range [][2][]float64{{best, {-55.41, 8.01}}, {least, {-102.36, 27.60}}} {
		if math.Abs(c[0][0]-c[1][0]) > 0.1 || math.Abs(c[0][1]-c[1][1]) > 0.1 {
			t.Errorf("the front ends at %v, want %v", c[0], c[1])
		}
	}
}
