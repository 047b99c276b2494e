package sessions

import (
	"slices"

	"bandscope/sessions/eventlog"
)

// stops are those of the current branch: every event after which an iteration begins, and the tip. They are what Back
// and Forward move between, so that an edit made after an iteration belongs to the stop behind it. An iteration begins
// with what is to be evaluated if nothing else is out, and otherwise with what came of it. A lesson's stops are its
// notes and, behind the last of them, the reader's own steps.
func (s *Session) stops() []*eventlog.Event {
	var stops []*eventlog.Event
	events, page := s.rec.Tip.PathFromRoot(), -1
	for i, e := range events {
		if s.rec.IsPage(e) {
			page = i
		}
	}
	out, asked := 0, false // how many are out, and whether the last of them went out after everything that was told
	for i, e := range events {
		begins := false
		switch e.Kind {
		case kindSuggested:
			begins, asked, out = !asked, true, out+1
		case kindObserved:
			begins, asked, out = !asked || out > 1, false, out-1
		case kindRejected:
			asked, out = false, out-1
		}
		switch {
		case i < page && !s.rec.IsPage(e):
		case begins:
			if before := s.lastCompleteEvent(e.Parent); len(stops) == 0 || stops[len(stops)-1] != before {
				stops = append(stops, before)
			}
		case s.rec.IsPage(e) && e != s.rec.Tip:
			stops = append(stops, e)
		}
	}
	if s.rec.Tip.Kind != kindSuggested || out > 1 { // a single suggestion without observation is no stop of its own
		stops = append(stops, s.rec.Tip)
	}
	return stops
}

// lastCompleteEvent is the last place up to an event at which nothing is out that lacks nothing: what was told last of
// a point, or other objectives, and the observation that this completed, were recorded at once, and between them nobody
// stands.
func (s *Session) lastCompleteEvent(e *eventlog.Event) *eventlog.Event {
	for ; e.Kind == kindMeasured || e.Kind == kindDeclared || e.Kind == kindObserved; e = e.Parent {
		if st, err := s.rec.Fold(e); err != nil || !slices.ContainsFunc(st.Pending, Iteration.complete) {
			break
		}
	}
	return e
}

// ahead counts the iterations that are recorded after the current place on its branch.
func (s *Session) ahead() int {
	n := 0
	for e := s.rec.Tip; e != nil && e != s.rec.At; e = e.Parent {
		if e.Kind == kindObserved {
			n++
		}
	}
	return n
}
