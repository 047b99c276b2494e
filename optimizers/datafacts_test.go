package optimizers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/transform"
)

// Equal results, and different ones at one point, are facts; results of which most differ, and repeats of noisy
// evaluations, are not.
func TestDataFacts(t *testing.T) {
	log := []transform.Transform{{Sign: -1, Floor: 0.01}}
	for _, c := range []struct {
		name string
		x, y []float64
		in   Input
		want []Fact
	}{
		{"different", []float64{0, 1, 2, 3}, []float64{1, 2, 3, 4}, Input{}, nil},
		{"constant", []float64{0, 1, 2, 3}, []float64{3, 3, 3, 3}, Input{}, []Fact{{Name: "equal results", Value: "4 of 4 are 3"}}},
		{"too few", []float64{0, 1, 2}, []float64{3, 3, 3}, Input{}, nil},
		{"half", []float64{0, 1, 2, 3, 4, 5, 6, 7}, []float64{3, 3, 3, 3, 1, 2, 4, 5}, Input{}, nil},
		{"saturated", []float64{0, 1, 2, 3, 4, 5, 6}, []float64{3, 3, 3, 3, 1, 2, 4}, Input{}, []Fact{{Name: "equal results", Value: "4 of 7 are 3"}}},
		{"below the floor", []float64{0, 1, 2, 3}, []float64{2, 2, 2, 2}, Input{Transforms: log},
			[]Fact{{Name: "equal results", Value: "4 of 4 are 0.01"}}},
		{"repeats", []float64{0, 1, 1, 2, 2, 2}, []float64{7, 1, 3, 4, 4, 5}, Input{},
			[]Fact{{Name: "repeats differ", Value: "at 2 points, by up to 2"}}},
		{"equal repeats", []float64{0, 1, 1}, []float64{7, 3, 3}, Input{}, nil},
		{"repeats, logarithmic", []float64{1, 1}, []float64{-1, 1}, Input{Transforms: log},
			[]Fact{{Name: "repeats differ", Value: "at 1 point, by up to ×100"}}},
		{"noisy repeats", []float64{1, 1}, []float64{-1, 1}, Input{Noisy: true}, nil},
		{"repeats with a declared noise", []float64{1, 1}, []float64{-1, 1}, Input{Noise: []float64{1}}, nil},
		{"repeats with standard errors", []float64{1, 1}, []float64{-1, 1},
			Input{Data: Data{SE: mat.NewDense(2, 1, []float64{1, 1})}}, nil},
	} {
		n := len(c.x)
		c.in.Objectives, c.in.Data.X, c.in.Data.Y = 1, mat.NewDense(n, 1, c.x), mat.NewDense(n, 1, c.y)
		assert.Equal(t, c.want, c.in.DataFacts(), c.name)
	}
}
