package mode

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// Field is a value that is typed while a mode has the keys. What is not valid stays to be mended, with the reason.
type Field struct {
	input  textinput.Model
	open   bool
	reason string
}

// NewField makes a field of at most so many characters, which is not open.
func NewField(limit int) Field {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = limit
	return Field{input: in}
}

// Open reports whether a value is typed: keys are text then.
func (f *Field) Open() bool { return f.open }

// Text is what is typed.
func (f *Field) Text() string { return f.input.Value() }

// Reason is what is wrong with it; empty if nothing is known to be.
func (f *Field) Reason() string { return f.reason }

// Begin opens the field on a first text.
func (f *Field) Begin(text string) tea.Cmd {
	f.open, f.reason = true, ""
	f.input.SetValue(text)
	f.input.CursorEnd()
	return f.input.Focus()
}

// Offer offers texts: the rest of the first that begins as what is typed is shown behind it, and tab takes it.
func (f *Field) Offer(texts []string) {
	f.input.ShowSuggestions = len(texts) > 0
	f.input.SetSuggestions(texts)
}

// Close drops what is typed.
func (f *Field) Close() {
	f.open, f.reason = false, ""
	f.input.Blur()
}

// Take takes a key or pasted text; judge says what is wrong with a text. The value is entered when enter is pressed and
// nothing is wrong.
func (f *Field) Take(msg tea.Msg, judge func(text string) error) (cmd tea.Cmd, entered bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch msg.String() {
		case "esc", "ctrl+c":
			f.Close()
			return nil, false
		case "enter":
			if f.judge(judge); f.reason == "" {
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
