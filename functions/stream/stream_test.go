package stream

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func TestStreamsAreNamed(t *testing.T) {
	draw := func(seed uint64, step int, purpose string, more ...uint64) uint64 {
		return New(seed, step, purpose, more...).Uint64()
	}
	base := draw(1, 2, "samples", 3)
	if base != draw(1, 2, "samples", 3) {
		t.Error("the same name gives another stream")
	}
	for what, other := range map[string]uint64{"seed": draw(2, 2, "samples", 3), "step": draw(1, 3, "samples", 3),
		"purpose": draw(1, 2, "sample", 3), "number": draw(1, 2, "samples", 4), "no number": draw(1, 2, "samples")} {
		if other == base {
			t.Errorf("another %s gives the same stream", what)
		}
	}
}

// Neighbouring streams are independent: their correlation over 20,000 draws is within four standard errors of none.
func TestStreamsAreIndependent(t *testing.T) {
	const n = 20_000
	a, b := make([]float64, n), make([]float64, n)
	ra, rb := New(7, 1, "x"), New(7, 2, "x")
	for i := range n {
		a[i], b[i] = ra.NormFloat64(), rb.NormFloat64()
	}
	if c := stat.Correlation(a, b, nil); math.Abs(c) > 4/math.Sqrt(n) {
		t.Errorf("the correlation is %g", c)
	}
}
