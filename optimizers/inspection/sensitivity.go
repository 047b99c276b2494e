package inspection

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/search"
)

// Optimum is a point of the unit cube with its prediction, in the units of the minimized objective.
type Optimum struct {
	X        []float64
	Mean, SD float64
}

// MinimizeMean finds the minimum of the mean of an objective over the space of the input: the best point according to
// the model. The error is that of a belief without a band, or of the context.
func MinimizeMean(ctx context.Context, in optimizers.Input, b optimizers.Belief, objective int) (Optimum, error) {
	return maximize(ctx, in, b, objective, "the best by the model", func(mean, _ float64) float64 { return -mean })
}

// Improvement is the remaining expected improvement.
type Improvement struct {
	Value     float64   // largest expected improvement of one more evaluation, in the objective's units
	X         []float64 // where it is reached
	Incumbent float64   // the incumbent: the smallest mean at the data
}

// MaxImprovement is the largest expected improvement of an objective over the space of the input, below the smallest
// mean at the data. Without data the error wraps ErrUnsupported.
func MaxImprovement(ctx context.Context, in optimizers.Input, b optimizers.Belief, objective int) (Improvement, error) {
	if in.Data.Len() == 0 {
		return Improvement{}, fmt.Errorf("the expected improvement needs results: %w", optimizers.ErrUnsupported)
	}
	moments, err := optimizers.PredictObjective(ctx, b, in.Data.X, objective)
	if err != nil {
		return Improvement{}, err
	}
	l := Improvement{Incumbent: math.Inf(1)}
	met := slices.Repeat([]bool{true}, in.Data.Len())
	if f := optimizers.FeasibilityFor(b); f != nil && slices.Contains(f.FeasibleData(), true) {
		met = f.FeasibleData()
	}
	for i, m := range moments.Mean {
		if met[i] {
			l.Incumbent = min(l.Incumbent, m)
		}
	}
	best, err := maximize(ctx, in, b, objective, "the improvement that is left", func(mean, sd float64) float64 {
		v, _, _ := normdist.LogImprovement(mean, sd, l.Incumbent)
		return max(v, -math.MaxFloat64) // −∞ would have no maximum
	})
	if err != nil {
		return Improvement{}, err
	}
	l.X, l.Value = best.X, normdist.ExpectedImprovement(best.Mean, best.SD, l.Incumbent)
	return l, nil
}

// maximize finds the maximum of a function of the moments of an objective. The search has its own random stream, so it
// does not change suggestions.
func maximize(ctx context.Context, in optimizers.Input, b optimizers.Belief, objective int, purpose string,
	apply func(mean, sd float64) float64) (Optimum, error) {
	t := search.Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		band, err := optimizers.PredictObjective(ctx, b, X, objective)
		if err != nil {
			return nil, err
		}
		v := make([]float64, len(band.Mean))
		for i := range v {
			v[i] = apply(band.Mean[i], band.SD[i])
		}
		return v, nil
	}}
	if f := optimizers.FeasibilityFor(b); f != nil { // where the limits are met according to the model
		t.Excess = f.OptimisticExcess(0)
	}
	in.Pending = nil // predictions do not depend on them
	data := in.Data
	if data.Len() > 0 {
		data.Y = mat.NewDense(data.Len(), 1, data.Column(objective))
	}
	x, _, err := search.Maximize(ctx, search.NewSpace(in), t, in.Stream(purpose, uint64(objective)),
		search.Incumbents(data, 3))
	if err != nil {
		return Optimum{}, err
	}
	band, err := optimizers.PredictObjective(ctx, b, mat.NewDense(1, in.Dim, x), objective)
	if err != nil {
		return Optimum{}, err
	}
	return Optimum{x, band.Mean[0], band.SD[0]}, nil
}

// SobolIndices are the sensitivities of the mean of an objective to each variable, alone and with all others.
type SobolIndices struct {
	First []float64 // the first-order index of each variable: its share of the variance, in [0, 1]
	// the total index: the share of the variance that involves the variable, alone or together with others; nil if a
	// constraint ties variables
	Total    []float64
	Variance float64 // of the mean over the space, in squared units of the objective
}

// sobolRows is the number of points in the sample that estimates the indices; with d variables the mean is computed at
// d + 2 times as many points.
const sobolRows = 2048

// Sensitivity returns the sensitivity of each objective's mean to each variable, over the space of the input: Sobol'
// indices from a fixed quasi-random sample, Halton's sequence in 2d dimensions, of first order by the estimator of
// Saltelli et al. 2010 (table 2, b) of centered values, total ones by Jansen's (table 2, f). A variable that is fixed
// has the index 0. Under constraints variables do not vary independently; see correlationRatios.
func Sensitivity(ctx context.Context, in optimizers.Input, b optimizers.Belief) ([]SobolIndices, error) {
	d, space := in.Dim, search.NewSpace(in)
	if in.Domain.Constrained() {
		return correlationRatios(ctx, space, in.Domain, b)
	}
	both := mat.NewDense(sobolRows, 2*d, nil)
	if err := search.Halton(ctx, both, rng.New(0, 0, "sensitivity")); err != nil {
		return nil, err
	}
	first, second := mat.NewDense(sobolRows, d, nil), mat.NewDense(sobolRows, d, nil)
	for i := range sobolRows {
		copy(first.RawRowView(i), both.RawRowView(i)[:d])
		copy(second.RawRowView(i), both.RawRowView(i)[d:])
		space.FromUnit(first.RawRowView(i))
		space.FromUnit(second.RawRowView(i))
	}
	atFirst, err := means(ctx, b, first)
	if err != nil {
		return nil, err
	}
	atSecond, err := means(ctx, b, second)
	if err != nil {
		return nil, err
	}
	all, middle := make([]SobolIndices, len(atFirst)), make([]float64, len(atFirst))
	for k := range all {
		var variance float64
		middle[k], variance = stat.PopMeanVariance(slices.Concat(atFirst[k], atSecond[k]), nil)
		all[k] = SobolIndices{First: make([]float64, d), Total: make([]float64, d), Variance: variance}
	}
	for j := range d {
		if low, high := space.Bounds(j); low == high {
			continue
		}
		mixed := mat.DenseCopyOf(first)
		mixed.SetCol(j, mat.Col(nil, j, second))
		position, err := means(ctx, b, mixed)
		if err != nil {
			return nil, err
		}
		for k := range all {
			sum, squares := 0.0, 0.0
			for i, v := range position[k] {
				sum += (atSecond[k][i] - middle[k]) * (v - atFirst[k][i])
				squares += (v - atFirst[k][i]) * (v - atFirst[k][i])
			}
			if all[k].Variance > 0 {
				all[k].First[j] = min(max(sum/sobolRows/all[k].Variance, 0), 1)
				all[k].Total[j] = min(squares/(2*sobolRows)/all[k].Variance, 1)
			}
		}
	}
	return all, nil
}

// rowsAtOnce is the number of points that a belief computes between two checks of the context.
const rowsAtOnce = 256

// means are the means of every objective at the rows of X.
func means(ctx context.Context, b optimizers.Belief, X *mat.Dense) ([][]float64, error) {
	n, d := X.Dims()
	var all [][]float64
	for from := 0; from < n; from += rowsAtOnce {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		bands, err := b.Predict(ctx, X.Slice(from, min(from+rowsAtOnce, n), 0, d).(*mat.Dense))
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = make([][]float64, len(bands))
		}
		for k, band := range bands {
			all[k] = append(all[k], band.Mean...)
		}
	}
	return all, nil
}
