package sessions

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"bandscope/functions/numfmt"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// History is the record of a branch beyond the state at its end: when iterations were completed, the decisions between
// the points, and the old texts of changed notes.
type History struct {
	CompletedAt map[string]time.Time // when an iteration was complete, by its ID
	Acts        []Act                // in their order
	OldTexts    map[string][]string  // earlier texts of a note, by its ID, the oldest first; only of changed notes
}

// Act is a decision other than a point, and its time.
type Act struct {
	Step int // the iterations done by then
	At   time.Time
	Text string
	By   Author // who decided; zero if unknown
}

// History is the history of the current branch, also of its events ahead.
func (s *Session) History() (History, error) {
	s.rec.Lock()
	defer s.rec.Unlock()
	h := History{CompletedAt: map[string]time.Time{}, OldTexts: s.rec.OldTexts()}
	for _, e := range s.rec.PathToTip()[1:] {
		st, err := s.rec.Fold(e)
		if err != nil {
			return History{}, err
		}
		moment := s.rec.Started.Add(e.Elapsed)
		switch e.Kind {
		case kindSuggested, recorder.KindNoted:
		case kindMeasured:
			before, err := s.rec.Fold(e.Parent)
			if err != nil {
				return History{}, err
			}
			if text := describeReplaced(*before, e); text != "" {
				h.Acts = append(h.Acts, Act{Step: len(st.Iterations), At: moment, Text: text, By: e.By})
			}
		case kindObserved:
			h.CompletedAt[st.Iterations[len(st.Iterations)-1].ID] = moment
		default:
			if text, _ := describeDecision(*st, e); text != "" {
				h.Acts = append(h.Acts, Act{Step: len(st.Iterations), At: moment, Text: text, By: e.By})
			}
		}
	}
	return h, nil
}

// describeReplaced describes the partial result of a point that an event replaces; empty for an event that replaces
// nothing.
func describeReplaced(before State, e *eventlog.Event) string {
	var d measuredData
	if json.Unmarshal(e.Data, &d) != nil || !d.Instead {
		return ""
	}
	i := len(before.Pending) - 1
	if d.Of != "" {
		i = before.pendingIndex(d.Of)
	}
	if i < 0 {
		return ""
	}
	it, stood := before.Pending[i], "nothing"
	if it.HasResults() {
		var texts []string
		for k, o := range before.Problem.Outputs() {
			if y := it.Points[d.Point].Y[k]; !math.IsNaN(y) {
				texts = append(texts, o.Name+" = "+numfmt.Exact(y))
			}
		}
		stood = strings.Join(texts, ", ")
	}
	return fmt.Sprintf("the result of point %d is replaced; it was %s%s", it.Number, stood, because(d.Reason))
}

// SnapshotBefore is where a suggestion of the session was made: the state before, with nothing out but its own points.
func (s *Session) SnapshotBefore(m Suggestion) Snapshot {
	st := m.Before
	st.Pending = []Iteration{m.Iteration}
	s.rec.Lock()
	defer s.rec.Unlock()
	return Snapshot{s, st, s.rec.Timeline()}
}

// Event is a line of the record of a session, for people and programs.
type Event struct {
	ID     string
	Number int // of the line of the record, from 1; the header is line 0
	At     time.Time
	Kind   string // as in the file
	Text   string // what happened, in the problem's units
	Step   int    // how many iterations were complete by then
	Branch int    // from 0
	By     Author // zero if unknown
}

// Events lists the events of all branches from a number on, in the order in which they were recorded.
func (s *Session) Events(from int) ([]Event, error) {
	s.rec.Lock()
	defer s.rec.Unlock()
	var list []Event
	for i, e := range s.rec.Tree.Events() {
		if i < max(from, 1) {
			continue
		}
		if e.IsMark() {
			list = append(list, Event{ID: e.ID, Number: i, At: s.rec.Started.Add(e.Elapsed), Kind: e.Kind,
				By: e.By})
			continue
		}
		st, err := s.rec.Fold(e)
		if err != nil {
			return nil, err
		}
		text, _ := describeDecision(*st, e)
		if text == "" {
			text = describeResult(*st, e)
		}
		list = append(list, Event{ID: e.ID, Number: i, At: s.rec.Started.Add(e.Elapsed), Kind: e.Kind,
			Text: text, Step: len(st.Iterations), Branch: e.Branch(), By: e.By})
	}
	return list, nil
}

// EventCount is the number of the last event.
func (s *Session) EventCount() int {
	_, n := s.Lines(math.MaxInt)
	return n - 1
}

// describeResult describes an event that decides nothing: a result, a part of one, or a note.
func describeResult(st State, e *eventlog.Event) string {
	switch e.Kind {
	case kindObserved:
		it := st.Iterations[len(st.Iterations)-1]
		parts := make([]string, len(it.Points))
		for i, pt := range it.Points {
			parts[i] = numfmt.ExactList(pt.Y)
			if pt.Failed {
				parts[i] = strings.TrimSpace("failed " + pt.Reason)
			}
		}
		return fmt.Sprintf("step %d: the result of point %d is %s", it.Step, it.Number, strings.Join(parts, "; "))
	case kindMeasured:
		return "a part of a result is reported"
	case recorder.KindNoted:
		var d struct {
			Text string
			Mark bool
		}
		if json.Unmarshal(e.Data, &d) != nil {
			return ""
		}
		if d.Text == "" {
			return "the step is marked"
		}
		return "note: " + recorder.FirstLine(d.Text)
	}
	return ""
}
