package functions

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The best within all limits is what a dense search finds there: nothing of a grid is better, and its best comes as
// near as its mesh.
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
	p := Problem{Name: "p", Objectives: []Objective{{Name: "a", AtLeast: bound(1), Unit: "g"}, {Name: "b"}},
		Limits: []Objective{{Name: "c", AtLeast: bound(-1), AtMost: bound(0)}}}
	if got := p.Outputs(); len(got) != 3 || got[2].Name != "c" {
		t.Errorf("measured are %+v", got)
	}
	if got := p.LimitedOutputs(); len(got) != 2 || got[0] != 0 || got[1] != 2 {
		t.Errorf("limits have %v", got)
	}
	for _, c := range []struct {
		y    []float64
		want bool
	}{{[]float64{1, 5, 0}, true}, {[]float64{1, -5, -1}, true}, {[]float64{0.9, 0, 0}, false},
		{[]float64{2, 0, 0.1}, false}, {[]float64{2, 0, -1.1}, false}, {[]float64{2, 0, math.NaN()}, false}} {
		assert.Equal(t, c.want, p.Feasible(c.y), "%v is feasible: %v", c.y, !c.want)
	}
	for _, c := range []struct {
		o    Objective
		want string
	}{{Objective{AtMost: bound(80), Unit: "°C"}, "≤ 80 °C"}, {Objective{AtMost: bound(0.5)}, "≤ 0.5"},
		{Objective{AtLeast: bound(2), AtMost: bound(80), Unit: "°C"}, "2 to 80 °C"}, {Objective{Unit: "°C"}, ""}} {
		if got := c.o.LimitText(); got != c.want || c.o.HasLimits() != (c.want != "") {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
	assert.Equal(t, "2 objectives and 1 limit", p.OutputSummary(), "it")
	p.Limits = nil
	if text := p.OutputSummary(); text != "2 objectives" || len(p.Outputs()) != 2 {
		t.Errorf("without limits it says %q", text)
	}
	p.Limits = []Objective{{Name: "c", AtLeast: bound(-1), AtMost: bound(0)}}
	if a, b, c := p.Objectives[0].LimitText(), p.Objectives[1].LimitText(),
		p.Limits[0].LimitText(); a != "≥ 1 g" || b != "" || c != "-1 to 0" {
		t.Errorf("they are told as %q, %q, %q", a, b, c)
	}
}

// What is measured is what the sources' formulas give by hand, at points where no term vanishes, with their limits.
func TestLimitedValues(t *testing.T) {
	type limits struct{ least, most float64 }
	free := math.Inf(1)
	for name, c := range map[string]struct {
		x      []float64
		values []float64 // NaN: not looked at
		limits []limits
	}{
		"forrester-hot": {[]float64{0.5}, []float64{math.NaN(), math.E}, []limits{{-free, 4}}},
		"branin-disk":   {[]float64{1, 2}, []float64{math.NaN(), 1.5*1.5 + 5.5*5.5}, []limits{{-free, 50}}},
		// the wave is 1.5 − 0.3 − 1.2 − ½ sin(2π(0.09 − 1.2))
		"gramacy-toy": {[]float64{0.3, 0.6}, []float64{0.9, 0.31871199487434487, 0.45},
			[]limits{{-free, 0}, {-free, 1.5}}},
		"binh-korn": {[]float64{1, 2}, []float64{4 + 16, 16 + 9, 16 + 4, 49 + 25},
			[]limits{{-free, 25}, {7.7, free}}},
	} {
		p := find(t, name, 1)
		y, err := p.TrueValues(c.x)
		if err != nil || len(y) != len(c.values) {
			t.Fatalf("%s: %v, %v", name, y, err)
		}
		for k, want := range c.values {
			if !math.IsNaN(want) && math.Abs(y[k]-want) > 1e-12 {
				t.Errorf("%s: value %d is %v, want %v", name, k, y[k], want)
			}
		}
		for k, want := range c.limits {
			o, got := p.Limits[k], limits{-free, free}
			if o.AtLeast != nil {
				got.least = *o.AtLeast
			}
			if o.AtMost != nil {
				got.most = *o.AtMost
			}
			assert.Equal(t, want, got, "%s: %s is limited to", name, o.Name)
		}
	}
	p := find(t, "binh-korn", 1)
	best, worst := []float64{math.Inf(1), math.Inf(1)}, []float64{math.Inf(-1), math.Inf(-1)}
	for _, y := range p.Truth.Front.Points(200) {
		for k := range best {
			best[k], worst[k] = min(best[k], y[k]), max(worst[k], y[k])
		}
	}
	for k := range best {
		if math.Abs(best[k]-p.Range.Ideal[k]) > 1e-9 || math.Abs(worst[k]-p.Range.Nadir[k]) > 1e-9 {
			t.Errorf("the front of Binh and Korn reaches from %v to %v, the range is %+v", best, worst, p.Range)
		}
	}
}
