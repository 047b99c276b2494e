package explore

import (
	"slices"
	"strings"
	"sync"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/aim"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/objectives"
	"bandscope/tui/explore/parameters"
	"bandscope/tui/explore/query"
	"bandscope/tui/explore/question"
	"bandscope/tui/explore/results"
	"bandscope/tui/screen"
)

// command is a key of the explorer as data: the binding, what it does, and why it can do nothing as things stand. What a command finds out only when it
// acts, it says itself.
type command = screen.Command[*Model]

// can is a command that always can, or says itself why not; unless one that can where off is empty.
func can(b key.Binding, do func(*Model) tea.Cmd) command { return unless(nil, b, do) }

func unless(off func(*Model) string, b key.Binding, do func(*Model) tea.Cmd) command {
	return screen.Do(b, off, do)
}

// section is a heading of the help with the commands under it.
type section struct {
	title    string
	commands []command
	also     []key.Binding // that stand there besides: what the mouse does, and keys of other headings
}

// sections are the commands while no mode is on.
func sections() []section {
	return []section{
		{title: "Step", commands: stepCommands()},
		{title: "Look", commands: lookCommands()},
		{title: "Two variables", commands: planeCommands()},
		{title: "Several objectives", commands: steerCommands(), also: []key.Binding{viewKey}},
		{title: "Record", commands: recordCommands(), also: []key.Binding{screen.Bind("click", "on the timeline: go there")}},
		{title: "Act", commands: slices.Concat(actCommands(), screen.Anywhere[*Model]())},
	}
}

// steppingCommands are the commands of all sections, which are made once.
func steppingCommands() []command {
	made.Do(func() {
		for _, s := range sections() {
			made.commands = append(made.commands, s.commands...)
		}
	})
	return made.commands
}

var made struct {
	sync.Once
	commands []command
}

// readingHints are the keys of the hint line where a record is read, the most needed first.
const readingHints = "space b r N x f T e h : o ? I q , ."

// hinted are the bindings of the hint line.
func (m *Model) hinted() []key.Binding {
	if m.Reads() && m.Ahead() {
		if m.NoQuestion() == "" {
			return screen.Named(steppingCommands(), "1-9 "+readingHints)
		}
		return screen.Named(steppingCommands(), readingHints)
	}
	if next := m.noNextLesson() == "" && (m.sheet == nil || !m.sheet.Done().IsZero()); next || m.session.Unattended() || m.noEnter() == "" {
		first := "space enter "
		if next {
			first += lesson.NextKey.Help().Key + " "
		}
		return screen.Named(steppingCommands(), first+strings.TrimPrefix(m.picture().Hints(), "space ")+" S")
	}
	return screen.Named(steppingCommands(), m.picture().Hints())
}

// Groups lists every binding of the explorer and its modes under headings, for the help.
func Groups() []screen.Group {
	var groups []screen.Group
	for _, s := range sections() {
		groups = append(groups, screen.GroupOf(s.title, s.commands, s.also...))
	}
	return append(groups,
		screen.Group{Title: "In the editor (e)", Bindings: parameters.Bindings()},
		screen.Group{Title: "In a query (x)", Bindings: query.Bindings()},
		screen.Group{Title: "In results (enter)", Bindings: results.Bindings()},
		screen.Group{Title: "In the objectives (O)", Bindings: objectives.Bindings()},
		screen.Group{Title: "In an objective's form", Bindings: objectives.FormBindings()},
		screen.Group{Title: "In a box (B)", Bindings: aim.Bindings()},
		screen.Group{Title: "In a question (a)", Bindings: question.Bindings()},
		screen.Group{Title: "In a note (n)", Bindings: note.Bindings()},
	)
}
