package widget

import (
	"cmp"
	"image"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// prompt asks for a line of text in the status line.
type prompt struct {
	label  string
	hint   string
	reason string // why the text is not valid
	input  textinput.Model
	open   bool
	then   func(text string) tea.Cmd

	question question // in place of a text
}

// question is a question that keys answer; without choices there is none.
type question struct {
	text, hint string
	choices    []Choice
	cancel     func() tea.Cmd
}

// Choice is an answer to a question of Choose: its key, and what it does.
type Choice struct {
	key.Binding
	Do func() tea.Cmd
}

// newPrompt makes a prompt that is not open.
func newPrompt() prompt {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = 4096
	in.SetVirtualCursor(false) // the terminal's own is shown, which readers of screens follow
	return prompt{input: in}
}

// Open reports whether the prompt is open.
func (p *prompt) Open() bool { return p.open }

// Choosing reports whether the prompt is a question of Choose, which keys answer.
func (p *prompt) Choosing() bool { return p.question.choices != nil }

// Ask opens the prompt with a label and a first text; then is called with the entered text.
func (p *prompt) Ask(label, text string, then func(string) tea.Cmd) tea.Cmd {
	p.open = true
	p.label = label
	p.hint = ""
	p.reason = ""
	p.then = then
	p.question = question{}
	p.input.SetValue(text)
	p.input.CursorEnd()
	return p.input.Focus()
}

// Choose asks a question that keys answer, with a hint below the line; esc calls cancel.
func (p *prompt) Choose(text, hint string, cancel func() tea.Cmd, choices ...Choice) {
	p.open = true
	p.question = question{text, hint, choices, cancel}
}

// Hint shows a hint below the line while the prompt is open.
func (p *prompt) Hint(text string) { p.hint = text }

// Again opens the prompt again with the last text, to be corrected, and shows the reason.
func (p *prompt) Again(reason string) tea.Cmd {
	p.open, p.reason = true, sanitize.Text(reason)
	p.question = question{}
	return p.input.Focus()
}

// Explain is the line below the prompt: the reason why the text is not valid, or the hint.
func (p *prompt) Explain(st theme.Style) string {
	if p.Choosing() {
		return " " + st.Paint(st.Dim, st.Plain(p.question.hint))
	}
	if p.reason != "" {
		return " " + st.PaintBold(st.Error, st.Plain(st.Glyph(theme.GlyphCross)+" "+p.reason))
	}
	return " " + st.Paint(st.Dim, st.Plain(p.hint))
}

// maxTyped is the number of words of the hint in its explanation.
const maxTyped = 40

// ExplainBox is the line below the prompt, w columns wide, as a part of a frame.
func (p *prompt) ExplainBox(st theme.Style, w int) *layout.Box {
	line := layout.Text(w, layout.ShortenIn(st, p.Explain(st), w))
	if text := cmp.Or(p.question.hint, p.reason, p.hint); text != "" {
		line.Prose("keys", "", "What you can type: "+layout.Excerpt(text, maxTyped)+".")
	}
	return line
}

// commands are the keys of the prompt; all others are text.
func (p *prompt) commands() []Command[*prompt] {
	if p.Choosing() {
		return p.choiceCommands()
	}
	return []Command[*prompt]{
		NewCommand(Bind("enter", "accept", "enter"), nil, func(p *prompt) tea.Cmd {
			p.close()
			return p.then(p.input.Value())
		}),
		NewCommand(Bind("esc", "cancel", "esc", "ctrl+c"), nil, func(p *prompt) tea.Cmd {
			p.close()
			return nil
		}),
	}
}

// choiceCommands are the keys that answer a question.
func (p *prompt) choiceCommands() []Command[*prompt] {
	var list []Command[*prompt]
	for _, c := range p.question.choices {
		list = append(list, NewCommand(c.Binding, nil, func(p *prompt) tea.Cmd {
			p.close()
			return c.Do()
		}))
	}
	return append(list, NewCommand(Bind("esc", "cancel", "esc", "ctrl+c"), nil, func(p *prompt) tea.Cmd {
		cancel := p.question.cancel
		p.close()
		return cancel()
	}))
}

// Cancel closes the prompt without its text.
func (p *prompt) Cancel() { p.close() }

func (p *prompt) close() {
	p.open, p.question = false, question{}
	p.input.Blur()
}

// Key takes a key press while the prompt is open.
func (p *prompt) Key(msg tea.KeyPressMsg) tea.Cmd {
	if cmd, _, taken := Press(p, p.commands(), msg); taken || p.Choosing() {
		return cmd
	}
	return p.Type(msg)
}

// Type passes a message, such as pasted text, to the input.
func (p *prompt) Type(msg tea.Msg) tea.Cmd {
	if p.Choosing() {
		return nil
	}
	before := p.input.Value()
	var cmd tea.Cmd
	p.input, cmd = p.input.Update(msg)
	if p.input.Value() != before {
		p.reason = ""
	}
	return cmd
}

// View is the line with its label and its keys.
func (p *prompt) View(st theme.Style) string {
	var keys []string
	for _, c := range p.commands() {
		keys = append(keys, c.Help().Key+" "+c.Help().Desc)
	}
	if p.Choosing() {
		return " " + st.Paint(st.Accent, st.Plain(p.question.text)) + st.Paint(st.Dim, "  "+strings.Join(keys, ", "))
	}
	return " " + st.Paint(st.Accent, p.label+": ") + p.input.View() + st.Paint(st.Dim, "  "+strings.Join(keys, ", "))
}

// cursor is the place of the terminal's cursor in the line.
func (p *prompt) cursor(st theme.Style) *image.Point {
	if p.Choosing() {
		return nil
	}
	point := &image.Point{X: 1 + ansi.StringWidth(st.Plain(p.label+": "))}
	if c := p.input.Cursor(); c != nil {
		point.X += c.X
	}
	return point
}
