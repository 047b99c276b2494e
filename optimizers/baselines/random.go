// Package baselines holds the methods that others are measured by and that need little: random search and a random forest.
package baselines

import (
	"context"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/weights"
)

// Random is the baseline that every method has to beat.
var Random = optimizers.Spec{
	Name: "random", Title: "random search", Family: "baseline", Multi: true,
	Summary: "uniform points; the baseline that every method has to beat",
	Source:  "folklore",
	Params:  search.DesignParams(),
	Judge:   weights.JudgeParams(),
	Check:   weights.Check,
	Fit: func(_ context.Context, in optimizers.Input) (optimizers.Belief, error) {
		return randomBelief{in: in}, nil
	},
}

// randomBelief believes nothing.
type randomBelief struct {
	optimizers.Absent
	in optimizers.Input
}

func (randomBelief) Legend() optimizers.Legend { return optimizers.Legend{} }

func (b randomBelief) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{X: search.RandomPoint(b.in, "random search")}, nil
}
