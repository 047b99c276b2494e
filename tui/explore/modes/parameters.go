package modes

import (
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/widget"
)

// Editor changes parameters.
type Editor struct {
	selected int
	field    mode.Field // the value that is typed
	undo     []Edit     // what takes the edits back
}

// Edit makes a text the value of a parameter, as an event of the session.
type Edit struct{ Key, Text string }

// Doing says what is done.
func (e Edit) Doing() string { return "editing " + e.Key }

// Do edits the parameter.
func (e Edit) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if err := s.Edit(e.Key, e.Text); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is now %s", e.Key, e.Text), nil
}

// New makes an editor with the first parameter selected.
func New() mode.Mode { return newEditor() }

func newEditor() *Editor { return &Editor{field: mode.NewField(1000)} }

// turn is one call of the editor.
type turn struct {
	*Editor
	*mode.Turn
}

var commands = []widget.Command[turn]{
	widget.Do(widget.Bind("up/down", "choose", "up", "k", "shift+tab"), turn.only, func(t turn) tea.Cmd {
		return t.choose(-1)
	}),
	widget.Do(widget.Bind("", "choose", "down", "j", "tab"), turn.only, func(t turn) tea.Cmd { return t.choose(+1) }),
	widget.Do(widget.Bind("left/right", "change", "left", "-", "_"), nil, func(t turn) tea.Cmd { return t.nudge(-1) }),
	widget.Do(widget.Bind("", "change", "right", "+", "="), nil, func(t turn) tea.Cmd { return t.nudge(+1) }),
	{Binding: widget.Bind("enter, 0-9", "type a value", "enter", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
		"."), Do: turn.enter},
	widget.Do(widget.Bind("delete", "default", "delete", "backspace"), turn.isDefault, turn.reset),
	widget.Do(widget.Bind("u", "undo", "u", "ctrl+u"), nil, turn.takeBack),
	widget.Do(widget.Bind("esc, e", "leave", "esc", "e"), nil, func(t turn) tea.Cmd { return t.Want(mode.Leave{}) }),
}

// Bindings are the keys of the editor.
func Bindings() []key.Binding { return widget.Bindings(commands) }

// Title names the mode.
func (e *Editor) Title() string { return "the editor" }

// Typing reports whether a value is typed.
func (e *Editor) Typing() bool { return e.field.Open() }

// Keys are the keys as they stand.
func (e *Editor) Keys(s mode.Scene) []widget.Key {
	keys := widget.Keys(turn{e, &mode.Turn{Scene: s}}, commands)
	if !e.text(s) {
		return keys
	}
	shown := map[string]string{"enter, 0-9": "enter, any text", "u": "ctrl+u", "esc, e": "esc"} // letters are text
	for i, k := range keys {
		if other := shown[k.Help().Key]; other != "" {
			keys[i].SetHelp(other, k.Help().Desc)
		}
	}
	return keys
}

// text reports whether the selected parameter is a text, which is typed by its characters.
func (e *Editor) text(s mode.Scene) bool {
	decls := s.Params.Decls()
	return e.selected < len(decls) && decls[e.selected].Kind == param.Text
}

// Text reports whether a key is a character of the text parameter that is selected, though it is a command elsewhere.
func (e *Editor) Text(s mode.Scene, msg tea.KeyPressMsg) bool { return msg.Text != "" && e.text(s) }

// Pastes reports whether a text parameter is selected, which takes pasted text.
func (e *Editor) Pastes(s mode.Scene) bool { return e.text(s) }

// Start edits the parameter that was selected last.
func (e *Editor) Start(s mode.Scene) (tea.Cmd, []widget.Action) {
	n := len(s.Params.Decls())
	if n == 0 {
		return nil, []widget.Action{mode.Say{Text: s.Params.Title + " has no parameters"}}
	}
	e.selected = min(e.selected, n-1)
	e.field.Close()
	return nil, []widget.Action{mode.Enter{Mode: e}}
}

// Update takes a key or pasted text.
func (e *Editor) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	t := turn{e, &mode.Turn{Scene: s}}
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
		cmd, _ = mode.Press(t.Turn, t, commands, press)
	}
	return cmd, t.Actions
}

// decl is the selected parameter's declaration.
func (e *Editor) decl(p mode.Params) param.Decl { return p.Decls()[e.selected] }

func (t turn) only() string {
	if len(t.Params.Decls()) == 1 {
		return "there is one parameter"
	}
	return ""
}

func (t turn) isDefault() string {
	if d := t.decl(t.Params); t.Params.Value(d.Key) == d.Default {
		return d.Label + " is as the default has it"
	}
	return ""
}

func (t turn) choose(by int) tea.Cmd {
	n := len(t.Params.Decls())
	t.selected = (t.selected + by + n) % n
	return nil
}

// nudge changes the selected parameter by one step of its kind.
func (t turn) nudge(by int) tea.Cmd {
	d := t.decl(t.Params)
	d.Choices = t.Params.Try(d)
	return t.apply(d.Format(d.Nudge(t.Params.Value(d.Key), by)))
}

func (t turn) reset() tea.Cmd {
	d := t.decl(t.Params)
	return t.apply(d.Format(d.Default))
}

// apply edits the selected parameter and remembers how to take it back.
func (t turn) apply(text string) tea.Cmd {
	d := t.decl(t.Params)
	before := t.Params.Value(d.Key)
	if v, err := d.Parse(text); err == nil && v == before {
		return nil
	}
	t.undo = append(t.undo, Edit{d.Key, d.Format(before)})
	return t.Want(Edit{d.Key, text})
}

func (t turn) takeBack() tea.Cmd {
	n := len(t.undo)
	if n == 0 {
		return t.Say("no edit to undo")
	}
	last := t.undo[n-1]
	t.undo = t.undo[:n-1]
	return t.Want(last)
}

// enter begins to type a value: a new one by its first digit, else the one that holds, to be changed.
func (t turn) enter(msg tea.KeyPressMsg) tea.Cmd {
	text := msg.Text
	if text == "" {
		d := t.decl(t.Params)
		text = d.Format(t.Params.Value(d.Key))
	}
	return t.field.Begin(text)
}

// judge says what is wrong with a text as the value of the selected parameter.
func (t turn) judge(text string) error {
	return t.Params.Judge(t.decl(t.Params).Key, text)
}
