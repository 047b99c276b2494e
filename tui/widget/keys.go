package widget

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Group is a heading with the bindings under it; help and the guide are made from groups, so that they can never fall
// behind the keys.
type Group struct {
	Title    string
	Bindings []key.Binding
	Long     map[string]string // longer descriptions, by the keys as they are shown
}

// NewGroup is a heading with commands under it, and with further bindings: what the mouse does, and keys of other
// headings.
func NewGroup[M any](title string, commands []Command[M], also ...key.Binding) Group {
	g := Group{Title: title, Bindings: append(Bindings(commands), also...), Long: map[string]string{}}
	for _, c := range commands {
		if c.About != "" {
			g.Long[c.Help().Key] = c.About
		}
	}
	return g
}

// Bind declares a key with its help: the keys as they are shown, what they do, and the key names that trigger it. Where
// nothing is shown, the binding is a second half of another one, such as down of up and down.
func Bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// Command is a key of a screen or mode M as data: the binding with its help, the function that it runs, and the reason
// why it can do nothing now. Dispatch, help, footer and the guide to the keys are all made from it.
type Command[M any] struct {
	key.Binding
	// a longer description than the help has space for; empty where the help says everything
	About          string
	DisabledReason func(M) string                   // empty where it can; nil if it always can, or says itself why not
	Do             func(M, tea.KeyPressMsg) tea.Cmd // nil where the window does it
}

// NewCommand is a command that does the same for each of its keys.
func NewCommand[M any](b key.Binding, off func(M) string, do func(M) tea.Cmd) Command[M] {
	return Command[M]{Binding: b, DisabledReason: off, Do: func(m M, _ tea.KeyPressMsg) tea.Cmd { return do(m) }}
}

// Long is the command with a longer description for the guide.
func (c Command[M]) Long(about string) Command[M] {
	c.About = about
	return c
}

// Lift are the commands of a part of a screen or mode M as its own: of gives the part.
func Lift[M, N any](of func(M) N, list []Command[N]) []Command[M] {
	all := make([]Command[M], len(list))
	for i, c := range list {
		all[i] = Command[M]{Binding: c.Binding, About: c.About}
		if c.DisabledReason != nil {
			all[i].DisabledReason = func(m M) string { return c.DisabledReason(of(m)) }
		}
		if c.Do != nil {
			all[i].Do = func(m M, msg tea.KeyPressMsg) tea.Cmd { return c.Do(of(m), msg) }
		}
	}
	return all
}

// NewRequestCommand is a command that asks the window for an action.
func NewRequestCommand[M any](b key.Binding, want Action) Command[M] {
	return Command[M]{Binding: b, Do: func(M, tea.KeyPressMsg) tea.Cmd { return Request(want) }}
}

// HelpKey opens the help.
var HelpKey = Bind("?", "help", "?", "f1")

// ExplainKey explains the screen, one part after the other.
var ExplainKey = Bind("I", "explain this screen", "I", "f2")

// GlobalCommands are the commands of every screen and mode in which keys are not text.
func GlobalCommands[M any]() []Command[M] {
	return []Command[M]{{Binding: HelpKey}, {Binding: ExplainKey},
		NewRequestCommand[M](Bind("q", "quit", "q", "ctrl+c"), Quit{}),
		{Binding: Bind("ctrl+z", "suspend", "ctrl+z")}}
}

// Press runs the command of a key press. If the command can do nothing, off says why; taken is false if no command has
// the key.
func Press[M any](m M, commands []Command[M], msg tea.KeyPressMsg) (cmd tea.Cmd, off string, taken bool) {
	for _, c := range commands {
		if !key.Matches(msg, c.Binding) {
			continue
		}
		taken = true
		if c.DisabledReason != nil {
			if why := c.DisabledReason(m); why != "" {
				off = why
				continue
			}
		}
		if c.Do == nil {
			return nil, "", true
		}
		return c.Do(m, msg), "", true
	}
	return nil, off, taken
}

// Key is a binding with the reason why it can do nothing now, empty if it can.
type Key struct {
	key.Binding
	DisabledReason string
}

// Keys lists the commands of a screen with what they can do now.
func Keys[M any](m M, commands []Command[M]) []Key {
	list := make([]Key, len(commands))
	for i, c := range commands {
		list[i].Binding = c.Binding
		if c.DisabledReason != nil {
			list[i].DisabledReason = c.DisabledReason(m)
		}
	}
	return list
}

// Bindings are those of commands.
func Bindings[M any](commands []Command[M]) []key.Binding {
	list := make([]key.Binding, len(commands))
	for i, c := range commands {
		list[i] = c.Binding
	}
	return list
}

// BindingsFor are the bindings of the keys that are named as they are shown, with spaces between, in that order: those
// of a footer, the most needed first.
func BindingsFor[M any](commands []Command[M], shown string) []key.Binding {
	var list []key.Binding
	for name := range strings.FieldsSeq(shown) {
		if i := slices.IndexFunc(commands, func(c Command[M]) bool { return c.Help().Key == name }); i >= 0 {
			list = append(list, commands[i].Binding)
		}
	}
	return list
}
