package librarypage

import (
	"slices"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/widget"
)

// command is a key of this screen as data.
type command = widget.Command[*Model]

// commands are the keys of the form, except typing.
func commands() []command {
	return []command{
		widget.NewCommand(widget.Bind("up/down", "move in the list", "up"), (*Model).atTop, func(m *Model) tea.Cmd {
			return m.move(-1)
		}),
		widget.NewCommand(widget.Bind("", "move in the list", "down"), (*Model).atBottom, func(m *Model) tea.Cmd {
			return m.move(+1)
		}),
		widget.NewCommand(widget.Bind("tab", "next field", "tab"), nil, func(m *Model) tea.Cmd {
			return m.focus(m.field + 1)
		}),
		widget.NewCommand(widget.Bind("shift+tab", "previous field", "shift+tab"), nil, func(m *Model) tea.Cmd {
			return m.focus(m.field - 1)
		}),
		widget.NewCommand(widget.Bind("enter", "choose, and go on", "enter"), nil, (*Model).pick),
		widget.NewCommand(widget.Bind("ctrl+s", "start now", "ctrl+s"), nil, (*Model).start),
		{Binding: widget.Bind("esc", "leave", "esc", "ctrl+c"), Do: (*Model).leave},
		{Binding: widget.Bind("ctrl+p", "find", "ctrl+p")},
		{Binding: widget.Bind("f1, ?", "help", "f1")},
		{Binding: widget.Bind("ctrl+z", "suspend", "ctrl+z")},
	}
}

// folderCommands are the keys on a saved session; the last two also work on a started study.
func folderCommands() []command {
	return []command{
		widget.NewCommand(widget.Bind("ctrl+r", "rename", "ctrl+r"), (*Model).noSession, (*Model).rename),
		widget.NewCommand(widget.Bind("ctrl+y", "copy", "ctrl+y"), (*Model).noSession, (*Model).copy),
		widget.NewCommand(widget.Bind("ctrl+d", "delete (to the trash)", "ctrl+d"), (*Model).keepReason,
			(*Model).trash),
		widget.NewCommand(widget.Bind("ctrl+u", "restore the last deleted", "ctrl+u"), (*Model).noneDeleted,
			(*Model).restore),
	}
}

func (m *Model) atTop() string {
	return widget.Why(fields[m.field].list && m.selected[m.field] == 0, "this is the first entry")
}

func (m *Model) atBottom() string {
	return widget.Why(fields[m.field].list && m.selected[m.field] >= len(m.matches(m.field))-1, "this is the last entry")
}

// underWay names the running operation on a session or a study, which must end before the next.
func (m *Model) underWay() string {
	return widget.Why(m.folder.acting(), "wait: "+m.folder.doing+" is running; esc stops it")
}

// noSession says why no saved session is selected.
func (m *Model) noSession() string {
	if m.field != fieldSessions {
		return "only for saved sessions; tab goes there"
	}
	if _, ok := m.on(fieldSessions); !ok {
		return "no saved session is selected"
	}
	return m.underWay()
}

// keepReason says why the selected session or study cannot be deleted.
func (m *Model) keepReason() string {
	if m.field == fieldStudies {
		switch it, ok := m.on(fieldStudies); {
		case !ok:
			return "no study is selected"
		case it.path == "":
			return "this study was not started here; there is nothing to delete"
		}
		return m.underWay()
	}
	if off := m.noSession(); off != "" {
		return off
	}
	if it, _ := m.on(fieldSessions); it.value == m.folder.open {
		return "this session is open: open another one first"
	}
	return ""
}

func (m *Model) noneDeleted() string {
	switch {
	case m.field != fieldSessions && m.field != fieldStudies:
		return "only for saved sessions and studies; tab goes there"
	case len(m.folder.trashed) == 0:
		return "nothing was deleted on this screen"
	}
	return m.underWay()
}

// Groups lists the bindings of this screen for the help.
func Groups() []widget.Group {
	form := widget.NewGroup("Open (o)", commands()).Through("o")
	form.Bindings = append([]key.Binding{widget.Bind("type", "filter, or enter a value")}, form.Bindings...)
	return []widget.Group{form, widget.NewGroup("On a saved session or a started study (o)",
		folderCommands()).Through("o")}
}

// KeyMap lists the keys with what they do now. In a text field, some are text.
func (m *Model) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "this form", Keys: widget.Keys(m, slices.Concat(commands(), folderCommands())),
		Typing: m.Status.Open(), Text: m.text}
}

// text reports whether a key press writes into the current field, rather than being a command. A question mark asks for
// help except where an expression may have one.
func (m *Model) text(msg tea.KeyPressMsg) bool {
	k := textinput.DefaultKeyMap()
	switch {
	case m.field == fieldStart:
		return false
	case msg.Text == "?":
		return m.field == fieldCost
	}
	return msg.Text != "" || key.Matches(msg, k.CharacterForward, k.CharacterBackward, k.WordForward, k.WordBackward,
		k.DeleteWordBackward, k.DeleteWordForward,
		k.DeleteAfterCursor, k.DeleteBeforeCursor, k.DeleteCharacterBackward, k.DeleteCharacterForward, k.LineStart,
		k.LineEnd, k.Paste)
}
