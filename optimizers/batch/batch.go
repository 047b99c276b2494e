// Package batch chooses several points at once, as laboratories evaluate them: eight in one oven, with the same
// temperature, at a minimum distance from each other. A method is a function that suggests one point with the others
// pending. The batch contains the points in the order in which the method chooses them, each with the ones before it
// pending and the shared variables fixed. This package chooses the shared values by the joint acquisition; how a method
// handles pending points is up to the method, and the session records the batch.
package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Request describes a batch.
type Request struct {
	Points int
	Shared []int // the inputs whose values all points share
	// minimum distance of each point from the pending ones and from each other, in at least one number of the unit
	// cube, unless they differ in a level
	MinDistance float64
}

// Method suggests one point with the others pending.
type Method struct {
	// Next is the suggestion for an input; lower says that a lower acquisition value is better.
	Next func(ctx context.Context, in optimizers.Input) (s optimizers.Suggestion, lower bool, err error)
	// Normalize returns a point of the unit cube as it is recorded when it is pending, to the last digit.
	Normalize func(u []float64) []float64
}

// Batch is a chosen batch.
type Batch struct {
	Suggestions []optimizers.Suggestion // one point each
	Shared      []float64               // value of each shared input, in the unit cube
	// number of settings compared by the joint acquisition; 0 if there is no acquisition, or nothing to compare
	Compared int
}

// Bounds of the search for the shared values, in suggestions. If there are at most maxSettings settings, all of them
// are tried; otherwise a sequence of settings and then steps around the best. The first points of a batch decide about
// each.
const (
	maxSettings = 32
	inSequence  = 7
	rounds      = 2 // of steps around the best
	judged      = 8
)

// ErrTooFewPoints is the error of a request, or of shared values, for which fewer points exist.
type ErrTooFewPoints struct{ Points int }

func (e ErrTooFewPoints) Error() string { return fmt.Sprintf("found only %d", e.Points) }

// Choose chooses a batch. For every setting of the shared values, the method chooses the points greedily, each with the
// ones before it pending. Choose takes the setting with the best sum of their acquisition values: each is what the
// point adds to those before it, so for expected improvement the sum is the joint expected improvement of the points
// (Ginsbourger et al. 2010), and the same holds for the expected hypervolume improvement. If the first point has no
// acquisition value, as in the initial design, all points take its shared values. The error says how many points exist.
func Choose(ctx context.Context, in optimizers.Input, w Request, m Method) (Batch, error) {
	c := choice{in: w.WithShared(in, nil), wish: w, method: m}
	if len(w.Shared) == 0 {
		points, err := c.greedy(ctx, nil, nil, w.Points)
		return Batch{Suggestions: points}, c.failureError(err)
	}
	first, lower, err := m.Next(ctx, c.in)
	if err != nil {
		return Batch{}, err
	}
	c.lower = lower
	settled := m.Normalize(mat.Row(nil, 0, first.X))
	values := make([]float64, len(w.Shared))
	for k, j := range w.Shared {
		values[k] = settled[j]
	}
	if first.Acquisition == nil {
		return c.withoutAcquisition(ctx, values)
	}
	return c.byAcquisition(ctx, values)
}

// choice is a batch while it is being chosen.
type choice struct {
	in     optimizers.Input
	wish   Request
	method Method
	lower  bool

	tries     []try
	maxPoints int   // largest number of points found with some setting
	err       error // other error of a setting
}

// try is a setting of the shared values, with the points chosen with it.
type try struct {
	values []float64
	points []optimizers.Suggestion
	joint  float64 // the sum of their acquisitions, higher is better
}

// byAcquisition compares the settings, and continues with the best one that allows all points.
func (c *choice) byAcquisition(ctx context.Context, local []float64) (Batch, error) {
	values, err := c.settings(ctx, local)
	if err != nil {
		return Batch{}, err
	}
	total := len(values)
	if !c.isEnumerable() {
		total += rounds * 2 * len(c.steppable())
	}
	for _, v := range values {
		if err := c.try(ctx, v, total); err != nil {
			return Batch{}, err
		}
	}
	if !c.isEnumerable() {
		if err := c.refine(ctx, total); err != nil {
			return Batch{}, err
		}
	}
	tried := len(c.tries)
	slices.SortStableFunc(c.tries, func(a, b try) int { return cmp.Compare(b.joint, a.joint) })
	for _, t := range c.tries {
		points, err := c.greedy(ctx, t.values, t.points, c.wish.Points)
		if err == nil {
			return Batch{points, t.values, tried}, nil
		}
		if err := c.recordError(ctx, err); err != nil {
			return Batch{}, err
		}
	}
	return Batch{}, c.failureError(ErrTooFewPoints{c.maxPoints})
}

// withoutAcquisition takes the shared values of the first point, or another setting if those allow too few points.
func (c *choice) withoutAcquisition(ctx context.Context, local []float64) (Batch, error) {
	values, err := c.settings(ctx, local)
	if err != nil {
		return Batch{}, err
	}
	for _, v := range values {
		points, err := c.greedy(ctx, v, nil, c.wish.Points)
		if err == nil {
			return Batch{Suggestions: points, Shared: v}, nil
		}
		if err := c.recordError(ctx, err); err != nil {
			return Batch{}, err
		}
	}
	return Batch{}, c.failureError(ErrTooFewPoints{c.maxPoints})
}

// recordError records why a setting fails; the error is that of the context.
func (c *choice) recordError(ctx context.Context, err error) error {
	if room := (ErrTooFewPoints{}); errors.As(err, &room) {
		c.maxPoints = max(c.maxPoints, room.Points)
	} else {
		c.err = err
	}
	return ctx.Err()
}

// failureError is the error if no setting works.
func (c *choice) failureError(err error) error {
	room := ErrTooFewPoints{}
	switch {
	case !errors.As(err, &room):
		return err
	case room.Points == 0 && c.err != nil:
		return c.err
	}
	subject, or := "that differ", ""
	if c.wish.MinDistance > 0 {
		subject, or = fmt.Sprintf("that are %g apart", c.wish.MinDistance), " or reduce the distance"
	}
	if len(c.wish.Shared) > 0 {
		subject += ", with the same values of the shared variables"
	}
	return fmt.Errorf("cannot find %s %s: %w; ask for fewer%s", numfmt.Count(c.wish.Points, "point"), subject, room, or)
}

// try evaluates a setting, unless it was tried before.
func (c *choice) try(ctx context.Context, values []float64, total int) error {
	if slices.ContainsFunc(c.tries, func(t try) bool { return slices.Equal(t.values, values) }) {
		return nil
	}
	c.in.Report("values to share", len(c.tries), total)
	points, err := c.greedy(ctx, values, nil, min(c.wish.Points, judged))
	if err != nil {
		return c.recordError(ctx, err)
	}
	joint := 0.0
	for _, p := range points {
		if p.Acquisition != nil {
			joint += p.Acquisition[0]
		}
	}
	if c.lower {
		joint = -joint
	}
	if math.IsNaN(joint) {
		joint = math.Inf(-1)
	}
	c.tries = append(c.tries, try{values, points, joint})
	return nil
}

// refine steps around the best setting along the shared inputs that have an order.
func (c *choice) refine(ctx context.Context, total int) error {
	space := search.NewSpace(c.in)
	for round := range rounds {
		if len(c.tries) == 0 {
			return nil
		}
		best := slices.MaxFunc(c.tries, func(a, b try) int { return cmp.Compare(a.joint, b.joint) }).values
		for _, k := range c.steppable() {
			low, high := space.Bounds(c.wish.Shared[k])
			step := (high - low) / inSequence / math.Exp2(float64(round+1))
			for _, delta := range []float64{-step, step} {
				next := slices.Clone(best)
				next[k] = min(max(best[k]+delta, low), high)
				if err := c.try(ctx, c.normalize(next), total); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// steppable are the positions in Shared of inputs that have an order and are not fixed.
func (c *choice) steppable() (list []int) {
	space := search.NewSpace(c.in)
	for k, j := range c.wish.Shared {
		if low, high := space.Bounds(j); low < high && !c.in.Domain.Choice(j) {
			list = append(list, k)
		}
	}
	return list
}

// greedy adds points one by one up to n, after those that are chosen already.
func (c *choice) greedy(ctx context.Context, values []float64, chosen []optimizers.Suggestion,
	n int) ([]optimizers.Suggestion, error) {
	in := c.wish.WithShared(c.in, values)
	chosen = slices.Clone(chosen)
	for i := range n {
		if i < len(chosen) {
			in = c.withPending(in, chosen[i])
			continue
		}
		if values == nil {
			c.in.Report("points", i, n)
		}
		s, _, err := c.method.Next(ctx, in)
		if search.IsExhausted(err) && i > 0 {
			return nil, ErrTooFewPoints{i}
		}
		if err != nil {
			return nil, err
		}
		if !c.fits(in, c.method.Normalize(mat.Row(nil, 0, s.X)), values) {
			return nil, ErrTooFewPoints{i}
		}
		chosen = append(chosen, s)
		in = c.withPending(in, s)
	}
	return chosen, nil
}

// withPending is the input of the next point, with one more point pending.
func (c *choice) withPending(in optimizers.Input, s optimizers.Suggestion) optimizers.Input {
	in.Pending = search.Stack(in.Pending, mat.NewDense(1, in.Dim, c.method.Normalize(mat.Row(nil, 0, s.X))))
	in.Step++
	return in
}

// WithShared is the input of a point of the batch, with the shared inputs fixed to values; nil leaves them free.
func (w Request) WithShared(in optimizers.Input, values []float64) optimizers.Input {
	in.MinDistance = max(w.MinDistance, tolerance) // points of the initial design must differ, too
	if values == nil {
		return in
	}
	low, high := make([]float64, in.Dim), slices.Repeat([]float64{1}, in.Dim)
	if in.Low != nil {
		copy(low, in.Low)
		copy(high, in.High)
	}
	for k, j := range w.Shared {
		low[j], high[j] = values[k], values[k]
	}
	in.Low, in.High = low, high
	return in
}

// tolerance is the difference up to which values count as the same, or a distance as satisfied.
const tolerance = 1e-9

// fits reports whether a point satisfies the request: it has the shared values, satisfies the constraints, and is far
// enough from the pending points. A method that finds no such point may suggest another.
func (c *choice) fits(in optimizers.Input, u, values []float64) bool {
	for k, j := range c.wish.Shared {
		if values != nil && math.Abs(u[j]-values[k]) > tolerance {
			return false
		}
	}
	if in.Pending != nil {
		n, _ := in.Pending.Dims()
		for i := range n {
			if !c.isSeparated(u, in.Pending.RawRowView(i)) {
				return false
			}
		}
	}
	return in.Domain.Feasible(u)
}

// isSeparated reports whether two points differ as much as requested.
func (c *choice) isSeparated(u, v []float64) bool {
	for j := range u {
		least := max(c.wish.MinDistance-tolerance, tolerance)
		if c.in.Domain.Stepwise(j) {
			least = tolerance
		}
		if math.Abs(u[j]-v[j]) >= least {
			return true
		}
	}
	return false
}
