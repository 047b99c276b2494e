// Package acquisition implements acquisition functions for every model that has a mean and a standard deviation or
// draws functions, and the beliefs of methods that use them. A ScoredBelief combines a Posterior of one objective with
// a Score of its moments; a SampledBelief minimizes a function drawn from a model. The moments of a model are
// standardized, over the unit cube; bands, acquisition functions and suggestions are in the units of the objective. The
// packages that use this one provide the models.
package acquisition

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Moments is a surrogate with a mean and a standard deviation at every input, of standardized targets over the unit
// cube.
type Moments interface {
	// Predict returns the mean and the standard deviation at each row of X.
	Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error)
}

// Differentiable is a surrogate with gradients of its moments.
type Differentiable interface {
	Moments
	// Gradient returns the mean and the standard deviation at x, and writes their gradients to dmean and dsd.
	Gradient(x, dmean, dsd []float64) (mean, sd float64)
}

// Mixture is a surrogate whose hyperparameters are integrated over: an equally weighted mixture of surrogates.
type Mixture interface {
	Moments
	// Components returns the surrogates; nil if there is only one.
	Components() []Differentiable
	// Thin returns the mixture of every few of them, from the first on.
	Thin(every int) Differentiable
}

// Posterior is the posterior of one objective, by a surrogate with moments. It is the part of a belief that all methods
// with such a surrogate share. Its methods return values in the units of the objective.
type Posterior struct {
	optimizers.Unsupported
	In             optimizers.Input
	Objective      int                // index of the objective
	Scale          model.Standardizer // of the targets
	Surrogate      Moments
	HandlesPending bool // the target accounts for pending points, so that suggestions may be close to them

	once search.SuggestionCache
}

// posterior returns the posterior of a model that embeds one.
func (b *Posterior) posterior() *Posterior { return b }

// Predict returns the band.
func (b *Posterior) Predict(ctx context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	mean, sd, err := b.Surrogate.Predict(ctx, X)
	if err != nil {
		return nil, err
	}
	return []optimizers.Band{b.band(mean, sd)}, nil
}

// band returns the band of standardized moments, which it changes.
func (b *Posterior) band(mean, sd []float64) optimizers.Band {
	for i := range mean {
		mean[i], sd[i] = b.Scale.Value(mean[i]), sd[i]*b.Scale.SD
	}
	if b.In.Warp == nil {
		return optimizers.Band{Mean: mean, SD: sd}
	}
	return (&optimizers.WarpedBand{Mean: mean, SD: sd, Warp: b.In.Warp}).Band()
}

// Value returns the value of the objective for a standardized one.
func (b *Posterior) Value(z float64) float64 { return b.In.Warp.Invert(b.Scale.Value(z)) }

// Maximize suggests the point where a target is greatest. It runs the search once; see search.SuggestMaximum.
func (b *Posterior) Maximize(ctx context.Context, t search.Target, shown func(value float64) float64,
	from *mat.Dense) (optimizers.Suggestion, error) {
	return b.once.Suggest(ctx, func() (optimizers.Suggestion, error) {
		space := search.NewSpace(b.In)
		if b.HandlesPending {
			space = space.AllowNearPending()
		}
		return search.SuggestMaximum(ctx, b.In, space, t, shown, from, b.Predict)
	})
}

// IsNoisy reports whether a noise standard deviation, for standardized targets, is more than rounding.
func IsNoisy(noise float64) bool { return noise > 1e-3 }

// JointRows is the number of inputs up to which samples are drawn jointly and exactly. At more inputs, they are drawn
// as functions that can be evaluated anywhere.
const JointRows = 1200

// Incumbent returns y*, standardized: the best observation within all limits or, if the observations are noisy, the
// least posterior mean at the observed points. Without data it returns the prior mean. noise is a standard deviation
// for standardized targets.
func (b *Posterior) Incumbent(ctx context.Context, noise float64) (float64, error) {
	if b.In.Data.Len() == 0 {
		return 0, nil
	}
	values, err := b.ValuesAtData(ctx, noise)
	if err != nil {
		return 0, err
	}
	best := math.Inf(1)
	for i, v := range values {
		if b.isFeasible(i) {
			best = min(best, v)
		}
	}
	return best, nil
}

// isFeasible reports whether observation i is within all limits. Results that are assumed at pending points count as
// feasible, and all observations do if none is.
func (b *Posterior) isFeasible(i int) bool {
	if b.In.Feasible == nil {
		return true
	}
	met := b.In.Feasible.FeasibleData()
	return i >= len(met) || met[i] || !b.In.AnyFeasible()
}

// Feasibility returns the model of the limits.
func (b *Posterior) Feasibility() optimizers.Feasibility { return b.In.Feasible }

// Feasible reports for each row of X whether the limits allow the next point there.
func (b *Posterior) Feasible(ctx context.Context, X *mat.Dense) ([]bool, error) {
	return search.FeasibleRows(ctx, b.In, X)
}

// ValuesAtData returns the best available values at the observed points, standardized: the observations or, if they are
// noisy, the posterior means.
func (b *Posterior) ValuesAtData(ctx context.Context, noise float64) ([]float64, error) {
	if !IsNoisy(noise) || b.In.Data.Len() == 0 {
		return b.Scale.Apply(b.In.Data.Column(b.Objective)), nil
	}
	mean, _, err := b.Surrogate.Predict(ctx, b.In.Data.X)
	return mean, err
}
