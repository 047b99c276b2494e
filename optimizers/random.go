package optimizers

import (
	"context"
)

// randomSearch is the baseline that every method has to beat.
var randomSearch = Spec{
	Name: "random", Title: "random search", Family: "baseline", Multi: true,
	Summary: "uniform points; the baseline that every method has to beat",
	Source:  "folklore",
	Params:  designParams(),
	Judge:   judgeParams(),
	Check:   checkWeights,
	Fit:     func(_ context.Context, in Input) (Belief, error) { return randomBelief{in: in}, nil },
}

// randomBelief believes nothing.
type randomBelief struct {
	absent
	in Input
}

func (randomBelief) Legend() Legend { return Legend{} }

func (b randomBelief) Suggest(context.Context) (Suggestion, error) {
	return Suggestion{X: RandomPoint(b.in, "random search")}, nil
}
