package explore

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// prompt asks for a line of text in the status line.
type prompt struct {
	label string
	input textinput.Model
	then  func(text string) tea.Cmd
}

func newPrompt() prompt {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = 4096
	return prompt{input: in}
}

// ask opens the prompt with a label and a first text; then is called with what was entered.
func (m *Model) ask(label, text string, then func(string) tea.Cmd) tea.Cmd {
	m.mode = asking
	m.prompt.label, m.prompt.then = label, then
	m.prompt.input.SetValue(text)
	m.prompt.input.CursorEnd()
	return m.prompt.input.Focus()
}

// promptKey takes a key press while text is asked for.
func (m *Model) promptKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc", "ctrl+c":
		m.mode = stepping
		m.prompt.input.Blur()
		return nil
	case "enter":
		m.mode = stepping
		m.prompt.input.Blur()
		return m.prompt.then(m.prompt.input.Value())
	}
	var cmd tea.Cmd
	m.prompt.input, cmd = m.prompt.input.Update(msg)
	return cmd
}

// paste takes pasted text wherever text is being entered.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	var cmd tea.Cmd
	switch m.mode {
	case asking:
		m.prompt.input, cmd = m.prompt.input.Update(msg)
	case editing:
		if m.editor.typing {
			m.editor.input, cmd = m.editor.input.Update(msg)
		}
	case querying:
		if m.query.typing {
			m.query.input, cmd = m.query.input.Update(msg)
		}
	}
	return cmd
}
