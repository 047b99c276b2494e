package acts

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"bandscope/sessions"
)

// HistoryArgs are the arguments of history.
type HistoryArgs struct {
	From int `json:"from,omitempty" bounds:"0..100000000" default:"1" jsonschema:"number of the first one"`
	To   int `json:"to,omitempty" bounds:"0..100000000" jsonschema:"the last event; without it the last one on record"`
}

// Event is something that was recorded.
type Event struct {
	Number int       `json:"number" jsonschema:"from 1, in the order of the record"`
	At     time.Time `json:"at"`
	Kind   string    `json:"kind" jsonschema:"as in the file of the session"`
	About  string    `json:"text,omitempty" jsonschema:"what happened"`
	Step   int       `json:"step" jsonschema:"how many steps were done by then"`
	Branch int       `json:"branch,omitempty" jsonschema:"the number of the branch, from 0"`
	// who recorded it
	By *sessions.Author `json:"by,omitempty" jsonschema:"who recorded it, if that is known"`
}

// HistoryAnswer are events.
type HistoryAnswer struct {
	Events []Event `json:"events"`
	Last   int     `json:"last" jsonschema:"the number of the last event on record"`
}

// Text lists the events, a line each.
func (a HistoryAnswer) Text() string {
	lines := make([]string, len(a.Events))
	for i, e := range a.Events {
		lines[i] = e.Text()
	}
	return textOf(lines...)
}

// History is the act of listing the events on record.
var History = declare(Act{Name: "history", Title: "List the events of all branches, with times and authors",
	Idempotent: true,
	About:      "List the events on record, with times and authors, on all branches."},
	func(_ context.Context, t Turn, a HistoryArgs) (HistoryAnswer, error) {
		list, err := t.Session.Events(max(a.From, 1))
		answer := HistoryAnswer{Events: []Event{}, Last: t.Session.EventCount()}
		for _, e := range list {
			if a.To == 0 || e.Number <= a.To {
				answer.Events = append(answer.Events, newEvent(e))
			}
		}
		return answer, err
	})

// Text is the event as a line: its number, the time and what happened.
func (e Event) Text() string {
	line := fmt.Sprintf("%-4d %s  %s", e.Number, e.At.Local().Format("2006-01-02 15:04:05"), cmp.Or(e.About, e.Kind))
	if e.By != nil {
		line += "  (" + e.By.String() + ")"
	}
	return line
}

func newEvent(e sessions.Event) Event {
	event := Event{Number: e.Number, At: e.At.UTC(), Kind: e.Kind, About: e.Text, Step: e.Step, Branch: e.Branch}
	if e.By.Known() {
		event.By = &e.By
	}
	return event
}

// WatchArgs are the arguments of watch.
type WatchArgs struct {
	From int `json:"from,omitempty" bounds:"0..100000000" jsonschema:"number of the first event; without it the next one"`
}

// WatchAnswer is the end of a watch. Each event before is a line of its own.
type WatchAnswer struct {
	Last int `json:"last" jsonschema:"the number of the last event that was sent"`
}

// Text says up to where the session was watched.
func (a WatchAnswer) Text() string { return fmt.Sprintf("Watched up to event %d.", a.Last) }

// Watch is the act of following a session.
var Watch = declare(Act{Name: "watch", Title: "Follow a session that others write to", Idempotent: true, Waits: true,
	About: "Follow a session: a line for every event from now on, until it is cancelled."}, followEvents)

// followEvents emits the events of a session as they are recorded, by this program or another one, until the context
// ends.
func followEvents(ctx context.Context, t Turn, a WatchArgs) (answer WatchAnswer, err error) {
	if t.Emit == nil {
		return answer, wrong("watch needs a connection that takes several lines; history lists events")
	}
	t.Session.Refresh() // waiting meets the same error
	answer.Last = t.Session.EventCount()
	if a.From > 0 {
		answer.Last = a.From - 1
	}
	if t.Begun != nil {
		t.Begun()
	}
	for {
		err := t.Session.AwaitEvents(ctx, answer.Last)
		if ctx.Err() != nil {
			return answer, nil
		}
		if err != nil {
			return answer, err
		}
		list, err := t.Session.Events(answer.Last + 1)
		if err != nil {
			return answer, err
		}
		for _, e := range list {
			if err := t.Emit(newEvent(e)); err != nil {
				return answer, err
			}
			answer.Last = e.Number
		}
	}
}
