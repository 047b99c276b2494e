package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/lesson"
	"bandscope/tui/lessonpage"
	"bandscope/tui/widget"
)

// exercise is the exercise of a lesson that the session belongs to.
type exercise struct {
	sheet    *lessonpage.Exercise // nil if the session is no exercise
	goalJobs widget.Jobs          // its goals
}

// hasText reports whether the session always shows a text beside the plot.
func (m *Model) hasText() bool { return m.session.Lesson() != nil || m.sheet != nil }

// Reading returns the progress in the open lesson or exercise, with the name of the lesson; the name is empty for
// other sessions.
func (m *Model) Reading() (title string, r lesson.LessonProgress) {
	switch {
	case m.session.Lesson() != nil:
		return m.Player.Reading()
	case m.sheet != nil && (m.state.Saved || len(m.state.Iterations) > 0):
		return m.sheet.Lesson(), lesson.LessonProgress{
			Exercise: lesson.ExerciseProgress{File: m.state.Path, Begun: m.session.Started(), Done: m.sheet.Done()}}
	}
	return "", lesson.LessonProgress{}
}

// measure measures the goals of the exercise at the current step, in a job of its own.
func (m *Model) measure() tea.Cmd {
	if m.sheet == nil || m.sheet.Measured(m.state.Head) {
		return nil
	}
	sheet, snapshot := m.sheet, m.at
	return m.goalJobs.Start("checking the goals", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		return sheet.Measure(ctx, snapshot)
	})
}

// measureDone takes the measured goals.
func (m *Model) measureDone(msg tea.Msg) tea.Cmd {
	m.goalJobs.Finish()
	switch msg := msg.(type) {
	case lessonpage.MeasuredMsg:
		done, err := m.sheet.Take(msg, m.now())
		if err != nil {
			m.Status.Fail(err)
		} else if done {
			m.Halt()
			m.Notify("exercise done, all goals hold; " + m.onFromExercise())
		}
	case widget.PanicMsg:
		m.Status.Fail(msg)
	}
	return nil
}

// lessonAdvice tells the reader of a lesson which key to press next, if that is not the one for the next page.
func (m *Model) lessonAdvice() string {
	l := m.session.Lesson()
	switch {
	case m.ReadingPosition.Advice() != "":
		return m.ReadingPosition.Advice()
	case l != nil && m.ReadingPosition.End(m.Line):
		if exercise := l.Exercise != nil; exercise || m.noNextLesson() == "" {
			return m.ReadingPosition.LastPage(exercise)
		}
	case m.sheet != nil && !m.sheet.Done().IsZero():
		return "exercise done; " + m.onFromExercise()
	}
	return ""
}

// onFromExercise names the keys that leave a finished exercise.
func (m *Model) onFromExercise() string {
	if m.noNextLesson() != "" {
		return "press enter to return to the lesson"
	}
	return "press enter to return, ctrl+n for the next lesson"
}
