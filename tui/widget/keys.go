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
	Long     map[string]string // longer descriptions, by the short ones
	Gate     string            // the key of the explorer that leads there; empty for the explorer itself
	Where    string            // what must be open where no key leads there, such as a study; else empty
}

// NewGroup is a heading with commands under it, and with further bindings: what the mouse does, and keys of other
// headings. It leaves out the keys of every screen, which have a group of their own.
func NewGroup[M any](title string, commands []Command[M], also ...key.Binding) Group {
	g := Group{Title: title, Long: map[string]string{}}
	for _, c := range commands {
		if isGlobal(c.Binding) {
			continue
		}
		g.Bindings = append(g.Bindings, c.Binding)
		if c.About != "" {
			g.Long[c.Help().Desc] = c.About
		}
	}
	g.Bindings = append(g.Bindings, also...)
	return g
}

// GlobalGroup has the keys of every screen.
func GlobalGroup() Group {
	g := Group{Title: "On every screen", Long: map[string]string{}}
	for _, c := range GlobalCommands[struct{}]() {
		g.Bindings = append(g.Bindings, c.Binding)
		g.Long[c.Help().Desc] = c.About
	}
	return g
}

// isGlobal reports whether a binding is one of every screen.
func isGlobal(b key.Binding) bool {
	return slices.ContainsFunc(GlobalCommands[struct{}](), func(c Command[struct{}]) bool { return c.Help() == b.Help() })
}

// Through is the group as that of a screen or mode that a key of the explorer opens.
func (g Group) Through(gate string) Group {
	g.Gate = gate
	return g
}

// In is the group as that of a screen that must be open already.
func (g Group) In(where string) Group {
	g.Where = where
	return g
}

// Bind declares a key with its help: the keys as they are shown, what they do, and the key names that trigger it. Where
// nothing is shown, the binding is a second half of another one, such as down of up and down.
func Bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// callPrefix begins the text of the key press that calls a command by its name; no key of a keyboard has it.
const callPrefix = "\x00"

// Named declares a command that has no key: it is run by its name, from the palette, a menu or a button.
func Named(name string) key.Binding {
	return key.NewBinding(key.WithKeys(callPrefix+name), key.WithHelp("", name))
}

// IsNamed reports whether a binding is a command without a key.
func IsNamed(b key.Binding) bool {
	return len(b.Keys()) == 1 && strings.HasPrefix(b.Keys()[0], callPrefix)
}

// Shown is the key of a binding as the help shows it: that of the palette for a command without a key, and empty for
// the second half of another binding.
func Shown(b key.Binding) string {
	if IsNamed(b) {
		return PaletteKey.Help().Key
	}
	return b.Help().Key
}

// Command is a key of a screen or mode M as data: the binding with its help, the function that it runs, and the reason
// why it can do nothing now. Dispatch, help, footer, palette, menus and the guide to the keys are all made from it.
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

// NewChange is a command that changes the screen or mode at once.
func NewChange[M any](b key.Binding, off func(M) string, change func(M)) Command[M] {
	return NewCommand(b, off, func(m M) tea.Cmd {
		change(m)
		return nil
	})
}

// Can is a command that is never disabled, and Unless one that is disabled while off returns a reason.
func Can[M any](b key.Binding, do func(M) tea.Cmd) Command[M] { return NewCommand(b, nil, do) }

// Unless is NewCommand with the reason first.
func Unless[M any](off func(M) string, b key.Binding, do func(M) tea.Cmd) Command[M] {
	return NewCommand(b, off, do)
}

// Why is a reason where it holds, such as why a command can do nothing; else empty.
func Why(holds bool, reason string) string {
	if holds {
		return reason
	}
	return ""
}

// Long is the command with a longer description for the guide.
func (c Command[M]) Long(about string) Command[M] {
	c.About = about
	return c
}

// NewRequestCommand is a command that asks the window for an action.
func NewRequestCommand[M any](b key.Binding, want Action) Command[M] {
	return Command[M]{Binding: b, Do: func(M, tea.KeyPressMsg) tea.Cmd { return Request(want) }}
}

// Keys of the window, on every screen: HelpKey opens the help, ExplainKey explains the screen part by part, PaletteKey
// opens the command palette (its second key also works where keys are text), and MenuKey the menu of a part of the
// screen.
var (
	HelpKey = Bind("?", "help", "?", "f1")
	// PicturesKey shows plots as pictures or in cells
	PicturesKey = Bind("ctrl+v", "pictures", "ctrl+v")
	ExplainKey  = Bind("i", "explain", "i", "I", "f2")
	PaletteKey  = Bind(":", "find", ":", "ctrl+p")
	MenuKey     = Bind("m", "menu", "m", "f10")
)

// DailyKeys are the keys that people use every day, as they are shown and with spaces between, the most needed first. The
// palette and the help begin with them.
const DailyKeys = "space r e w u i x b c n o t v"

// GlobalCommands are the commands of every screen and mode in which keys are not text.
func GlobalCommands[M any]() []Command[M] {
	return []Command[M]{
		Command[M]{Binding: ExplainKey}.Long("explain this screen, one part after the other"),
		Command[M]{Binding: PaletteKey}.Long("find a command, a method, a function, a parameter, a session, a lesson or a term by its name; a number goes to that step"),
		Command[M]{Binding: MenuKey}.Long("show what can be done with a part of the screen"),
		Command[M]{Binding: HelpKey}.Long("show the keys of this screen"),
		Command[M]{Binding: PicturesKey}.Long("show plots as pictures, where the terminal can, or in character cells"),
		NewRequestCommand[M](Bind("q", "quit", "q", "ctrl+c"), Quit{}).Long("quit the program"),
		Command[M]{Binding: Bind("ctrl+z", "suspend", "ctrl+z")}.Long("suspend the program until fg in the shell"),
	}
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

// Key is a binding with what it does at more length, and why it can do nothing now.
type Key struct {
	key.Binding
	Group string // the heading in the help; empty where a screen has one only
	About string // empty where the binding says everything
	off   func() string
}

// DisabledReason is why the key can do nothing now; empty if it can.
func (k Key) DisabledReason() string {
	if k.off == nil {
		return ""
	}
	return k.off()
}

// Keys lists the commands of a screen. Why one can do nothing is found out when it is asked for.
func Keys[M any](m M, commands []Command[M]) []Key {
	list := make([]Key, len(commands))
	for i, c := range commands {
		list[i].Binding, list[i].About = c.Binding, c.About
		if c.DisabledReason != nil {
			list[i].off = func() string { return c.DisabledReason(m) }
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
// of a footer, the most needed first. A command without a key is named by its name, with underscores for spaces.
func BindingsFor[M any](commands []Command[M], shown string) []key.Binding {
	var list []key.Binding
	for name := range strings.FieldsSeq(shown) {
		if i := slices.IndexFunc(commands, func(c Command[M]) bool {
			return c.Help().Key == name || IsNamed(c.Binding) && strings.ReplaceAll(c.Help().Desc, " ", "_") == name
		}); i >= 0 {
			list = append(list, commands[i].Binding)
		}
	}
	return list
}
