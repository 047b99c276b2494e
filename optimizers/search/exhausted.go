package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
)

// ErrExhausted is the error of a finite space of which every point is evaluated, pending or discarded.
type ErrExhausted struct{ PointCount }

// Error says how many points there are of each kind, and what to do.
func (e ErrExhausted) Error() string {
	switch {
	case e.Pending > 0:
		return e.String() + "; report the results of the pending points"
	case e.Rows:
		return e.String() + "; widen the bounds to go on"
	}
	return e.String() + "; widen the space, or set repeats=on to evaluate some again"
}

// IsExhausted reports whether an error is that of a finite space without a point that is left.
func IsExhausted(err error) bool { return errors.As(err, &ErrExhausted{}) }

// PointCount counts the points of a finite space within the bounds of the next point.
type PointCount struct {
	All       int
	Evaluated int
	Pending   int  // not evaluated
	Discarded int  // neither evaluated nor pending
	Rows      bool // they are the rows of a table
}

// Left is the number of points that can still be suggested.
func (c PointCount) Left() int { return c.All - c.Evaluated - c.Pending - c.Discarded }

// Unit names n points.
func (c PointCount) Unit(n int) string {
	if c.Rows {
		return numfmt.Count(n, "row") + " of the table"
	}
	return numfmt.Count(n, "combination")
}

// String says how many points are left.
func (c PointCount) String() string {
	state := "evaluated"
	if c.Rows {
		state = "measured"
	}
	switch {
	case c.Evaluated == c.All && c.All == 1:
		return "the only point is " + state
	case c.Evaluated == c.All:
		return fmt.Sprintf("all %s are %s", c.Unit(c.All), state)
	case c.Left() > 0:
		return fmt.Sprintf("%d of %s left", c.Left(), c.Unit(c.All))
	}
	parts := []string{fmt.Sprintf("%d %s", c.Evaluated, state)}
	if c.Pending > 0 {
		parts = append(parts, fmt.Sprintf("%d pending", c.Pending))
	}
	if c.Discarded > 0 {
		parts = append(parts, fmt.Sprintf("%d discarded", c.Discarded))
	}
	return fmt.Sprintf("none of %s is left: %s", c.Unit(c.All), strings.Join(parts, ", "))
}

// CountPoints counts the points of a finite space; false if the space is not finite, has more than maxEnumerated points,
// or has none.
func CountPoints(in optimizers.Input) (c PointCount, ok bool) {
	if !in.Domain.IsFinite() {
		return c, false
	}
	s := NewSpace(in)
	points, evaluated := rowsFor(s.all()), evaluatedPoints(in)
	c.All, c.Rows = len(points), in.Domain.Pool != nil
	for _, x := range points {
		switch {
		case s.near(x, evaluated, levelTolerance):
			c.Evaluated++
		case s.near(x, s.Pending, max(in.MinDistance, levelTolerance)):
			c.Pending++
		case s.near(x, s.Avoid, AvoidRadius):
			c.Discarded++
		}
	}
	return c, c.All > 0
}

// minBound is the number of points up to which CheckExhausted always looks at all.
const minBound = 100

// CheckExhausted returns ErrExhausted if the space is finite, no point of it is left, and repeats
// are not allowed. A row of a pool that is evaluated is never suggested again, whatever the parameters are: its values
// are on record, and would be the same.
func CheckExhausted(in optimizers.Input) error {
	if !in.Domain.IsFinite() || in.Domain.Pool == nil && AllowsRepeats(in) {
		return nil
	}
	s, evaluated := NewSpace(in), evaluatedPoints(in)
	bound := maxEnumerated
	if len(s.Avoid) == 0 && in.MinDistance <= RepeatRadius { // a point makes only itself unavailable
		bound = max(len(evaluated)+len(s.Pending), minBound)
	}
	left := func(x []float64) bool {
		return !s.near(x, evaluated, levelTolerance) && !s.near(x, s.Avoid, AvoidRadius) &&
			!s.near(x, s.Pending, max(in.MinDistance, levelTolerance))
	}
	points := rowsFor(s.upTo(bound))
	if len(points) == 0 || slices.ContainsFunc(points, left) { // an empty space has an error of its own
		return nil
	}
	c, _ := CountPoints(in)
	return ErrExhausted{c}
}
