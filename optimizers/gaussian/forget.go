package gaussian

import (
	"context"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
)

// Without is the process without datum i of its input, with the hyper-parameters, the scale and the limits of all.
func (b *Process) Without(i int) (*Process, error) {
	g, err := b.GP.GP.Without(i)
	if err != nil {
		return nil, err
	}
	in := b.In
	in.Data = in.Data.Without(i)
	return processFor(in, b.Objective, b.Scale, g), nil
}

// Scored is the belief that chooses by a score of a process, and the same score of the process that forgot a datum.
func (b *Process) Scored(ctx context.Context,
	score func(context.Context, *Process) (acquisition.Score, error)) (acquisition.Scored, error) {
	s, err := score(ctx, b)
	if err != nil {
		return acquisition.Scored{}, err
	}
	of, err := acquisition.ByScore(ctx, b, s)
	if err != nil {
		return acquisition.Scored{}, err
	}
	of.Forget = func(ctx context.Context, i int) (optimizers.Belief, error) {
		less, err := b.Without(i)
		if err != nil {
			return nil, err
		}
		return less.Scored(ctx, score)
	}
	return of, nil
}

// improving is the score of a process by its expected improvement.
func improving(ctx context.Context, b *Process) (acquisition.Score, error) {
	best, err := b.Incumbent(ctx, b.GP.MostNoise())
	return b.ExpectedImprovement(best), err
}

// bounded is the score of a process by its confidence bound, √β standard deviations below the mean.
func bounded(root float64) func(context.Context, *Process) (acquisition.Score, error) {
	return func(_ context.Context, b *Process) (acquisition.Score, error) { return b.LowerBound(root), nil }
}
