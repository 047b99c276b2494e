package sessions

import "time"

// SuggestionTime is one suggestion of a branch.
type SuggestionTime struct {
	ID string // as of its Iteration
	At time.Time
}

// SuggestionTimes lists the suggestions on the current branch, those that were rejected among them, in the order in
// which they were made: the first is Number 1.
func (s *Session) SuggestionTimes() []SuggestionTime {
	s.rec.Lock()
	defer s.rec.Unlock()
	var list []SuggestionTime
	for _, e := range s.rec.Tip.PathFromRoot() {
		if e.Kind == kindSuggested {
			list = append(list, SuggestionTime{ID: e.ID, At: s.rec.Started.Add(e.Elapsed)})
		}
	}
	return list
}
