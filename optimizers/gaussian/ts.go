package gaussian

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/gp"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
)

// TS is Thompson sampling: it minimizes one function drawn from the posterior.
var TS = optimizers.Register(optimizers.Spec{
	Name: "gp-ts", Title: "GP-TS", Family: "Gaussian process", Rank: 3,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "Gaussian process with Thompson sampling: suggests the minimum of one posterior sample",
	Source:  "Thompson 1933; paths after Wilson et al. 2020",
	Params:  append(Params(), optimizers.OutcomesParam()),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := fitWarped(ctx, in)
		if err != nil {
			return nil, err
		}
		return b.thompson(nil)
	},
})

// thompson returns the belief that minimizes a path of the process. To leave out an observation, it draws a path with
// the same random numbers, so that all these paths share the cached values of the prior draw.
func (b *Process) thompson(memo *gp.Memo) (optimizers.Belief, error) {
	path, err := b.GP.Path(PathFeatures, b.In.Stream("thompson"))
	if err != nil {
		return nil, err
	}
	if memo != nil {
		path.SetMemo(memo)
	}
	var shared gp.Memo
	sampledBelief := acquisition.NewSampledBelief(b, acquisition.Draw{Gradient: path.Gradient,
		Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) { return PathValues(ctx, path, X) }},
		"posterior sample")
	sampledBelief.LeaveOutFit = func(_ context.Context, i int) (optimizers.Belief, error) {
		less, err := b.Without(i)
		if err != nil {
			return nil, err
		}
		return less.thompson(&shared)
	}
	return sampledBelief, nil
}
