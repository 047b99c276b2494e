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
	}{{even, 0, 1, 0.5}, {even, 0, -10, -5}, {even, 9.9, 1, 10}, {log, 1e-3, 10, 1e-2}, {log, 1e-2, -20, 1e-4}, {log, 0.5, 10, 1}, {log, 1e-4, -1, 1e-4}} {
		if got := c.a.Moved(c.x, c.cells); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g cells from %g is %g, want %g", c.cells, c.x, got, c.want)
		}
	}
}
