package acts

import (
	"context"
	"fmt"
	"time"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// HistoryArgs are the arguments of history.
type HistoryArgs struct {
	From int `json:"from,omitempty" bounds:"0..100000000" default:"1" jsonschema:"the first event, by its number"`
	To   int `json:"to,omitempty" bounds:"0..100000000" jsonschema:"the last event; without it the last one on record"`
}

// Event is something that was recorded.
type Event struct {
	Number int       `json:"number" jsonschema:"from 1, in the order of the record"`
	At     time.Time `json:"at"`
	Kind   string    `json:"kind" jsonschema:"as in the file of the session"`
	Text   string    `json:"text,omitempty" jsonschema:"what happened"`
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

// Sentence counts the events, and describes the last one.
func (a HistoryAnswer) Sentence() string {
	text := fmt.Sprintf("%s of %d.", numfmt.Count(len(a.Events), "event"), a.Last)
	if n := len(a.Events); n > 0 && a.Events[n-1].Text != "" {
		text += " The last one: " + a.Events[n-1].Text + "."
	}
	return text
}

// History is the act of listing the events on record.
var History = declare(Act{Name: "history", Idempotent: true,
	About: "List the events on record, with times and authors, on all branches."},
	func(_ context.Context, t Turn, a HistoryArgs) (HistoryAnswer, error) { return HistoryOf(t.Session, a) })

// HistoryOf lists the events of a session.
func HistoryOf(s *sessions.Session, a HistoryArgs) (HistoryAnswer, error) {
	list, err := s.Events(a.From)
	answer := HistoryAnswer{Events: []Event{}, Last: s.EventCount()}
	for _, e := range list {
		if a.To == 0 || e.Number <= a.To {
			answer.Events = append(answer.Events, newEvent(e))
		}
	}
	return answer, err
}

func newEvent(e sessions.Event) Event {
	of := Event{Number: e.Number, At: e.At.UTC(), Kind: e.Kind, Text: e.Text, Step: e.Step, Branch: e.Branch}
	if e.By.Known() {
		of.By = &e.By
	}
	return of
}

// WatchArgs are the arguments of watch.
type WatchArgs struct {
	From int `json:"from,omitempty" bounds:"0..100000000" jsonschema:"the first event, by its number; without it the next one"`
}

// WatchAnswer is the end of a watch. Each event before is a line of its own.
type WatchAnswer struct {
	Last int `json:"last" jsonschema:"the number of the last event that was sent"`
}

// Sentence says up to where the session was watched.
func (a WatchAnswer) Sentence() string { return fmt.Sprintf("Watched up to event %d.", a.Last) }

// watchEvery is how often a watched session is looked at.
const watchEvery = 100 * time.Millisecond

// Watch is the act of following a session.
var Watch = declare(Act{Name: "watch", Idempotent: true, Waits: true,
	About: "Follow a session: a line for every event from now on, until it is cancelled."},
	func(ctx context.Context, t Turn, a WatchArgs) (WatchAnswer, error) {
		if t.Emit == nil {
			return WatchAnswer{}, wrong("watch needs a connection that takes several lines; history lists events")
		}
		return FollowEvents(ctx, a, t, func(from int) ([]sessions.Event, int, error) {
			n := t.Session.EventCount()
			if n < from {
				return nil, n, nil
			}
			list, err := t.Session.Events(from)
			return list, n, err
		})
	})

// FollowEvents emits events as they are recorded, until the context ends. read returns the events from a number on, and
// the number of the last one on record.
func FollowEvents(ctx context.Context, a WatchArgs, t Turn,
	read func(from int) ([]sessions.Event, int, error)) (answer WatchAnswer, err error) {
	next := a.From
	if next == 0 {
		_, last, err := read(1 << 30)
		if err != nil {
			return answer, err
		}
		next = last + 1
	}
	if t.Begun != nil {
		t.Begun()
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		list, last, err := read(next)
		if err != nil {
			return answer, err
		}
		for _, e := range list {
			if err := t.Emit(newEvent(e)); err != nil {
				return answer, err
			}
		}
		next, answer.Last = max(next, last+1), last
		select {
		case <-ctx.Done():
			return answer, nil
		case <-tick.C:
		}
	}
}
