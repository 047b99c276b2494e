package explore

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/results"
	"bandscope/tui/lesson"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// actCommands do something with the session, or go elsewhere.
func actCommands() []command {
	return append([]command{
		unless((*Model).noEnter, widget.Bind("enter", "results", "enter"), (*Model).enter).
			Long("enter what came of the points that are out, where a person evaluates; from the last page of a " +
				"lesson go to its exercise, and back"),
		unless((*Model).noNextLesson, lesson.NextKey, (*Model).nextLesson).Long(lesson.NextAbout),
		unless((*Model).wouldRevealAnswer, widget.Bind("c", "compare", "c"), func(m *Model) tea.Cmd {
			return m.Leave(widget.Compare{})
		}).Long("compare methods on the same data"),
		can(widget.Bind("o", "open", "o"), func(m *Model) tea.Cmd {
			return m.Leave(widget.Open{From: m.state.Config, Lessons: m.session.Lesson() != nil})
		}).Long("another function, method, seed, noise or budget, a saved session, a comparison, a lesson"),
		can(widget.Bind("X", "experiment of your own", "X"), func(m *Model) tea.Cmd {
			return m.Leave(widget.Declare{From: m.state.Config})
		}).Long("declare an experiment of your own; one like this one, if this is one"),
	}, player.Saves(playerOf)...)
}

// pageCommands open the pages about the session.
func pageCommands() (all []command) {
	for _, p := range widget.SessionPages() {
		all = append(all, can(p.Binding, func(m *Model) tea.Cmd { return m.Leave(p) }).Long(p.About))
	}
	return all
}

// wouldRevealAnswer is why what shows the record's point does nothing while the reader is asked for one.
func (m *Model) wouldRevealAnswer() string {
	if m.asking() {
		return "that would give the answer away: x chooses your point, space passes over"
	}
	return ""
}

// noEnter is why enter leads nowhere.
func (m *Model) noEnter() string {
	l := m.session.Lesson()
	switch {
	case len(results.Pending(m.state)) > 0, m.sheet != nil && m.sheet.Lesson() != "":
		return ""
	case l == nil:
		return m.noResults()
	case l.Exercise == nil:
		return "this lesson has no exercise"
	case !m.ReadingPosition.End(m.Line):
		return "the exercise is behind the last page: G goes there"
	}
	return ""
}

// enters is where enter leads, in a word.
func (m *Model) enters() string {
	switch {
	case len(results.Pending(m.state)) > 0 || m.noEnter() != "":
		return "results"
	case m.sheet != nil:
		return "the lesson"
	}
	return "exercise"
}

// enter goes to where what came of points is entered; from the last page of a lesson to its exercise, and from there
// back.
func (m *Model) enter() tea.Cmd {
	switch {
	case len(results.Pending(m.state)) > 0:
		return m.Start(results.New)
	case m.sheet != nil:
		return m.Leave(widget.Back{Lesson: m.sheet.Lesson()})
	}
	return m.Leave(widget.Task{})
}

// noNextLesson is why there is no way to the next lesson from here.
func (m *Model) noNextLesson() string {
	if m.sheet != nil {
		_, why := lesson.Next(m.lessonName())
		return why
	}
	return m.ReadingPosition.NoNext(m.Line)
}

// nextLesson leaves a lesson, or its exercise, for the next one of the course.
func (m *Model) nextLesson() tea.Cmd {
	return m.NextLesson(m.lessonName())
}

// lessonName is the name of the lesson that is read, or whose exercise is done; empty if there is none.
func (m *Model) lessonName() string {
	if m.sheet != nil {
		return m.sheet.Lesson()
	}
	return m.ReadingPosition.Name
}

// LeaveWarning is what R would leave, in words; empty if nothing was done here.
func (m *Model) LeaveWarning() string {
	if n := len(m.state.Iterations) + m.state.Ahead; n > 0 {
		return "this session of " + widget.Count(n, "step")
	}
	return ""
}
