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

// optimism is by how many standard deviations the bounds are optimistic that a search keeps limits to: those of the
// band that is drawn. Where next to no deviation is left a belief keeps a distance instead.
const optimism = 2

// Limited is the target as the method of an input keeps to limits in its search: where drawn limits are met, others for
// other numbers, or their optimistic bounds. Without limits, and where they are in the target already (see Probable),
// it is the same one.
func Limited(in optimizers.Input, t Target, numbers ...uint64) (Target, error) {
	excess, err := excessFor(in, numbers...)
	t.Excess = excess
	return t, err
}

func excessFor(in optimizers.Input, numbers ...uint64) (optimizers.Excess, error) {
	if in.Feasible == nil {
		return nil, nil
	}
	switch in.Feasible.Way() {
	case optimizers.ByDrawnLimits:
		return in.Feasible.Drawn(numbers...)
	case optimizers.ByBounds:
		return in.Feasible.Within(optimism), nil
	}
	return nil, nil
}

// Allowed reports at which rows of X a search keeps limits; nil where it may choose everywhere.
func Allowed(ctx context.Context, in optimizers.Input, X *mat.Dense) ([]bool, error) {
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

// Probable is the target of a method that chooses by the probability to be within all limits: the target is a
// logarithm, and its own is added. Until a datum is known that is within all of them it is that of the probability
// alone (Gardner et al. 2014). For other methods it is the target itself.
func Probable(in optimizers.Input, t Target) Target {
	if !probable(in) {
		return t
	}
	f := in.Feasible
	if !in.SomeMet() {
		return Target{Values: f.LogProbability, Gradient: f.Slope}
	}
	times := func(of func(context.Context, *mat.Dense) ([]float64, error)) func(context.Context,
		*mat.Dense) ([]float64, error) {
		if of == nil {
			return nil
		}
		return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			v, err := of(ctx, X)
			if err != nil {
				return nil, err
			}
			p, err := f.LogProbability(ctx, X)
			if err == nil {
				floats.Add(v, p)
			}
			return v, err
		}
	}
	by := Target{Values: times(t.Values), Coarse: times(t.Coarse)}
	if t.Gradient != nil {
		by.Gradient = func(x, grad []float64) float64 {
			slopes := make([]float64, in.Dim)
			v := t.Gradient(x, grad) + f.Slope(x, slopes)
			floats.Add(grad, slopes)
			return v
		}
	}
	return by
}

func probable(in optimizers.Input) bool {
	return in.Feasible != nil && in.Feasible.Way() == optimizers.ByProbability
}

// Told is what a target is called, and a value of it shown as, with what Probable makes of it.
func Told(in optimizers.Input, name string, shown func(value float64) float64) (string, func(value float64) float64) {
	const end = ", higher is better"
	of := "to be within all limits"
	if len(in.Limits) == 0 {
		of = "to succeed"
	}
	switch {
	case !probable(in):
		return name, shown
	case !in.SomeMet():
		return "probability " + of + end, math.Exp
	}
	return name[:len(name)-len(end)] + " × probability " + of + end, shown
}

// restricted is Maximize of a target with an excess: the greatest value where that is 0, or where it is nowhere 0 the
// point of the least excess, with the target's value there.
func restricted(ctx context.Context, space Space, t Target, rng *rand.Rand, extra *mat.Dense) (x []float64,
	value float64, err error) {
	excess := t.Excess
	var barred atomic.Bool
	within := func(of func(context.Context, *mat.Dense) ([]float64, error)) func(context.Context,
		*mat.Dense) ([]float64, error) {
		if of == nil {
			return nil
		}
		return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			v, err := of(ctx, X)
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
	inside := Target{Values: within(t.Values), Coarse: within(t.Coarse)}
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
		if x, _, err = Maximize(ctx, space, least, rng, extra); err != nil {
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
	at, v, err := byTurns(ctx, byValues, space, x, climbSteps)
	if err == nil && v > value {
		x, value = at, v
	}
	return x, value, err
}
