package why

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/stream"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// agreeRows is at how many points two acquisitions are compared.
const agreeRows = 512

// Agreement is the rank correlation (Spearman's) of the acquisitions of two beliefs over the space of an input, at a fixed quasi-random sample, the better end of each being the same: 1 where
// they rank all points alike. It is NaN where one of them has none, or one that is the same everywhere.
func Agreement(ctx context.Context, in optimizers.Input, a, b optimizers.Belief) (float64, error) {
	points := mat.NewDense(agreeRows, in.Dim, nil)
	if err := search.Halton(ctx, points, stream.New(0, 0, "places to agree on")); err != nil {
		return 0, err
	}
	if err := search.SpaceOf(in).Spread(ctx, points, stream.New(0, 0, "feasible places to agree on")); err != nil {
		return 0, err
	}
	var of [2][]float64
	for i, belief := range []optimizers.Belief{a, b} {
		v, err := belief.Acquisition(ctx, points)
		if errors.Is(err, optimizers.ErrAbsent) {
			return math.NaN(), nil
		}
		if err != nil {
			return 0, err
		}
		if belief.Legend().Lower {
			floats.Scale(-1, v)
		}
		of[i] = ranks(v)
	}
	return stat.Correlation(of[0], of[1], nil), nil
}

// ranks are those of values, the mean one of those that are equal.
func ranks(v []float64) []float64 {
	order, sorted := make([]int, len(v)), append([]float64(nil), v...)
	floats.ArgsortStable(sorted, order)
	all := make([]float64, len(v))
	for from := 0; from < len(v); {
		to := from
		for to+1 < len(v) && sorted[to+1] == sorted[from] {
			to++
		}
		for k := from; k <= to; k++ {
			all[order[k]] = float64(from+to) / 2
		}
		from = to + 1
	}
	return all
}

// Apart is how far two points are from each other in the unit cube, and whether they are as good as the same.
func Apart(in optimizers.Input, x, y []float64) (far float64, same bool) {
	return distance(in, x, y), search.SpaceOf(in).Same(x, y)
}

// Separating is the datum whose leaving out brings the choices of two methods nearest together, by what each would choose without each; −1 where none brings them nearer than they are.
func Separating(in optimizers.Input, apart float64, a, b []Influence) (datum int, far float64) {
	datum, far = -1, apart
	for i := range a {
		if d := distance(in, a[i].X, b[i].X); d < far {
			datum, far = i, d
		}
	}
	return datum, far
}
