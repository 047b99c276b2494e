package sessions

import (
	"math"
	"testing"
)

// A median is that of the seeds that have come so far, and there is none unless more than half of them have. Quartiles lie between the values
// linearly (type 7 of Hyndman & Fan 1996).
func TestQuorum(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values            []float64 // of every seed, NaN if it has not come so far
		median, low, high float64
	}{
		{[]float64{1, 2, nan, nan}, nan, nan, nan},
		{[]float64{1, 2, 4, nan}, 2, 1.5, 3},
		{[]float64{1, nan, nan, nan, 2}, nan, nan, nan},
		{[]float64{7, nan, 1, nan, 3}, 3, 2, 5},
		{[]float64{nan}, nan, nan, nan},
		{[]float64{5}, 5, 5, 5},
		{[]float64{4, 3, 2, 1}, 2.5, 1.75, 3.25},
	} {
		var runs []benchRun
		for _, v := range c.values {
			runs = append(runs, benchRun{values: []float64{v}})
		}
		b := together("random", runs, 0)
		for i, got := range []float64{b.Median[0], b.Low[0], b.High[0]} {
			want := []float64{c.median, c.low, c.high}[i]
			if !(got == want || math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%v: median and quartiles %g, %g, %g; want %g, %g, %g", c.values, b.Median[0], b.Low[0], b.High[0], c.median, c.low, c.high)
				break
			}
		}
	}
}
