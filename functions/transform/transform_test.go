package transform

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/functions/numfmt"
)

// Values come back as they were counted, in their order, from the floor on; without a logarithm they count as they are,
// to the last bit.
func TestCounted(t *testing.T) {
	for _, c := range []struct {
		gauge   Transform
		v, want float64
		back    float64
	}{
		{Transform{Sign: 1}, -3.7, -3.7, -3.7}, {Transform{Sign: -1}, 0.1, -0.1, 0.1},
		{Transform{1, 0.001}, 100, 2, 100}, {Transform{-1, 0.001}, 0.01, 2, 0.01},
		{Transform{1, 0.001}, 1e-5, -3, 0.001}, {Transform{-1, 0.001}, 0, 3, 0.001},
		{Transform{1, 0.001}, -7, -3, 0.001},
	} {
		if got := c.gauge.Apply(c.v); math.Abs(got-c.want) > 1e-14 || !c.gauge.IsLog() && got != c.want {
			t.Errorf("%v: %g counts as %g, want %g", c.gauge, c.v, got, c.want)
		}
		if got := c.gauge.Invert(c.want); math.Abs(got-c.back) > 1e-14*math.Abs(c.back) {
			t.Errorf("%v: %g is counted of %g, want %g", c.gauge, c.want, got, c.back)
		}
		assert.Equal(t, c.back, c.gauge.Clamp(c.v), "%v: %g is shown at", c.gauge, c.v)
	}
	if g := (Transform{-1, 0.001}); !math.IsNaN(g.Apply(math.NaN())) {
		t.Error("what is no number counts as one")
	}
	if v := (Transform{1, 1e-9}).Interpolate(0.01, 100, 0.25); math.Abs(v-0.1) > 1e-15 {
		t.Errorf("a quarter of the way from 0.01 to 100 is %g", v)
	}
	assert.Equal(t, 3.0, (Transform{Sign: -1}).Interpolate(2, 6, 0.25), "a quarter of the way from 2 to 6")
}

// The error of a logarithm is the standard deviation of logarithms of noisy values, as far as that is small.
func TestErrorIsThatOfNoisyValues(t *testing.T) {
	g, rng := Transform{1, 1e-6}, rand.New(rand.NewPCG(1, 2))
	const v, se, n = 3.0, 0.03, 20000
	squares := 0.0
	for range n {
		d := g.Apply(v+se*rng.NormFloat64()) - g.Apply(v)
		squares += d * d / n
	}
	if want := g.ApplySE(v, se); math.Abs(math.Sqrt(squares)-want) > 5*want/math.Sqrt(2*n)+want*se*se/(v*v) {
		t.Errorf("logarithms of noisy values deviate by %g, told are %g", math.Sqrt(squares), want)
	}
}

// Deviations and differences are told in the unit, or as a range and a factor.
func TestTold(t *testing.T) {
	plain, log := Transform{Sign: 1}, Transform{-1, 0.001}
	for got, want := range map[string]string{
		plain.FormatSD(3, 0.25, numfmt.Format):               " ± 0.25",
		log.FormatSD(3, math.Log10(1.5), numfmt.Format):      " (2 to 4.5)",
		log.FormatSD(3, 1e-5, numfmt.Format):                 " (within ×1.000023)",
		plain.FormatDifference(0.3, numfmt.Format):           "0.3",
		log.FormatDifference(math.Log10(1.3), numfmt.Format): "×1.3",
		log.FormatDifference(0.0001, numfmt.Format):          "×1.00023", log.FormatDifference(0, numfmt.Format): "×1",
		plain.FormatChange(3, 2.5, numfmt.Format): "-0.5", log.FormatChange(2, 3, numfmt.Format): "×1.5",
		log.FormatChange(3, 2, numfmt.Format): "/1.5",
	} {
		assert.Equal(t, want, got, "told")
	}
}
