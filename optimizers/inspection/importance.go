package inspection

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Importance is the share of an objective's variance over the space that a variable explains alone, in [0, 1]: the
// median and an interval of 90 % over functions that the model draws. The interval says how well the data determine it.
type Importance struct{ Median, Low, High float64 }

// String is the median with the interval: "53 % (33 to 69 %)".
func (v Importance) String() string {
	return fmt.Sprintf("%.0f %% (%.0f to %.0f %%)", 100*v.Median, 100*v.Low, 100*v.High)
}

// The sample of Importances: points of the space, functions, and slices of a variable. Functions are drawn jointly, so
// that the cost of a Gaussian process grows with the cube of the points.
const (
	importancePoints = 512
	importanceDraws  = 64
	importanceSlices = 16
)

// importanceDraw is the number of the draw, so that the functions are none of those that pictures show.
const importanceDraw = 1 << 40

// Importances returns the importance of each variable, by objective: the correlation ratio (see correlationRatios) of
// each of many functions drawn from the belief. The error wraps ErrUnsupported if the belief draws no functions.
func Importances(ctx context.Context, in optimizers.Input, b optimizers.Belief) ([][]Importance, error) {
	points, err := search.NewSpace(in).Feasible(ctx, importancePoints, rng.New(0, 0, "importance"))
	if err != nil {
		return nil, err
	}
	drawn, err := b.Samples(ctx, points, importanceDraws, importanceDraw)
	if err != nil {
		return nil, err
	}
	all := make([][]Importance, len(drawn))
	for k := range all {
		all[k] = make([]Importance, in.Dim)
	}
	for j := range in.Dim {
		order, slice, count := slicesFor(points, j, importanceSlices, in.Domain)
		if count == 1 {
			continue
		}
		for k, functions := range drawn {
			shares := make([]float64, importanceDraws)
			for i := range shares {
				values := functions.RawRowView(i)
				_, variance := stat.PopMeanVariance(values, nil)
				shares[i] = correlationRatio(values, order, slice, count, variance)
			}
			slices.Sort(shares)
			quantile := func(p float64) float64 { return stat.Quantile(p, stat.LinInterp, shares, nil) }
			all[k][j] = Importance{Median: quantile(0.5), Low: quantile(0.05), High: quantile(0.95)}
		}
	}
	return all, nil
}
