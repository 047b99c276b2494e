package playground

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/explore/modes"
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// command is a key of this screen as data.
type command = widget.Command[*Model]

var can, unless = widget.Can[*Model], widget.Unless[*Model]

// footer are the keys of the bottom line, the most needed first.
const footer = "space arrows [/] e tab c r v f b : ? q delete & s o"

// ForwardKey is the key press that goes forward in the record.
var ForwardKey = tea.KeyPressMsg{Code: 'B', Text: "B"}

// largeStep is how many cells an arrow with shift moves.
const largeStep = 5

// arrows are the keys that move something, with the cells that they move it by.
var arrows = map[string][2]float64{"left": {-1, 0}, "right": {1, 0}, "up": {0, 1}, "down": {0, -1},
	"shift+left": {-largeStep, 0}, "shift+right": {largeStep, 0}, "shift+up": {0, largeStep},
	"shift+down": {0, -largeStep}}

// adjusts reports whether a key only changes the preview, which is recorded later.
func adjusts(msg tea.KeyPressMsg) bool {
	_, ok := arrows[msg.String()]
	return ok
}

// arrow moves the selection: a result, a handle, or else the cursor.
func (m *Model) arrow(msg tea.KeyPressMsg) tea.Cmd {
	direction := arrows[msg.String()]
	switch m.chosen.kind {
	case handle:
		return m.nudge(int(direction[0] + direction[1]))
	case secondInput:
		return m.moveSecond(direction[0])
	}
	return m.step(direction[0], direction[1])
}

func moveCommands() []command {
	return []command{
		{Binding: widget.Bind("arrows", "move (shift: faster)", "left", "right", "up", "down"),
			About: "move the cursor or the selected result, or change the selected handle", Do: (*Model).arrow},
		{Binding: widget.Bind("", "move (shift: faster)", "shift+left", "shift+right", "shift+up", "shift+down"),
			Do: (*Model).arrow},
		can(widget.Bind("space", "put", "space"), (*Model).space).
			Long("put a result at the cursor, which the arrows then move, until this key is pressed again; with a handle selected, fit it or fix it; in a lesson, turn the page"),
		can(widget.Bind("enter", "put a result", "enter"), (*Model).act).
			Long("put a result at the cursor, which the arrows then move, until this key is pressed again; with a handle selected, fit it to the results or fix it where it is"),
		unless((*Model).noSelection, widget.Bind("delete", "remove", "delete", "backspace"), (*Model).removeChosen).
			Long("remove the selected result; a selected handle is fitted again"),
		can(widget.Bind("tab", "next", "tab"), func(m *Model) tea.Cmd { return m.next(+1) }).
			Long("select the next result, from the left to the right, then the next handle"),
		can(widget.Bind("shift+tab", "previous", "shift+tab"), func(m *Model) tea.Cmd {
			return m.next(-1)
		}),
	}
}

// space turns the page of a lesson, or does what enter does.
func (m *Model) space() tea.Cmd {
	if m.turnsPages() {
		return player.Do(m, m.StepForward(true))
	}
	return m.act()
}

// turnsPages reports whether a lesson has pages ahead, which space turns.
func (m *Model) turnsPages() bool { return m.Reads() && m.Ahead() && m.session.Lesson() != nil }

// act puts a result and selects it, gives the selected result up where it is, or fits or fixes the selected handle.
func (m *Model) act() tea.Cmd {
	switch m.chosen.kind {
	case handle:
		return m.fitOrFix()
	case result:
		m.choose(selection{})
		m.pointing = true
		return nil
	}
	return m.put()
}

func (m *Model) noSelection() string {
	return widget.Why(m.chosen.kind == nothing, "nothing is selected; tab selects a result or a handle")
}

// removeChosen removes the selected result, or lets the method fit the selected handle.
func (m *Model) removeChosen() tea.Cmd {
	if m.chosen.kind == result {
		return m.remove(m.chosen.item)
	}
	handles := m.handles()
	if m.chosen.handle >= len(handles) {
		return nil
	}
	return m.setFitted(true, handles[m.chosen.handle])
}

func beliefCommands() []command {
	return []command{
		can(widget.Bind("[/]", "other belief", "["), func(m *Model) tea.Cmd { return m.preset(-1) }).
			Long("change to the previous or next belief of a list: kernels of Gaussian processes, networks, a forest"),
		can(widget.Bind("", "other belief", "]"), func(m *Model) tea.Cmd { return m.preset(+1) }),
		can(widget.Bind("e", "edit", "e"), func(m *Model) tea.Cmd { return player.Start(m, modes.NewParameterMode) }).
			Long("edit the parameters of the belief, such as the expression of the kernel"),
		can(widget.Bind("c", "second belief", "c"), (*Model).secondBelief).
			Long("draw the belief over a second one, or remove that"),
		unless((*Model).oneBelief, widget.Bind("&", "the other belief", "&"), (*Model).otherBelief).
			Long("let keys and handles change the other of two beliefs"),
		unless((*Model).noHandles, widget.Named("fit all"), (*Model).fitAll).
			Long("fit all hyperparameters to the results, or fix them where they are"),
	}
}

func viewCommands() []command {
	return []command{
		unless((*Model).noSamples, widget.Bind(player.RunKey.Help().Key, "move samples", player.RunKey.Keys()...),
			(*Model).moveSamples).Long("let the samples move through other samples, or stop them"),
		unless((*Model).noSamples, widget.Bind("s", "other samples", "s"), (*Model).others),
		can(widget.Bind("( )", "fewer, more samples", "("), func(m *Model) tea.Cmd { return m.more(-1) }),
		can(widget.Bind("", "fewer, more samples", ")"), func(m *Model) tea.Cmd { return m.more(+1) }),
		can(widget.Bind("v", "covariances", "v"), (*Model).toggleRow).
			Long("show the covariances of the value at the cursor with those at other inputs; then the joint distribution of two values and the covariance matrix; then neither"),
	}
}

func recordCommands() []command {
	return slices.Concat([]command{
		unless((*Model).atStart, widget.Bind("b", "back", "b", "ctrl+u"), func(m *Model) tea.Cmd {
			return m.moveTo("undoing", func(s *sessions.Session) { s.Back() })
		}).Long("take the last change back; the record keeps it"),
		unless((*Model).atEnd, widget.Bind("B", "redo", "B"), func(m *Model) tea.Cmd {
			return m.moveTo("redoing", func(s *sessions.Session) { s.Forward() })
		}),
		unless((*Model).atStart, widget.Bind("g", "first", "g", "home"), func(m *Model) tea.Cmd {
			return m.moveTo("going to the start", func(s *sessions.Session) { s.First() })
		}).Long("go to the start of the record"),
		unless((*Model).atEnd, widget.Bind("G", "last", "G", "end"), func(m *Model) tea.Cmd {
			return m.moveTo("going to the end", func(s *sessions.Session) { s.Last() })
		}).Long("go to the end of the record"),
		unless((*Model).noResults, widget.Bind("f", "fork a search", "f"), (*Model).search).
			Long("start a Bayesian optimization that continues from these results"),
		can(widget.Bind("ctrl+e", "export", "ctrl+e"), func(m *Model) tea.Cmd { return player.Do(m, m.AskExport()) }).
			Long("export: picture, report, recording, data"),
		player.Answers[*Model](),
		unless(func(m *Model) string { return m.ReadingPosition.NoNext(m.Line) }, lessonpage.NextKey,
			func(m *Model) tea.Cmd { return player.NextLesson(m, m.ReadingPosition.Name) }).Long(lessonpage.NextAbout),
		can(widget.Bind("o", "open", "o"), func(m *Model) tea.Cmd {
			return player.Leave(m, widget.Open{From: library.DefaultConfig(), Lessons: m.session.Lesson() != nil})
		}).Long("open a saved session, a problem, a lab or a lesson"),
		{Binding: widget.Bind("esc", "stop, or leave", "esc"), Do: (*Model).escape},
	}, player.Notes[*Model](nil), player.Saves((*Model).fileName, (*Model).unsaved))
}

// commands are the keys of the screen.
func commands() []command {
	return slices.Concat(moveCommands(), beliefCommands(), viewCommands(), recordCommands(),
		widget.GlobalCommands[*Model]())
}

// Init starts the first picture.
func (m *Model) Init() tea.Cmd { return m.UpdatePicture() }

// Reset closes the prompt, and leaves the mode that has the keys.
func (m *Model) Reset() tea.Cmd { return player.Reset(m) }

// KeyMap lists the keys with what they do now.
func (m *Model) KeyMap() widget.KeyMap {
	return m.Player.KeyMap(func() []widget.Key { return widget.Keys(m, commands()) }, m.Scene)
}

// Groups lists every binding of the screen for the help.
func Groups() []widget.Group {
	return []widget.Group{widget.NewGroup("Playground (o)", commands(),
		widget.Bind("click", "put a result, or select the one there"),
		widget.Bind("drag", "move a result or a handle"), widget.Bind("right click", "remove a result"),
		widget.Bind("wheel", "change a handle")).In("a playground")}
}
