package why

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/stream"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Influence is what a datum has to do with a choice: what would be chosen without it.
type Influence struct {
	X     []float64 // the point that would be chosen, in the unit cube
	Moved float64   // how far that is from the chosen one, along the sides of the unit cube's diagonal: 0 to √d, a choice that is another one counting 1
	Same  bool      // it is as good as the same point
	Here  float64   // the acquisition at the chosen point without the datum
	There float64   // and where it would be chosen instead
}

// Influences are those of each datum on the choice of x, by leaving it out exactly. With a fit they are those of a method that is fitted anew to all others, with hyper-parameters of
// their own; without one those of the belief with the hyper-parameters, the scale and the step of all data, and the error wraps ErrAbsent where the belief cannot forget.
func Influences(ctx context.Context, in optimizers.Input, b optimizers.Belief, x []float64, fit func(context.Context, optimizers.Input) (optimizers.Belief, error)) ([]Influence, error) {
	n, space := in.Data.Len(), search.SpaceOf(in)
	if n == 0 {
		return nil, fmt.Errorf("nothing is known that could be left out: %w", optimizers.ErrAbsent)
	}
	forgetful, can := b.(optimizers.Forgetful)
	if fit == nil && !can {
		return nil, fmt.Errorf("forgetting a datum: %w", optimizers.ErrAbsent)
	}
	var points *mat.Dense
	if fit == nil {
		var err error
		if points, err = around(ctx, in, b, x); err != nil {
			return nil, err
		}
	}
	all, at := make([]Influence, n), mat.NewDense(1, in.Dim, slices.Clone(x))
	tell := in.Progress
	in.Progress = nil // of single fits
	var done atomic.Int64
	err := parallel.Try(n, func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if tell != nil {
			tell("leaving each result out", int(done.Load()), n)
		}
		less := in
		less.Data = in.Data.Without(i)
		var without optimizers.Belief
		var to []float64
		var err error
		if fit == nil {
			if without, err = forgetful.Without(ctx, i); err == nil {
				to, err = next(ctx, less, without, search.Stack(points, nearby(in, i)))
			}
		} else if without, err = fit(ctx, less); err == nil {
			to, err = suggested(ctx, without)
		}
		if err != nil {
			return err
		}
		here, err := without.Acquisition(ctx, at)
		if err != nil {
			return err
		}
		all[i] = Influence{X: x, Same: true, Here: here[0], There: here[0]}
		if to != nil {
			there, err := without.Acquisition(ctx, mat.NewDense(1, in.Dim, to))
			if err != nil {
				return err
			}
			all[i] = Influence{to, distance(in, x, to), space.Same(x, to), here[0], there[0]}
		}
		done.Add(1)
		return nil
	})
	return all, err
}

// The points from which what would be chosen without a datum is looked for, beside the optima of the acquisition with it, and how many of the best a climb starts from.
const (
	coarseRows = 120 // for each variable up to some
	mostCoarse = 480
	fromBest   = 2
)

// around are points over the space, the optima of the acquisition, and the chosen point.
func around(ctx context.Context, in optimizers.Input, b optimizers.Belief, x []float64) (*mat.Dense, error) {
	space := search.SpaceOf(in)
	points, err := space.Feasible(ctx, min(coarseRows*in.Dim, mostCoarse), stream.New(0, 0, "places without a datum"))
	if err != nil {
		return nil, err
	}
	optima, err := Optima(ctx, in, b, x)
	if err != nil {
		return nil, err
	}
	points = search.Stack(mat.NewDense(1, in.Dim, slices.Clone(x)), points)
	for _, o := range optima {
		points = search.Stack(mat.NewDense(1, in.Dim, o.X), points)
	}
	return points, nil
}

// nearby are the place of a datum, where something new may be hoped for without it, and some around.
func nearby(in optimizers.Input, i int) *mat.Dense {
	x := in.Data.X.RawRowView(i)
	rows := slices.Clone(x)
	for j := range x {
		if in.Domain.Discrete(j) {
			continue
		}
		for _, by := range []float64{-0.06, -0.02, 0.02, 0.06} {
			y := slices.Clone(x)
			low, high := search.SpaceOf(in).Bounds(j)
			if y[j] = min(max(y[j]+by, low), high); in.Domain.Feasible(y) {
				rows = append(rows, y...)
			}
		}
	}
	return mat.NewDense(len(rows)/len(x), len(x), rows)
}

// next is the best place for a belief that climbs from some points lead to; nil where it may choose none.
func next(ctx context.Context, in optimizers.Input, b optimizers.Belief, points *mat.Dense) ([]float64, error) {
	o, ok, err := search.Climbed(ctx, search.SpaceOf(in), target(b), points, fromBest)
	if !ok {
		return nil, err
	}
	return o.X, err
}

// suggested is what a belief suggests.
func suggested(ctx context.Context, b optimizers.Belief) ([]float64, error) {
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
