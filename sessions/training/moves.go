package training

import (
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// stops are the places of the current branch between which Back and Forward move: the beginning, and every event that
// is no note, with the notes that follow it. A lesson's are its notes and, behind the last of them, the reader's own.
// The caller holds the lock.
func (s *Session) stops() []*eventlog.Event {
	way, page := s.rec.Tip.PathFromRoot(), -1
	for i, e := range way {
		if s.rec.IsPage(e) {
			page = i
		}
	}
	var stops []*eventlog.Event
	for i, e := range way {
		if ends := i+1 == len(way) || way[i+1].Kind != recorder.KindNoted; i >= page && ends || i <= page &&
			s.rec.IsPage(e) {
			stops = append(stops, e)
		}
	}
	return stops
}

// ahead counts the places behind the one where the session stands. The caller holds the lock.
func (s *Session) ahead() (n int) {
	for _, e := range s.stops() {
		if e.Depth > s.rec.At.Depth {
			n++
		}
	}
	return n
}

// Branch is one way through the tree of a session's events, from the start to an end.
type Branch = recorder.Branch[State]

// Fork begins a branch with a name where the session stands; what is recorded ahead stays on the branch before.
func (s *Session) Fork(name string) error {
	return s.rec.Fork(name, func(name string) (any, error) { return forkedData{name}, nil })
}
