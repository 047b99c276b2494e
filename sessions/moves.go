package sessions

import (
	"slices"

	"bandscope/sessions/log"
)

// stops are those of the current branch: every event after which an iteration begins, and the tip. They are what Back and Forward
// move between, so that an edit made after an iteration belongs to the stop behind it. An iteration begins with what is to be evaluated if nothing else is
// out, and otherwise with what came of it. A lesson's stops are its notes and, behind the last of them, the reader's own steps.
func (s *Session) stops() []*log.Event {
	var stops []*log.Event
	events, page := s.tip.Way(), -1
	for i, e := range events {
		if s.paged(e) {
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
		case i < page && !s.paged(e):
		case begins:
			if before := s.settled(e.Parent); len(stops) == 0 || stops[len(stops)-1] != before {
				stops = append(stops, before)
			}
		case s.paged(e) && e != s.tip:
			stops = append(stops, e)
		}
	}
	if s.tip.Kind != kindSuggested || out > 1 { // a single suggestion without observation is no stop of its own
		stops = append(stops, s.tip)
	}
	return stops
}

// paged reports whether an event is a page of the lesson: a note that was not withdrawn, or one that was written on it later.
func (s *Session) paged(e *log.Event) bool {
	if a, written := s.annotated[e.ID]; written {
		return s.lesson != nil && a.Text != ""
	}
	return s.lesson != nil && e.Kind == kindNoted
}

// settled is the last place up to an event at which nothing is out that lacks nothing: what was told last of a point, or other objectives, and the
// observation that this completed, were recorded at once, and between them nobody stands.
func (s *Session) settled(e *log.Event) *log.Event {
	for ; e.Kind == kindMeasured || e.Kind == kindDeclared || e.Kind == kindObserved; e = e.Parent {
		if st, err := s.folds.at(e); err != nil || !slices.ContainsFunc(st.Out, Iteration.complete) {
			break
		}
	}
	return e
}

// ahead counts the iterations that are recorded after the current place on its branch.
func (s *Session) ahead() int {
	n := 0
	for e := s.tip; e != nil && e != s.at; e = e.Parent {
		if e.Kind == kindObserved {
			n++
		}
	}
	return n
}

// Back goes to the stop before the last iteration; false if there is none.
func (s *Session) Back() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var before *log.Event
	for _, e := range s.stops() {
		if e.Depth < s.at.Depth {
			before = e
		}
	}
	return before != nil && s.stand(before) == nil
}

// Forward goes to the stop after the next recorded iteration of this branch; false if there is none.
func (s *Session) Forward() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.forward()
}

func (s *Session) forward() bool {
	for _, e := range s.stops() {
		if e.Depth > s.at.Depth {
			return s.stand(e) == nil
		}
	}
	return false
}

// First goes to the stop before the first iteration.
func (s *Session) First() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stand(s.stops()[0])
}

// Last goes to the end of the current branch.
func (s *Session) Last() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stand(s.tip)
}

// Seek goes to the last stop after so many iterations on the current branch, or as far as it goes.
func (s *Session) Seek(step int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stops := s.stops()
	to := stops[0]
	for _, e := range stops[1:] {
		if s.folds.iterations(e) > step {
			break
		}
		to = e
	}
	s.stand(to)
}

// GoTo goes to a stop of the timeline, by its number from 0.
func (s *Session) GoTo(stop int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stops := s.stops()
	s.stand(stops[min(max(stop, 0), len(stops)-1)])
}
