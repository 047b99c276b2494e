package functions

import (
	"math"
	"math/rand/v2"
	"testing"

	"bandscope/functions/pareto"
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
		{"branin-currin", []float64{(math.Pi + 5) / 15, 2.275 / 15}, []float64{0.397887357729739, Currin((math.Pi+5)/15, 2.275/15)}},
		{"zdt1:3", []float64{0.25, 0, 0}, []float64{0.25, 0.5}},
		{"zdt2:3", []float64{0.5, 1, 1}, []float64{0.5, 10 * (1 - 0.0025)}},
		{"four-bar-truss", []float64{1, 2, 2, 1}, []float64{200 * (3 + 3*math.Sqrt2), 0.04}},
		{"vehicle-safety", []float64{1, 1, 1, 1, 1}, []float64{1661.7078225, 8.3046}},
		{"dtlz2-k2", []float64{1.0 / 3, 0.5, 0.5, 0.5, 0.5, 1}, []float64{1.25 * math.Sqrt(3) / 2, 1.25 * 0.5}},
		{"zdt3:2", []float64{0.05, 0}, []float64{0.05, 1 - math.Sqrt(0.05) - 0.05*math.Sin(math.Pi/2)}},
	} {
		y, err := find(t, c.name, 0).Evaluate(c.x)
		if err != nil || math.Abs(y[0]-c.want[0]) > 1e-7 || math.Abs(y[1]-c.want[1]) > 1e-7 {
			t.Errorf("%s%v = %v (%v), want %v", c.name, c.x, y, err, c.want)
		}
	}
}

// The points of a stated front do not dominate each other, and nothing in the domain dominates one by more than a hundredth of the range.
func TestFronts(t *testing.T) {
	for _, name := range []string{"thesis-xy", "schaffer", "zdt1:2", "zdt2:3", "zdt3:2", "branin-currin", "branin4-currin4", "four-bar-truss", "vehicle-safety"} {
		p := find(t, name, 0)
		minimized := func(y []float64) []float64 {
			out := make([]float64, len(y))
			for k, v := range y {
				out[k] = v * p.Objectives[k].Direction.Sign()
			}
			return out
		}
		var front [][]float64
		for _, y := range p.Front(60) {
			front = append(front, minimized(y))
		}
		if n := len(pareto.Front(front)); n < len(front)-5 { // ends of pieces may tie within rounding
			t.Errorf("%s: only %d of %d points of the front are its own", name, n, len(front))
		}
		lo, hi := pareto.Range(front, len(p.Objectives))
		rng := rand.New(rand.NewPCG(3, 1))
		for i := range 20_000 {
			u := make([]float64, p.Dim())
			for j := range u {
				if u[j] = rng.Float64(); i%2 == 1 && j > 0 {
					u[j] *= 0.01
				}
			}
			y := minimized(p.Func(p.Domain.FromUnit(u)))
			for k := range y {
				y[k] += 0.01 * (hi[k] - lo[k])
			}
			for _, f := range front {
				if pareto.Dominates(y, f) {
					t.Fatalf("%s: %v comes to %v, beyond the front at %v", name, p.Domain.FromUnit(u), y, f)
				}
			}
		}
	}
}

// The front of branin4-currin4 ends where it does, and passes through the regions top and mid of the thesis.
func TestBranin4Currin4Front(t *testing.T) {
	p := find(t, "branin4-currin4", 0)
	front := p.Front(0)
	best, least := front[0], front[0]
	for _, y := range front {
		if y[0] > best[0] {
			best = y
		}
		if y[0] < least[0] {
			least = y
		}
		if f1, f2 := y[0], y[1]; f1 > -80 && f1 < -70 && (f2 < 20.2 || f2 > 22) || f1 > -100 && f1 < -95 && (f2 < 25.4 || f2 > 27.5) {
			t.Errorf("the front passes through %v", y)
		}
	}
	for _, c := range [][2][]float64{{best, {-55.41, 8.01}}, {least, {-102.69, 27.60}}} {
		if math.Abs(c[0][0]-c[1][0]) > 0.1 || math.Abs(c[0][1]-c[1][1]) > 0.1 {
			t.Errorf("the front ends at %v, want %v", c[0], c[1])
		}
	}
}
