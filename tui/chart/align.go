package chart

import "math"

// aligned is the chart in cells of h rows with a vertical axis whose ticks are in the middle of rows, the same number of
// rows apart, if it asks for that: a mark, which is in a cell, is then in the row of a tick exactly if it is nearest to
// it. The axis becomes a little longer for that, at its upper end.
func (c Chart) aligned(h int) Chart {
	rows := c.rows(h)
	if !c.Y.Align || c.Y.Log || c.Y.HideTicks || c.Y.Flip || c.Y.Marks != nil || c.Simplex != nil || rows < minLabelled {
		return c
	}
	lo, hi := c.Y.sane().Min, c.Y.sane().Max
	best := math.Inf(1)
	for exponent := math.Floor(math.Log10((hi - lo) / float64(rows))); exponent <= math.Ceil(math.Log10(hi-lo)); exponent++ {
		for _, m := range []float64{1, 2, 2.5, 5} {
			step := m * math.Pow(10, exponent)
			bottom, row, ok := alignedBottom(lo, hi, step, rows)
			top := bottom + float64(rows)*row
			ticks := math.Floor(top/step) - math.Ceil(bottom/step) + 1
			if !ok || ticks < 2 {
				continue
			}
			cost := (top-bottom)/(hi-lo) + perMissing*math.Max(0, minTicks-ticks) + perMissing*math.Max(0, 3-step/row)
			if m == 2.5 {
				cost += perMissing / 2
			}
			if cost < best {
				best = cost
				c.Y.Min, c.Y.Max, c.Y.step = bottom, top, step
			}
		}
	}
	c.Y.Align = false
	return c
}

// minTicks is how many ticks an axis has rather than being short, and perMissing how much of its length one is worth.
const minTicks, perMissing = 4, 0.1

// alignedBottom is the lower end of an axis of some rows that holds a range, with a tick every step in the middle of a
// row, and the height of a row; false if there would be a tick in every row.
func alignedBottom(lo, hi, step float64, rows int) (bottom, row float64, ok bool) {
	for k := math.Floor(step * float64(rows) / (hi - lo)); k >= 2; k-- { // rows a step
		row = step / k
		tick := math.Ceil(lo/step) * step
		bottom = tick - (math.Ceil((tick-lo)/row-0.5)+0.5)*row
		if bottom+float64(rows)*row >= hi {
			return bottom, row, true
		}
	}
	return 0, 0, false
}
