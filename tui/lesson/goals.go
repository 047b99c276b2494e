package lesson

import (
	"context"
	"errors"
	"fmt"

	"bandscope/sessions"
)

// Goal is a claim that is to become true in a session: of what is drawn of it in the smallest window.
type Goal struct {
	Claim string  `json:"claim"` // as it is written: "regret < 0.1"
	Words string  `json:"words"` // the same in words
	Now   float64 `json:"now"`   // the quantity as it is; 0 of what is not known
	Known bool    `json:"known"` // it can be measured now
	Holds bool    `json:"holds"`
}

// ProgressText is how far it is: "holds (0.03)", "now 0.34", "not known yet".
func (g Goal) ProgressText() string {
	switch {
	case g.Holds:
		return fmt.Sprintf("holds (%.4g)", g.Now)
	case g.Known:
		return fmt.Sprintf("now %.4g", g.Now)
	}
	return "not known yet"
}

// Merge is one goal of two that bound the same quantity from both sides, in words "between 5 and 9"; ok is false where
// they do not.
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

// taskLesson stands for the lesson where a task is shown, which has as much room as a page.
var taskLesson = &sessions.Lesson{}

// Goals are the goals of a task before anything is measured. The error says which of them cannot be.
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

// Measure measures the goals of a task where a session stands; that one can never be measured there is an error. What
// takes long is the belief, which is fitted for it where nobody did before.
func Measure(ctx context.Context, at sessions.Snapshot, task *sessions.Task) ([]Goal, error) {
	goals, err := Goals(task)
	if err != nil {
		return nil, err
	}
	p, err := draw(ctx, at, taskLesson, nil)
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
			goals[i].Now, goals[i].Known, goals[i].Holds = got, true, c.holds(got)
		case !errors.Is(err, errNotKnown):
			return nil, fmt.Errorf("the goal %s: %w", goals[i].Claim, err)
		}
	}
	return goals, nil
}
