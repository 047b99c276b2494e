package search

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// A suggestion that repeats a point is noted, be that observed or failed, alone or among others.
func TestRepeatsOfFailedPoints(t *testing.T) {
	x := []float64{0.3, 0.6}
	seen, other := mat.NewDense(2, 2, []float64{0.1, 0.2, 0.3, 0.6}), mat.NewDense(1, 2, []float64{0.3, 0.61})
	for i, c := range []struct {
		data optimizers.Data
		want bool
	}{
		{optimizers.Data{}, false}, {optimizers.Data{X: seen}, true}, {optimizers.Data{Failed: seen}, true}, {optimizers.Data{X: other, Failed: seen}, true}, {optimizers.Data{X: seen, Failed: other}, true},
		{optimizers.Data{X: other, Failed: other}, false}, {optimizers.Data{X: other}, false},
	} {
		if note := RepeatNote(c.data, x); (note != "") != c.want {
			t.Errorf("%d: the note is %q", i, note)
		}
	}
}
