package training

import (
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// stops are the events of the current branch between which Back and Forward move: the start, and every event that is
// not a note, with the notes after it. In a lesson they are its pages and, after the last one, the reader's own events.
// The caller holds the lock.
func (s *Session) stops() []*eventlog.Event {
	path, page := s.rec.PathToTip(), -1
	for i, e := range path {
		if s.rec.IsPage(e) {
			page = i
		}
	}
	var stops []*eventlog.Event
	for i, e := range path {
		if ends := i+1 == len(path) || path[i+1].Kind != recorder.KindNoted; i >= page && ends || i <= page &&
			s.rec.IsPage(e) {
			stops = append(stops, e)
		}
	}
	return stops
}

// ahead counts the stops after the current event. The caller holds the lock.
func (s *Session) ahead() (n int) {
	for _, e := range s.stops() {
		if e.Depth > s.rec.At.Depth {
			n++
		}
	}
	return n
}

// Branch is a path through the tree of a session's events, from the start to an end.
type Branch = recorder.Branch[State]

// Fork starts a branch with a name at the current event; later events stay on the old branch.
func (s *Session) Fork(name string) error {
	return s.rec.Fork(name, func(name string) (any, error) { return forkedData{name}, nil })
}
