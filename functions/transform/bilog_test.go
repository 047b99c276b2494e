package transform

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/diff/fd"
)

// The scale is increasing, has an inverse, leaves bounds where they are, has the slope that it says, and leaves values between two
// bounds alone. Far from a bound a tenfold distance adds width·log 10.
func TestBilog(t *testing.T) {
	inf := math.Inf(1)
	for _, b := range []Bilog{{math.Inf(-1), 3, 0.1}, {-2, inf, 10}, {-2, 3, 1}, {-2, 3, inf}, {math.Inf(-1), 3, inf}} {
		for _, bound := range []float64{b.Low, b.High} {
			if !math.IsInf(bound, 0) && b.Apply(bound) != bound {
				t.Errorf("%+v: the bound %g becomes %g", b, bound, b.Apply(bound))
			}
		}
		last := math.Inf(-1)
		for v := -40.05; v < 40; v += 0.1 {
			if b.Apply(v) <= last {
				t.Errorf("%+v decreases at %g", b, v)
			}
			last = b.Apply(v)
			want := fd.Derivative(b.Apply, v, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			assert.InDelta(t, v, b.Invert(b.Apply(v)), 1e-9, "%+v: %g there and back", b, v)
			assert.InDelta(t, want, b.Slope(v), 1e-6, "%+v: the slope at %g", b, v)
		}
	}
	two := Bilog{-2, 3, 0.1}
	assert.Equal(t, 2.9, two.Apply(2.9), "2.9 between -2 and 3 becomes")
	single := Bilog{math.Inf(-1), 0, 1}
	assert.False(t, math.IsInf(single.Invert(1e9), 0), "a value far away is finite")
	if got := single.Apply(1e7) - single.Apply(1e6); math.Abs(got-math.Ln10) > 1e-5 {
		t.Errorf("a tenfold distance adds %g, want log 10", got)
	}
}
