package lessonpage

import (
	"math"

	"bandscope/optimizers/normdist"
	"bandscope/sessions"
	"bandscope/tui/picture"
)

// RelativeEI is the expected improvement of a point before it was evaluated, as a share of the greatest. It is NaN
// without a band, or without a value to improve on.
type RelativeEI func(x []float64) float64

// NewRelativeEI computes it from a posterior.
func NewRelativeEI(st sessions.State, b *picture.Posterior) RelativeEI {
	return func(x []float64) float64 {
		_, y, _, found := st.Best()
		if b == nil || !found {
			return math.NaN()
		}
		mean, sd := b.Fields[picture.MeanField], b.Fields[picture.SDField]
		if mean.Empty() || len(sd.Z) != len(mean.Z) {
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
		return min(gain(g.ToScale(b.At(picture.MeanField, x)), b.At(picture.SDField, x))/most, 1)
	}
}
