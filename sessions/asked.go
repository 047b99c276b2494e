package sessions

import "time"

// Asked is one suggestion of a branch.
type Asked struct {
	ID string // as of its Iteration
	At time.Time
}

// Asked lists the suggestions on the current branch, those that were rejected among them, in the order in which they
// were made: the first is Number 1.
func (s *Session) Asked() []Asked {
	s.rec.Lock()
	defer s.rec.Unlock()
	var list []Asked
	for _, e := range s.rec.Tip.Way() {
		if e.Kind == kindSuggested {
			list = append(list, Asked{ID: e.ID, At: s.rec.Started.Add(e.Elapsed)})
		}
	}
	return list
}
