package lessonpage

import (
	"context"
	"errors"
	"fmt"

	"bandscope/sessions"
)

// Goal is a claim that must become true in a session, about its picture in the smallest window.
type Goal struct {
	Claim string  `json:"claim"` // "regret < 0.1"
	Words string  `json:"text"`  // the same in words
	Now   float64 `json:"value"` // the value; 0 if it is unknown
	Known bool    `json:"known"` // it can be measured now
	Holds bool    `json:"holds"`
}

// ProgressText describes the state of the goal: "holds (0.03)", "now 0.34", "not known yet".
func (g Goal) ProgressText() string {
	switch {
	case g.Holds:
		return fmt.Sprintf("holds (%.4g)", g.Now)
	case g.Known:
		return fmt.Sprintf("now %.4g", g.Now)
	}
	return "not known yet"
}

// Merge merges two goals that bound the same quantity from both sides, "between 5 and 9"; ok is false if they do not.
func (g Goal) Merge(other Goal) (both Goal, ok bool) {
	above, err := parse(g.Claim)
	below, wrong := parse(other.Claim)
	if err != nil || wrong != nil || above.name != below.name {
		return g, false
	}
	if above.operator == "<" {
		above, below = below, above
	}
	if above.operator != ">" || below.operator != "<" {
		return g, false
	}
	both = g
	both.Words = fmt.Sprintf("%s between %g and %g", quantities[above.name].about, above.threshold, below.threshold)
	both.Holds = g.Holds && other.Holds
	return both, true
}

// AllReached reports whether all goals hold; none are never reached.
func AllReached(goals []Goal) bool {
	for _, g := range goals {
		if !g.Holds {
			return false
		}
	}
	return len(goals) > 0
}

// taskLesson is the lesson of a task: a task is as wide as a page.
var taskLesson = &sessions.Lesson{}

// Goals returns the goals of a task, before they are measured. The error names a goal that cannot be measured.
func Goals(task *sessions.Task) ([]Goal, error) {
	goals := make([]Goal, len(task.Goals))
	for i, text := range task.Goals {
		c, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("the goal %s: %w", text, err)
		}
		goals[i] = Goal{Claim: text, Words: fmt.Sprintf("%s %s %g", quantities[c.name].about, c.operator, c.threshold)}
	}
	return goals, nil
}

// Measure measures the goals of a task at a snapshot; it fails if one can never be measured there. It fits the model if
// that was not done before, which takes time.
func Measure(ctx context.Context, snapshot sessions.Snapshot, task *sessions.Task) ([]Goal, error) {
	goals, err := Goals(task)
	if err != nil {
		return nil, err
	}
	p, err := draw(ctx, snapshot, taskLesson, nil)
	if err != nil {
		return nil, err
	}
	for i := range goals {
		c, err := parse(goals[i].Claim)
		if err != nil {
			return nil, err
		}
		switch got, err := p.measure(c.name); {
		case err == nil:
			goals[i].Now = got
			goals[i].Known = true
			goals[i].Holds = c.holds(got)
		case !errors.Is(err, errNotKnown):
			return nil, fmt.Errorf("the goal %s: %w", goals[i].Claim, err)
		}
	}
	return goals, nil
}
