package gaussian

import (
	"context"
	"slices"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/param"
)

// marginKey is the parameter of the margin of an improvement.
const marginKey = "xi"

// PI is the probability of improvement with a Gaussian process.
var PI = optimizers.Register(optimizers.Spec{
	Name: "gp-pi", Title: "GP-PI", Family: "Gaussian process", Rank: 6,
	Pending: optimizers.PendingFantasies, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "Gaussian process with the probability of an improvement by a margin",
	Source:  "Kushner 1964; Jones 2001, §4",
	Params: slices.Concat([]param.Decl{{Key: marginKey, Label: "margin ξ", Kind: param.Number, Default: 0.01, Min: 0,
		Max: 100, Help: "How much better than the best result a point must be to count, in standard deviations of the results. With 0 the search stays beside the best result; a larger margin explores more.",
		Source: "Jones 2001, §4; 0.01 of Lizotte 2008, §4.2"}}, Params()),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := Fit(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		return b.ScoredBelief(ctx, func(ctx context.Context, b *Process) (acquisition.Score, error) {
			best, err := b.Incumbent(ctx, b.GP.MaxNoise())
			return b.ImprovementProbability(best, in.Params.Number(marginKey)), err
		})
	},
})
