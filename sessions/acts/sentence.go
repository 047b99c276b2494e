package acts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions"
)

// Sentence performs a change that a person writes as one line:
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
//	widen x1 0..2                  its domain, with a step as in 0..2,0.5
//	widen solvent DMF, "1,4-D"     names or numbers that it takes too
//	widen x3 0..1 was 0.5          a further variable, and what it was in all earlier points
//	duration 3d                    a result usually takes 3 days; none if it is not known
//	reject                         discard the oldest pending suggestion; the search then avoids its neighbourhood
//	reject 7                       discard the pending point 7
//
// Behind any of them, "because …" gives the reason. It returns a sentence about the change.
func Sentence(ctx context.Context, s *sessions.Session, text string, progress sessions.Progress) (string, error) {
	perform, err := parseSentence(text)
	if err != nil {
		return "", err
	}
	return perform(ctx, Turn{Session: s, Progress: progress})
}

// sentenceChange makes a change and returns a sentence about it.
type sentenceChange func(context.Context, Turn) (string, error)

// parseSentence reads a change.
func parseSentence(text string) (sentenceChange, error) {
	text, reason, _ := strings.Cut(text, "because")
	reason = strings.TrimSpace(reason)
	words := strings.Fields(text)
	bounds := func(name string, b Bounds) (sentenceChange, error) {
		return set(SetArgs{Narrow: map[string]Bounds{name: b}, Reason: reason}), nil
	}
	switch n := len(words); {
	case n > 0 && n < 3 && words[0] == "reject":
		return parseDiscard(words[1:], reason)
	case n == 3 && words[0] == "drop" && words[1] == "step":
		name, err := parseStep(words[2], "step")
		return correction{withdraw: true, name: name, reason: reason}.change, err
	case n > 1 && words[0] == "duration" && words[1] != "=" && words[1] != "in":
		return set(SetArgs{Duration: strings.Join(words[1:], " "), Reason: reason}), nil
	case n > 2 && words[0] == "widen":
		return parseWidening(words[1], strings.Join(words[2:], " "), reason)
	case n == 2 && words[0] == "free":
		return bounds(words[1], Bounds{})
	case n >= 4 && words[0] == "step":
		return parseCorrection(words, reason)
	case n >= 4 && words[0] == "point" && slices.Contains(clauses, words[2]):
		return parseCorrection(words, reason)
	case n >= 3 && words[1] == "=":
		return bounds(words[0], Bounds{Ends: []string{strings.Join(words[2:], " ")}}) // a choice may have spaces
	case n == 3 && words[1] == "in":
		low, high, ok := strings.Cut(words[2], "..")
		if !ok {
			return nil, fmt.Errorf("bounds are written low..high, as in x1 in 0..0.5; got %q", words[2])
		}
		return bounds(words[0], Bounds{Ends: []string{low, high}})
	}
	return nil, errors.New("a correction is one of: step 7 = 1.25, step 7 sd 0.3, step 7 at x1=0.4, step 7 cost 2, point 9 = 18.5, drop step 7, x1 in 0..0.5, x1 = 0.3, free x1, widen x1 0..2, duration 3d, reject; because … adds the reason")
}

// parseWidening reads more values of a variable, or a further variable.
func parseWidening(name, text, reason string) (sentenceChange, error) {
	a := VariableArgs{Name: name}
	text, earlier, isNew := strings.Cut(text, " was ")
	if isNew {
		v := encoding.Typed(functions.Unquote(earlier))
		a.Earlier = &v
	}
	if low, rest, interval := strings.Cut(text, ".."); interval {
		high, step, stepped := strings.Cut(rest, ",")
		ends := []string{low, high}
		if stepped {
			ends = append(ends, step)
		}
		if numbers, err := parseNumbers(ends, ""); err == nil {
			a.Low, a.High = &numbers[0], &numbers[1]
			if stepped {
				a.Step = &numbers[2]
			}
			return set(SetArgs{Variable: &a, Reason: reason}), nil
		}
	}
	for _, item := range functions.SplitList(text, ',') {
		a.Choices = append(a.Choices, functions.Unquote(item))
	}
	return func(ctx context.Context, t Turn) (string, error) {
		v, err := t.Session.State().Variable(name)
		numbers, isText := parseNumbers(a.Choices, "")
		if isText == nil && (err != nil || v.Kind != functions.Choice) {
			a.Choices, a.Values = nil, numbers
		}
		return set(SetArgs{Variable: &a, Reason: reason})(ctx, t)
	}, nil
}

// set is a change of settings.
func set(a SetArgs) sentenceChange {
	return func(ctx context.Context, t Turn) (string, error) { return a.Apply(ctx, t.Session) }
}

// parseDiscard reads which point is discarded; without a word the oldest one.
func parseDiscard(words []string, reason string) (sentenceChange, error) {
	a := DiscardArgs{Reason: reason}
	if len(words) == 1 {
		name, err := parseStep(words[0], "step")
		if err != nil {
			return nil, err
		}
		a.Point = &name
	}
	return func(ctx context.Context, t Turn) (string, error) {
		answer, err := Discard.Do(ctx, t, a)
		return answer.Message, err
	}, nil
}

// change is the correction as a change.
func (c correction) change(_ context.Context, t Turn) (string, error) { return c.apply(t.Session) }

// parseStep parses the number of a step or a point, and behind a dot that of a point of its batch.
func parseStep(text, subject string) (n Name, err error) {
	step, point, batch := strings.Cut(text, ".")
	n.Suggestion, err = strconv.Atoi(step)
	if err != nil || n.Suggestion < 1 {
		return n, fmt.Errorf("%q is not the number of a %s", text, subject)
	}
	if batch {
		n.Point, err = strconv.Atoi(point)
		if err != nil || n.Point < 1 {
			return n, fmt.Errorf("%q is not a point of a step", text)
		}
	}
	if n.Point == 1 {
		n.Point = 0 // a step of one point
	}
	return n, nil
}

// The words that begin a clause of a correction: values, standard errors, where it was measured, cost.
var clauses = []string{"=", "sd", "at", "cost"}

// parseCorrection reads the correction of a step or a pending point.
func parseCorrection(words []string, reason string) (sentenceChange, error) {
	c := correction{pending: words[0] == "point", reason: reason}
	var err error
	c.name, err = parseStep(words[1], words[0])
	if err != nil {
		return nil, err
	}
	for words = words[2:]; len(words) > 0; {
		begins := words[0]
		if !slices.Contains(clauses, begins) {
			return nil, fmt.Errorf("the step is followed by = and a value, or by sd, at or cost; got %q", begins)
		}
		n := 1
		for n < len(words) && (!slices.Contains(clauses, words[n]) || begins == "at" &&
			(words[n] == "=" || n+1 < len(words) && words[n+1] == "=")) {
			n++ // a variable may have the name of a clause
		}
		if err := c.clause(begins, strings.Join(words[1:n], " ")); err != nil {
			return nil, err
		}
		words = words[n:]
	}
	return c.change, nil
}

func (c *correction) clause(begins, text string) (err error) {
	texts := strings.Split(text, ",")
	switch begins {
	case "=":
		unknown := ""
		if c.pending {
			unknown = "?"
		}
		c.values, err = parseNumbers(texts, unknown)
		return err
	case "sd":
		c.sd, err = parseNumbers(texts, "?")
		return err
	case "cost":
		cost, err := parseNumbers(texts, "")
		if err != nil {
			return err
		}
		if len(cost) != 1 || cost[0] <= 0 {
			return fmt.Errorf("the cost must be one positive number, got %s", text)
		}
		c.cost = cost[0]
		return nil
	}
	c.at = Input{}
	for _, t := range functions.SplitPairs(text) {
		name, value, ok := strings.Cut(t, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return fmt.Errorf("at is followed by name=value, as in at x1=0.4, x2=3; got %q", t)
		}
		c.at[name] = encoding.Typed(value)
	}
	return nil
}

// parseNumbers parses finite numbers; a text that equals unknown is NaN.
func parseNumbers(texts []string, unknown string) ([]float64, error) {
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
