package inspection

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/space"
)

// sliceCount is the number of slices of the range of a number, each with the same number of points of the sample.
const sliceCount = 32

// correlationRatios is the sensitivity over a constrained space with uniformly distributed points: for each variable
// the share of the variance that it explains, alone or through variables that a constraint ties to it. It is the
// variance of the means in slices of the variable, or at its levels, minus its expected value by chance from the spread
// within the slices (the first-order index from given data: Plischke, Borgonovo & Smith 2013, eq. 4; the correction is
// that of the correlation ratio).
func correlationRatios(ctx context.Context, region search.Space, d *space.Domain, b optimizers.Belief) ([]SobolIndices,
	error) {
	points, err := region.Feasible(ctx, 2*sobolRows, rng.New(0, 0, "sensitivity"))
	if err != nil {
		return nil, err
	}
	position, err := means(ctx, b, points)
	if err != nil {
		return nil, err
	}
	_, dim := points.Dims()
	all := make([]SobolIndices, len(position))
	for k := range all {
		_, variance := stat.PopMeanVariance(position[k], nil)
		all[k] = SobolIndices{First: make([]float64, dim), Variance: variance}
	}
	for j := range dim {
		order, slice, count := slicesFor(points, j, sliceCount, d)
		for k := range all {
			if count > 1 {
				all[k].First[j] = correlationRatio(position[k], order, slice, count, all[k].Variance)
			}
		}
	}
	return all, nil
}

// slicesFor divides points into slices of a variable, or by its levels: slice i of count belongs to point order[i]. A
// variable that is fixed has one slice.
func slicesFor(points *mat.Dense, j, slices int, d *space.Domain) (order, slice []int, count int) {
	n, _ := points.Dims()
	values := mat.Col(nil, j, points)
	if floats.Max(values)-floats.Min(values) < space.Tolerance {
		return nil, nil, 1
	}
	order = make([]int, n)
	slice = make([]int, n)
	count = 1
	floats.ArgsortStable(values, order) // which sorts the values
	for i := 1; i < n; i++ {
		slice[i] = slice[i-1]
		next := i*slices/n > (i-1)*slices/n
		if d.Stepwise(j) {
			next = values[i] != values[i-1]
		}
		if next {
			slice[i], count = count, count+1
		}
	}
	return order, slice, count
}

// correlationRatio is the share of the variance of values that lies between the means of their slices, corrected for
// chance; slice i belongs to value order[i].
func correlationRatio(values []float64, order, slice []int, count int, variance float64) float64 {
	if !(variance > 0) {
		return 0
	}
	sums, sizes := make([]float64, count), make([]float64, count)
	mean := floats.Sum(values) / float64(len(values))
	for i, s := range slice {
		sums[s] += values[order[i]] - mean
		sizes[s]++
	}
	between := 0.0
	for s, v := range sums {
		between += v * v / sizes[s]
	}
	n := float64(len(values))
	within := (n*variance - between) / (n - float64(count))
	return min(max((between-float64(count-1)*within)/(n*variance), 0), 1)
}
