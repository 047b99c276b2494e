package sessions

import "slices"

// Place is one of the places of a branch between which Back and Forward move.
type Place struct {
	Step int    // the iterations done there
	Note string // the first line of what is written there
	Mark bool   // it is marked
	Ask  bool   // the reader is asked where to query
	Fork bool   // another branch leaves there
}

// Timeline is the current branch from its beginning to its end.
type Timeline struct {
	Places []Place
	At     int // where the session stands, or the last place before that
}

// Timeline tells the places of the current branch.
func (s *Session) Timeline() Timeline {
	s.mu.Lock()
	defer s.mu.Unlock()
	stops := s.stops()
	t := Timeline{Places: make([]Place, 0, len(stops))}
	forks := s.forks()
	p := Place{}
	for _, e := range chain(s.tip) {
		d := s.noteOn(e)
		p.Mark, p.Ask = p.Mark || d.Mark, p.Ask || d.Ask
		if p.Note == "" {
			p.Note = firstLine(d.Text)
		}
		if i := len(t.Places); i < len(stops) && stops[i] == e {
			p.Step = s.iterationsAt(e)
			p.Fork = slices.Contains(forks, p.Step)
			if e.depth <= s.at.depth {
				t.At = i
			}
			t.Places = append(t.Places, p)
			p = Place{}
		}
	}
	return t
}

// GoTo goes to a place of the timeline, by its number from 0.
func (s *Session) GoTo(place int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stops := s.stops()
	s.stand(stops[min(max(place, 0), len(stops)-1)])
}
