package search

import (
	"testing"

	"github.com/stretchr/testify/assert"
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
		{optimizers.Data{}, false}, {optimizers.Data{X: seen}, true}, {optimizers.Data{Failed: seen}, true},
		{optimizers.Data{X: other, Failed: seen}, true}, {optimizers.Data{X: seen, Failed: other}, true},
		{optimizers.Data{X: other, Failed: other}, false}, {optimizers.Data{X: other}, false},
	} {
		if note := RepeatNote(c.data, x); (note != "") != c.want {
			t.Errorf("%d: the note is %q", i, note)
		}
	}
}

// The search starts from the best observed inputs, the best first, of equal ones the first, of the objective that is
// minimized.
func TestIncumbents(t *testing.T) {
	data := optimizers.Data{X: mat.NewDense(4, 1, []float64{0.1, 0.2, 0.3, 0.4}),
		Y: mat.NewDense(4, 2, []float64{3, -9, 1, 5, 2, 7, 1, -3})}
	if got := Incumbents(data, 3); !mat.Equal(got, mat.NewDense(3, 1, []float64{0.2, 0.4, 0.3})) {
		t.Errorf("the incumbents are %v", mat.Col(nil, 0, got))
	}
	assert.Nil(t, Incumbents(optimizers.Data{}, 3), "there are incumbents without data")
}
