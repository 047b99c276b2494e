package chart

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The ticks of an aligned axis are in the middle of rows, at least two of them, and the axis holds its range, the least
// value in the lowest row, without becoming much longer.
func TestAlignedAxis(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var grown float64
	unaligned := 0
	const trials = 2000
	for range trials {
		lo := 20*rng.Float64() - 10
		hi := lo + math.Pow(10, 8*rng.Float64()-4)
		h := 5 + rng.IntN(50)
		c := Chart{X: Axis{Max: 1, HideTicks: true}, Y: Axis{Min: lo, Max: hi, Align: true}}
		f := c.Frame(60, h)
		y := c.aligned(h).Y
		ticks := y.Ticks(0)
		if y.step == 0 { // so few rows have no two such ticks
			assert.Less(t, f.Rows, 7)
			unaligned++
			continue
		}
		grown += (y.Max - y.Min) / (hi - lo) / trials
		if len(ticks) < 2 || int(f.Row(lo)) != f.Rows-1 || f.Row(hi) < -1e-9 || y.Max-y.Min > 2*(hi-lo) {
			t.Errorf("%d rows from %g to %g: the axis goes from %g to %g, with the ticks %v", h, lo, hi, y.Min, y.Max, ticks)
		}
		for _, tick := range ticks {
			row := f.Row(tick.Value)
			assert.InDelta(t, math.Floor(row)+0.5, row, 1e-6, "%d rows from %g to %g: the row of %s", h, lo, hi, tick.Label)
		}
	}
	assert.Less(t, unaligned, trials/100)
	assert.Less(t, grown, 1.15, "axes become longer by this factor")
}
