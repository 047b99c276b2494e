package inspection

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Influence is the influence of an observation on a choice: the choice without it.
type Influence struct {
	X []float64 // the point that would be chosen, in the unit cube
	// distance from the actual choice in the unit cube: 0 to √d, where a different value of a choice variable counts 1
	Distance float64
	Same     bool    // the choice is practically the same
	AtChosen float64 // acquisition value at the actual choice, without the observation
	AtRefit  float64 // and at the choice without the observation
}

// Influences are the influences of all observations on the choice of x: each is left out, and the suggestion is
// searched for again. With fit, the method is refitted to all others, with its own hyperparameters. If fit is nil, the
// belief is updated with the hyperparameters, the scale and the step of all observations, and the error wraps
// ErrUnsupported if the belief cannot do that.
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
	report := progressReport(&in, "leaving out each result", n)
	err := parallel.TryCounting(n, report, func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		var without optimizers.Belief
		var err error
		if fit == nil {
			without, err = forgetful.LeaveOut(ctx, i)
		} else {
			less := in
			less.Data, less.Fits = in.Data.Without(i), nil
			without, err = fit(ctx, less)
		}
		if err != nil {
			return err
		}
		end, err := suggestion(ctx, without)
		if err != nil {
			return err
		}
		values, err := without.Acquisition(ctx, mat.NewDense(2, in.Dim, slices.Concat(x, end)))
		if err != nil {
			return err
		}
		all[i] = Influence{end, distance(in, x, end), space.Same(x, end), values[0], values[1]}
		return nil
	})
	return all, err
}

// progressReport moves the progress of an input from single fits to n of them; nil if the input reports none.
func progressReport(in *optimizers.Input, subject string, n int) func(done int) {
	progress := in.Progress
	in.Progress = nil
	if progress == nil {
		return nil
	}
	return func(done int) { progress(subject, done, n) }
}

// suggestion is the suggestion of a belief.
func suggestion(ctx context.Context, b optimizers.Belief) ([]float64, error) {
	s, err := b.Suggest(ctx)
	if err != nil {
		return nil, err
	}
	return mat.Row(nil, 0, s.X), nil
}

// distance is the distance between two points in the unit cube; different values of a choice variable are 1 apart.
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
