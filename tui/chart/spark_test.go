package chart

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

func TestSpark(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		values []float64
		w      int
		log    bool
		want   string
		plain  string
	}{
		{"none", nil, 3, false, "   ", "   "},
		{"no room", []float64{1, 2}, 0, false, "", ""},
		{"a line", []float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, false, "▁▂▃▄▅▆▇█", "_.-=+*#@"},
		{"the mean of two a cell", []float64{0, 2, 6, 8}, 2, false, "▁█", "_@"},
		{"fewer values than cells", []float64{1, 0}, 4, false, "█▁  ", "@_  "},
		{"the same values", []float64{3, 3, 3}, 3, false, "▁▁▁", "___"},
		{"gaps", []float64{0, nan, inf, 1}, 4, false, "▁  █", "_  @"},
		{"a gap is no part of a mean", []float64{nan, 4, 0, nan}, 2, false, "█▁", "@_"},
		{"by factors", []float64{1, 10, 100, 0}, 4, true, "▁▅█ ", "_+@ "},
	} {
		assert.Equal(t, c.want, Spark(c.values, c.w, c.log, theme.New(true, theme.NoColor, false)), c.name)
		if got := Spark(c.values, c.w, c.log, theme.New(true, theme.NoColor, true)); got != c.plain {
			t.Errorf("%s in plain characters: %q, want %q", c.name, got, c.plain)
		}
	}
}
