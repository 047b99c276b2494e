package chart

import (
	"math"
	"strings"
	"testing"

	"github.com/lucasb-eyer/go-colorful"
	"github.com/stretchr/testify/require"
)

// The maps go from one end to the other, the sequential ones ever lighter; the characters ever denser; what is outside
// takes the ends.
func TestScales(t *testing.T) {
	for _, m := range []ColorMap{Viridis, Cividis} {
		before := -1.0
		for i := range levelCount {
			c, err := colorful.Hex(m.levels()[i].RGB)
			require.NoError(t, err)
			l, _, _ := c.Lab()
			if l < before-1e-3 {
				t.Errorf("%s: level %d is darker than the one before", m.Name, i)
			}
			before = l
		}
	}
	s := ColorScale{Map: Viridis, Lo: -1, Hi: 3}
	if s.Color(-5) != s.Color(-1) || s.Color(9) != s.Color(3) || s.Color(-1) == s.Color(3) {
		t.Error("the ends are wrong")
	}
	last := -1
	for v := -1.0; v <= 3; v += 0.1 {
		if i := strings.IndexRune(ramp, s.Rune(v)); i < last {
			t.Errorf("the character of %g is %q", v, s.Rune(v))
		} else {
			last = i
		}
	}
	if d := NewColorScale(Diverging, []float64{-1, 4, math.NaN(), math.Inf(1)}); d.Lo != -4 || d.Hi != 4 {
		t.Errorf("a signed scale goes from %g to %g", d.Lo, d.Hi)
	}
	if c := NewColorScale(Viridis, []float64{2, 2}); c.Color(2) != c.Map.levels()[16] {
		t.Error("a constant field is not in the middle")
	}
}
