package explore

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/aim"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/parameters"
	"bandscope/tui/explore/query"
	"bandscope/tui/explore/question"
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
		{title: "Act", commands: slices.Concat(actCommands(), anywhere())},
	}
}

// stepping are the commands of all sections.
func steppingCommands() (all []command) {
	for _, s := range sections() {
		all = append(all, s.commands...)
	}
	return all
}

// anywhere are the commands of every mode.
func anywhere() []command {
	return []command{
		{Binding: screen.HelpKey},
		can(screen.Bind("q", "quit", "q", "ctrl+c"), func(m *Model) tea.Cmd { return m.leave(screen.Quit{}) }),
		{Binding: screen.Bind("ctrl+z", "suspend", "ctrl+z")},
	}
}

// The keys of the hint line as they are shown, the most needed first: a narrow window shows as many as fit.
const (
	lineHints    = "space b r e s t x c o w ? q i g G"
	planeHints   = "space b r 1-6 x e z l c o ? q s t d Y"
	steerHints   = "space b r B a e d v o ? q t w n"
	readingHints = "space b r N x f T e h : o ? q , ."
)

// hinted are the bindings of the hint line.
func (m *Model) hinted() []key.Binding {
	shown := lineHints
	switch {
	case m.reading() && m.ahead():
		shown = readingHints
	case m.steering:
		shown = steerHints
	case m.planar:
		shown = planeHints
	}
	var list []key.Binding
	all := steppingCommands()
	for name := range strings.FieldsSeq(shown) {
		if i := slices.IndexFunc(all, func(c command) bool { return c.Help().Key == name }); i >= 0 {
			list = append(list, all[i].Binding)
		}
	}
	return list
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
		screen.Group{Title: "In a box (B)", Bindings: aim.Bindings()},
		screen.Group{Title: "In a question (a)", Bindings: question.Bindings()},
		screen.Group{Title: "In a note (n)", Bindings: note.Bindings()},
	)
}

// bindings are those of commands.
func bindings(commands []command) []key.Binding {
	list := make([]key.Binding, len(commands))
	for i, c := range commands {
		list[i] = c.Binding
	}
	return list
}

// digits begin a typed value, and choose what is numbered.
var digits = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "-"}

// Typing reports whether keys are text.
func (m *Model) Typing() bool {
	return m.prompt.Open() || m.doing != nil && m.doing.Typing()
}
