package widget

import (
	"errors"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Status is the status line of a screen: a message, a prompt for a line of text, or a confirmation.
type Status struct {
	prompt
	Confirmation
	text string
	bad  bool
}

// NewStatus makes an empty status line.
func NewStatus() Status { return Status{prompt: newPrompt()} }

// Say puts a message into the status line, until the next key; bad marks an error.
func (s *Status) Say(text string, bad bool) { s.text, s.bad = sanitize.Text(text), bad }

// Fail shows an error, with the key that helps if the session cannot be written.
func (s *Status) Fail(err error) {
	text := err.Error()
	if errors.Is(err, eventlog.ErrReadOnly) {
		text += "; press ctrl+s to save the session to another file"
	}
	s.Say(text, true)
}

// Message is the current message, empty for none, and whether it is an error.
func (s *Status) Message() (text string, bad bool) { return s.text, s.bad }

// Line draws the status line: the prompt while it is open, else the running computation, else the message, else the
// screen's own text.
func (s *Status) Line(st theme.Style, computed, text string) string {
	switch {
	case s.Open():
		return s.View(st)
	case computed != "":
		return " " + st.Paint(st.Accent, st.Plain(computed)) + "  " + st.Paint(st.Text, st.Plain(s.text))
	case s.text != "" && s.bad:
		return " " + st.PaintBold(st.Error, st.Plain(st.Glyph(theme.GlyphCross)+" "+s.text))
	case s.text != "":
		return " " + st.Paint(st.Text, st.Plain(s.text))
	case text != "":
		return " " + text
	}
	return ""
}

// Box is the line in w columns as a part of a frame, with the cursor while the prompt is open.
func (s *Status) Box(st theme.Style, w int, computed, text string) *layout.Box {
	b := layout.Text(w, s.Line(st, computed, text))
	if s.Open() {
		b.Cursor = s.cursor(st)
	}
	return b
}

// Protected is a session whose file is to stay as it is until the user decides.
type Protected interface {
	Path() string
	Continue() error
	SaveAs(path string) error
}

// AskToContinue asks whether to record in the file of a session or in a copy of that name. act records after it has
// called decide.
func (s *Status) AskToContinue(r Protected, copied string, act func(decide func() error) tea.Cmd,
	cancel func() tea.Cmd) {
	s.Choose("Continue in this file, or in a copy?", filepath.Base(r.Path())+" is unchanged so far. The copy: "+
		filepath.Base(copied), cancel,
		Choice{Bind("enter", "continue", "enter"), func() tea.Cmd { return act(r.Continue) }},
		Choice{Bind("c", "copy", "c"), func() tea.Cmd {
			return act(func() error { return r.SaveAs(copied) })
		}})
}

// Confirmation asks the user to confirm: pressing the same key again is a yes, any other key a no.
type Confirmation struct {
	pendingKey string // the key
	repeated   bool   // the key press that is taken repeats it
}

// Pressed takes note of a key press, before its command runs.
func (s *Confirmation) Pressed(msg tea.KeyPressMsg) {
	s.repeated, s.pendingKey = s.pendingKey == msg.String(), ""
}

// Confirmed reports whether a key press is the second of the same key.
func (s *Confirmation) Confirmed(msg tea.KeyPressMsg) bool {
	if !s.repeated {
		s.pendingKey = msg.String()
	}
	return s.repeated
}

// Take passes a key press to a screen or mode m: to an open prompt; otherwise it clears the message, and runs the key's
// command or shows the reason why it can do nothing. taken is false if no command has the key.
func Take[M any](m M, s *Status, commands []Command[M], msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	if s.Open() {
		return s.Key(msg), true
	}
	s.Say("", false)
	s.Pressed(msg)
	cmd, off, taken := Press(m, commands, msg)
	if off != "" {
		s.Say(off, false)
	}
	return cmd, taken
}
