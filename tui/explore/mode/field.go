package mode

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// Field is a text field of a mode. An invalid text stays in the field, with the reason.
type Field struct {
	input  textinput.Model
	open   bool
	reason string
}

// NewField makes a closed field of at most limit characters.
func NewField(limit int) Field {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = limit
	return Field{input: in}
}

// Open reports whether the field has the keys.
func (f *Field) Open() bool { return f.open }

// Text is the typed text.
func (f *Field) Text() string { return f.input.Value() }

// Reason says why the text is invalid; empty if it is valid or was not checked.
func (f *Field) Reason() string { return f.reason }

// Begin opens the field with a text.
func (f *Field) Begin(text string) tea.Cmd {
	f.open, f.reason = true, ""
	f.input.SetValue(text)
	f.input.CursorEnd()
	return f.input.Focus()
}

// Offer sets completions: the first one that starts with the typed text is shown, and tab takes it.
func (f *Field) Offer(texts []string) {
	f.input.ShowSuggestions = len(texts) > 0
	f.input.SetSuggestions(texts)
}

// Close closes the field.
func (f *Field) Close() {
	f.open, f.reason = false, ""
	f.input.Blur()
}

// Take takes a key or pasted text; judge returns why a text is invalid. It returns true when enter is pressed and the
// text is valid.
func (f *Field) Take(msg tea.Msg, judge func(text string) error) (cmd tea.Cmd, entered bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch msg.String() {
		case "esc", "ctrl+c":
			f.Close()
			return nil, false
		case "enter":
			f.judge(judge)
			if f.reason == "" {
				f.Close()
				return nil, true
			}
			return nil, false
		}
	case tea.PasteMsg:
	default:
		return nil, false
	}
	f.input, cmd = f.input.Update(msg)
	f.judge(judge)
	return cmd, false
}

func (f *Field) judge(judge func(string) error) {
	f.reason = ""
	if err := judge(f.input.Value()); err != nil {
		f.reason = err.Error()
	}
}

// View is the text with its cursor, in w columns; 0 for as many as it needs.
func (f *Field) View(w int) string {
	f.input.SetWidth(w)
	return f.input.View()
}
