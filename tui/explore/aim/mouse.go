package aim

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/belief/several"
)

// grip is what the mouse holds of a box: sides that follow it, or the whole.
type grip struct {
	held  bool
	sides [4]bool
	at    [2]float64 // where it was, as outcomes along x and y
}

// beside is how far beside a box, as an outcome along the other axis, the mouse still takes hold of a side.
const beside = 0.05

// under are the outcomes along x and y under a cell of the window; false outside of the plot.
func (t turn) under(mouse tea.Mouse) (u [2]float64, ok bool) {
	x, y, ok := t.Outcomes.Under(mouse)
	if !ok {
		return u, false
	}
	d := drawing(t.Scene)
	return [2]float64{d.Outcome(t.Outcomes.I, x), d.Outcome(t.Outcomes.J, y)}, true
}

// grab takes hold of a side of the box, or of the box, or moves its middle to where the mouse was clicked.
func (t turn) grab(mouse tea.Mouse) tea.Cmd {
	u, ok := t.under(mouse)
	if !ok {
		return nil
	}
	f, left, top := t.Outcomes.Frame()
	d := drawing(t.Scene)
	clicked := [2]float64{float64(mouse.X-left) + 0.5, float64(mouse.Y-top) + 0.5}
	cell := func(axis int, u float64) float64 { // of an outcome
		if axis == 0 {
			return float64(f.Left) + f.Col(d.Value(t.Outcomes.I, u))
		}
		return float64(f.Top) + f.Row(d.Value(t.Outcomes.J, u))
	}
	t.grip = grip{held: true, at: u}
	for n := range t.grip.sides {
		axis := n / 2
		side, middle, at := cell(axis, t.box[n]), cell(axis, t.box.middle(axis)), clicked[axis]
		// In a small box the cell of its middle holds all of it.
		near := math.Abs(side-at) <= 1 && math.Abs(side-at) < math.Abs(middle-at) && math.Abs(middle-at) > 0.5
		t.grip.sides[n] = near && t.box.holds(1-axis, u[1-axis], beside)
	}
	if t.grip.sides != [4]bool{} || t.box.holds(0, u[0], 0) && t.box.holds(1, u[1], 0) {
		return nil
	}
	for axis := range u {
		t.box.shift(axis, u[axis]-t.box.middle(axis))
	}
	return t.moved()
}

// drag lets what the mouse holds follow it.
func (t turn) drag(mouse tea.Mouse) tea.Cmd {
	u, ok := t.under(mouse)
	if !t.grip.held || !ok {
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
				b[n] = tidy(min(max(u[axis], several.LeastBox), several.MostBox))
			}
		}
		if b[lo] > b[hi] { // a side that is dragged beyond the other takes its place
			b[lo], b[hi] = b[hi], b[lo]
			sides[lo], sides[hi] = sides[hi], sides[lo]
		}
		if b[hi]-b[lo] < leastSide {
			b[hi] = tidy(b[lo] + leastSide)
		}
	}
	t.grip.at = u
	return t.moved()
}
