package gaussian

import (
	"context"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
)

// Without returns the process without observation i. The hyperparameters, the scale and the limits remain those of all
// observations.
func (b *Process) Without(i int) (*Process, error) {
	g, err := b.GP.Mixture.Without(i)
	if err != nil {
		return nil, err
	}
	in := b.In
	in.Data, in.Fits = in.Data.Without(i), nil
	return processFor(in, b.Objective, b.Scale, g), nil
}

// ScoredBelief returns the belief that maximizes a score of the process. To leave out an observation, it uses the same
// score of the process without the observation.
func (b *Process) ScoredBelief(ctx context.Context,
	score func(context.Context, *Process) (acquisition.Score, error)) (acquisition.ScoredBelief, error) {
	s, err := score(ctx, b)
	if err != nil {
		return acquisition.ScoredBelief{}, err
	}
	scoredBelief, err := acquisition.NewScoredBelief(ctx, b, s)
	if err != nil {
		return acquisition.ScoredBelief{}, err
	}
	scoredBelief.LeaveOutFit = func(ctx context.Context, i int) (optimizers.Belief, error) {
		less, err := b.Without(i)
		if err != nil {
			return nil, err
		}
		return less.ScoredBelief(ctx, score)
	}
	return scoredBelief, nil
}

// scoreByEI returns the expected improvement of a process.
func scoreByEI(ctx context.Context, b *Process) (acquisition.Score, error) {
	best, err := b.Incumbent(ctx, b.GP.MaxNoise())
	return b.ExpectedImprovement(best), err
}

// scoreByBound returns a function that scores a process by its lower confidence bound, root = √β standard deviations
// below the mean, or by the improvement that this bound promises if it is multiplied by the probability of feasibility.
func scoreByBound(root float64) func(context.Context, *Process) (acquisition.Score, error) {
	return func(ctx context.Context, b *Process) (acquisition.Score, error) {
		if f := b.In.Feasible; f == nil || f.Handling() != optimizers.LimitsByProbability {
			return b.LowerBound(root), nil
		}
		best, err := b.Incumbent(ctx, b.GP.MaxNoise())
		return b.OptimisticImprovement(best, root), err
	}
}
