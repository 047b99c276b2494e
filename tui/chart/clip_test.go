package chart

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A scale leaves out outlying values at its bad end, which is at the bottom of its bar, and says so there; it keeps all
// others, and every value at its good end.
func TestClip(t *testing.T) {
	values := make([]float64, 101)
	for i := range values {
		values[i] = float64(i)
	}
	far := func(at ...float64) []float64 {
		return append(append([]float64{math.NaN(), math.Inf(1)}, values...), at...)
	}
	for _, c := range []struct {
		name        string
		z           []float64
		flip        bool
		lo, hi      float64
		top, bottom string
	}{
		{"even", values, true, 0, 100, "0", "100"},
		{"a bad corner", far(900, 950), true, 0, 97, "0", "≥97"},
		{"a good corner", far(-900, -950), true, -950, 100, "-950", "100"},
		{"a bad corner, maximized", far(-900, -950), false, 3, 100, "100", "≤3"},
		{"a good corner, maximized", far(900, 950), false, 0, 950, "950", "0"},
		{"constant", []float64{5, 5, 5}, true, 5, 5, "5", "5"},
	} {
		finite := NewLinearColorScale(Viridis, c.z)
		finite.Flip = c.flip
		s := finite.Clip(c.z)
		assert.InDelta(t, c.lo, s.Lo, 1e-9, c.name)
		assert.InDelta(t, c.hi, s.Hi, 1e-9, c.name)
		top, bottom := s.EndTexts(Short)
		assert.Equal(t, c.top+" "+c.bottom, top+" "+bottom, c.name)
	}
}
