package mode

import (
	"math"
	"testing"

	"bandscope/functions"
)

// Along an axis a cell is as long everywhere on its scale, and nothing goes beyond the ends.
func TestMoved(t *testing.T) {
	cells := func() int { return 40 }
	even, log := Axis{Low: -10, High: 10, Cells: cells}, Axis{Low: 1e-4, High: 1, Scale: functions.Log, Cells: cells}
	for _, c := range []struct {
		a              Axis
		x, cells, want float64
	}{{even, 0, 1, 0.5}, {even, 0, -10, -5}, {even, 9.9, 1, 10}, {log, 1e-3, 10, 1e-2}, {log, 1e-2, -20, 1e-4},
		{log, 0.5, 10, 1}, {log, 1e-4, -1, 1e-4}} {
		if got := c.a.Moved(functions.Variable{}, c.x, c.cells); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g cells from %g is %g, want %g", c.cells, c.x, got, c.want)
		}
	}
}

// Of a variable that takes levels a key is a level, and it stays within what is shown.
func TestMovedByLevels(t *testing.T) {
	cells := func() int { return 40 }
	dose, solvent := functions.NewOrdered("dose", 0.1, 0.3, 1, 3),
		functions.NewChoice("solvent", "DMF", "water", "toluene")
	for _, c := range []struct {
		of             functions.Variable
		low, high      float64
		x, cells, want float64
	}{{dose, 0.1, 3, 0.3, 1, 1}, {dose, 0.1, 3, 0.3, 10, 3}, {dose, 0.2, 2, 1, 1, 1}, {dose, 0.2, 2, 1, -10, 0.3},
		{dose, 0.1, 3, 3, 1, 3}, {solvent, 0, 2, 0, 1, 1}, {solvent, 0, 2, 1, -10, 0}} {
		if got := (Axis{Low: c.low, High: c.high, Cells: cells}).Moved(c.of, c.x, c.cells); got != c.want {
			t.Errorf("%s: %g from %g is %g, want %g", c.of.Name, c.cells, c.x, got, c.want)
		}
	}
}
