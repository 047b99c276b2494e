package modes

import (
	"context"
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/explore/mode"
	"bandscope/tui/widget"
)

// ParameterMode changes parameters.
type ParameterMode struct {
	selected int
	field    mode.Field     // the value that is typed
	undo     []SetParameter // the inverse edits
}

// SetParameter sets a parameter, as an event of the session.
type SetParameter struct{ Key, Text string }

// Doing names the change.
func (e SetParameter) Doing() string { return "editing " + e.Key }

// Do edits the parameter.
func (e SetParameter) Do(ctx context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	set := acts.SetArgs{Parameters: map[string]acts.Setting{e.Key: acts.Setting(e.Text)}}
	if _, err := set.Apply(ctx, s); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is now %s", e.Key, e.Text), nil
}

// SelectParameter tells the editor to select the parameter of a key, and to open the field for its value.
type SelectParameter struct{ Key string }

// NewParameterMode makes an editor with the first parameter selected.
func NewParameterMode() mode.Mode { return newParameterMode() }

func newParameterMode() *ParameterMode { return &ParameterMode{field: mode.NewField(1000)} }

// parameterTurn is one call of the editor.
type parameterTurn struct {
	*ParameterMode
	*mode.Turn
}

var parameterCommands = append(widget.List[parameterTurn]{Shown: "up/down", Does: "choose", Up: "up k shift+tab",
	Down: "down j tab", Round: true, Only: "there is only one parameter",
	Row: func(t parameterTurn) (*int, int) { return &t.selected, len(t.Params.Decls()) },
}.Commands(), []widget.Command[parameterTurn]{
	widget.NewCommand(widget.Bind("left/right", "change", "left"), nil, func(t parameterTurn) tea.Cmd {
		return t.nudge(-1)
	}),
	widget.NewCommand(widget.Bind("", "change", "right"), nil, func(t parameterTurn) tea.Cmd {
		return t.nudge(+1)
	}),
	{Binding: widget.Bind("enter, 0-9", "type a value", "enter", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
		"."), Do: parameterTurn.enter},
	widget.NewCommand(widget.Bind("delete", "default", "delete", "backspace"), parameterTurn.isDefault,
		parameterTurn.reset),
	widget.NewCommand(widget.Bind("ctrl+u", "undo", "ctrl+u"), nil, parameterTurn.takeBack),
	widget.NewCommand(widget.Bind("esc, e", "leave", "esc", "e"), nil, func(t parameterTurn) tea.Cmd {
		return t.Request(mode.Leave{})
	}),
}...)

// ParameterBindings are the keys of the editor.
func ParameterBindings() []key.Binding { return widget.Bindings(parameterCommands) }

// Title names the mode.
func (e *ParameterMode) Title() string { return "the editor" }

// Typing reports whether a value is typed.
func (e *ParameterMode) Typing() bool { return e.field.Open() }

// Keys are the current keys.
func (e *ParameterMode) Keys(s mode.Scene) []widget.Key {
	keys := widget.Keys(parameterTurn{e, &mode.Turn{Scene: s}}, parameterCommands)
	if !e.text(s) {
		return keys
	}
	shown := map[string]string{"enter, 0-9": "enter, any text", "b": "ctrl+u", "esc, e": "esc"} // letters are text
	for i, k := range keys {
		if other := shown[k.Help().Key]; other != "" {
			keys[i].SetHelp(other, k.Help().Desc)
		}
	}
	return keys
}

// text reports whether the selected parameter is a text, so that letters start typing.
func (e *ParameterMode) text(s mode.Scene) bool {
	decls := s.Params.Decls()
	return e.selected < len(decls) && decls[e.selected].Kind == param.Text
}

// Text reports whether a key is a character for the selected text parameter, rather than a command.
func (e *ParameterMode) Text(s mode.Scene, msg tea.KeyPressMsg) bool {
	return msg.Text != "" && e.text(s)
}

// Pastes reports whether the selected parameter takes pasted text.
func (e *ParameterMode) Pastes(s mode.Scene) bool { return e.text(s) }

// Start selects the parameter that was selected last.
func (e *ParameterMode) Start(s mode.Scene) (tea.Cmd, []widget.Action) {
	n := len(s.Params.Decls())
	if n == 0 {
		return nil, []widget.Action{mode.Say{Text: s.Params.Title + " has no parameters"}}
	}
	e.selected = min(e.selected, n-1)
	e.field.Close()
	return nil, []widget.Action{mode.Enter{Mode: e}}
}

// Update takes a key or pasted text.
func (e *ParameterMode) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	t := parameterTurn{e, &mode.Turn{Scene: s}}
	if want, ok := msg.(SelectParameter); ok {
		return t.pick(want), nil
	}
	if press, ok := msg.(tea.KeyPressMsg); ok && !e.field.Open() && e.Text(s, press) {
		return t.field.Begin(press.Text), nil
	}
	if _, pasted := msg.(tea.PasteMsg); pasted && !e.field.Open() && e.text(s) {
		t.field.Begin("")
	}
	if e.field.Open() {
		cmd, entered := t.field.Take(msg, t.judge)
		if entered {
			t.apply(t.field.Text())
		}
		return cmd, t.Actions
	}
	var cmd tea.Cmd
	if press, ok := msg.(tea.KeyPressMsg); ok {
		cmd, _ = mode.Press(t.Turn, t, parameterCommands, press)
	}
	return cmd, t.Actions
}

// decl is the selected parameter's declaration.
func (e *ParameterMode) decl(p mode.Params) param.Decl { return p.Decls()[e.selected] }

func (t parameterTurn) isDefault() string {
	if d := t.decl(t.Params); t.Params.Value(d.Key) == d.Default {
		return d.Label + " already has its default value"
	}
	return ""
}

// pick selects the parameter of a key.
func (t parameterTurn) pick(want SelectParameter) tea.Cmd {
	if i := slices.IndexFunc(t.Params.Decls(), func(d param.Decl) bool { return d.Key == want.Key }); i >= 0 {
		t.field.Close()
		t.selected = i
		return t.enter(tea.KeyPressMsg{})
	}
	return nil
}

// nudge changes the selected parameter by one step of its kind.
func (t parameterTurn) nudge(delta int) tea.Cmd {
	d := t.decl(t.Params)
	d.Choices = t.Params.Try(d)
	return t.apply(d.Format(d.Nudge(t.Params.Value(d.Key), delta)))
}

func (t parameterTurn) reset() tea.Cmd {
	d := t.decl(t.Params)
	return t.apply(d.Format(d.Default))
}

// apply edits the selected parameter and remembers the inverse edit.
func (t parameterTurn) apply(text string) tea.Cmd {
	d := t.decl(t.Params)
	before := t.Params.Value(d.Key)
	if v, err := d.Parse(text); err == nil && v == before {
		return nil
	}
	t.undo = append(t.undo, SetParameter{d.Key, d.Format(before)})
	return t.Request(SetParameter{d.Key, text})
}

func (t parameterTurn) takeBack() tea.Cmd {
	n := len(t.undo)
	if n == 0 {
		return t.Say("no edit to undo")
	}
	last := t.undo[n-1]
	t.undo = t.undo[:n-1]
	return t.Request(last)
}

// enter opens the field: a digit starts a new value, enter edits the current one.
func (t parameterTurn) enter(msg tea.KeyPressMsg) tea.Cmd {
	text := msg.Text
	if text == "" {
		d := t.decl(t.Params)
		text = d.Format(t.Params.Value(d.Key))
	}
	return t.field.Begin(text)
}

// judge returns why a text is invalid as the value of the selected parameter.
func (t parameterTurn) judge(text string) error {
	return t.Params.Judge(t.decl(t.Params).Key, text)
}
