package sessions

import (
	"slices"

	"bandscope/sessions/eventlog"
)

// stops are the stops of the current branch: every event after which an iteration begins, and the tip. Back and Forward
// move between them, so that an edit after an iteration belongs to the next stop. An iteration begins with its
// suggestion if nothing else is pending, and otherwise with its result. The stops of a lesson are its notes and, after
// the last one, the reader's own steps.
func (s *Session) stops() []*eventlog.Event {
	if s.setup.config.Playground {
		return s.playgroundStops()
	}
	var stops []*eventlog.Event
	events, page := s.rec.PathToTip(), -1
	for i, e := range events {
		if s.rec.IsPage(e) {
			page = i
		}
	}
	out, asked := 0, false // the number of pending suggestions, and whether the last one was made after all reports
	for i, e := range events {
		begins := false
		switch e.Kind {
		case kindSuggested:
			begins = !asked
			asked = true
			out = out + 1
		case kindObserved:
			begins = !asked || out > 1
			asked = false
			out = out - 1
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

// lastCompleteEvent is the last event, up to e, at which no pending point is complete: the last report of a point, or a
// change of objectives, and the observation that follows from it are recorded together, and there is no stop between
// them.
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
