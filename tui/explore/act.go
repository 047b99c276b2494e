package explore

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/shelf"
	"bandscope/tui/explore/acts"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/objectives"
	"bandscope/tui/explore/parameters"
	"bandscope/tui/explore/results"
	"bandscope/tui/screen"
)

// actCommands do something with the session, or go elsewhere.
func actCommands() []command {
	return []command{
		can(screen.Bind("e", "edit", "e"), begins(parameters.New)).Long("edit the parameters of the method"),
		can(screen.Bind("x", "query", "x"), (*Model).startQuery).Long("evaluate a point of your own"),
		unless((*Model).noEnter, screen.Bind("enter", "results", "enter"), (*Model).enter).Long("enter what came of the points that are out, where a person evaluates; from the last page of a lesson go to its exercise, and back"),
		unless((*Model).noNextLesson, lesson.NextKey, (*Model).nextLesson).Long(lesson.NextAbout),
		can(screen.Bind("O", "objectives", "O"), begins(objectives.New)).Long("add, drop or turn an objective of an experiment from here on, or say what is expected of it"),
		unless((*Model).tellsTheAnswer, screen.Bind("c", "compare", "c"), func(m *Model) tea.Cmd { return m.leave(screen.Compare{}) }).Long("compare methods on the same data"),
		can(screen.Bind("o", "open", "o"), func(m *Model) tea.Cmd {
			return m.leave(screen.Open{From: m.state.Config, Lessons: m.session.Lesson() != nil})
		}).Long("another function, method, seed, noise or budget, a saved session, a comparison, a lesson"),
		can(screen.Bind("X", "experiment of your own", "X"), func(m *Model) tea.Cmd { return m.leave(screen.Declare{From: m.state.Config}) }).Long("declare an experiment of your own; one like this one, if this is one"),
		can(screen.Bind("w", "save", "w"), (*Model).askPath).Long("save under a name"),
		command{Binding: screen.Bind("R", "resume last session", "R"), Off: (*Model).noResume, Do: (*Model).resume}.Long("resume the last session; of a lesson go on at the page where you were"),
	}
}

// pageCommands open the pages about the session.
func pageCommands() (all []command) {
	for _, p := range screen.SessionPages() {
		all = append(all, can(p.Binding, func(m *Model) tea.Cmd { return m.leave(p) }).Long(p.About))
	}
	return all
}

// tellsTheAnswer is why what shows the record's point does nothing while the reader is asked for one.
func (m *Model) tellsTheAnswer() string {
	if m.asking() {
		return "that would give the answer away: x chooses your point, space passes over"
	}
	return ""
}

// noEnter is why enter leads nowhere.
func (m *Model) noEnter() string {
	l := m.session.Lesson()
	switch {
	case len(results.Waiting(m.state)) > 0, m.sheet != nil && m.sheet.Lesson() != "":
		return ""
	case l == nil:
		return m.noResults()
	case l.Exercise == nil:
		return "this lesson has no exercise"
	case !m.placed.End(m.line):
		return "the exercise is behind the last page: G goes there"
	}
	return ""
}

// enters is where enter leads, in a word.
func (m *Model) enters() string {
	switch {
	case len(results.Waiting(m.state)) > 0 || m.noEnter() != "":
		return "results"
	case m.sheet != nil:
		return "the lesson"
	}
	return "exercise"
}

// enter goes to where what came of points is entered; from the last page of a lesson to its exercise, and from there back.
func (m *Model) enter() tea.Cmd {
	switch {
	case len(results.Waiting(m.state)) > 0:
		return m.start(results.New)
	case m.sheet != nil:
		return m.leave(screen.Back{Lesson: m.sheet.Lesson()})
	}
	return m.leave(screen.Task{})
}

// noNextLesson is why there is no way to the next lesson from here.
func (m *Model) noNextLesson() string {
	if m.sheet != nil {
		_, why := lesson.Next(m.sheet.Lesson())
		return why
	}
	return m.placed.NoNext(m.line)
}

// nextLesson leaves a lesson, or its exercise, for the next one of the course.
func (m *Model) nextLesson() tea.Cmd {
	name := m.placed.Name
	if m.sheet != nil {
		name = m.sheet.Lesson()
	}
	next, _ := lesson.Next(name)
	return m.leave(screen.Lesson{Name: next})
}

// leave stops what is computed, and asks for what shows something else.
func (m *Model) leave(want screen.Action) tea.Cmd {
	m.Stop()
	m.leaving = true
	return screen.Want(want)
}

// Leaving reports, once, whether a key has asked for what shows something else since it was asked before.
func (m *Model) Leaving() bool {
	leaving := m.leaving
	m.leaving = false
	return leaving
}

func (m *Model) noResume() string {
	if m.last == nil && m.placed.Left() == 0 {
		return "there is no earlier session to resume"
	}
	return ""
}

// resume goes on in a lesson where its reader was; otherwise it leaves this session for the last one; if anything was done here, it asks first.
func (m *Model) resume(msg tea.KeyPressMsg) tea.Cmd {
	if page := m.placed.Left(); page > 0 {
		return m.goToPage(page)
	}
	if n := len(m.state.Iterations) + m.state.Ahead; n > 0 && !m.Status.Of(msg) {
		kept := "which is saved"
		if !m.state.Saved {
			kept = "which is not saved"
		}
		m.Say(fmt.Sprintf("R again leaves this session of %s, %s, for %s; any other key stays", screen.Counted(n, "step"), kept, lastSaid(*m.last)), false)
		return nil
	}
	return m.leave(screen.Resume{Path: m.last.Path})
}

// askPath asks for the file to save the session to.
func (m *Model) askPath() tea.Cmd {
	offered := shelf.NameFor(m.dir, m.state.Config, m.session.Started())
	return m.Status.Ask("save as", offered, func(text string) tea.Cmd {
		path, err := screen.TypedPath(text, "run.jsonl")
		if err != nil {
			return m.Status.Again(err.Error())
		}
		if !strings.HasSuffix(path, ".jsonl") {
			path += ".jsonl"
		}
		if path == offered { // if a file has that name, the next one that is free
			path = ""
		}
		return m.alterTyped(acts.Save{Path: path, Dir: m.dir})
	})
}
