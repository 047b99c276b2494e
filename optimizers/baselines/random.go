// Package baselines holds the methods that others are measured by and that need little: random search and a random
// forest. The data of an Input come in, a belief goes out, which lacks most of what a belief can show. The forest
// itself is model/forest's, first designs are package search's.
package baselines

import (
	"context"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/weights"
)

// Random is the baseline that every method has to beat.
var Random = optimizers.Register(optimizers.Spec{
	Name: "random", Title: "random search", Family: "baseline", Rank: 1, Multi: true,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsIgnored, Limits: optimizers.LimitsIgnored,
	Levels: optimizers.LevelsDrawn, Constraints: optimizers.FeasibleDraws,
	Summary:       "uniformly random points, the baseline that every method must beat",
	Source:        "folklore",
	Params:        search.DesignParams(),
	ScoringParams: weights.ScoringParams(),
	Check:         weights.Check,
	Fit: func(_ context.Context, in optimizers.Input) (optimizers.Belief, error) {
		return randomBelief{in: in}, nil
	},
})

// randomBelief believes nothing.
type randomBelief struct {
	optimizers.Unsupported
	in optimizers.Input
}

func (randomBelief) Legend() optimizers.Legend { return optimizers.Legend{} }

func (b randomBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	x, err := search.RandomPoint(ctx, b.in, "random search")
	return optimizers.Suggestion{X: x}, err
}
