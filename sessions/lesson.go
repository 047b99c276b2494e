package sessions

import "slices"

// Lesson makes a session a lesson: a record with notes to be read, in which every note is a place.
type Lesson struct {
	Title    string    `json:"title"`
	About    string    `json:"about"`          // one sentence
	Part     string    `json:"part,omitempty"` // of the course, a heading in its list
	Hide     []string  `json:"hide,omitempty"` // what the screen leaves out, of Hideable
	Axes     Axes      `json:"axes,omitempty"` // that all pages share, of SessionAxes or TrainingAxes
	Exercise *Exercise `json:"exercise,omitempty"`
	Script   string    `json:"script,omitempty"` // that it was performed of, by the digest of its text

	Name string `json:"-"` // by which it is opened: of a built-in lesson its own, of a file that is only read the path
}

// Hideable are what a lesson can leave out.
var Hideable = []string{"parameters", "regret", "truth", "weights", "acquisition"}

// Hides reports whether a lesson leaves a thing out; a nil lesson leaves nothing out.
func (l *Lesson) Hides(what string) bool { return l != nil && slices.Contains(l.Hide, what) }

// SharedAxes returns the axes that all pages share; a nil lesson has none.
func (l *Lesson) SharedAxes() Axes {
	if l == nil {
		return nil
	}
	return l.Axes
}

// Exercise is what the reader of a lesson does in the end: a session of their own, begun on another configuration, with
// a task.
type Exercise struct {
	Task
	Config Config `json:"config"`
}

// Task is what is to be reached in a session.
type Task struct {
	Lesson string `json:"lesson,omitempty"` // whose exercise it is, by its name; empty in the lesson itself
	Text   string `json:"text"`             // Markdown
	// each a quantity of the picture, one of = < > and a number; all are to hold at once
	Goals []string `json:"goals"`
	Hide  []string `json:"hide,omitempty"` // what the screen leaves out, of Hideable; only acquisition has an effect
}

// Hides reports whether a task leaves a thing out; a nil task leaves nothing out.
func (t *Task) Hides(what string) bool { return t != nil && slices.Contains(t.Hide, what) }

// Lesson is what makes the session a lesson; nil where it is none.
func (s *Session) Lesson() *Lesson { return s.lesson }

// Task is what is to be reached in the session; nil where nothing is.
func (s *Session) Task() *Task { return s.task }

// WithLesson makes a session a lesson.
func WithLesson(l *Lesson) Option { return func(s *Session) { s.lesson = l } }

// WithTask gives a session a task.
func WithTask(t *Task) Option { return func(s *Session) { s.task = t } }
