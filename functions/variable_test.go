package functions

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every kind of variable: from the unit interval to the nearest level along its scale, by a search through all of them,
// and back.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		v      Variable
		levels []float64
	}{
		"integer":     {Variable{Low: -2, High: 3, Kind: Integer}, []float64{-2, -1, 0, 1, 2, 3}},
		"log integer": {Variable{Low: 1, High: 6, Kind: Integer, Scale: Log}, []float64{1, 2, 3, 4, 5, 6}},
		"ordered":     {NewOrdered("rate", 0.1, 0.3, 1, 3), []float64{0.1, 0.3, 1, 3}},
		"log ordered": {Variable{Low: 0.1, High: 3, Kind: Ordered, Values: []float64{0.1, 0.3, 1, 3}, Scale: Log},
			[]float64{0.1, 0.3, 1, 3}},
		"choice": {NewChoice("solvent", "water", "ethanol", "toluene"), []float64{0, 1, 2}},
	} {
		if c.v.Levels() != len(c.levels) {
			t.Fatalf("%s has %d levels, want %d", name, c.v.Levels(), len(c.levels))
		}
		for i, want := range c.levels {
			if got := c.v.Level(i); got != want || c.v.Nearest(got) != i || c.v.FromUnit(c.v.ToUnit(got)) != want ||
				c.v.Check(got) != nil {
				t.Errorf("%s: level %d is %g, nearest to it %d, and back from the unit interval %g (%v)", name, i, got,
					c.v.Nearest(got), c.v.FromUnit(c.v.ToUnit(got)), c.v.Check(got))
			}
		}
		for range 300 {
			u := rng.Float64()
			best := math.Inf(1)
			for _, x := range c.levels {
				best = min(best, math.Abs(c.v.ToUnit(x)-u))
			}
			if got := c.v.FromUnit(u); math.Abs(math.Abs(c.v.ToUnit(got)-u)-best) > 1e-12 || c.v.Check(got) != nil {
				t.Errorf("%s: %g comes from %g, where a level is %g away (%v)", name, got, u, best, c.v.Check(got))
			}
		}
	}
	if v := (Variable{Low: 0, High: 2}); v.Levels() != 0 || v.Snap(0.7) != 0.7 {
		t.Error("a real variable has levels")
	}
}

// What is no value of a variable is refused with what would be right; what is typed is read by its kind, and told so.
func TestValuesOfEveryKind(t *testing.T) {
	solvent := NewChoice("solvent", "water", "ethanol")
	layers := Variable{Name: "layers", Low: 1, High: 4, Kind: Integer}
	rate := NewOrdered("rate", 0.1, 0.3, 1)
	for _, c := range []struct {
		v     Variable
		typed string
		value float64
		wrong string
	}{
		{solvent, " ethanol ", 1, ""}, {solvent, "etanol", 0, "ethanol"}, {solvent, "1", 0, "water"},
		{layers, "3", 3, ""}, {layers, "2.5", 0, "layers must be a whole number, got 2.5"}, {layers, "5", 0, "[1, 4]"},
		{layers, "x", 0, "layers must be a number"},
		{layers, "NaN", 0, "layers must be a number"}, {rate, "0.3", 0.3, ""},
		{rate, "0.2", 0, "rate must be one of 0.1, 0.3, 1, got 0.2"}, {Variable{Name: "x", High: 2}, "1.5", 1.5, ""},
	} {
		x, err := c.v.Parse(c.typed)
		if err == nil {
			err = c.v.Check(x)
		}
		switch {
		case c.wrong == "" && (err != nil || x != c.value):
			t.Errorf("%s = %q is %g, %v; want %g", c.v.Name, c.typed, x, err, c.value)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s = %q: %v, want %q", c.v.Name, c.typed, err, c.wrong)
		}
	}
	assert.ErrorContains(t, solvent.Check(2), "water, ethanol", "a choice that is none")
	if got := (Domain{solvent, layers, rate, {Name: "x", High: 2}}).Text([]float64{1, 3, 0.3, 1.23456}); got !=
		"solvent = ethanol, layers = 3, rate = 0.3, x = 1.235" {
		t.Errorf("told as %q", got)
	}
}

func TestClamp(t *testing.T) {
	for _, c := range []struct {
		v       Variable
		x, want float64
	}{
		{Variable{Low: 0.2, High: 0.6}, 0.6 - 1.1e-16, 0.6}, {Variable{Low: 0.2, High: 0.6}, 0.2 + 6e-17, 0.2},
		{Variable{Low: 0.2, High: 0.6}, 0.7, 0.6}, {Variable{Low: 0.2, High: 0.6}, -1, 0.2},
		{Variable{Low: 0.2, High: 0.6}, 0.2 + 1e-9, 0.2 + 1e-9}, {Variable{Low: 3, High: 3}, 5, 3},
		{Variable{Low: 1e-3, High: 10, Scale: Log}, 10 - 3e-15, 10},
	} {
		assert.Equal(t, c.want, c.v.Clamp(c.x), "%v in [%g, %g]", c.x, c.v.Low, c.v.High)
	}
}

// A number that differs from a bound by rounding only is the bound, and no other.
func TestFromUnitAtBounds(t *testing.T) {
	for _, v := range []Variable{{High: 1}, {Low: -3, High: 0}, {Low: 2.1, High: 7.3}, {Low: 1e-3, High: 10, Scale: Log}} {
		for u, want := range map[float64]float64{0: v.Low, 4.2e-17: v.Low, -1e-15: v.Low, 1: v.High, 1 - 3e-14: v.High,
			1 + 1e-15: v.High} {
			assert.Equal(t, want, v.FromUnit(u), "%g of [%g, %g]", u, v.Low, v.High)
		}
		for _, u := range []float64{1e-9, 0.5, 1 - 1e-9} {
			if got := v.FromUnit(u); !(got > v.Low && got < v.High) || math.Abs(v.ToUnit(got)-u) > 1e-12 {
				t.Errorf("%g of [%g, %g] is %g", u, v.Low, v.High, got)
			}
		}
	}
}
