package asktell

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/sessions"
)

// ApplyCorrection applies a correction that is given as text:
//
//	step 7 = 1.25                  the result of step 7 is 1.25; several values with commas
//	step 7.2 = 1.25                the result of its second point, in a batch
//	step 7 sd 0.3                  its standard error, ? if it is not known; several with commas
//	step 7 at x1=0.4, x2=3         where it was measured; other variables keep their values
//	step 7 cost 2                  its cost
//	step 7 = 1.25 sd 0.3 cost 2    several of these at once
//	point 9 = 18.5, ?              the reported values of the pending point 9; ? if a value is not known yet
//	drop step 7                    withdraw its result
//	x1 in 0..0.5   x1 = 0.3        change the bounds of the variable, or pin it; a choice by its name
//	free x1                        restore its whole domain
//	duration 3d                    a result usually takes 3 days; none if it is not known
//	reject                         discard the oldest pending suggestion; the search then avoids its neighbourhood
//	reject 7                       discard the pending point 7
//
// Behind any of them, "because …" gives the reason. It returns a sentence about the change.
func ApplyCorrection(ctx context.Context, s *sessions.Session, text string, progress sessions.Progress) (string,
	error) {
	c, err := parse(text)
	if err != nil {
		return "", err
	}
	switch c.kind {
	case reject:
		return Discard(ctx, s, c.step, c.reason, progress)
	case withdraw:
		return Withdraw(s, c.name(), c.reason)
	case correct:
		return c.outcome(s)
	case amend:
		return c.amend(s)
	case duration:
		return ExpectDuration(s, c.duration, c.reason)
	}
	return NarrowVariables(ctx, s, c.reason, VariableBounds{Name: c.variable, Ends: c.ends})
}

// name is the step or the suggestion, with the point if it is not the first.
func (c correction) name() Name {
	if c.point == 0 {
		return Name{Suggestion: c.step}
	}
	return Name{Suggestion: c.step, Point: c.point + 1}
}

// kind is the kind of a correction.
type kind int

const (
	correct  kind = iota // correct a result
	amend                // correct the reported values of a pending point
	withdraw             // withdraw a result
	reject               // discard a suggestion
	bound                // change the bounds of a variable
	duration             // change how long a result usually takes
)

// correction is a parsed correction.
type correction struct {
	kind        kind
	step, point int // step is the number of the suggestion where a point is pending
	variable    string
	ends        []string // two bounds, or the value to which it is pinned; nil to restore its domain
	values      []float64
	se          []float64
	at          map[string]string // as typed
	cost        float64
	duration    string
	reason      string
}

// ExpectDuration changes how long a result usually takes, such as 2d, or None, and returns a sentence about the change.
func ExpectDuration(s *sessions.Session, text, reason string) (string, error) {
	if text == None {
		return "no duration is expected from now on", s.ExpectDuration("", reason)
	}
	if err := s.ExpectDuration(text, reason); err != nil {
		return "", err
	}
	sentence := "a result usually takes " + text + " from now on"
	if n := len(s.State().Pending); n > 0 {
		sentence += "; the pending points are due by it"
	}
	return sentence, nil
}

// parse reads a correction.
func parse(text string) (correction, error) {
	text, reason, _ := strings.Cut(text, "because")
	c := correction{reason: strings.TrimSpace(reason)}
	words := strings.Fields(text)
	switch {
	case len(words) == 1 && words[0] == "reject":
		c.kind = reject
		return c, nil
	case len(words) == 2 && words[0] == "reject":
		c.kind = reject
		return c, c.readStep(words[1])
	case len(words) == 3 && words[0] == "drop" && words[1] == "step":
		c.kind = withdraw
		return c, c.readStep(words[2])
	case len(words) > 1 && words[0] == "duration" && words[1] != "=" && words[1] != "in":
		c.kind, c.duration = duration, strings.Join(words[1:], " ")
		return c, nil
	case len(words) == 2 && words[0] == "free":
		c.kind, c.variable = bound, words[1]
		return c, nil
	case len(words) >= 4 && words[0] == "step":
		c.kind = correct
		return c, errors.Join(c.readStep(words[1]), c.clauses(words[2:]))
	case len(words) >= 4 && words[0] == "point" && slices.Contains(clauses, words[2]):
		c.kind = amend
		return c, errors.Join(c.readStep(words[1]), c.clauses(words[2:]))
	case len(words) >= 3 && words[1] == "=":
		c.kind = bound
		c.variable = words[0]
		c.ends = []string{strings.Join(words[2:], " ")} // a choice may have spaces
		return c, nil
	case len(words) == 3 && words[1] == "in":
		low, high, ok := strings.Cut(words[2], "..")
		if !ok {
			return c, fmt.Errorf("bounds are written low..high, as in x1 in 0..0.5; got %q", words[2])
		}
		c.kind = bound
		c.variable = words[0]
		c.ends = []string{low, high}
		return c, nil
	}
	return c, errors.New("a correction is one of: step 7 = 1.25, step 7 sd 0.3, step 7 at x1=0.4, step 7 cost 2, point 9 = 18.5, drop step 7, x1 in 0..0.5, x1 = 0.3, free x1, duration 3d, reject; because … adds the reason")
}

// readStep parses the number of a step, and behind a dot that of a point of its batch.
func (c *correction) readStep(text string) error {
	step, point, batch := strings.Cut(text, ".")
	var err error
	c.step, err = strconv.Atoi(step)
	if err != nil || c.step < 1 {
		return fmt.Errorf("%q is not the number of a %s", text,
			map[bool]string{true: "point", false: "step"}[c.kind == amend])
	}
	if batch {
		c.point, err = strconv.Atoi(point)
		if err != nil || c.point < 1 {
			return fmt.Errorf("%q is not a point of a step", text)
		}
		c.point--
	}
	return nil
}

func (c *correction) numbers(texts []string) (err error) {
	unknown := ""
	if c.kind == amend {
		unknown = "?"
	}
	c.values, err = wholeNumbers(texts, unknown)
	return err
}

// wholeNumbers parses finite numbers; a text that equals unknown is NaN.
func wholeNumbers(texts []string, unknown string) ([]float64, error) {
	list := make([]float64, len(texts))
	for i, t := range texts {
		t = strings.TrimSpace(t)
		v, err := strconv.ParseFloat(t, 64)
		switch {
		case t == unknown && t != "":
			v = math.NaN()
		case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
			return nil, fmt.Errorf("%q is not a finite number", t)
		}
		list[i] = v
	}
	return list, nil
}
