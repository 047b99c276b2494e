package lessonpage

import (
	"math"

	"bandscope/optimizers/normdist"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture"
)

// RelativeEI is the expected improvement of a point before it was evaluated, as a share of the greatest. It is NaN
// without a band, or without a value to improve on.
type RelativeEI func(x []float64) float64

// RelativeEIOnLine computes it from a picture along a variable.
func RelativeEIOnLine(st sessions.State, b *picture.Picture) RelativeEI {
	gain := func(input float64) float64 {
		mean, sd, best, ok := Expected(st, b, input)
		if !ok {
			return math.NaN()
		}
		return normdist.ExpectedImprovement(mean, sd, best)
	}
	return func(x []float64) float64 {
		if b == nil {
			return math.NaN()
		}
		most := 0.0
		for _, input := range b.Grid {
			most = max(most, gain(input))
		}
		return min(gain(x[b.View.Variable])/most, 1)
	}
}

// RelativeEIOnPlane computes it from a picture over two variables.
func RelativeEIOnPlane(st sessions.State, b *picture.Plane) RelativeEI {
	return func(x []float64) float64 {
		_, y, _, found := st.Best()
		if b == nil || !found {
			return math.NaN()
		}
		mean, sd := b.Fields[picture.MeanField], b.Fields[picture.SDField]
		if len(mean.Z) == 0 || len(sd.Z) != len(mean.Z) {
			return math.NaN()
		}
		g := st.Problem.Objectives[0].Transform()
		gain := func(mean, sd float64) float64 {
			return normdist.ExpectedImprovement(g.Sign*mean, sd, g.Apply(y))
		}
		most := 0.0
		for i := range mean.Z {
			most = max(most, gain(mean.Z[i], sd.Z[i]))
		}
		return min(at(st, b, x, mean, sd, gain)/most, 1)
	}
}

// at evaluates a function of two fields at a point.
func at(st sessions.State, b *picture.Plane, x []float64, mean, sd chart.Field,
	gain func(mean, sd float64) float64) float64 {
	u, v := b.Place(st, x)
	return gain(mean.At(u, v), sd.At(u, v))
}
