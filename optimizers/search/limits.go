package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// optimisticSDs is the number of standard deviations of the optimistic bounds of limits, the same as for the band that
// is shown. Where the standard deviation is nearly 0 a belief keeps a distance instead.
const optimisticSDs = 2

// WithLimits is the target restricted by the limits of an input: where sampled limits are met, other samples for other
// numbers, or their optimistic bounds. Without limits, and if they are already part of the target (see
// WeightByFeasibility), it is the target itself.
func WithLimits(in optimizers.Input, t Target, numbers ...uint64) (Target, error) {
	excess, err := excessFor(in, numbers...)
	t.Excess = excess
	return t, err
}

func excessFor(in optimizers.Input, numbers ...uint64) (optimizers.Excess, error) {
	if in.Feasible == nil {
		return nil, nil
	}
	switch in.Feasible.Handling() {
	case optimizers.LimitsByDraws:
		return in.Feasible.SampleExcess(numbers...)
	case optimizers.LimitsByBounds:
		return in.Feasible.OptimisticExcess(optimisticSDs), nil
	}
	return nil, nil
}

// FeasibleRows reports which rows of X the search may choose because of limits; nil means all.
func FeasibleRows(ctx context.Context, in optimizers.Input, X *mat.Dense) ([]bool, error) {
	excess, err := excessFor(in)
	if excess == nil || err != nil {
		return nil, err
	}
	beyond, err := excess(ctx, X)
	allowed := make([]bool, len(beyond))
	for i, v := range beyond {
		allowed[i] = v <= 0
	}
	return allowed, err
}

// WeightByFeasibility is the target of a method that uses the probability that all limits are met: the target is a
// logarithm, and the log probability is added. Until some observation meets all limits, it is the log probability alone
// (Gardner et al. 2014). For other methods it is the target itself.
func WeightByFeasibility(in optimizers.Input, t Target) Target {
	gradient := t.ApproximateGradient
	if !usesProbability(in) {
		return t
	}
	f := in.Feasible
	approximate := f.ApproximateGradient()
	if !in.AnyFeasible() {
		return Target{Values: f.LogProbability, Approximate: f.ApproximateLogProbability,
			Gradient: f.LogProbabilityGradient, ApproximateGradient: approximate}
	}
	target := Target{Values: plus(t.Values, f.LogProbability),
		Approximate: plus(t.Approximate, f.ApproximateLogProbability),
		Gradient:    plusGradient(t.Gradient, f.LogProbabilityGradient)}
	if approximate == nil {
		return target
	}
	if gradient == nil {
		gradient = t.Gradient
	}
	target.ApproximateGradient = plusGradient(gradient, approximate)
	return target
}

// plus is the sum of two functions; nil if the first one is.
func plus(a, b func(context.Context, *mat.Dense) ([]float64, error)) func(context.Context, *mat.Dense) ([]float64,
	error) {
	if a == nil {
		return nil
	}
	return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		v, err := a(ctx, X)
		if err != nil {
			return nil, err
		}
		p, err := b(ctx, X)
		if err == nil {
			floats.Add(v, p)
		}
		return v, err
	}
}

// plusGradient is the sum of two functions with gradients; nil if the first one is.
func plusGradient(a, b func(x, grad []float64) float64) func(x, grad []float64) float64 {
	if a == nil {
		return nil
	}
	return func(x, grad []float64) float64 {
		slopes := make([]float64, len(x))
		v := a(x, grad) + b(x, slopes)
		floats.Add(grad, slopes)
		return v
	}
}

func usesProbability(in optimizers.Input) bool {
	return in.Feasible != nil && in.Feasible.Handling() == optimizers.LimitsByProbability
}

// DescribeTarget is the name of a target and the function that converts its values for display, after
// WeightByFeasibility.
func DescribeTarget(in optimizers.Input, name string, shown func(value float64) float64) (string,
	func(value float64) float64) {
	const end = ", higher is better"
	event := "that all limits are met"
	if len(in.Limits) == 0 {
		event = "of success"
	}
	switch {
	case !usesProbability(in):
		return name, shown
	case !in.AnyFeasible():
		return "probability " + event + end, math.Exp
	}
	return name[:len(name)-len(end)] + " × probability " + event + end, shown
}

// maximizeConstrained maximizes a target with an excess: the largest value where the excess is 0, or if it is nowhere 0
// the point of the smallest excess, with the target's value there.
func maximizeConstrained(ctx context.Context, space Space, t Target, rng *rand.Rand, extra *mat.Dense) (x []float64,
	value float64, err error) {
	excess := t.Excess
	var barred atomic.Bool
	within := func(apply func(context.Context, *mat.Dense) ([]float64, error)) func(context.Context,
		*mat.Dense) ([]float64, error) {
		if apply == nil {
			return nil
		}
		return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			v, err := apply(ctx, X)
			if err != nil {
				return nil, err
			}
			beyond, err := excess(ctx, X)
			for i := range beyond {
				if beyond[i] > 0 {
					v[i] = math.Inf(-1)
				}
			}
			return v, err
		}
	}
	inside := Target{Values: within(t.Values), Approximate: within(t.Approximate)}
	byValues := inside
	if t.Gradient != nil {
		inside.Gradient = func(x, grad []float64) float64 {
			if beyond, err := excess(ctx, mat.NewDense(1, space.Dim, x)); err != nil || beyond[0] > 0 {
				barred.Store(true)
				clear(grad)
				return math.NaN()
			}
			return t.Gradient(x, grad)
		}
	}
	x, value, err = Maximize(ctx, space, inside, rng, extra)
	switch {
	case errors.Is(err, errNowhere):
		least := Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			v, err := excess(ctx, X)
			floats.Scale(-1, v)
			return v, err
		}}
		x, _, err = Maximize(ctx, space, least, rng, extra)
		if err != nil {
			return nil, 0, err
		}
		v, err := t.Values(ctx, mat.NewDense(1, space.Dim, x))
		if err != nil {
			return nil, 0, err
		}
		return x, v[0], nil
	case err != nil || !barred.Load():
		return x, value, err
	}
	// a climb by slopes ends where it meets a limit, and the best often lies along it
	top, v, err := alternatingClimb(ctx, byValues, space, x, climbSteps)
	if err == nil && v > value {
		x, value = top, v
	}
	return x, value, err
}
