package lesson

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// act is an action between two pages, on a session or training S.
type act[S any] struct {
	name, usage string
	minArgs     int // words after the name
	do          func(ctx context.Context, s S, words []string, progress sessions.Progress) error
}

// withoutContext is an action that needs neither a context nor progress.
func withoutContext[S any](do func(s S, words []string) error) func(context.Context, S, []string, sessions.Progress) error {
	return func(_ context.Context, s S, words []string, _ sessions.Progress) error { return do(s, words) }
}

// answerAs is an answer of the user to a pair of outcomes.
func answerAs(says string) func(context.Context, *sessions.Session, []string, sessions.Progress) error {
	return withoutContext(func(s *sessions.Session, words []string) error { return answer(s, words, says) })
}

// actions are the actions of lessons on sessions.
var actions = []act[*sessions.Session]{
	{"page", "page", 0, withoutContext(func(*sessions.Session, []string) error { return nil })},
	{"step", "step N", 1, func(ctx context.Context, s *sessions.Session, words []string,
		progress sessions.Progress) error {
		return repeat(words, func() error { _, err := s.Step(ctx, progress); return err })
	}},
	{"query", "query X … [= VALUE … [sd SE …] [cost C] [because …]]", 1, query},
	{"edit", "edit KEY VALUE", 2, withoutContext(func(s *sessions.Session, words []string) error {
		return s.Edit(words[0], strings.Join(words[1:], " "))
	})},
	{"fork", "fork OPTIMIZER NAME", 2, withoutContext(func(s *sessions.Session, words []string) error {
		return s.Fork(strings.Join(words[1:], " "), words[0])
	})},
	{"goto", "goto STEP", 1, withoutContext(goTo)},
	{"pending", "pending [N]", 0, func(ctx context.Context, s *sessions.Session, words []string,
		progress sessions.Progress) error {
		return repeat(words, func() error { _, err := s.Ask(ctx, progress); return err })
	}},
	{"tell", "tell VALUE … [sd SE …] [cost C] [because …]", 1, withoutContext(tell)},
	{"fail", "fail REASON", 1, withoutContext(fail)},
	{"correct", "correct TEXT", 1, func(ctx context.Context, s *sessions.Session, words []string,
		progress sessions.Progress) error {
		_, err := acts.Sentence(ctx, s, strings.Join(words, " "), progress)
		return err
	}},
	{"prefer", "prefer STEP STEP", 2, answerAs("a")},
	{"tie", "tie STEP STEP", 2, answerAs("tie")},
	{"unsure", "unsure STEP STEP", 2, answerAs("unsure")},
	{"retract", "retract ANSWER", 1, withoutContext(func(s *sessions.Session, words []string) error {
		n, err := parseCount(words[0])
		if err != nil {
			return err
		}
		return s.Retract(n)
	})},
	{"configure", "configure OPTIMIZER [KEY=VALUE …] [over OPTIMIZER [KEY=VALUE …]]", 1, configure},
}

// goTo goes back to a step of the branch; the next act begins a branch there.
func goTo(s *sessions.Session, words []string) error {
	n, err := parseCount(words[0])
	if err != nil {
		return err
	}
	if steps := len(s.State().Iterations); n > steps {
		return fmt.Errorf("there is no step %d: the session has %s", n, numfmt.Count(steps, "step"))
	}
	s.Seek(n)
	return nil
}

// Acts returns the usage of the actions of lessons on sessions, and of lessons on trainings.
func Acts() (onSessions, onLabs []string) {
	for _, a := range actions {
		onSessions = append(onSessions, a.usage)
	}
	for _, a := range trainingActs {
		onLabs = append(onLabs, a.usage)
	}
	return onSessions, onLabs
}

// Do performs an action of a script in a session, without its mark: "step 3", "query 0.4".
func Do(ctx context.Context, s *sessions.Session, act string, progress sessions.Progress) error {
	words := strings.Fields(act)
	a, err := findAct(words, actions)
	if err != nil {
		return err
	}
	return a.do(ctx, s, words[1:], progress)
}

// findAct finds the action that the words begin with.
func findAct[S any](words []string, all []act[S]) (none act[S], err error) {
	if len(words) == 0 || words[0] == "" {
		return none, errors.New("the action is missing")
	}
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.name
		if a.name != words[0] {
			continue
		}
		if len(words)-1 < a.minArgs {
			return none, fmt.Errorf("write it as %q", a.usage)
		}
		return a, nil
	}
	return none, didyoumean.NewUnknownError("act", words[0], names)
}

// maxTimes bounds how often one line repeats an action.
const maxTimes = 10_000

// repeat calls a function as often as the first word says, once without words.
func repeat(words []string, do func() error) error {
	n := 1
	if len(words) > 0 {
		var err error
		n, err = parseCount(words[0])
		if err != nil {
			return err
		}
	}
	for range n {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// parseCount reads a count, or the number of something from 1.
func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxTimes {
		return 0, fmt.Errorf("the number must be a whole number from 1 to %d, got %q", maxTimes, text)
	}
	return n, nil
}

// query evaluates a point, or records a result that the line gives.
func query(ctx context.Context, s *sessions.Session, words []string, progress sessions.Progress) error {
	index := slices.Index(words, "=")
	position := words
	if index >= 0 {
		position = words[:index]
	}
	domain := s.State().Problem.Domain
	if len(position) != len(domain) {
		return fmt.Errorf("a point needs %s, separated by blanks; got %d", numfmt.Count(len(domain), "value"), len(position))
	}
	x := make([]float64, len(position))
	for i, v := range domain {
		var err error
		x[i], err = v.Parse(encoding.Complete(v, position[i]))
		if err != nil {
			return err
		}
	}
	if index < 0 {
		_, err := s.Query(ctx, x)
		return err
	}
	o, err := parseOutcome(words[index+1:])
	if err != nil {
		return err
	}
	_, err = s.Record(sessions.ByPerson, [][]float64{x}, o)
	return err
}

// oldestPending returns the oldest pending point.
func oldestPending(s *sessions.Session) (sessions.Iteration, error) {
	st := s.State()
	if len(st.Pending) == 0 {
		return sessions.Iteration{}, errors.New(`no point is pending: "> pending" suggests one`)
	}
	return st.Pending[0], nil
}

func tell(s *sessions.Session, words []string) error {
	it, err := oldestPending(s)
	if err != nil {
		return err
	}
	o, err := parseOutcome(words)
	if err != nil {
		return err
	}
	_, err = s.Tell(it.ID, o)
	return err
}

func fail(s *sessions.Session, words []string) error {
	it, err := oldestPending(s)
	if err != nil {
		return err
	}
	_, err = s.Tell(it.ID, functions.Outcome{Reason: strings.Join(words, " ")})
	return err
}

// parseOutcome reads a reported result: values (? is unknown), their standard errors, the cost and a note.
func parseOutcome(words []string) (o functions.Outcome, err error) {
	if i := slices.Index(words, "because"); i >= 0 {
		o.Note, words = strings.Join(words[i+1:], " "), words[:i]
	}
	part := "values"
	for _, w := range words {
		if w == "sd" || w == "cost" {
			part = w
			continue
		}
		v, err := strconv.ParseFloat(w, 64)
		switch {
		case w == "?" && part != "cost":
			v, o.Partial = math.NaN(), o.Partial || part == "values"
		case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
			return o, fmt.Errorf("%q is not a finite number; write a result as 41.2, or 41.2 sd 0.5 because the lamp was cold", w)
		}
		switch part {
		case "values":
			o.Values = append(o.Values, v)
		case "sd":
			o.SE = append(o.SE, v)
		case "cost":
			o.Cost = v
		}
	}
	if len(o.Values) == 0 {
		return o, errors.New("the result has no value")
	}
	return o, nil
}

// answer records which of two outcomes is preferred, by their steps; "3.2" is point 2 of the batch of step 3.
func answer(s *sessions.Session, words []string, says string) error {
	var pair [2][2]int
	for i, w := range words[:2] {
		step, point, batch := strings.Cut(w, ".")
		n, err := parseCount(step)
		if err != nil {
			return err
		}
		pair[i][0] = n
		if batch {
			n, err = parseCount(point)
			if err != nil {
				return err
			}
			pair[i][1] = n - 1
		}
	}
	return s.Answer(pair[0], pair[1], says)
}
