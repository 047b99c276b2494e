package inspection

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// domainRows is the number of points in the sample of the domain.
const domainRows = 512

// PredictDomain compares the bands of each objective with the true function over a space: with its values, without
// noise and minimized, at a fixed quasi-random sample, Halton's sequence; truth returns false for a point without a
// value. Values of one function at neighboring points are dependent, so only the shares of their coverage are
// meaningful.
func PredictDomain(ctx context.Context, space search.Space, b optimizers.Belief,
	truth func(u []float64) ([]float64, bool)) ([]Predictions, error) {
	rng := rng.New(0, 0, "coverage")
	points := mat.NewDense(domainRows, space.Dim, nil)
	var err error
	if space.Domain.Constrained() {
		points, err = space.Feasible(ctx, domainRows, rng)
	} else {
		err = search.Halton(ctx, points, rng)
		for i := range domainRows {
			space.FromUnit(points.RawRowView(i))
		}
	}
	if err != nil {
		return nil, err
	}
	bands, err := b.Predict(ctx, points)
	if err != nil {
		return nil, err
	}
	n, draws := len(bands), b.Legend().Draws
	y := make([][]float64, n)
	warped := make([]*optimizers.WarpedBand, n)
	mean := make([][]float64, n)
	sd := make([][]float64, n)
	freedom := make([][]float64, n)
	for i := range domainRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, ok := truth(points.RawRowView(i))
		if !ok {
			continue
		}
		for k, band := range bands {
			if w := band.Warped; w != nil {
				if warped[k] == nil {
					warped[k] = &optimizers.WarpedBand{Warp: w.Warp}
				}
				warped[k].Mean, warped[k].SD = append(warped[k].Mean, w.Mean[i]), append(warped[k].SD, w.SD[i])
			}
			single := pointPrediction{bands: []optimizers.Band{{Mean: band.Mean[i : i+1], SD: band.SD[i : i+1]}},
				draws: draws}
			m, s, f := single.observation(0, 0)
			y[k] = append(y[k], v[k])
			mean[k] = append(mean[k], m)
			sd[k] = append(sd[k], s)
			freedom[k] = append(freedom[k], f)
		}
	}
	all := make([]Predictions, n)
	for k := range all {
		all[k] = compare(y[k], optimizers.Band{Mean: mean[k], SD: sd[k], Warped: warped[k]}, freedom[k])
		if r, ok := b.(Recalibrated); ok {
			all[k] = r.Factors[k].recalibrate(all[k])
		}
	}
	return all, nil
}
