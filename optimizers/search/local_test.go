package search

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/rng"
	"bandscope/optimizers/space"
)

// A candidate of a search around a center differs from it in 20 inputs on average, and in all if there are at most 20;
// the others keep the value of the center. The changed values fill the box evenly.
func TestPerturbedCandidates(t *testing.T) {
	for _, d := range []int{1, 2, 5, 20, 40, 100, 1000} {
		low, high, center := make([]float64, d), make([]float64, d), make([]float64, d)
		for j := range low {
			low[j], center[j], high[j] = 0.3, 0.4, 0.7
		}
		s := Space{Dim: d}.Within(low, high)
		n := 400
		points, err := s.Perturbed(t.Context(), center, n, rng.New(1, 0, "test", uint64(d)))
		require.NoError(t, err)
		rows, _ := points.Dims()
		require.Equal(t, n, rows, "d = %d: there are %d candidates", d, rows)
		changed, mean := 0.0, 0.0
		for i := range n {
			here := 0
			for _, v := range points.RawRowView(i) {
				if v < 0.3 || v > 0.7 {
					t.Fatalf("d = %d: %g is not in the box", d, v)
				}
				if v != 0.4 {
					here++
					mean += v
				}
			}
			assert.NotEqual(t, 0, here, "d = %d: a candidate is the center", d)
			changed += float64(here)
		}
		mean /= changed
		changed /= float64(n)
		share := math.Min(1, 20/float64(d))
		want, se := share*float64(d), math.Sqrt(share*(1-share)*float64(d)/float64(n))
		if math.Abs(changed-want) > 5*se+1e-12 {
			t.Errorf("d = %d: %g inputs change on average, want %g ± %g", d, changed, want, se)
		}
		if se := 0.4 / math.Sqrt(12*changed*float64(n)); math.Abs(mean-0.5) > 5*se {
			t.Errorf("d = %d: the mean of the changed values is %g, want 0.5 ± %g", d, mean, se)
		}
	}
}

// A box around a center contains it, lies in the space, reaches to the next level, and has all choices.
func TestBoxAround(t *testing.T) {
	d := &space.Domain{Inputs: []space.Input{{}, {Levels: []float64{0, 0.25, 0.5, 0.75, 1}},
		{Levels: []float64{0, 0.5, 1}, Choice: true}, {}}}
	s := Space{Dim: 4, Domain: d, Low: []float64{0, 0, 0, 0.5}, High: []float64{1, 1, 1, 1}}
	center := []float64{0.3, 0.26, 0.5, 0.2}
	low, high := s.BoxAround(center, []float64{0.1, 0.01, 0.01, 0.1})
	if !slices.Equal(center, []float64{0.3, 0.25, 0.5, 0.5}) {
		t.Errorf("the center is %v", center)
	}
	for j, want := range [][2]float64{{0.2, 0.4}, {0, 0.5}, {0, 1}, {0.5, 0.6}} {
		if math.Abs(low[j]-want[0])+math.Abs(high[j]-want[1]) > 1e-12 {
			t.Errorf("along input %d the box is from %g to %g, want %v", j, low[j], high[j], want)
		}
	}
}

// Candidates of a pool are its rows in the box.
func TestPerturbedRowsOfAPool(t *testing.T) {
	levels := []float64{0, 0.2, 0.4, 0.6, 0.8, 1}
	var rows [][]float64
	for i := range 6 {
		rows = append(rows, []float64{levels[i], levels[5-i]})
	}
	d := &space.Domain{Inputs: []space.Input{{Levels: levels}, {Levels: levels}}, Pool: space.NewPool(rows)}
	s := Space{Dim: 2, Domain: d}.withRegion()
	points, err := s.Within([]float64{0.15, 0}, []float64{0.65, 1}).Perturbed(t.Context(), rows[2], 100, rng.New(1, 0, "test"))
	require.NoError(t, err)
	if n, _ := points.Dims(); n != 3 || !slices.Equal(points.RawRowView(0), rows[1]) {
		t.Errorf("%d rows are in the box, the first %v", n, points.RawRowView(0))
	}
	if points, err := s.Within([]float64{0, 0}, []float64{0.2, 0.2}).Perturbed(t.Context(), rows[2], 100,
		rng.New(1, 0, "test")); points != nil || err != nil {
		t.Errorf("an empty box has the candidates %v, %v", points, err)
	}
}
