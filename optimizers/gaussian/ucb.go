package gaussian

import (
	"context"
	"math"
	"slices"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/param"
)

// UCB is GP-UCB; since objectives are minimized, it uses the lower confidence bound. Under limits it maximizes the
// improvement that the bound promises, times the probability that all limits are met, as gp-ei does with the expected
// improvement (Gardner et al. 2014). With optimistic bounds of the limits instead (Xu et al. 2023) almost every
// suggestion lies just beyond a limit, and with several limits hardly any result is feasible: see the study
// TestMethodsUnderLimits.
var UCB = optimizers.Register(optimizers.Spec{
	Name: "gp-ucb", Title: "GP-UCB", Family: "Gaussian process", Rank: 2,
	Pending: optimizers.PendingBand, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "Gaussian process with a lower confidence bound",
	Source:  "Srinivas et al. 2010; β of Paria 2022 (thesis), §2.7",
	Params:  slices.Concat(acquisition.BetaParams(), []param.Decl{limitsParam()}, Params(), []param.Decl{optimizers.OutcomesParam()}),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := fitWarped(ctx, in)
		if err != nil {
			return nil, err
		}
		return b.ScoredBelief(ctx, scoreByBound(math.Sqrt(acquisition.Beta(in))))
	},
})

// limitsParam declares how limits are handled.
func limitsParam() param.Decl {
	return param.Decl{Key: optimizers.LimitsKey, Label: "limits", Kind: param.Choice,
		Default: optimizers.LimitsProbability,
		Choices: []string{optimizers.LimitsProbability, optimizers.LimitsBounds},
		Help:    "Under limits: the improvement by the bound, times the probability that all limits are met, or the bound where the optimistic bounds of all limits are met.",
		Source:  "after Gardner et al. 2014 (probability); Xu et al. 2023 (bounds)"}
}
