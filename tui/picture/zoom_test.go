package picture

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture/internal/trial"
)

// An axis is zoomed in towards the band, then the data, then the best result, never beyond what it shows without a
// zoom, and says how far the rest goes.
func TestZoomedAxis(t *testing.T) {
	st := trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6}, 5).State()
	_, best, _, ok := st.Best()
	require.True(t, ok)
	values := Drawing{State: st}.Values()
	d := Drawing{Style: drawn, State: st, Reveal: true, Y: []float64{-30, 70},
		Posterior: byHand(st, curves{TrueField: {-7, 65}, MeanField: values[:2], LowerField: {-18, -18}, UpperField: {18, 18}},
			NextPoints{})}
	at := func(z Zoom) (lo, hi float64, above string) {
		d.Zoom = z
		y := d.Chart(MeanField).Y
		return y.Min, y.Max, y.Above
	}
	lo, hi, above := at(0)
	assert.Equal(t, []any{-30.0, 70.0, ""}, []any{lo, hi, above})
	lo, hi, above = at(2) // 44.4 rows high, around the band
	assert.InDelta(t, -100/4.5, lo, 1e-9)
	assert.InDelta(t, 100/4.5, hi, 1e-9)
	assert.Equal(t, "▲ 65", above)
	lo, hi, _ = at(12) // around the best result
	assert.InDelta(t, best, (lo+hi)/2, 1e-9)
	lo, hi, _ = at(-1)
	assert.InDelta(t, 150, hi-lo, 1e-9)
	assert.Contains(t, Describe(d, MeanField, nil).describeValues(Drawing{Style: drawn, State: st, Reveal: true, Posterior: d.Posterior, Y: []float64{-9, 20}}.Chart(MeanField).Y), "up to 65")

	lo, hi = BandRange(d) // the truth goes up to 65
	assert.InDelta(t, -18, lo, 2)
	assert.InDelta(t, 18, hi, 2)

	z, more := Zoom(0).In(1)
	assert.True(t, more && z == 1)
	for range 30 {
		z, more = z.In(1)
	}
	assert.False(t, more, "a zoom has no end")
}

// The edges of the band of the step before are drawn where the band became narrower, and nowhere else.
func TestBandBefore(t *testing.T) {
	st := trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6}, 3).State()
	at := func(lower, upper []float64) *Posterior {
		return byHand(st, curves{MeanField: {0, 0, 0}, LowerField: lower, UpperField: upper}, NextPoints{})
	}
	d := Drawing{Style: drawn, State: st, Posterior: at([]float64{-1, -1, -4}, []float64{1, 1, 1}),
		Before: at([]float64{-3, -1.1, -3}, []float64{1.1, 2, 0.5})} // 0.15 is 3 % of the greatest width
	for _, l := range d.Chart(MeanField).Layers {
		band, ok := l.(chart.Band)
		if !ok || band.Name != d.beforeName() {
			continue
		}
		assert.True(t, band.Outline)
		nan := math.NaN()
		for i, want := range [][2]float64{{-3, nan}, {nan, 2}, {nan, nan}} {
			assert.InDelta(t, want[0], band.Lo[i], 0, "lower edge %d", i)
			assert.InDelta(t, want[1], band.Hi[i], 0, "upper edge %d", i)
		}
		return
	}
	t.Error("there is no band of the step before")
}
