package picture

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/functions"
)

var variables = []functions.Variable{
	{Name: "layers", Low: 1, High: 8, Kind: functions.Integer},
	{Name: "portions", Low: 1, High: 64, Kind: functions.Integer, Scale: functions.Log},
	functions.NewOrdered("dose", 0.1, 0.3, 1, 3, 4),
	functions.NewChoice("solvent", "toluene", "dioxane", "DMF", "water"),
	logged(functions.NewOrdered("width", 16, 64, 128, 512)),
}

func logged(v functions.Variable) functions.Variable {
	v.Scale = functions.Log
	return v
}

// Every value along an axis has the level that the variable itself has nearest to it, the step of a curve there is that
// level's, and the ends of the axis are as far from the outer levels as the first cuts are.
func TestStepsAreThoseOfTheLevels(t *testing.T) {
	for _, v := range variables {
		grid := Grid(v, 0, 1, 1000)
		if len(grid) != v.Levels() || grid[0] != v.Low || grid[len(grid)-1] != v.High {
			t.Errorf("%s: the grid is %v", v.Name, grid)
		}
		cuts, steps := Cuts(v, grid), NewSteps(v, grid)
		number := make([]float64, len(grid)) // a curve that says which level it is
		for i := range number {
			number[i] = float64(i)
		}
		y := steps.Y(number)
		assert.True(t, slices.IsSorted(steps.X), "%s: the steps are not in order: %v", v.Name, steps.X)
		for k := range 200 {
			part := (float64(k) + 0.5) / 200
			cut, _ := slices.BinarySearch(cuts, part)
			x := AxisValue(v, part)
			if v.Nearest(x) != cut || NearestAxisValue(v, part) != v.Level(cut) {
				t.Errorf("%s: %g is in the step %d, its nearest level is %d", v.Name, x, cut, v.Nearest(x))
			}
			for s := 1; s < len(steps.X); s++ { // the piece of the curve over x is flat, and of that level
				if steps.X[s-1] < x && x < steps.X[s] && (y[s-1] != y[s] || y[s] != float64(cut)) &&
					!math.IsNaN(y[s-1]) && !math.IsNaN(y[s]) {
					t.Errorf("%s: at %g the curve goes from level %g to %g, want %d", v.Name, x, y[s-1], y[s], cut)
				}
			}
		}
		if first, last := AxisFraction(v, v.Low), 1-AxisFraction(v, v.High); math.Abs(cuts[0]-2*first) > 1e-9 ||
			math.Abs(1-cuts[len(cuts)-1]-2*last) > 1e-9 {
			t.Errorf("%s: the outer levels are not in the middle of their slots: %g, %g, %v", v.Name, first, last, cuts)
		}
		if gaps := slices.ContainsFunc(y, math.IsNaN); gaps != (v.Kind == functions.Choice) {
			t.Errorf("%s: gaps between the bars: %v", v.Name, gaps)
		}
	}
}

// LineDescription a real variable nothing is but its own scale.
func TestRealVariablesHaveNoSteps(t *testing.T) {
	v := functions.Variable{Name: "rate", Low: 1e-4, High: 1, Scale: functions.Log}
	grid := Grid(v, 0.25, 0.75, 3)
	for i, want := range []float64{1e-3, 1e-2, 1e-1} {
		assert.InDelta(t, 1, grid[i]/want, 1e-9, "the grid is %v", grid)
	}
	a, steps := Axis(v), NewSteps(v, grid)
	if a.Min != 1e-4 || a.Max != 1 || !a.Log || a.Marks != nil || Cuts(v, grid) != nil || &steps.X[0] != &grid[0] ||
		&steps.Y(grid)[0] != &grid[0] || Spread(v, 0.5, 1, 3) != 0.5 {
		t.Errorf("the axis is %+v, the steps %v", a, steps)
	}
}

// A window shows the levels whose slots are in it, and of very many levels no more than are asked for, the outer ones
// among them.
func TestGridOfAWindow(t *testing.T) {
	solvents := variables[3]
	for _, c := range []struct {
		from, to float64
		want     []float64
	}{{0, 0.5, []float64{0, 1}}, {0.5, 1, []float64{2, 3}}, {0.2, 0.3, []float64{0, 1}}, {0.6, 0.7, []float64{2}}} {
		if got := Grid(solvents, c.from, c.to, 61); !slices.Equal(got, c.want) {
			t.Errorf("from %g to %g are %v, want %v", c.from, c.to, got, c.want)
		}
	}
	many := functions.Variable{Name: "n", Low: 0, High: 5000, Kind: functions.Integer}
	if got := Grid(many, 0, 1, 11); len(got) != 11 || got[0] != 0 || got[10] != 5000 || got[5] != 2500 ||
		!Axis(many).Integer || Axis(many).Marks != nil {
		t.Errorf("of many there are %v", got)
	}
}

// What shares a level stands side by side around it and never in the slot of another.
func TestSpread(t *testing.T) {
	for _, v := range variables {
		for i := range v.Levels() {
			x, sum, before := v.Level(i), 0.0, math.Inf(-1)
			for k := range 5 {
				spread := Spread(v, x, k, 5)
				if v.Nearest(spread) != i || spread <= before {
					t.Errorf("%s: mark %d of level %g stands at %g", v.Name, k, x, spread)
				}
				before, sum = spread, sum+AxisFraction(v, spread)-AxisFraction(v, x)
			}
			if math.Abs(sum) > 1e-9 || Spread(v, x, 0, 1) != x {
				t.Errorf("%s: the marks of %g lie beside it", v.Name, x)
			}
		}
	}
}

// The names on an axis are data: they reach no terminal raw.
func TestNamesAreShownNotSent(t *testing.T) {
	for _, m := range Axis(functions.NewChoice("c", "a\x1b[31m", "b")).Marks {
		assert.False(t, slices.Contains([]rune(m.Label), '\x1b'), "the label is %q", m.Label)
	}
}
