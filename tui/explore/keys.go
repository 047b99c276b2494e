package explore

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/results"
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// command is a key of the explorer as data: the binding, what it does, and why it is disabled at the moment.
type command = widget.Command[*Model]

var can, unless = widget.Can[*Model], widget.Unless[*Model]

// section is a heading of the help with the commands under it.
type section struct {
	title    string
	commands []command
	also     []key.Binding // the mouse, and keys of other headings
}

// modeEntry is a mode: the key that starts it, the place of that key in the help, and its own keys.
type modeEntry struct {
	section string // empty for the actions
	before  string // the next key in that section; empty for the end
	key     key.Binding
	about   string              // what it does at more length
	off     func(*Model) string // why it cannot be started; nil if it can, or says itself why not
	new     func() mode.Mode    // nil if it is started otherwise
	help    widget.Group
}

// declaredModes are the modes of the explorer.
var declaredModes = []modeEntry{
	{before: "enter", key: widget.Bind("e", "edit", "e"), about: "edit the parameters of the method",
		new:  modes.NewParameterMode,
		help: widget.Group{Title: "In the editor (e)", Gate: "e", Bindings: modes.ParameterBindings()}},
	{before: "enter", key: widget.Bind("x", "point", "x"), about: "choose a point yourself and evaluate it",
		new:  modes.NewPointMode,
		help: widget.Group{Title: "Choosing a point (x)", Gate: "x", Bindings: modes.PointBindings()}},
	{help: widget.Group{Title: "In the results form (enter)", Gate: "enter", Bindings: results.Bindings()}},
	{before: "c", key: widget.Named("objectives"), new: modes.NewObjectivesMode,
		about: "add, drop or reverse objectives of your own experiment, or change their expected range and noise",
		help:  widget.Group{Title: "In the objectives", Gate: "objectives", Bindings: modes.ObjectiveBindings()}},
	{help: widget.Group{Title: "In the form of an objective", Gate: "objectives", Bindings: modes.FormBindings()}},
	{section: objectivesTitle, key: widget.Bind("A", "box", "A"), new: modes.NewBoxMode,
		off:   (*Model).oneObjective,
		about: "draw a target box around the outcomes that the search should aim for",
		help:  widget.Group{Title: "In a target box (A)", Gate: "A", Bindings: modes.BoxBindings()}},
	{section: objectivesTitle, key: widget.Bind("E", "draw prior", "E"), new: modes.NewWeightMode,
		off:   (*Model).oneObjective,
		about: "draw the prior over the weights of the objectives by hand",
		help:  widget.Group{Title: "In the prior over weights (E)", Gate: "E", Bindings: modes.WeightBindings()}},
	{section: objectivesTitle, key: widget.Bind("a", "answer", "a"),
		new: modes.NewPreferenceMode, off: (*Model).oneObjective,
		about: "answer a question: which of two outcomes do you prefer? The answers steer the search",
		help:  widget.Group{Title: "In a preference question (a)", Gate: "a", Bindings: modes.PreferenceBindings()}},
	{help: widget.Group{Title: "In a note (n)", Gate: "n", Bindings: note.Bindings()}},
}

// Headings of the sections that modes add keys to.
const actTitle, objectivesTitle = "Act", "Several objectives"

// sections are the commands while no mode is active.
func sections() []section {
	all := []section{
		{title: "Step", commands: stepCommands()},
		{title: "Look", commands: lookCommands()},
		{title: "Two variables", commands: planeCommands()},
		{title: objectivesTitle, also: []key.Binding{viewKey}},
		{title: "Record", commands: slices.Concat(recordCommands(), copyCommands()),
			also: []key.Binding{widget.Bind("click", "on the timeline: go to that step")}},
		{title: actTitle, commands: slices.Concat(actCommands(), pageCommands(), widget.GlobalCommands[*Model]())},
	}
	for _, d := range declaredModes {
		if d.new == nil {
			continue
		}
		s := &all[slices.IndexFunc(all, func(s section) bool { return s.title == cmp.Or(d.section, actTitle) })]
		index := slices.IndexFunc(s.commands, func(c command) bool { return c.Help().Key == d.before })
		if index < 0 {
			index = len(s.commands)
		}
		s.commands = slices.Insert(s.commands, index,
			unless(d.off, d.key, func(m *Model) tea.Cmd { return player.Start(m, d.new) }).Long(d.about))
	}
	return all
}

// steppingCommands are the commands of all sections, made once.
func steppingCommands() []command { return allCommands().commands }

// commandTable has the commands of all sections, with the title of its section for each.
type commandTable struct {
	commands []command
	titles   []string
}

var allCommands = sync.OnceValue(func() (t commandTable) {
	for _, s := range sections() {
		for _, c := range s.commands {
			t.commands, t.titles = append(t.commands, c), append(t.titles, s.title)
		}
	}
	return t
})

// readingHints are the keys of the footer while a lesson is read, the most useful first.
const readingHints = "space b r i x e w u : ? q f n o h , ."

// hinted are the bindings of the footer.
func (m *Model) hinted() []key.Binding {
	if m.Reads() && m.Ahead() {
		if m.NoQuestion() == "" {
			return widget.BindingsFor(steppingCommands(), "1-9 "+readingHints)
		}
		return widget.BindingsFor(steppingCommands(), readingHints)
	}
	if next := m.noNextLesson() == "" && (m.sheet == nil || !m.sheet.Done().IsZero()); next ||
		m.session.ManualEvaluation() || m.noEnter() == "" {
		first := "space enter "
		if next {
			first += lessonpage.NextKey.Help().Key + " "
		}
		return widget.BindingsFor(steppingCommands(), first+strings.TrimPrefix(m.picture().Hints(), "space ")+" p")
	}
	return widget.BindingsFor(steppingCommands(), m.picture().Hints())
}

// Groups lists every binding of the explorer and its modes under headings, for the help.
func Groups() []widget.Group {
	var groups []widget.Group
	for _, s := range sections() {
		groups = append(groups, widget.NewGroup(s.title, s.commands, s.also...))
	}
	for _, d := range declaredModes {
		groups = append(groups, d.help)
	}
	return groups
}
