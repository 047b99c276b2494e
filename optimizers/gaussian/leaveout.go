package gaussian

import (
	"context"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
)

// Without is the process without datum i of its input, with the hyper-parameters, the scale and the limits of all.
func (b *Process) Without(i int) (*Process, error) {
	g, err := b.GP.Mixture.Without(i)
	if err != nil {
		return nil, err
	}
	in := b.In
	in.Data = in.Data.Without(i)
	return processFor(in, b.Objective, b.Scale, g), nil
}

// ScoredBelief is the belief that chooses by a score of a process, and the same score of the process that forgot a
// datum.
func (b *Process) ScoredBelief(ctx context.Context,
	score func(context.Context, *Process) (acquisition.Score, error)) (acquisition.ScoredBelief, error) {
	s, err := score(ctx, b)
	if err != nil {
		return acquisition.ScoredBelief{}, err
	}
	of, err := acquisition.NewScoredBelief(ctx, b, s)
	if err != nil {
		return acquisition.ScoredBelief{}, err
	}
	of.LeaveOutFit = func(ctx context.Context, i int) (optimizers.Belief, error) {
		less, err := b.Without(i)
		if err != nil {
			return nil, err
		}
		return less.ScoredBelief(ctx, score)
	}
	return of, nil
}

// scoreByEI is the score of a process by its expected improvement.
func scoreByEI(ctx context.Context, b *Process) (acquisition.Score, error) {
	best, err := b.Incumbent(ctx, b.GP.MaxNoise())
	return b.ExpectedImprovement(best), err
}

// scoreByBound is the score of a process by its confidence bound, √β standard deviations below the mean.
func scoreByBound(root float64) func(context.Context, *Process) (acquisition.Score, error) {
	return func(_ context.Context, b *Process) (acquisition.Score, error) { return b.LowerBound(root), nil }
}
