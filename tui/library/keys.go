package library

import (
	"slices"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/widget"
)

// command is a key of this screen as data.
type command = widget.Command[*Model]

// commands are what the keys do on the form, beside typing.
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
		widget.NewCommand(widget.Bind("enter", "take, and go on", "enter"), nil, (*Model).pick),
		widget.NewCommand(widget.Bind("ctrl+s", "start at once", "ctrl+s"), nil, (*Model).start),
		{Binding: widget.Bind("esc", "leave", "esc", "ctrl+c"), Do: (*Model).leave},
		{Binding: widget.Bind("f1, ?", "help", "f1")},
		{Binding: widget.Bind("ctrl+z", "suspend", "ctrl+z")},
	}
}

// folderCommands are what the keys do on a saved session; the last two of them on a study that was begun, too.
func folderCommands() []command {
	return []command{
		widget.NewCommand(widget.Bind("ctrl+r", "rename", "ctrl+r"), (*Model).noSession, (*Model).rename),
		widget.NewCommand(widget.Bind("ctrl+y", "copy", "ctrl+y"), (*Model).noSession, (*Model).copy),
		widget.NewCommand(widget.Bind("ctrl+d", "delete (to the trash)", "ctrl+d"), (*Model).keepReason,
			(*Model).trash),
		widget.NewCommand(widget.Bind("ctrl+b", "bring the last deleted back", "ctrl+b"), (*Model).noneDeleted,
			(*Model).restore),
	}
}

func (m *Model) atTop() string {
	if fields[m.field].list && m.selected[m.field] == 0 {
		return "this is the first of the list"
	}
	return ""
}

func (m *Model) atBottom() string {
	if fields[m.field].list && m.selected[m.field] >= len(m.matches(m.field))-1 {
		return "this is the last of the list"
	}
	return ""
}

// underWay says what is being done to a session or a study, for which the next thing waits.
func (m *Model) underWay() string {
	if m.folder.acting() {
		return "wait: " + m.folder.doing + " is under way; esc stops it"
	}
	return ""
}

// noSession says why there is no saved session to do something to.
func (m *Model) noSession() string {
	if m.field != fieldSessions {
		return "that is for saved sessions: tab goes to them"
	}
	if _, ok := m.on(fieldSessions); !ok {
		return "there is no saved session of this name"
	}
	return m.underWay()
}

// keepReason says why the selected session, or study, stays.
func (m *Model) keepReason() string {
	if m.field == fieldStudies {
		switch it, ok := m.on(fieldStudies); {
		case !ok:
			return "there is no study of this name"
		case it.path == "":
			return "this study was not begun here: there is nothing to delete"
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
		return "that is for saved sessions and for studies: tab goes to them"
	case len(m.folder.trashed) == 0:
		return "nothing was deleted here"
	}
	return m.underWay()
}

// Groups lists the bindings of this screen for the help.
func Groups() []widget.Group {
	form := widget.NewGroup("Open (o)", commands())
	form.Bindings = append([]key.Binding{widget.Bind("type", "filter, or a number")}, form.Bindings...)
	return []widget.Group{form, widget.NewGroup("On a saved session, or on a study that was begun (o)",
		folderCommands())}
}

// KeyMap tells what the keys do now. Where text can be typed, they are text besides.
func (m *Model) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "this form", Keys: widget.Keys(m, slices.Concat(commands(), folderCommands())),
		Typing: m.Status.Open(), Text: m.text}
}

// text reports whether a key press writes into the field that is typed into, rather than being a command. A question
// mark asks for help but where an expression may hold one.
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
