package experimentform

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/functions/experiment"
	"bandscope/tui/widget"
)

// command is a key of this screen as data.
type command = widget.Command[*Model]

// commands are the keys of the form, except typing.
func commands() []command {
	return []command{
		widget.NewCommand(widget.Bind("enter", "next field, or add a row", "enter"), nil, (*Model).forward),
		widget.NewCommand(widget.Bind("tab", "next field", "tab"), nil, func(m *Model) tea.Cmd { return m.next(+1) }),
		widget.NewCommand(widget.Bind("shift+tab", "previous field", "shift+tab"), nil, func(m *Model) tea.Cmd {
			return m.next(-1)
		}),
		widget.NewCommand(widget.Bind("up/down", "another row", "up"), (*Model).atTop, func(m *Model) tea.Cmd {
			return m.line(-1)
		}),
		widget.NewCommand(widget.Bind("", "another row", "down"), (*Model).atBottom, func(m *Model) tea.Cmd {
			return m.line(+1)
		}),
		{Binding: widget.Bind("left/right", "change the choice, move in the text", "left", "right"),
			Do: (*Model).sideways},
		widget.NewCommand(widget.Bind("ctrl+s", "write the file, and start", "ctrl+s"), (*Model).busy, (*Model).save).
			Long("write the file, and start a session on it"),
		widget.NewCommand(widget.Bind("shift+up", "move the row", "shift+up"), (*Model).noRow, func(m *Model) tea.Cmd {
			return m.move(-1)
		}),
		widget.NewCommand(widget.Bind("shift+down", "move the row", "shift+down"), (*Model).noRow,
			func(m *Model) tea.Cmd {
				return m.move(+1)
			}),
		widget.NewCommand(widget.Bind("ctrl+d", "remove the row", "ctrl+d"), (*Model).noRow, (*Model).remove),
		widget.NewCommand(widget.Bind("ctrl+u", "undo the last removal", "ctrl+u"), (*Model).nothingBefore,
			(*Model).back),
		widget.NewCommand(widget.Named("empty the form"), (*Model).isEmpty, (*Model).empty),
		widget.NewCommand(widget.Bind("ctrl+l", "fill from a file", "ctrl+l"), (*Model).busy, (*Model).askFile),
		{Binding: widget.Bind("esc", "leave", "esc", "ctrl+c"), Do: (*Model).leave},
		{Binding: widget.Bind("ctrl+p", "find")},
		{Binding: widget.Bind("f1", "help")},
		{Binding: widget.Bind("ctrl+z", "suspend", "ctrl+z")},
	}
}

// Groups lists the bindings of this screen for the help.
func Groups() []widget.Group {
	return []widget.Group{widget.NewGroup("Your own experiment", commands()).Through("experiment")}
}

// KeyMap lists the keys with what they do now: all others are text.
func (m *Model) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "this form", Keys: widget.Keys(m, commands()), Typing: true}
}

// hints are the keys of the hint line, the most needed first.
func hints() []key.Binding {
	return widget.BindingsFor(commands(), "enter ctrl+s esc f1 tab up/down ctrl+d ctrl+l shift+up ctrl+u empty_the_form")
}

// take runs the command of a key press; it is not taken if it is text.
func (m *Model) take(press tea.KeyPressMsg) (tea.Cmd, bool) {
	return widget.Take(m, &m.Status, commands(), press)
}

func (m *Model) atTop() string {
	if line, _ := m.find(m.lines()); line == 0 {
		return "this is the first field"
	}
	return ""
}

func (m *Model) atBottom() string {
	lines := m.lines()
	if line, _ := m.find(lines); line == len(lines)-1 {
		return "this is the end of the form"
	}
	return ""
}

func (m *Model) nothingBefore() string {
	if len(m.undo) == 0 {
		return "nothing was removed or replaced"
	}
	return ""
}

// back restores the form as it was before a row was removed or the form was filled.
func (m *Model) back() tea.Cmd {
	last := len(m.undo) - 1
	m.formState = m.undo[last]
	m.undo = m.undo[:last]
	m.done = false
	m.check()
	m.Say("restored", false)
	return m.enter(m.at)
}

func (m *Model) isEmpty() string {
	if m.draft.Equal(experiment.New()) {
		return "the form is empty"
	}
	return ""
}

// empty empties the form.
func (m *Model) empty() tea.Cmd {
	m.pushUndo()
	m.fill(experiment.New(), "")
	m.validate = false
	m.Say("the form is empty; ctrl+u restores it", false)
	return m.enter(m.at)
}

// leave goes back to the explorer; esc first stops the reading or writing of a file.
func (m *Model) leave(press tea.KeyPressMsg) tea.Cmd {
	if press.String() == "esc" && m.jobs.Busy() {
		m.jobs.Stop()
		m.Say("stopped", false)
		return nil
	}
	return widget.Request(widget.Close{})
}
