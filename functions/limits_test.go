package functions

import (
	"math"
	"testing"
)

// The best within all limits is what a dense search finds there: nothing of a grid is better, and its best comes as near as its mesh.
func TestLimitedOptima(t *testing.T) {
	for _, f := range limitedFamilies {
		p := find(t, f.Name, 1)
		if p.Optimum() == nil {
			continue
		}
		for _, x := range p.Optimum().X {
			if y, err := p.TrueValues(x); err != nil || !p.Feasible(y) {
				t.Errorf("%s: the optimum's place %v is beyond a limit: %v, %v", f.Name, x, y, err)
			}
		}
		const mesh = 400
		best, count := math.Inf(1), 1
		for range p.Dim() {
			count *= mesh + 1
		}
		for n := range count {
			u := make([]float64, p.Dim())
			for j := range u {
				u[j] = float64(n%(mesh+1)) / mesh
				n /= mesh + 1
			}
			if y := p.Truth.Value(p.Domain.FromUnit(u)); p.Feasible(y) {
				best = min(best, y[0])
			}
		}
		if gap := best - p.Optimum().Value; gap < -1e-9 || gap > 0.05 {
			t.Errorf("%s: the best of a grid is %g, and the optimum %g", f.Name, best, p.Optimum().Value)
		}
	}
}

// What is measured are the objectives with the limits behind them, and what is feasible holds to bounds of both.
func TestMeasured(t *testing.T) {
	p := Problem{Name: "p", Objectives: []Objective{{Name: "a", AtLeast: bound(1), Unit: "g"}, {Name: "b"}}, Limits: []Objective{{Name: "c", AtLeast: bound(-1), AtMost: bound(0)}}}
	if got := p.Measured(); len(got) != 3 || got[2].Name != "c" {
		t.Errorf("measured are %+v", got)
	}
	if got := p.Limited(); len(got) != 2 || got[0] != 0 || got[1] != 2 {
		t.Errorf("limits have %v", got)
	}
	for _, c := range []struct {
		y    []float64
		want bool
	}{{[]float64{1, 5, 0}, true}, {[]float64{1, -5, -1}, true}, {[]float64{0.9, 0, 0}, false}, {[]float64{2, 0, 0.1}, false}, {[]float64{2, 0, -1.1}, false}, {[]float64{2, 0, math.NaN()}, false}} {
		if p.Feasible(c.y) != c.want {
			t.Errorf("%v is feasible: %v", c.y, !c.want)
		}
	}
	if a, b, c := p.Objectives[0].LimitText(), p.Objectives[1].LimitText(), p.Limits[0].LimitText(); a != "≥ 1 g" || b != "" || c != "-1 to 0" {
		t.Errorf("they are told as %q, %q, %q", a, b, c)
	}
}
