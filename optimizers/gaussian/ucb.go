package gaussian

import (
	"context"
	"math"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
)

// UCB is GP-UCB; since objectives are minimized, it uses the lower confidence bound.
var UCB = optimizers.Register(optimizers.Spec{
	Name: "gp-ucb", Title: "GP-UCB", Family: "Gaussian process", Rank: 2,
	Pending: optimizers.PendingBand, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByBounds,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "Gaussian process with a lower confidence bound",
	Source:  "Srinivas et al. 2010; β of Paria 2022 (thesis), §2.7",
	Params:  append(acquisition.BetaParams(), Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := Fit(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		return b.ScoredBelief(ctx, scoreByBound(math.Sqrt(acquisition.Beta(in))))
	},
})
