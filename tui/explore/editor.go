package explore

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/param"
	"bandscope/tui/screen"
)

// editor changes the optimizer's parameters: it is made from their declarations alone.
type editor struct {
	selected int
	typing   bool
	input    textinput.Model
	reason   string // why what was typed is not valid
	undo     []undoStep
}

// undoStep is an edit that can be taken back.
type undoStep struct{ key, text string }

type editKeyMap struct {
	Up, Down, Less, More, Type, Default, Undo, Done key.Binding
}

var editKeys = editKeyMap{
	Up:      screen.Bind("up/down", "choose", "up", "k", "shift+tab"),
	Down:    screen.Bind("", "choose", "down", "j", "tab"),
	Less:    screen.Bind("left/right", "change", "left", "-", "_"),
	More:    screen.Bind("", "change", "right", "+", "="),
	Type:    screen.Bind("enter, 0-9", "type a value", append([]string{"enter"}, digits[:11]...)...),
	Default: screen.Bind("delete", "default", "delete", "backspace"),
	Undo:    screen.Bind("u", "undo", "u"),
	Done:    screen.Bind("esc, e", "leave", "esc", "e"),
}

func (k editKeyMap) bindings() []key.Binding {
	return []key.Binding{k.Up, k.Less, k.Type, k.Default, k.Undo, k.Done}
}

func newEditor() editor {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = 1000
	return editor{input: in}
}

func (m *Model) startEdit() {
	if len(m.state.Params.Decls()) == 0 {
		m.say(m.state.Spec.Title + " has no parameters")
		return
	}
	m.running = false
	m.mode = editing
	m.editor.selected = min(m.editor.selected, len(m.state.Params.Decls())-1)
	m.editor.typing, m.editor.reason = false, ""
}

// current is the selected parameter's declaration.
func (m *Model) current() param.Decl { return m.state.Params.Decls()[m.editor.selected] }

// editKey takes a key press while parameters are edited.
func (m *Model) editKey(msg tea.KeyPressMsg) tea.Cmd {
	e := &m.editor
	if e.typing {
		return m.typeKey(msg)
	}
	n := len(m.state.Params.Decls())
	switch {
	case key.Matches(msg, editKeys.Done):
		m.mode = stepping
	case key.Matches(msg, editKeys.Up):
		e.selected = (e.selected + n - 1) % n
	case key.Matches(msg, editKeys.Down):
		e.selected = (e.selected + 1) % n
	case key.Matches(msg, editKeys.Less):
		return m.nudge(-1)
	case key.Matches(msg, editKeys.More):
		return m.nudge(+1)
	case key.Matches(msg, editKeys.Default):
		d := m.current()
		return m.apply(d.Key, d.Format(d.Default))
	case key.Matches(msg, editKeys.Undo):
		return m.undoEdit()
	case key.Matches(msg, editKeys.Type):
		if msg.Text != "" {
			return m.startTyping(msg.Text)
		}
		d := m.current()
		return m.startTyping(d.Format(m.state.Params.Value(d.Key)))
	}
	return nil
}

func (m *Model) startTyping(text string) tea.Cmd {
	m.editor.typing, m.editor.reason = true, ""
	m.editor.input.SetValue(text)
	m.editor.input.CursorEnd()
	return m.editor.input.Focus()
}

// typeKey takes a key press while a value is typed. What is not valid stays, with the reason.
func (m *Model) typeKey(msg tea.KeyPressMsg) tea.Cmd {
	e := &m.editor
	switch msg.String() {
	case "esc", "ctrl+c":
		e.typing, e.reason = false, ""
		e.input.Blur()
		return nil
	case "enter":
		d := m.current()
		if _, err := m.state.Edited(d.Key, e.input.Value()); err != nil {
			e.reason = err.Error()
			return nil
		}
		e.typing, e.reason = false, ""
		e.input.Blur()
		return m.apply(d.Key, e.input.Value())
	}
	var cmd tea.Cmd
	e.input, cmd = e.input.Update(msg)
	e.reason = ""
	if _, err := m.state.Edited(m.current().Key, e.input.Value()); err != nil {
		e.reason = err.Error()
	}
	return cmd
}

// apply edits a parameter and remembers how to take it back.
func (m *Model) apply(name, text string) tea.Cmd {
	d, err := m.state.Params.Decl(name)
	if err != nil {
		m.fail(err)
		return nil
	}
	before := m.state.Params.Value(name)
	if v, err := d.Parse(text); err == nil && v == before {
		return nil
	}
	m.editor.undo = append(m.editor.undo, undoStep{name, d.Format(before)})
	return m.edit(name, text)
}

func (m *Model) undoEdit() tea.Cmd {
	u := m.editor.undo
	if len(u) == 0 {
		m.say("no edit to undo")
		return nil
	}
	last := u[len(u)-1]
	m.editor.undo = u[:len(u)-1]
	return m.edit(last.key, last.text)
}

// nudge changes the selected parameter by one step of its kind.
func (m *Model) nudge(by int) tea.Cmd {
	d := m.current()
	d.Choices = m.state.Suggestions(d)
	return m.apply(d.Key, d.Format(d.Nudge(m.state.Params.Value(d.Key), by)))
}
