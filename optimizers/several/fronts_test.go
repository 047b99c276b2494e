package several

import (
	"math"
	"testing"

	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
)

// What was observed without noise bounds the region that a drawn front leaves, what was observed with noise does not; a front with too many cells is thinned.
func TestCellsOfDrawnFronts(t *testing.T) {
	k := kernel.Stationary{Form: kernel.SE, Scale: 1, Lengths: []float64{1}}
	belief := func(noises ...float64) *informationBelief {
		b := &informationBelief{frontBelief: &frontBelief{belief: &belief{in: optimizers.Input{Objectives: 2}}, front: [][]float64{{0.1, 0.2}}}}
		for _, noise := range noises {
			g, err := gp.New(k, noise, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			b.parts = append(b.parts, &gaussian.Process{GP: g})
		}
		return b
	}
	drawn := [][]float64{{0, 1}, {0.5, 0.5}, {1, 0}}
	for _, c := range []struct {
		noises []float64
		want   int // cells that hold (0.3, 0.4), which only the observed point dominates
	}{{[]float64{0, 0}, 1}, {[]float64{1e-4, 1e-4}, 1}, {[]float64{0.1, 0.1}, 0}, {[]float64{0, 0.1}, 0}} {
		cells := belief(c.noises...).cellsOf(drawn)
		if got := holding(cells, []float64{0.3, 0.4}); got != c.want {
			t.Errorf("noise %v: (0.3, 0.4) lies in %d cells, want %d", c.noises, got, c.want)
		}
		if holding(cells, []float64{0.6, 0.7}) != 1 || holding(cells, []float64{0.05, 0.05}) != 0 {
			t.Errorf("noise %v: the region is another", c.noises)
		}
	}
	var circle [][]float64
	for i := range 3 * informationCells {
		s, c := math.Sincos(math.Pi / 2 * float64(i) / (3*informationCells - 1))
		circle = append(circle, []float64{1 - s, 1 - c})
	}
	cells := belief(0.1, 0.1).cellsOf(circle)
	if len(cells) > informationCells || len(cells) < informationCells/3 {
		t.Errorf("a front of %d points has %d cells", len(circle), len(cells))
	}
	if holding(cells, []float64{0.31, 0.31}) != 1 || holding(cells, []float64{0.28, 0.28}) != 0 { // the circle is at 1 − √½ = 0.293
		t.Error("a thinned front is elsewhere")
	}
}
