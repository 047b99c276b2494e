package asktell

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

// The words that begin a clause of a correction: values, standard errors, where it was measured, cost.
var clauses = []string{"=", "sd", "at", "cost"}

// clauses parses the clauses of a correction.
func (c *correction) clauses(words []string) error {
	for len(words) > 0 {
		begins := words[0]
		if !slices.Contains(clauses, begins) {
			return fmt.Errorf("the step is followed by = and a value, or by sd, at or cost; got %q", begins)
		}
		n := 1
		for n < len(words) && (!slices.Contains(clauses, words[n]) || begins == "at" &&
			(words[n] == "=" || n+1 < len(words) && words[n+1] == "=")) {
			n++ // a variable may have the name of a clause
		}
		if err := c.clause(begins, strings.Join(words[1:n], " ")); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}

func (c *correction) clause(begins, text string) (err error) {
	texts := strings.Split(text, ",")
	switch begins {
	case "=":
		return c.numbers(texts)
	case "sd":
		c.se, err = wholeNumbers(texts, "?")
		return err
	case "cost":
		cost, err := wholeNumbers(texts, "")
		if err == nil && (len(cost) != 1 || cost[0] <= 0) {
			err = fmt.Errorf("the cost must be one positive number, got %s", strings.Join(texts, ", "))
		}
		if err == nil {
			c.cost = cost[0]
		}
		return err
	}
	c.at = map[string]string{}
	for _, t := range functions.SplitPairs(text) {
		name, text, ok := strings.Cut(t, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return fmt.Errorf("at is followed by name=value, as in at x1=0.4, x2=3; got %q", t)
		}
		c.at[name] = text
	}
	return nil
}

// outcome corrects a result.
func (c correction) outcome(s *sessions.Session) (string, error) {
	text := fmt.Sprintf("step %d is corrected", c.step)
	if c.values != nil {
		text += " to " + numfmt.ExactList(c.values)
	}
	o := functions.Outcome{Values: c.values, SE: c.se, Cost: c.cost}
	if c.se != nil {
		text += fmt.Sprintf(", its standard error to %s",
			strings.ReplaceAll(numfmt.ExactList(c.se), "NaN", "unknown"))
	}
	if st := s.State(); c.at != nil && c.step <= len(st.Iterations) && c.point < len(st.Iterations[c.step-1].Points) {
		// the session reports other steps and points as missing
		input, err := c.place(st, st.Iterations[c.step-1].Points[c.point].X)
		if err != nil {
			return "", err
		}
		o.At = input
		text += ", its input to " + st.Problem.Domain.Text(input)
	}
	if c.cost > 0 {
		text += ", its cost to " + numfmt.Exact(c.cost)
	}
	return text, s.CorrectOutcome(c.step, c.point, o, c.reason)
}

// amend corrects the reported values of a pending point. Clauses that are not given do not change.
func (c correction) amend(s *sessions.Session) (string, error) {
	st := s.State()
	it, pending, err := st.IterationByNumber(c.step)
	measured := st.Problem.Outputs()
	name := fmt.Sprint(c.step)
	switch {
	case err != nil:
		return "", err
	case !pending:
		return "", fmt.Errorf("point %d already has its result: correct it with step %d = VALUE", c.step, it.Step)
	case c.point >= len(it.Points):
		return "", fmt.Errorf("there is no point %d in suggestion %d, which has %s", c.point+1, c.step,
			numfmt.Count(len(it.Points), "point"))
	case !it.HasResults() || len(it.Points[c.point].Missing) == len(measured):
		return "", fmt.Errorf("there is nothing to correct: point %d has no reported value yet", c.step)
	case c.values != nil && len(c.values) != len(measured):
		return "", fmt.Errorf("point %d needs %s, separated by commas, with ? for one that is not known yet; got %d",
			c.step, numfmt.Count(len(measured), "value"), len(c.values))
	}
	if len(it.Points) > 1 {
		name += fmt.Sprintf(".%d", c.point+1)
	}
	o := functions.Outcome{Values: slices.Clone(it.Points[c.point].Y), SE: slices.Clone(it.Points[c.point].SE),
		At:   it.Points[c.point].X,
		Cost: it.Points[c.point].Cost, Reason: it.Points[c.point].Reason, Note: it.Points[c.point].Note, Partial: true}
	if c.values != nil {
		o.Values, o.Reason = c.values, ""
	}
	if c.se != nil {
		o.SE = c.se
	}
	if c.cost > 0 {
		o.Cost = c.cost
	}
	if c.at != nil {
		o.At, err = c.place(st, it.Points[c.point].X)
		if err != nil {
			return "", err
		}
	}
	it, err = s.Amend(it.ID, c.point, o, c.reason)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("point %s is corrected to %s", name, strings.ReplaceAll(numfmt.ExactList(o.Values), "NaN", "?"))
	if it.Incomplete() && len(it.Points[c.point].Missing) > 0 {
		text += "; still missing: " + strings.Join(it.Points[c.point].Missing, ", ")
	}
	return text, nil
}

// place is x with the values of the variables that the correction names.
func (c correction) place(st sessions.State, x []float64) ([]float64, error) {
	point := slices.Clone(x)
	values, err := encoding.ParseMap(st.Problem.Domain, c.at)
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

// Correction is a correction by names, as programs give it.
type Correction struct {
	Pending bool
	Name    Name // of the step, or of the point that is pending, and of a point of its batch
	// the values and standard errors that were wrong; nil where they stay
	Values, SE map[string]float64
	At         map[string]encoding.Value // where it was measured; other variables keep their values
	Cost       float64                   // 0 where it stays
	Reason     string
}

// Apply corrects the reported result of a step, or the reported part of a pending point. Quantities that are not named
// keep their values. It returns a sentence about the change.
func (c Correction) Apply(s *sessions.Session) (string, error) {
	text := correction{kind: correct, step: c.Name.Suggestion, point: max(c.Name.Point-1, 0), cost: c.Cost, reason: c.Reason}
	st := s.State()
	var pt sessions.Point
	if c.Pending {
		text.kind = amend
		if it, _, err := st.IterationByNumber(text.step); err == nil && text.point < len(it.Points) {
			pt = it.Points[text.point]
		}
	} else if text.step <= len(st.Iterations) && text.point < len(st.Iterations[text.step-1].Points) {
		pt = st.Iterations[text.step-1].Points[text.point]
	}
	var err error
	text.values, err = merged(st, pt.Y, c.Values)
	if err != nil {
		return "", err
	}
	text.se, err = merged(st, pt.SE, c.SE)
	if err != nil {
		return "", err
	}
	for name, v := range c.At {
		if text.at == nil {
			text.at = map[string]string{}
		}
		text.at[name] = v.String()
	}
	if text.values == nil && text.se == nil && text.at == nil && text.cost == 0 {
		return "", errors.New("what should change? Give values, sd, at or cost")
	}
	if c.Pending {
		return text.amend(s)
	}
	return text.outcome(s)
}

// merged are the values of all outputs with those that are given by name; nil without any.
func merged(st sessions.State, now []float64, values map[string]float64) ([]float64, error) {
	if len(values) == 0 {
		return nil, nil
	}
	var names []string
	list := make([]float64, len(st.Problem.Outputs()))
	for k, o := range st.Problem.Outputs() {
		list[k] = math.NaN()
		if k < len(now) {
			list[k] = now[k]
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

// Withdraw withdraws the result of a step, or of a point of its batch.
func Withdraw(s *sessions.Session, n Name, reason string) (string, error) {
	return fmt.Sprintf("the result of step %v is withdrawn", n),
		s.Correct(n.Suggestion, max(n.Point-1, 0), nil, reason)
}

// Discard discards the pending suggestion with a number, or without one (0) the oldest.
func Discard(ctx context.Context, s *sessions.Session, number int, reason string, progress sessions.Progress) (string,
	error) {
	if number == 0 {
		return "the suggestion is discarded; the search avoids it from now on", s.Reject(ctx, reason, progress)
	}
	it, out, err := s.State().IterationByNumber(number)
	if err == nil && !out {
		err = fmt.Errorf("point %d already has its result: withdraw it with drop step %d", number, it.Step)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("point %d is discarded; the search avoids it from now on", number), s.RejectByID(it.ID, reason)
}
