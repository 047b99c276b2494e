package modes

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/model/preference"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// priorPlace are the coordinates of the plot of the prior at so many cells from the mouse; nil elsewhere.
func priorPlace(hit widget.Hit, cols, rows int) []float64 {
	mouse := hit.Mouse()
	mouse.X += cols
	mouse.Y += rows
	name, values := widget.Hit{MouseMsg: tea.MouseMotionMsg(mouse), Path: hit.Path}.Value()
	if name != front.PriorName || len(values) != 2 {
		return nil
	}
	return values
}

// grab moves the peak to the mouse, and starts to drag it.
func (t weightTurn) grab(hit widget.Hit) tea.Cmd {
	place := priorPlace(hit, 0, 0)
	if place == nil || len(t.peak) > 3 {
		return nil
	}
	t.drag = weightGrip{active: true, col: hit.Mouse().X, row: hit.Mouse().Y, value: [2]float64(place)}
	for axis := range 2 {
		for _, direction := range [2]int{1, -1} { // the last cell of the plot has a neighbour at one side only
			if next := priorPlace(hit, direction*(1-axis), direction*axis); next != nil {
				t.drag.byCell[axis] = (next[axis] - place[axis]) * float64(direction)
				break
			}
		}
	}
	return t.follow(hit)
}

// follow moves the peak to the mouse while it drags: of two weights, up and down change its height.
func (t weightTurn) follow(hit widget.Hit) tea.Cmd {
	g := t.drag
	if !g.active {
		return nil
	}
	x := g.value[0] + g.byCell[0]*float64(hit.Mouse().X-g.col)
	y := g.value[1] + g.byCell[1]*float64(hit.Mouse().Y-g.row)
	if len(t.peak) == 3 {
		t.peak = front.TriangleWeights(x, y)
		t.normalize()
		if t.strength == 0 {
			t.strength = firstStrength
		}
		return t.moved()
	}
	t.peak = []float64{x, 1 - x}
	t.normalize()
	t.strength = strengthFor(t.peak, y)
	return t.moved()
}

// strengthFor is the strength of two weights whose density at the peak is so high, up to maxStrength.
func strengthFor(peak []float64, density float64) float64 {
	lo, hi := 0.0, float64(maxStrength)
	for range 40 {
		mid := (lo + hi) / 2
		part := preference.Part{Share: 1, Distribution: preference.Dirichlet,
			Alpha: []float64{1 + mid*peak[0], 1 + mid*peak[1]}}
		if (preference.Prior{part}).Density(peak, false, nil) < density {
			lo = mid
		} else {
			hi = mid
		}
	}
	if lo < minStrength {
		return 0
	}
	return lo
}
