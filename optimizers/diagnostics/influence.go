package diagnostics

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Influence is what a datum has to do with a choice: what would be chosen without it.
type Influence struct {
	X []float64 // the point that would be chosen, in the unit cube
	// how far that is from the chosen one, along the sides of the unit cube's diagonal: 0 to √d, a choice that is
	// another one counting 1
	Distance float64
	Same     bool    // it is as good as the same point
	AtChosen float64 // the acquisition at the chosen point without the datum
	AtRefit  float64 // and where it would be chosen instead
}

// Influences are those of each datum on the choice of x, by leaving it out exactly and searching for a suggestion
// without it. With a fit they are those of a method that is fitted anew to all others, with hyper-parameters of their
// own; without one those of the belief with the hyper-parameters, the scale and the step of all data, and the error
// wraps ErrUnsupported where the belief cannot forget.
func Influences(ctx context.Context, in optimizers.Input, b optimizers.Belief, x []float64,
	fit func(context.Context, optimizers.Input) (optimizers.Belief, error)) ([]Influence, error) {
	n, space := in.Data.Len(), search.NewSpace(in)
	if n == 0 {
		return nil, fmt.Errorf("there is no result to leave out: %w", optimizers.ErrUnsupported)
	}
	forgetful, can := b.(optimizers.LeaveOutRefitter)
	if fit == nil && !can {
		return nil, fmt.Errorf("leaving out a result: %w", optimizers.ErrUnsupported)
	}
	all := make([]Influence, n)
	tell := in.Progress
	in.Progress = nil // of single fits
	var done atomic.Int64
	err := parallel.Try(n, func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if tell != nil {
			tell("leaving out each result", int(done.Load()), n)
		}
		var without optimizers.Belief
		var err error
		if fit == nil {
			without, err = forgetful.LeaveOut(ctx, i)
		} else {
			less := in
			less.Data = in.Data.Without(i)
			without, err = fit(ctx, less)
		}
		if err != nil {
			return err
		}
		to, err := suggestion(ctx, without)
		if err != nil {
			return err
		}
		values, err := without.Acquisition(ctx, mat.NewDense(2, in.Dim, slices.Concat(x, to)))
		if err != nil {
			return err
		}
		all[i] = Influence{to, distance(in, x, to), space.Same(x, to), values[0], values[1]}
		done.Add(1)
		return nil
	})
	return all, err
}

// suggestion is what a belief suggests.
func suggestion(ctx context.Context, b optimizers.Belief) ([]float64, error) {
	s, err := b.Suggest(ctx)
	if err != nil {
		return nil, err
	}
	return mat.Row(nil, 0, s.X), nil
}

// distance is how far a point is from another in the unit cube, another choice being at a distance of 1.
func distance(in optimizers.Input, x, y []float64) float64 {
	sum := 0.0
	for j := range x {
		d := x[j] - y[j]
		if in.Domain.Choice(j) && d != 0 {
			d = 1
		}
		sum += d * d
	}
	return math.Sqrt(sum)
}
