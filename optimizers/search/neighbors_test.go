package search

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/space"
)

// constantBand predicts the same everywhere; without an sd if it is negative.
func constantBand(mean, sd float64) Prediction {
	return func(_ context.Context, X *mat.Dense) (optimizers.Band, error) {
		n, _ := X.Dims()
		b := optimizers.Band{Mean: make([]float64, n)}
		for i := range n {
			b.Mean[i] = mean
			if sd >= 0 {
				b.SD = append(b.SD, sd)
			}
		}
		return b, nil
	}
}

// falling predicts the first variable times a slope, 1 too high, and has no sd.
func falling(slope float64) Prediction {
	return func(_ context.Context, X *mat.Dense) (optimizers.Band, error) {
		mean := mat.Col(nil, 0, X)
		for i := range mean {
			mean[i] = 1 + slope*mean[i]
		}
		return optimizers.Band{Mean: mean}, nil
	}
}

// A point is useful outside of all neighborhoods, or where a better result is possible and refinements have not failed.
func TestUsefulPoints(t *testing.T) {
	line := func(values ...float64) (d optimizers.Data) { // pairs of a point and its value
		d.X, d.Y = mat.NewDense(len(values)/2, 1, nil), mat.NewDense(len(values)/2, 1, nil)
		for i := range len(values) / 2 {
			d.X.Set(i, 0, values[2*i])
			d.Y.Set(i, 0, values[2*i+1])
		}
		return d
	}
	apart := line(0.2, 3, 0.5, 1, 0.9, 2)
	failing := line(0.2, 3, 0.5, 1, 0.9, 2, 0.5002, 1.1, 0.5004, 1.2, 0.5006, 1.3)
	improving := line(0.2, 3, 0.5, 1, 0.9, 2, 0.5002, 1.1, 0.5004, 1.2, 0.5006, 0.3)
	failed := apart
	failed.Failed = mat.NewDense(1, 1, []float64{0.5005})
	for name, c := range map[string]struct {
		data    optimizers.Data
		predict Prediction
		x       float64
		want    bool
	}{
		"far and hopeless":              {apart, constantBand(9, 0), 0.35, true},
		"a repeat":                      {apart, constantBand(-9, 5), 0.5 + 1e-7, false},
		"near and hopeless":             {apart, constantBand(1.4, 0.1), 0.49, false},
		"near and possibly better":      {apart, constantBand(1.4, 0.2), 0.49, true},
		"close and possibly better":     {apart, constantBand(1.4, 0.2), 0.5003, true},
		"close without a prediction":    {apart, nil, 0.5003, false},
		"near without a prediction":     {apart, nil, 0.49, true},
		"better only by rounding":       {apart, constantBand(1-1e-10, 0), 0.5003, false},
		"close to failed refinements":   {failing, constantBand(0.5, 0.2), 0.5001, false},
		"near failed refinements":       {failing, constantBand(0.5, 0.2), 0.512, true},
		"close to a refinement":         {improving, constantBand(0.2, 0.2), 0.5001, true},
		"close to a failed evaluation":  {failed, constantBand(0.5, 0.2), 0.5001, false},
		"falling without an sd":         {apart, falling(-2), 0.5003, true},
		"rising without an sd":          {apart, falling(2), 0.5003, false},
		"falling from a worse one":      {apart, falling(-2), 0.9003, false},
		"falling steeply from that one": {apart, falling(-5000), 0.9003, true},
	} {
		in := optimizers.Input{Dim: 1, Objectives: 1, Data: c.data, Params: param.Defaults(Params())}
		useful, err := newNeighbors(in, NewSpace(in), c.predict).useful(t.Context(), []float64{c.x})
		if err != nil || useful != c.want {
			t.Errorf("%s: %v, %v", name, useful, err)
		}
	}
}

// The neighborhoods of evenly spread points leave half of every variable, and are no larger than 0.05.
func TestSpacing(t *testing.T) {
	narrow := Space{Dim: 2, Low: []float64{0.2, 0.1}, High: []float64{0.4, 0.1}}
	points := [][]float64{{0.25, 0.1}, {0.3, 0.1}, {0.39, 0.1}, {0.7, 0.1}}
	for _, c := range []struct {
		space  Space
		points [][]float64
		want   float64
	}{
		{Space{Dim: 1}, points, 0.05},
		{Space{Dim: 1}, make([][]float64, 0), maxSpacing},
		{narrow, points, 0.25 * 0.2 / 4},
		{Space{Dim: 1, Low: []float64{0.5}, High: []float64{0.502}}, points, closeRadius},
	} {
		assert.InDelta(t, c.want, c.space.spacing(c.points), 1e-12, "%v", c.space.Low)
	}
}

// If nothing better is expected, the point is far from evaluated and pending ones; another choice is far too.
func TestFarthest(t *testing.T) {
	d := &space.Domain{Inputs: []space.Input{{}, {Levels: []float64{0, 0.1}, Choice: true}}}
	s := Space{Dim: 2, Domain: d, Pending: [][]float64{{0.2, 0.1}, {0.9, 0.1}},
		left: [][]float64{{0.1, 0}, {0.5, 0}, {0.9, 0}}}
	x, value, err := s.farthest(t.Context(), towards(0, 0), rng.New(1, 0, "test"), []float64{0.5, 0}, 7)
	if err != nil || x[1] != 0.1 || math.Abs(x[0]-0.55) > 0.02 || math.Abs(value+x[0]+0.1) > 1e-9 {
		t.Errorf("%v with the value %v, %v", x, value, err)
	}
	s.left = [][]float64{{0, 0.1}, {0.3, 0}}
	s.Low, s.High = []float64{0.3, 0}, []float64{0.3, 0}
	x, value, err = s.farthest(t.Context(), towards(0, 0), rng.New(1, 0, "test"), []float64{0.3, 0}, 7)
	if err != nil || x[0] != 0.3 || value != 7 {
		t.Errorf("without another point: %v with the value %v, %v", x, value, err)
	}
}
