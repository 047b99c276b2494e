package gaussian

import (
	"context"

	"bandscope/optimizers"
)

// EI is expected improvement with a Gaussian process, the baseline of Paria et al. 2022.
var EI = optimizers.Register(optimizers.Spec{
	Name: "gp-ei", Title: "GP-EI", Family: "Gaussian process", Rank: 1,
	Pending: optimizers.PendingFantasies, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "Gaussian process with expected improvement, maximized in the log domain",
	Source:  "Jones et al. 1998; as the baseline of Paria et al. 2022, App. F.1",
	Params:  append(Params(), optimizers.OutcomesParam()),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := fitWarped(ctx, in)
		if err != nil {
			return nil, err
		}
		return b.ScoredBelief(ctx, scoreByEI)
	},
})
