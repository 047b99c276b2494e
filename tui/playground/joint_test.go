package playground

import (
	"math"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/internal/explained"
)

// place is the cell of the window at a part of a box.
func (d driver) place(name string, u, v float64) (col, row int) {
	for _, p := range d.Arranged().Boxes {
		if p.Name == name {
			return p.Area.Min.X + gutter + int(u*float64(p.Area.Dx()-gutter)), p.Area.Min.Y + int(v*float64(p.Area.Dy()-1))
		}
	}
	d.T.Fatal("there is no ", name)
	return 0, 0
}

// The covariances of two values are those of a squared exponential given one noisy result, in closed form, and so is the
// matrix; the value at the second input moves with that of the cursor.
func TestJoint(t *testing.T) {
	d := open(t, 120, 36, trueColor)
	d.click(0.5, 1)
	d.Press("v", "v")
	r := d.M.row
	assert.Greater(t, math.Abs(r.x-0.5), 0.15, "the first input stays at a result, where the value is known")
	result := d.recorded()[0].X
	prior := func(a, b float64) float64 { return math.Exp(-(a - b) * (a - b) / (2 * 0.15 * 0.15)) }
	posterior := func(a, b float64) float64 {
		return prior(a, b) - prior(a, result)*prior(b, result)/(1+0.05*0.05)
	}
	pair := r.pair.pair
	assert.InDelta(t, posterior(r.x, r.x), pair.Var[0], 1e-6)
	assert.InDelta(t, posterior(r.second, r.second), pair.Var[1], 1e-6)
	assert.InDelta(t, posterior(r.x, r.second), pair.Covariance, 1e-6)
	f := r.pair.matrix
	for i, want := range map[int]float64{0: posterior(0, 0), 30: posterior(0, 30.0/48), 48*f.Cols + 20: posterior(1, 20.0/48)} {
		assert.InDelta(t, want, f.Z[i], 1e-6, "entry %d of the matrix", i)
	}
	before, _ := pair.Conditional(d.M.firstValue())
	d.Press("up", "up")
	after, _ := d.M.row.pair.pair.Conditional(d.M.firstValue())
	assert.Greater(t, after, before, "the second value does not move with the first one")
	d.Shows(d.M.conditional())
	explained.Check(t, "the joint distribution", d.M.Frame(), 120, 36)
}

// The mouse moves the first value on the density and both inputs on the matrix; tab selects the second input.
func TestJointKeys(t *testing.T) {
	d := open(t, 120, 36, noColor)
	d.Press("v", "v")
	at := func(name string, u, v float64) {
		col, row := d.place(name, u, v)
		d.Mouse(tea.MouseClickMsg{X: col, Y: row, Button: tea.MouseLeft})
		d.release()
	}
	at(jointName, 0.1, 0.5)
	lo, hi := d.M.ySpan()
	assert.InDelta(t, lo+0.1*(hi-lo), d.M.cursor[1], 0.15*(hi-lo))
	at(matrixName, 0.8, 0.3)
	assert.InDelta(t, 0.8, d.M.cursor[0], 0.1)
	assert.InDelta(t, 0.7, d.M.row.second, 0.15)
	assert.Empty(t, d.recorded(), "dragging records a result")
	second, first := d.M.row.second, d.M.cursor
	d.Press("shift+tab", "left")
	assert.Less(t, d.M.row.second, second)
	assert.Equal(t, first, d.M.cursor)
	d.Press("v")
	assert.False(t, d.M.row.joint || d.M.row.shown || d.M.chosen.kind == secondInput)
}
