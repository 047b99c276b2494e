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
	for _, e := range s.rec.Tip.PathFromRoot()[1:] {
		st, err := s.rec.Fold(e)
		if err != nil {
			return History{}, err
		}
		at := s.rec.Started.Add(e.Elapsed)
		switch e.Kind {
		case kindSuggested, recorder.KindNoted:
		case kindMeasured:
			before, err := s.rec.Fold(e.Parent)
			if err != nil {
				return History{}, err
			}
			if text := describeReplaced(*before, e); text != "" {
				h.Acts = append(h.Acts, Act{Step: len(st.Iterations), At: at, Text: text, By: e.By})
			}
		case kindObserved:
			h.CompletedAt[st.Iterations[len(st.Iterations)-1].ID] = at
		default:
			if text, _ := describeDecision(*st, e); text != "" {
				h.Acts = append(h.Acts, Act{Step: len(st.Iterations), At: at, Text: text, By: e.By})
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
		var told []string
		for k, o := range before.Problem.Outputs() {
			if y := it.Points[d.Point].Y[k]; !math.IsNaN(y) {
				told = append(told, o.Name+" = "+numfmt.Exact(y))
			}
		}
		stood = strings.Join(told, ", ")
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
