package sessions

import "slices"

// Stop is one of the places on a branch between which Back and Forward move.
type Stop struct {
	Step int    // the iterations done there
	Note string // the first line of what is written there
	Mark bool   // it is marked
	Ask  bool   // the reader is asked where to query
	Fork bool   // another branch leaves there
}

// Timeline is the current branch from its beginning to its end.
type Timeline struct {
	Stops []Stop
	At    int // where the session stands, or the last stop before that
}

// timeline tells the stops of the current branch. The caller holds the lock.
func (s *Session) timeline() Timeline {
	stops := s.stops()
	t := Timeline{Stops: make([]Stop, 0, len(stops))}
	forks := s.forks()
	p := Stop{}
	for _, e := range chain(s.tip) {
		d := s.noteOn(e)
		p.Mark, p.Ask = p.Mark || d.Mark, p.Ask || d.Ask
		if p.Note == "" {
			p.Note = firstLine(d.Text)
		}
		if i := len(t.Stops); i < len(stops) && stops[i] == e {
			p.Step = s.iterationsAt(e)
			p.Fork = slices.Contains(forks, p.Step)
			if e.depth <= s.at.depth {
				t.At = i
			}
			t.Stops = append(t.Stops, p)
			p = Stop{}
		}
	}
	return t
}

// GoTo goes to a stop of the timeline, by its number from 0.
func (s *Session) GoTo(stop int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stops := s.stops()
	s.stand(stops[min(max(stop, 0), len(stops)-1)])
}
