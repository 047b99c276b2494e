package picture

import (
	"bandscope/tui/chart"
)

// AxisMemory keeps the vertical axis of a plot from one step of a run to the next, as long as the data are within it.
type AxisMemory struct {
	ranges map[axisKey]axisRange
}

// axisKey identifies plots that are compared: what else decides over the range of an axis.
type axisKey struct {
	variable int
	reveal   bool
}

type axisRange struct {
	lo, hi   float64
	extended int // the number of results at which the axis was extended; 0 for never
}

// The numbers of results from which an axis stays: the first ones may be anywhere, unless the truth is shown.
const minResults, minRevealed = 3, 1

// maxExtension is how much longer than one that fits an axis may become by being extended.
const maxExtension = 3

// Forget lets axes fit again.
func (m *AxisMemory) Forget() { m.ranges = nil }

// Range is the range of the axis that some drawings share, in place of the one that fits: the one of earlier steps,
// extended where data left it. complete is whether the drawings are all that will be drawn.
func (m *AxisMemory) Range(lo, hi float64, complete bool, drawings ...Drawing) (float64, float64) {
	if len(drawings) == 0 {
		return lo, hi
	}
	d := drawings[0]
	key := axisKey{d.Posterior.View.X, d.Reveal}
	held, ok := m.ranges[key]
	var data []float64
	results := 0
	g := d.Objective().Transform()
	for _, d := range drawings {
		for _, y := range d.Values() {
			data = append(data, g.Clamp(y))
		}
		results = max(results, len(d.State.Iterations))
	}
	least, most := chart.Extent(data)
	switch {
	case !ok && (!complete || results < minRevealed || results < minResults && !d.Reveal):
		return lo, hi
	case !ok:
		held = axisRange{lo: lo, hi: hi}
	case least > most || least >= held.lo && most <= held.hi:
		return held.lo, held.hi
	default:
		if least < held.lo {
			held.lo = lo
		}
		if most > held.hi {
			held.hi = hi
		}
		if g.ToScale(held.hi)-g.ToScale(held.lo) > maxExtension*(g.ToScale(hi)-g.ToScale(lo)) {
			held.lo, held.hi = lo, hi
		}
		held.extended = results
	}
	if m.ranges == nil {
		m.ranges = map[axisKey]axisRange{}
	}
	m.ranges[key] = held
	return held.lo, held.hi
}

// Extended reports whether the axis of a drawing was extended for its last result.
func (m *AxisMemory) Extended(d Drawing) bool {
	held := m.ranges[axisKey{d.Posterior.View.X, d.Reveal}]
	return held.extended > 0 && held.extended == len(d.State.Iterations)
}
