package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// maxFollow bounds how often an act is computed again because other programs recorded meanwhile.
const maxFollow = 30

// follow does an act that is computed in the present state, of which it returns the last event, and that fails with
// recorder.ErrMoved if the session has moved before it is recorded. If only other programs have moved it, by what they
// recorded, follow does the act again in the new state.
func (s *Session) follow(ctx context.Context, act func() (head string, err error)) error {
	for n := 1; ; n++ {
		if err := s.Refresh(); err != nil {
			return err
		}
		head, err := act()
		if !errors.Is(err, recorder.ErrMoved) || ctx.Err() != nil || n == maxFollow {
			return err
		}
		s.rec.Lock()
		others := s.rec.MovedByOthers(head)
		s.rec.Unlock()
		if !others {
			return err
		}
	}
}

// TakeOver makes this program evaluate the pending points that others asked for while the session was open here, as it
// does with those that were pending before: the others have ended, or were killed. It returns how many points that are.
func (s *Session) TakeOver() (count int) {
	s.rec.Lock()
	defer s.rec.Unlock()
	if s.takenOver == nil {
		s.takenOver = map[string]bool{}
	}
	for _, it := range s.snapshot().Pending {
		if it.Foreign {
			s.takenOver[it.ID] = true
			count += len(it.pendingPoints())
		}
	}
	return count
}

// Arrival is an act of another program.
type Arrival struct {
	By   Author // zero if unknown
	Text string // what the author did, as in "reported point 7"
}

// String is a short sentence: "ann via pipe reported point 7".
func (a Arrival) String() string {
	if !a.By.Known() {
		return "another program " + a.Text
	}
	return a.By.String() + " " + a.Text
}

// Arrivals are the acts that other programs have recorded on the current branch since Arrivals was called last, the
// newest last.
func (s *Session) Arrivals() (list []Arrival) {
	s.rec.Lock()
	defer s.rec.Unlock()
	for _, e := range s.rec.Arrivals() {
		st, err := s.rec.Fold(e)
		if err != nil {
			continue
		}
		if text := arrivalText(*st, e); text != "" && !slices.Contains(list, Arrival{e.By, text}) {
			list = append(list, Arrival{e.By, text})
		}
	}
	return list
}

// arrivalText says what an event did, after which the state is st; empty for events that follow from others.
func arrivalText(st State, e *eventlog.Event) string {
	switch e.Kind {
	case kindSuggested:
		return fmt.Sprintf("asked for point %d", st.Pending[len(st.Pending)-1].Number)
	case kindObserved:
		return fmt.Sprintf("reported point %d", st.Iterations[len(st.Iterations)-1].Number)
	case kindMeasured:
		return "reported a part of a result"
	case kindRejected:
		return "discarded a point"
	case recorder.KindNoted, eventlog.KindAnnotated:
		return "wrote a note"
	case recorder.KindForked:
		return fmt.Sprintf("started the branch %q", st.Branch)
	case kindRanged:
		return ""
	}
	return "changed the session"
}
