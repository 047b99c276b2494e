package diagnostics

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// agreementRows is at how many points two acquisitions are compared.
const agreementRows = 512

// Agreement is how far two acquisitions agree over a space.
type Agreement struct {
	Correlation float64 // of the ranks that they give to points (Spearman's): 1 where they rank all alike
	// of the best tenth of each, the share that is of both: 1 where they are the same, a tenth by chance
	Overlap float64
}

// CompareAcquisitions holds the acquisitions of two beliefs against each other at a fixed quasi-random sample of the
// space of an input, the better end of each being the same. Both numbers are NaN where one of them has no acquisition,
// or one that is the same everywhere.
func CompareAcquisitions(ctx context.Context, in optimizers.Input, a, b optimizers.Belief) (Agreement, error) {
	none := Agreement{math.NaN(), math.NaN()}
	points := mat.NewDense(agreementRows, in.Dim, nil)
	if err := search.Halton(ctx, points, rng.New(0, 0, "places to agree on")); err != nil {
		return none, err
	}
	if err := search.NewSpace(in).MakeFeasible(ctx, points, rng.New(0, 0, "feasible places to agree on")); err != nil {
		return none, err
	}
	var of [2][]float64
	for i, belief := range []optimizers.Belief{a, b} {
		v, err := belief.Acquisition(ctx, points)
		if errors.Is(err, optimizers.ErrUnsupported) {
			return none, nil
		}
		if err != nil {
			return none, err
		}
		of[i] = RankShares(v, belief.Legend().LowerIsBetter)
	}
	found := Agreement{Correlation: stat.Correlation(of[0], of[1], nil)}
	if math.IsNaN(found.Correlation) {
		return none, nil
	}
	both, either := 0.0, 0.0
	for i := range of[0] {
		first, second := of[0][i] >= TopShare, of[1][i] >= TopShare
		if first && second {
			both++
		}
		if first {
			either++
		}
		if second {
			either++
		}
	}
	found.Overlap = 2 * both / either
	return found, nil
}

// TopShare is the share of points that those of the best tenth are better than.
const TopShare = 0.9

// RankShares are, for each of values, the share of the others that it is better than, with half of those that are
// equal; lower says that less is better.
func RankShares(values []float64, lower bool) []float64 {
	v := append([]float64(nil), values...)
	if lower {
		floats.Scale(-1, v)
	}
	all := ranks(v)
	if len(all) > 1 {
		floats.Scale(1/float64(len(all)-1), all)
	}
	return all
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

// Separation is how far two points are from each other in the unit cube, and whether they are as good as the same.
func Separation(in optimizers.Input, x, y []float64) (far float64, same bool) {
	return distance(in, x, y), search.NewSpace(in).Same(x, y)
}

// SeparatingDatum is the datum whose leaving out brings the choices of two methods nearest together, by what each would
// choose without each; −1 where none brings them nearer than they are.
func SeparatingDatum(in optimizers.Input, apart float64, a, b []Influence) (datum int, far float64) {
	datum, far = -1, apart
	for i := range a {
		if d := distance(in, a[i].X, b[i].X); d < far {
			datum, far = i, d
		}
	}
	return datum, far
}
