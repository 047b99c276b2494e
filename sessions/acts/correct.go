package acts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// CorrectArgs are the arguments of correct.
type CorrectArgs struct {
	Step   *Name              `json:"step,omitempty" words:"steps" jsonschema:"the step whose result is wrong; a point of a batch as in 7.2"`
	Point  *Name              `json:"point,omitempty" words:"pending" jsonschema:"instead of a step: a pending point with a part of its result"`
	Values map[string]float64 `json:"values,omitempty" items:"1000" arg:"NAME=VALUE" words:"objectives" jsonschema:"the right values; others stay"`
	SD     map[string]float64 `json:"sd,omitempty" items:"1000" words:"objectives" jsonschema:"the right standard errors"`
	At     Input              `json:"at,omitempty" items:"1000" words:"inputs" jsonschema:"where it was measured; other variables stay"`
	Cost   float64            `json:"cost,omitempty" jsonschema:"the right cost"`
	Drop   bool               `json:"drop,omitempty" jsonschema:"withdraw the result of the step"`
	Reason string             `json:"reason,omitempty" length:"10000" jsonschema:"why, for the record"`
}

// Correct is the act of correcting a result.
var Correct = declare(Act{Name: "correct", Title: "Correct or withdraw a reported result",
	Changes: true, Destructive: true, Idempotent: true,
	About: "Correct or withdraw a reported result; the old one stays on record. Values that are not named stay."},
	func(_ context.Context, t Turn, a CorrectArgs) (Done, error) {
		c, err := a.correction(t.Session.State())
		if err != nil {
			return Done{}, asWrong(err)
		}
		return done(c.apply(t.Session))
	})

// correction is the correction of one result. Fields that are nil or 0 stay.
type correction struct {
	withdraw, pending bool // withdraw the result; correct the reported part of a pending point
	name              Name // of the step, or of the pending point
	values, sd        []float64
	at                Input
	cost              float64
	reason            string
}

// correction is what the arguments ask for.
func (a CorrectArgs) correction(st sessions.State) (c correction, err error) {
	c = correction{withdraw: a.Drop, at: a.At, cost: a.Cost, reason: a.Reason}
	isEmpty := len(a.Values)+len(a.SD)+len(a.At) == 0 && a.Cost == 0
	switch {
	case (a.Step == nil) == (a.Point == nil):
		return c, errors.New("which result? Give step, or the number of a pending point, and not both")
	case a.Drop && (a.Point != nil || !isEmpty):
		return c, errors.New("drop withdraws the whole result of a step; it goes with step and reason only")
	case !a.Drop && isEmpty:
		return c, errors.New("what should change? Give values, sd, at or cost")
	case a.Cost < 0:
		return c, fmt.Errorf("the cost must be positive, got %g", a.Cost)
	}
	var points []sessions.Point
	if a.Point != nil {
		c.name, c.pending = *a.Point, true
		it, _, err := st.IterationByNumber(c.name.Suggestion)
		if err == nil {
			points = it.Points
		}
	} else {
		c.name = *a.Step
		if n := c.name.Suggestion; n <= len(st.Iterations) {
			points = st.Iterations[n-1].Points
		}
	}
	var before sessions.Point
	if i := c.index(); i < len(points) {
		before = points[i]
	}
	c.values, err = merged(st, before.Y, a.Values)
	if err == nil {
		c.sd, err = merged(st, before.SE, a.SD)
	}
	return c, err
}

// index is the place of the point in its batch, from 0.
func (c correction) index() int { return max(c.name.Point-1, 0) }

// merged are the values of all outputs with those that are given by name; nil without any.
func merged(st sessions.State, before []float64, values map[string]float64) ([]float64, error) {
	if len(values) == 0 {
		return nil, nil
	}
	var names []string
	list := make([]float64, len(st.Problem.Outputs()))
	for k, o := range st.Problem.Outputs() {
		list[k] = math.NaN()
		if k < len(before) {
			list[k] = before[k]
		}
		if v, ok := values[o.Name]; ok {
			list[k] = v
		}
		names = append(names, o.Name)
	}
	for name := range values {
		if !slices.Contains(names, name) {
			return nil, didyoumean.NewUnknownError("objective", name, names)
		}
	}
	return list, nil
}

// apply makes the correction, and returns a sentence about it.
func (c correction) apply(s *sessions.Session) (string, error) {
	switch {
	case c.withdraw:
		text := fmt.Sprintf("the result of step %v is withdrawn", c.name)
		return text, s.Correct(c.name.Suggestion, c.index(), nil, c.reason)
	case c.pending:
		return c.amend(s)
	}
	text := fmt.Sprintf("step %d is corrected", c.name.Suggestion)
	if c.values != nil {
		text += " to " + numfmt.ExactList(c.values)
	}
	o := functions.Outcome{Values: c.values, SE: c.sd, Cost: c.cost}
	if c.sd != nil {
		text += ", its standard error to " + strings.ReplaceAll(numfmt.ExactList(c.sd), "NaN", "unknown")
	}
	st := s.State()
	step := c.name.Suggestion
	if c.at != nil && step <= len(st.Iterations) && c.index() < len(st.Iterations[step-1].Points) {
		// the session reports other steps and points as missing
		input, err := c.input(st, st.Iterations[step-1].Points[c.index()].X)
		if err != nil {
			return "", err
		}
		o.At = input
		text += ", its input to " + st.Problem.Domain.Text(input)
	}
	if c.cost > 0 {
		text += ", its cost to " + numfmt.Exact(c.cost)
	}
	return text, s.CorrectOutcome(step, c.index(), o, c.reason)
}

// amend corrects the reported part of a pending point.
func (c correction) amend(s *sessions.Session) (string, error) {
	st := s.State()
	number, i := c.name.Suggestion, c.index()
	it, pending, err := st.IterationByNumber(number)
	measured := st.Problem.Outputs()
	switch {
	case err != nil:
		return "", err
	case !pending:
		return "", fmt.Errorf("point %d already has its result: correct step %d instead", number, it.Step)
	case i >= len(it.Points):
		return "", fmt.Errorf("there is no point %d in suggestion %d, which has %s", i+1, number,
			numfmt.Count(len(it.Points), "point"))
	case !it.HasResults() || len(it.Points[i].Missing) == len(measured):
		return "", fmt.Errorf("there is nothing to correct: point %d has no reported value yet", number)
	case c.values != nil && len(c.values) != len(measured):
		return "", fmt.Errorf("point %d needs %s, separated by commas, with ? for one that is not known yet; got %d",
			number, numfmt.Count(len(measured), "value"), len(c.values))
	}
	before := it.Points[i]
	o := functions.Outcome{Values: slices.Clone(before.Y), SE: slices.Clone(before.SE), At: before.X, Cost: before.Cost,
		Reason: before.Reason, Note: before.Note, Partial: true}
	if c.values != nil {
		o.Values, o.Reason = c.values, ""
	}
	if c.sd != nil {
		o.SE = c.sd
	}
	if c.cost > 0 {
		o.Cost = c.cost
	}
	if c.at != nil {
		o.At, err = c.input(st, before.X)
		if err != nil {
			return "", err
		}
	}
	it, err = s.Amend(it.ID, i, o, c.reason)
	if err != nil {
		return "", err
	}
	values := strings.ReplaceAll(numfmt.ExactList(o.Values), "NaN", "?")
	text := fmt.Sprintf("point %v is corrected to %s", nameFor(it, i), values)
	if it.Incomplete() && len(it.Points[i].Missing) > 0 {
		text += "; still missing: " + strings.Join(it.Points[i].Missing, ", ")
	}
	return text, nil
}

// input is x with the values of the variables that the correction names.
func (c correction) input(st sessions.State, x []float64) ([]float64, error) {
	point := slices.Clone(x)
	values, err := encoding.DecodeMap(st.Problem.Domain, c.at)
	if err != nil {
		return nil, err
	}
	for j, v := range st.Problem.Domain {
		if x, ok := values[v.Name]; ok {
			point[j] = x
		}
	}
	return point, nil
}

// DiscardArgs are the arguments of discard.
type DiscardArgs struct {
	Point  *Name  `json:"point,omitempty" arg:"[POINT]" words:"pending" jsonschema:"the pending point; without it the oldest, or else the next suggestion"`
	Reason string `json:"reason,omitempty" length:"10000" jsonschema:"why, for the record"`
}

// Discard is the act of discarding a suggestion.
var Discard = declare(Act{Name: "discard", Title: "Discard a pending point", Changes: true, Destructive: true,
	About: "Discard a pending point without a result; the search avoids its neighbourhood from now on."},
	func(ctx context.Context, t Turn, a DiscardArgs) (Done, error) {
		s := t.Session
		if a.Point == nil {
			return done("the suggestion is discarded; the search avoids it from now on", s.Reject(ctx, a.Reason, t.Progress))
		}
		number := a.Point.Suggestion
		it, pending, err := s.State().IterationByNumber(number)
		if err == nil && !pending {
			err = fmt.Errorf("point %d already has its result: withdraw that of step %d instead", number, it.Step)
		}
		if err != nil {
			return Done{}, asWrong(err)
		}
		text := fmt.Sprintf("point %d is discarded; the search avoids it from now on", number)
		return done(text, s.RejectByID(it.ID, a.Reason))
	})
