package sessions

import "slices"

// Lesson makes a session a lesson: a record with notes to be read, in which every note is a place.
type Lesson struct {
	Title string   `json:"title"`
	About string   `json:"about"`          // one sentence
	Hide  []string `json:"hide,omitempty"` // what the screen leaves out: parameters, regret, truth
}

// Hides reports whether a lesson leaves a thing out; a nil lesson leaves nothing out.
func (l *Lesson) Hides(what string) bool { return l != nil && slices.Contains(l.Hide, what) }

// Lesson is what makes the session a lesson; nil where it is none.
func (s *Session) Lesson() *Lesson { return s.lesson }
