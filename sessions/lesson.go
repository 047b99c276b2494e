package sessions

import "slices"

// Lesson makes a session a lesson: a record whose notes are pages.
type Lesson struct {
	Title    string    `json:"title"`
	About    string    `json:"about"`          // one sentence
	Part     string    `json:"part,omitempty"` // of the course, a heading in its list
	Hide     []string  `json:"hide,omitempty"` // the hidden parts of the screen, of Hideable
	Axes     Axes      `json:"axes,omitempty"` // shared by all pages; of SessionAxes or TrainingAxes
	Exercise *Exercise `json:"exercise,omitempty"`
	Script   string    `json:"script,omitempty"` // digest of the script that the lesson was made of

	Name string `json:"-"` // of a built-in lesson, or the path of a file
}

// Hideable are the parts of the screen that a lesson can hide.
var Hideable = []string{"parameters", "regret", "truth", "weights", "acquisition"}

// Hides reports whether a lesson hides a part of the screen; a nil lesson hides nothing.
func (l *Lesson) Hides(subject string) bool { return l != nil && slices.Contains(l.Hide, subject) }

// SharedAxes returns the axes that all pages share; a nil lesson has none.
func (l *Lesson) SharedAxes() Axes {
	if l == nil {
		return nil
	}
	return l.Axes
}

// Exercise is the exercise of a lesson: a task in a session with its own configuration.
type Exercise struct {
	Task
	Config Config `json:"config"`
}

// Task is a text with goals to reach in a session.
type Task struct {
	Lesson string `json:"lesson,omitempty"` // name of the lesson; empty in the lesson itself
	Text   string `json:"text"`             // Markdown
	// a quantity of the picture, one of = < > and a number; all must hold at the same time
	Goals []string `json:"goals"`
	Hide  []string `json:"hide,omitempty"` // of Hideable; only acquisition has an effect
}

// Hides reports whether a task hides a part of the screen; a nil task hides nothing.
func (t *Task) Hides(subject string) bool { return t != nil && slices.Contains(t.Hide, subject) }

// Lesson returns the lesson of the session; nil if it is not a lesson.
func (s *Session) Lesson() *Lesson { return s.lesson }

// Task returns the task of the session; nil if it has none.
func (s *Session) Task() *Task { return s.task }

// WithLesson makes a session a lesson.
func WithLesson(l *Lesson) Option { return func(s *Session) { s.lesson = l } }

// WithTask gives a session a task.
func WithTask(t *Task) Option { return func(s *Session) { s.task = t } }
