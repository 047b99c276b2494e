package inspection

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

// agreementRows is the number of points at which two acquisition functions are compared.
const agreementRows = 512

// Agreement measures how well two acquisition functions agree over a space.
type Agreement struct {
	Correlation float64 // Spearman's rank correlation: 1 if the rankings are the same
	// share of the best tenth of each that both have: 1 if the two tenths are the same, 0.1 by chance
	Overlap float64
}

// CompareAcquisitions compares the acquisition functions of two beliefs at a fixed quasi-random sample of the space of
// an input, each with its better end up. Both numbers are NaN if one belief has no acquisition function, or a constant
// one.
func CompareAcquisitions(ctx context.Context, in optimizers.Input, a, b optimizers.Belief) (Agreement, error) {
	none := Agreement{math.NaN(), math.NaN()}
	points := mat.NewDense(agreementRows, in.Dim, nil)
	if err := search.Halton(ctx, points, rng.New(0, 0, "places to agree on")); err != nil {
		return none, err
	}
	if err := search.NewSpace(in).MakeFeasible(ctx, points, rng.New(0, 0, "feasible places to agree on")); err != nil {
		return none, err
	}
	var values [2][]float64
	for i, belief := range []optimizers.Belief{a, b} {
		v, err := belief.Acquisition(ctx, points)
		if errors.Is(err, optimizers.ErrUnsupported) {
			return none, nil
		}
		if err != nil {
			return none, err
		}
		values[i] = RankShares(v, belief.Legend().LowerIsBetter)
	}
	found := Agreement{Correlation: stat.Correlation(values[0], values[1], nil)}
	if math.IsNaN(found.Correlation) {
		return none, nil
	}
	both, either := 0.0, 0.0
	for i := range values[0] {
		first, second := values[0][i] >= TopShare, values[1][i] >= TopShare
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

// TopShare is the share of points that the best tenth is better than.
const TopShare = 0.9

// RankShares are, for each value, the share of the others that it is better than, plus half of those that are equal;
// lower says that smaller values are better.
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

// ranks are the ranks of values; equal values get their mean rank.
func ranks(v []float64) []float64 {
	order, sorted := make([]int, len(v)), append([]float64(nil), v...)
	floats.ArgsortStable(sorted, order)
	all := make([]float64, len(v))
	for from := 0; from < len(v); {
		end := from
		for end+1 < len(v) && sorted[end+1] == sorted[from] {
			end++
		}
		for k := from; k <= end; k++ {
			all[order[k]] = float64(from+end) / 2
		}
		from = end + 1
	}
	return all
}

// Separation is the distance between two points in the unit cube, and whether they count as the same.
func Separation(in optimizers.Input, x, y []float64) (apart float64, same bool) {
	return distance(in, x, y), search.NewSpace(in).Same(x, y)
}

// SeparatingDatum is the observation without which the choices of two methods are closest together; −1 if leaving out
// an observation never brings them closer than apart. a and b are the influences of each observation on the choices.
func SeparatingDatum(in optimizers.Input, apart float64, a, b []Influence) (datum int, least float64) {
	datum, least = -1, apart
	for i := range a {
		if d := distance(in, a[i].X, b[i].X); d < least {
			datum, least = i, d
		}
	}
	return datum, least
}
