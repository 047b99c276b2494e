// Package batch chooses several points at once as laboratories run them: eight in one oven, which share a temperature,
// and apart by at least so much. A method that chooses one point beside those that are out comes in as a function, and
// points in their order go out, each as the method would choose it beside the ones before it with what is shared
// pinned. Which value is shared is decided here, by the joint acquisition; how a method counts with points that are out
// is its own affair, and what is recorded the session's.
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

// Request is what is asked of a batch.
type Request struct {
	Points int
	Shared []int // the inputs whose value all points share
	// how far each point is from those that are out, and from each other, in some number of the unit cube, or else they
	// differ in a level
	MinDistance float64
}

// Method suggests one point, beside those that are out.
type Method struct {
	// Next is the suggestion for an input; lower says that of its acquisition less is better.
	Next func(ctx context.Context, in optimizers.Input) (s optimizers.Suggestion, lower bool, err error)
	// Settle is a point of the unit cube as it will be when it is out, to the last digit.
	Normalize func(u []float64) []float64
}

// Batch is what was chosen.
type Batch struct {
	Suggestions []optimizers.Suggestion // one point each
	Shared      []float64               // of each input that is shared its value, in the unit cube
	// so many values were compared by the joint acquisition; 0 where there is none, or none to compare
	Compared int
}

// Bounds of the search for what is shared, in suggestions: of at most mostSettings settings all are tried, of more, or
// of numbers, a sequence and then steps around the best. Each is judged by the first points of its batch.
const (
	maxSettings = 32
	inSequence  = 7
	rounds      = 2 // of steps around the best
	judged      = 8
)

// errTooFewPoints is what is wrong with a value with which too few points can be chosen.
type errTooFewPoints struct{ points int }

func (e errTooFewPoints) Error() string { return fmt.Sprintf("found only %d", e.points) }

// Choose chooses a batch. Every value that may be shared gets the points that the method chooses greedily with it
// pinned, each beside the ones before. The value is taken for which the sum of their acquisitions is best: each is what
// the point adds beside those before it, so that of expected improvement the sum is the joint expected improvement of
// the points (Ginsbourger et al. 2010), and of the expected hypervolume the same. Where the first point has no
// acquisition, as in the initial design, all take its value. The error says for how many points there is room.
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
	own := make([]float64, len(w.Shared))
	for k, j := range w.Shared {
		own[k] = settled[j]
	}
	if first.Acquisition == nil {
		return c.withoutAcquisition(ctx, own)
	}
	return c.byAcquisition(ctx, own)
}

// choice is a batch while it is being chosen.
type choice struct {
	in     optimizers.Input
	wish   Request
	method Method
	lower  bool

	tries     []try
	maxPoints int   // points for which some value had room
	err       error // what was wrong with a value, other than its room
}

// try is a value of what is shared, with the points that were chosen with it.
type try struct {
	values []float64
	points []optimizers.Suggestion
	joint  float64 // the sum of their acquisitions, higher is better
}

// byAcquisition compares the values, and goes on with the best that has room.
func (c *choice) byAcquisition(ctx context.Context, own []float64) (Batch, error) {
	values, err := c.settings(ctx, own)
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
	return Batch{}, c.failureError(errTooFewPoints{c.maxPoints})
}

// withoutAcquisition takes the value of the first point, or where that has no room another.
func (c *choice) withoutAcquisition(ctx context.Context, own []float64) (Batch, error) {
	values, err := c.settings(ctx, own)
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
	return Batch{}, c.failureError(errTooFewPoints{c.maxPoints})
}

// recordError notes why a value does not serve; the error is that of the context.
func (c *choice) recordError(ctx context.Context, err error) error {
	if room := (errTooFewPoints{}); errors.As(err, &room) {
		c.maxPoints = max(c.maxPoints, room.points)
	} else {
		c.err = err
	}
	return ctx.Err()
}

// failureError says what is wrong where no value serves.
func (c *choice) failureError(err error) error {
	room := errTooFewPoints{}
	switch {
	case !errors.As(err, &room):
		return err
	case room.points == 0 && c.err != nil:
		return c.err
	}
	what, or := "that differ", ""
	if c.wish.MinDistance > 0 {
		what, or = fmt.Sprintf("that are %g apart", c.wish.MinDistance), " or reduce the distance"
	}
	if len(c.wish.Shared) > 0 {
		what += ", with the same values of the shared variables"
	}
	return fmt.Errorf("cannot find %s %s: %w; ask for fewer%s", numfmt.Count(c.wish.Points, "point"), what, room, or)
}

// try judges a value, unless it was tried.
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

// refine steps around the best along what is shared and has an order.
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
			for _, by := range []float64{-step, step} {
				next := slices.Clone(best)
				next[k] = min(max(best[k]+by, low), high)
				if err := c.try(ctx, c.normalize(next), total); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// steppable are the places in Same of inputs that have an order and are not pinned.
func (c *choice) steppable() (list []int) {
	space := search.NewSpace(c.in)
	for k, j := range c.wish.Shared {
		if low, high := space.Bounds(j); low < high && !c.in.Domain.Choice(j) {
			list = append(list, k)
		}
	}
	return list
}

// greedy chooses points one beside the other up to n, behind those that are chosen already.
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
		if err != nil {
			return nil, err
		}
		if !c.fits(in, c.method.Normalize(mat.Row(nil, 0, s.X)), values) {
			return nil, errTooFewPoints{i}
		}
		chosen = append(chosen, s)
		in = c.withPending(in, s)
	}
	return chosen, nil
}

// withPending is the input of the next point, when one more is out.
func (c *choice) withPending(in optimizers.Input, s optimizers.Suggestion) optimizers.Input {
	in.Pending = search.Stack(in.Pending, mat.NewDense(1, in.Dim, c.method.Normalize(mat.Row(nil, 0, s.X))))
	in.Step++
	return in
}

// WithShared is the input of a point of the batch, with what is shared pinned to values; nil where that is to be
// chosen.
func (w Request) WithShared(in optimizers.Input, values []float64) optimizers.Input {
	in.MinDistance = max(w.MinDistance, tolerance) // points of the first design are to differ, too
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

// tolerance is by how much a value may be off that counts as the same, or a distance that counts as kept.
const tolerance = 1e-9

// fits reports whether a point is what was asked for: with the values that are shared, where constraints are fulfilled,
// and apart from those that are out. A method that finds no such place may suggest another.
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

// isSeparated reports whether two points differ by what was asked for.
func (c *choice) isSeparated(u, v []float64) bool {
	for j := range u {
		least := max(c.wish.MinDistance-tolerance, tolerance)
		if c.in.Domain.Discrete(j) {
			least = tolerance
		}
		if math.Abs(u[j]-v[j]) >= least {
			return true
		}
	}
	return false
}
