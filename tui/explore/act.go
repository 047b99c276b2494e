package explore

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/results"
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// actCommands do something with the session, or go elsewhere.
func actCommands() []command {
	return append([]command{
		unless((*Model).noEnter, widget.Bind("enter", "results", "enter"), (*Model).enter).
			Long("report the results of pending points if you evaluate them yourself; open the exercise on the last page of a lesson, or go back from it to the lesson"),
		unless((*Model).noNextLesson, lessonpage.NextKey, (*Model).nextLesson).Long(lessonpage.NextAbout),
		unless((*Model).wouldRevealAnswer, widget.Bind("c", "compare", "c"), func(m *Model) tea.Cmd {
			return player.Leave(m, widget.Compare{})
		}).Long("compare methods on the same data, first the bands of a Gaussian process and of a network (NTK)"),
		can(widget.Bind("o", "open", "o"), func(m *Model) tea.Cmd {
			return player.Leave(m, widget.Open{From: m.state.Config, Lessons: m.session.Lesson() != nil})
		}).Long("open another problem, method, seed, noise or budget, a saved session, a comparison or a lesson"),
		unless((*Model).noTakeOver, widget.Named("take over the pending points"), (*Model).takeOver).
			Long("evaluate here the pending points that other programs asked for, for example after they were killed"),
		can(widget.Named("experiment"), func(m *Model) tea.Cmd {
			return player.Leave(m, widget.Declare{From: m.state.Config})
		}).Long("declare your own experiment; if this session is one, start from a copy of it"),
	}, player.Saves((*Model).fileName, (*Model).unsaved)...)
}

// pageCommands open the pages about the session.
func pageCommands() (all []command) {
	for _, p := range widget.SessionPages() {
		all = append(all, can(p.Binding, func(m *Model) tea.Cmd { return player.Leave(m, p) }).Long(p.About))
	}
	return all
}

// wouldRevealAnswer returns why commands that show the recorded point are disabled while a lesson asks for a point.
func (m *Model) wouldRevealAnswer() string {
	return widget.Why(m.asking(), "this would reveal the answer; press x to choose your point, or space to skip the question")
}

// noEnter returns why enter is disabled.
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
		return "the exercise follows the last page; press G to go there"
	}
	return ""
}

// enters names the destination of enter.
func (m *Model) enters() string {
	switch {
	case len(results.Pending(m.state)) > 0 || m.noEnter() != "":
		return "results"
	case m.sheet != nil:
		return "lesson"
	}
	return "exercise"
}

// enter opens the results form; on the last page of a lesson it opens the exercise, and from there goes back.
func (m *Model) enter() tea.Cmd {
	switch {
	case len(results.Pending(m.state)) > 0:
		return player.Start(m, results.New)
	case m.sheet != nil:
		return player.Leave(m, widget.Back{Lesson: m.sheet.Lesson()})
	}
	return player.Leave(m, widget.Task{})
}

// noNextLesson returns why the next lesson cannot be opened.
func (m *Model) noNextLesson() string {
	if m.sheet != nil {
		_, why := lessonpage.Next(m.lessonName())
		return why
	}
	return m.ReadingPosition.NoNext(m.Line)
}

// nextLesson leaves a lesson, or its exercise, for the next one of the course.
func (m *Model) nextLesson() tea.Cmd {
	return player.NextLesson(m, m.lessonName())
}

// lessonName is the name of the lesson that is read, or whose exercise is done; empty if there is none.
func (m *Model) lessonName() string {
	if m.sheet != nil {
		return m.sheet.Lesson()
	}
	return m.ReadingPosition.Name
}

// unsaved describes the session that ctrl+l would leave; empty if nothing was done in it.
func (m *Model) unsaved() string {
	if m.Inviting() && m.state.Path == "" {
		return ""
	}
	if n := len(m.state.Iterations) + m.state.Ahead; n > 0 {
		return "this session of " + widget.Count(n, "step")
	}
	return ""
}
