package normdist

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The table agrees with the formulas, between its nodes as at them, and beyond its ends.
func TestTable(t *testing.T) {
	table := NewTable()
	for z := -tableEnd + 1e-9; z < tableEnd+2; z += 0.00317 {
		h, cdf := ExpectedImprovement(0, 1, z), 0.5*math.Erfc(-z/math.Sqrt2)
		assert.InDelta(t, h, table.Improvement(z), 2e-5*h, "h(%g)", z)
		assert.InDelta(t, cdf, table.CDF(z), 2e-5*cdf, "Φ(%g)", z)
	}
	for _, z := range []float64{-tableEnd, -20, math.Inf(-1), math.NaN()} {
		if table.CDF(z) != 0 || table.Improvement(z) != 0 {
			t.Errorf("at %g they are %g and %g", z, table.CDF(z), table.Improvement(z))
		}
	}
	if inf := math.Inf(1); table.CDF(inf) != 1 || table.Improvement(inf) != inf {
		t.Errorf("at ∞ they are %g and %g", table.CDF(inf), table.Improvement(inf))
	}
}

func BenchmarkTable(b *testing.B) {
	table, sum, i := NewTable(), 0.0, 0
	for b.Loop() {
		i++
		sum += table.Improvement(float64(i%1024)/128 - 4)
	}
	if sum < 0 {
		b.Error(sum)
	}
}
