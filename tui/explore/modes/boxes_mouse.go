package modes

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// mouseGrip is the part of a box that the mouse drags: some sides, or the whole box.
type mouseGrip struct {
	active bool
	sides  [4]bool
	at     [2]float64 // the last position, as outcomes along x and y
}

// grabTolerance is how far beside a box, as an outcome along the other axis, the mouse can still grab a side.
const grabTolerance = 0.05

// outcomeAt returns the outcomes along x and y under the mouse; false outside the plot.
func (t boxTurn) outcomeAt(hit widget.Hit) (u [2]float64, ok bool) {
	_, y := hit.Value()
	if t.Outcomes == nil || t.Outcomes.Displayed == nil || len(y) != 2 {
		return u, false
	}
	d := drawing(t.Scene)
	return [2]float64{d.Outcome(t.Outcomes.I, y[0]), d.Outcome(t.Outcomes.J, y[1])}, true
}

// cell is the size of a cell under the mouse as outcomes along x and y; u are the outcomes at the mouse.
func (t boxTurn) cell(hit widget.Hit, u [2]float64) (step [2]float64) {
	for axis := range step {
		for _, direction := range [2]int{1, -1} { // the last cell of the plot has a neighbour at one side only
			beside := hit.Mouse()
			if axis == 0 {
				beside.X += direction
			} else {
				beside.Y += direction
			}
			if next, ok := t.outcomeAt(widget.Hit{MouseMsg: tea.MouseMotionMsg(beside), Path: hit.Path}); ok {
				step[axis] = (next[axis] - u[axis]) * float64(direction)
				break
			}
		}
	}
	return step
}

// grab starts to drag a side of the box, or the box, or moves its middle to the mouse.
func (t boxTurn) grab(hit widget.Hit) tea.Cmd {
	u, ok := t.outcomeAt(hit)
	if !ok {
		return nil
	}
	step := t.cell(hit, u)
	t.grip = mouseGrip{active: true, at: u}
	for n := range t.grip.sides {
		axis := n / 2
		// in cells
		side, middle := math.Abs((t.box[n]-u[axis])/step[axis]), math.Abs((t.box.middle(axis)-u[axis])/step[axis])
		// in a small box the cell of its middle holds all of it
		near := side <= 1 && side < middle && middle > 0.5
		t.grip.sides[n] = near && t.box.contains(1-axis, u[1-axis], grabTolerance)
	}
	if t.grip.sides != [4]bool{} || t.box.contains(0, u[0], 0) && t.box.contains(1, u[1], 0) {
		return nil
	}
	for axis := range u {
		t.box.shift(axis, u[axis]-t.box.middle(axis))
	}
	return t.moved()
}

// drag moves the dragged part to the mouse.
func (t boxTurn) drag(hit widget.Hit) tea.Cmd {
	u, ok := t.outcomeAt(hit)
	if !t.grip.active || !ok {
		return nil
	}
	b, sides := &t.box, &t.grip.sides
	for axis := range u {
		if *sides == [4]bool{} {
			b.shift(axis, u[axis]-t.grip.at[axis])
		}
		lo, hi := 2*axis, 2*axis+1
		for _, n := range [2]int{lo, hi} {
			if sides[n] {
				b[n] = tidy(min(max(u[axis], front.MinBox), front.MaxBox))
			}
		}
		if b[lo] > b[hi] { // a side that is dragged beyond the other takes its place
			b[lo], b[hi] = b[hi], b[lo]
			sides[lo], sides[hi] = sides[hi], sides[lo]
		}
		if b[hi]-b[lo] < minSide {
			b[hi] = tidy(b[lo] + minSide)
		}
	}
	t.grip.at = u
	return t.moved()
}
