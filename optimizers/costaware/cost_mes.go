package costaware

import (
	"context"
	"math"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
)

// MESPerCost is max-value entropy search per unit of cost.
var MESPerCost = optimizers.Register(optimizers.Spec{
	Name: "cost-mes", Title: "MES per cost", Family: "cost-aware", Rank: 4,
	Pending: optimizers.PendingFantasies, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsUnsupported,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "max-value entropy search per unit of cost",
	Source:  "Wang & Jegelka 2017, divided by the cost like EI in Snoek et al. 2012, §3.2; Cost MES of Paria 2022 (thesis), §4.6",
	Params:  append(gaussian.MESParams(), gaussian.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := gaussian.FitMES(ctx, in)
		return perCostBelief{ScoredBelief: b,
			name: "information about the best value per cost (nats), higher is better", shown: math.Exp}, err
	},
})
