package multiobjective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/optimizers"
)

// The gain of a bound, computed by hand, for a front {(0, 1), (1, 0)} with the reference (2, 2) and ε = 1/(2 + ¾·8) =
// 1/8. The points: one that adds hypervolume, some that a point of the front dominates by 0.2 and 1.1 or by 1.2 and
// 0.1, and one that is only ε-dominated.
func TestSMSGain(t *testing.T) {
	b := &frontBelief{belief: &belief{in: optimizers.Input{Objectives: 2, Budget: 20, Step: 12}},
		front: [][]float64{{0, 1}, {1, 0}}, reference: []float64{2, 2}}
	near := b.epsilons()
	if math.Abs(near[0]-0.125) > 1e-15 || math.Abs(near[1]-0.125) > 1e-15 {
		t.Errorf("ε is %v", near)
	}
	for _, c := range []struct {
		point []float64
		want  float64
	}{
		{[]float64{0.5, 0.5}, 0.25},
		{[]float64{-1, -1}, 9 - 3},
		// two points dominate it, and the greater penalty counts: that of the other is 2.2·1.1 − 1 = 1.42
		{[]float64{1.2, 1.1}, -(1.2*2.1 - 1)},
		{[]float64{0.2, 1.1}, -(1.2*1.1 - 1)},
		{[]float64{0.2, 0.9}, -0.2}, // ε-dominated: 0.1 short of dominated
		{[]float64{0.2, 0.8}, 0.8 * 0.2},
	} {
		assert.InDelta(t, c.want, b.hypervolumeGain(c.point, near), 1e-12, "%v gains", c.point)
	}
}
