// Package acquisition holds what a search maximizes, for every model that has a mean and a standard deviation or draws
// functions, and the beliefs made so: a Posterior of one objective with a Score of its moments (Scored), or with a
// drawn function to be minimized (Sampled). A model's moments come in standardized over the unit cube, a band, an
// acquisition and a suggestion in the objective's units go out. The models are in the packages that use this one.
package acquisition

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Moments is a surrogate that has a mean and a standard deviation at every input: of standardized targets, over the
// unit cube.
type Moments interface {
	// Predict is the mean and the standard deviation at each row of X.
	Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error)
}

// Differentiable is a surrogate that knows the slopes of its moments.
type Differentiable interface {
	Moments
	// Gradient is the mean and the standard deviation at x with their gradients.
	Gradient(x, dmean, dsd []float64) (mean, sd float64)
}

// Mixture is a surrogate whose hyper-parameters are integrated over: an equally weighted mixture of surrogates.
type Mixture interface {
	Moments
	// Components are the surrogates; nil where there is no more than one.
	Components() []Differentiable
}

// Posterior is what is believed of one objective, by a surrogate with moments: the part of a belief that every method
// with one has. What leaves it is in the objective's units.
type Posterior struct {
	optimizers.Unsupported
	In             optimizers.Input
	Objective      int                // which one it is of
	Scale          model.Standardizer // of the targets
	Surrogate      Moments
	HandlesPending bool // what is chosen by counts with the points that are out, so that it may choose close to them

	once search.SuggestionCache
}

// posterior is the posterior of a model that embeds one.
func (b *Posterior) posterior() *Posterior { return b }

// Predict returns the band.
func (b *Posterior) Predict(ctx context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	mean, sd, err := b.Surrogate.Predict(ctx, X)
	if err != nil {
		return nil, err
	}
	for i := range mean {
		mean[i], sd[i] = b.Scale.Value(mean[i]), sd[i]*b.Scale.SD
	}
	return []optimizers.Band{{Mean: mean, SD: sd}}, nil
}

// Maximize is the suggestion where a target is greatest, searched for once; see search.SuggestMaximum.
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

// IsNoisy reports whether a noise, the standard deviation of standardized targets, is more than rounding.
func IsNoisy(noise float64) bool { return noise > 1e-3 }

// JointRows is how many inputs joint samples are drawn at exactly; at more they are drawn by functions that can be
// evaluated anywhere.
const JointRows = 1200

// Incumbent is y*, standardized: the best observation within all limits, or where they are noisy the least mean at the
// data; without data the prior mean. The noise is that of standardized targets.
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

// isFeasible reports whether a datum is within all limits. What is only believed of points that are out counts as if it
// were.
func (b *Posterior) isFeasible(i int) bool {
	if b.In.Feasible == nil {
		return true
	}
	met := b.In.Feasible.FeasibleData()
	return i >= len(met) || met[i] || !b.In.AnyFeasible()
}

// Feasibility is what is believed of limits.
func (b *Posterior) Feasibility() optimizers.Feasibility { return b.In.Feasible }

// Feasible reports where the next point may lie, as limits are kept.
func (b *Posterior) Feasible(ctx context.Context, X *mat.Dense) ([]bool, error) {
	return search.FeasibleRows(ctx, b.In, X)
}

// ValuesAtData are the values at the data, standardized, as far as they are known: the observations, or where they are
// noisy the means there.
func (b *Posterior) ValuesAtData(ctx context.Context, noise float64) ([]float64, error) {
	if !IsNoisy(noise) || b.In.Data.Len() == 0 {
		return b.Scale.Apply(b.In.Data.Column(b.Objective)), nil
	}
	mean, _, err := b.Surrogate.Predict(ctx, b.In.Data.X)
	return mean, err
}
