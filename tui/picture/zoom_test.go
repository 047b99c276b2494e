package picture

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
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
