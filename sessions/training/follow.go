package training

import (
	"fmt"
	"slices"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Arrivals are the acts that other programs have recorded on the current branch since Arrivals was called last, the
// newest last.
func (s *Session) Arrivals() (list []sessions.Arrival) {
	s.rec.Lock()
	defer s.rec.Unlock()
	for _, e := range s.rec.Arrivals() {
		st, err := s.rec.Fold(e)
		if err != nil {
			continue
		}
		text := "changed the session"
		switch e.Kind {
		case kindTrained:
			text = fmt.Sprintf("trained to update %d", st.Step)
		case recorder.KindNoted, eventlog.KindAnnotated:
			text = "wrote a note"
		}
		if a := (sessions.Arrival{By: e.By, Text: text}); !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return list
}
