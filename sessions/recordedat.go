package sessions

import "time"

// RecordedAt is when an event was recorded, by its ID: that of an iteration is of its suggestion. It is the zero time if
// there is no such event.
func (s *Session) RecordedAt(id string) time.Time {
	s.rec.Lock()
	defer s.rec.Unlock()
	e := s.rec.Tree.Find(id)
	if e == nil {
		return time.Time{}
	}
	return s.rec.Started.Add(e.Elapsed)
}
