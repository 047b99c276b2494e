package transform

import (
	"math"
	"math/rand/v2"
	"testing"

	"bandscope/functions/numfmt"
)

// Values come back as they were counted, in their order, from the floor on; without a logarithm they count as they are,
// to the last bit.
func TestCounted(t *testing.T) {
	for _, c := range []struct {
		gauge   Gauge
		v, want float64
		back    float64
	}{
		{Gauge{Sign: 1}, -3.7, -3.7, -3.7}, {Gauge{Sign: -1}, 0.1, -0.1, 0.1},
		{Gauge{1, 0.001}, 100, 2, 100}, {Gauge{-1, 0.001}, 0.01, 2, 0.01},
		{Gauge{1, 0.001}, 1e-5, -3, 0.001}, {Gauge{-1, 0.001}, 0, 3, 0.001}, {Gauge{1, 0.001}, -7, -3, 0.001},
	} {
		if got := c.gauge.Counted(c.v); math.Abs(got-c.want) > 1e-14 || !c.gauge.Log() && got != c.want {
			t.Errorf("%v: %g counts as %g, want %g", c.gauge, c.v, got, c.want)
		}
		if got := c.gauge.Value(c.want); math.Abs(got-c.back) > 1e-14*math.Abs(c.back) {
			t.Errorf("%v: %g is counted of %g, want %g", c.gauge, c.want, got, c.back)
		}
		if got := c.gauge.Shown(c.v); got != c.back {
			t.Errorf("%v: %g is shown at %g, want %g", c.gauge, c.v, got, c.back)
		}
	}
	if g := (Gauge{-1, 0.001}); !math.IsNaN(g.Counted(math.NaN())) {
		t.Error("what is no number counts as one")
	}
	if v := (Gauge{1, 1e-9}).Between(0.01, 100, 0.25); math.Abs(v-0.1) > 1e-15 {
		t.Errorf("a quarter of the way from 0.01 to 100 is %g", v)
	}
	if v := (Gauge{Sign: -1}).Between(2, 6, 0.25); v != 3 {
		t.Errorf("a quarter of the way from 2 to 6 is %g", v)
	}
}

// The error of a logarithm is the standard deviation of logarithms of noisy values, as far as that is small.
func TestErrorIsThatOfNoisyValues(t *testing.T) {
	g, rng := Gauge{1, 1e-6}, rand.New(rand.NewPCG(1, 2))
	const v, se, n = 3.0, 0.03, 20000
	squares := 0.0
	for range n {
		d := g.Counted(v+se*rng.NormFloat64()) - g.Counted(v)
		squares += d * d / n
	}
	if want := g.Error(v, se); math.Abs(math.Sqrt(squares)-want) > 5*want/math.Sqrt(2*n)+want*se*se/(v*v) {
		t.Errorf("logarithms of noisy values deviate by %g, told are %g", math.Sqrt(squares), want)
	}
}

// Deviations and differences are told in the unit, or as a range and a factor.
func TestTold(t *testing.T) {
	plain, log := Gauge{Sign: 1}, Gauge{-1, 0.001}
	for got, want := range map[string]string{
		plain.Spread(3, 0.25, numfmt.Format): " ± 0.25", log.Spread(3, math.Log10(1.5), numfmt.Format): " (2 to 4.5)",
		log.Spread(3, 1e-5, numfmt.Format):   " (within ×1.000023)",
		plain.Difference(0.3, numfmt.Format): "0.3", log.Difference(math.Log10(1.3), numfmt.Format): "×1.3",
		log.Difference(0.0001, numfmt.Format): "×1.00023", log.Difference(0, numfmt.Format): "×1",
		plain.Change(3, 2.5, numfmt.Format): "-0.5", log.Change(2, 3, numfmt.Format): "×1.5",
		log.Change(3, 2, numfmt.Format): "/1.5",
	} {
		if got != want {
			t.Errorf("told is %q, want %q", got, want)
		}
	}
}
