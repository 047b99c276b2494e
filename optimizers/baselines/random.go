// Package baselines holds simple methods to compare others with: random search and a random forest. The forest itself
// is in model/forest, and the initial designs are in package search.
package baselines

import (
	"context"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/weights"
)

// Random is random search, the baseline that every method must beat.
var Random = optimizers.Register(optimizers.Spec{
	Name: "random", Title: "random search", Family: "baseline", Rank: 1, Multi: true, NoBand: true,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsIgnored, Limits: optimizers.LimitsIgnored,
	Levels: optimizers.LevelsDrawn, Constraints: optimizers.FeasibleDraws,
	Summary:       "uniformly random points, the baseline that every method must beat",
	Source:        "folklore",
	Params:        search.Params(),
	ScoringParams: weights.ScoringParams(),
	Check:         weights.Check,
	Fit: func(_ context.Context, in optimizers.Input) (optimizers.Belief, error) {
		return randomBelief{in: in}, nil
	},
})

// randomBelief has no model.
type randomBelief struct {
	optimizers.Unsupported
	in optimizers.Input
}

func (randomBelief) Legend() optimizers.Legend { return optimizers.Legend{} }

func (b randomBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	x, err := search.RandomPoint(ctx, b.in, "random search")
	return optimizers.Suggestion{X: x}, err
}
