package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/lesson"
	lessonpage "bandscope/tui/lesson"
	"bandscope/tui/widget"
)

// exercise is what the course has of the session that is explored: the task of its exercise.
type exercise struct {
	sheet    *lessonpage.Exercise // nil of what is no exercise
	goalJobs widget.Jobs          // its goals
}

// hasText reports whether a text stands beside the plot for as long as the session is open.
func (m *Model) hasText() bool { return m.session.Lesson() != nil || m.sheet != nil }

// Reading is what is read of the lesson that is open, by the name under which that is kept, or what is done of the
// exercise of one; the name is empty where it is neither.
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

// measure measures the goals of the exercise where the session stands, beside whatever else is computed.
func (m *Model) measure() tea.Cmd {
	if m.sheet == nil || m.sheet.Measured(m.state.Head) {
		return nil
	}
	sheet, at := m.sheet, m.at
	return m.goalJobs.Start("measuring the goals", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		return sheet.Measure(ctx, at)
	})
}

// measureDone takes how far the goals are.
func (m *Model) measureDone(msg tea.Msg) {
	m.goalJobs.Finish()
	switch msg := msg.(type) {
	case lessonpage.MeasuredMsg:
		done, err := m.sheet.Take(msg, m.now())
		if err != nil {
			m.Status.Fail(err)
		} else if done {
			m.Halt()
			m.Notify("the exercise is done: every goal holds; " + m.onFromExercise())
		}
	case widget.PanicMsg:
		m.Say("internal error: "+msg.Reason+"; the session is safe", true)
	}
}

// lessonAdvice tells the reader of a lesson what to press next, where that is not to turn the page.
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
		return "the exercise is done; " + m.onFromExercise()
	}
	return ""
}

// onFromExercise is where the keys lead from an exercise that is done.
func (m *Model) onFromExercise() string {
	if m.noNextLesson() != "" {
		return "enter goes back to the lesson"
	}
	return "enter goes back, ctrl+n goes on"
}
