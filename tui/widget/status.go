package widget

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Status is what a screen says in its status line, or asks for there: a sentence, a line of text, or whether one is
// sure.
type Status struct {
	prompt
	Confirmation
	text string
	bad  bool
}

// NewStatus makes a status line that says nothing.
func NewStatus() Status { return Status{prompt: newPrompt()} }

// Say puts a sentence into the status line, which stays until the next key; bad says that something went wrong.
func (s *Status) Say(text string, bad bool) { s.text, s.bad = sanitize.Text(text), bad }

// Fail says an error, and of a session that cannot be written which key helps.
func (s *Status) Fail(err error) {
	text := err.Error()
	if errors.Is(err, eventlog.ErrReadOnly) {
		text += "; w saves the session elsewhere"
	}
	s.Say(text, true)
}

// Message is what is said, empty for nothing, and whether something went wrong.
func (s *Status) Message() (text string, bad bool) { return s.text, s.bad }

// Line draws the status line: the prompt while it is open, else what is computed, else the sentence, else what the
// screen says of itself.
func (s *Status) Line(st theme.Style, computed, own string) string {
	switch {
	case s.Open():
		return s.View(st)
	case computed != "":
		return " " + st.Paint(st.Accent, st.Plain(computed)) + "  " + st.Paint(st.Text, st.Plain(s.text))
	case s.text != "" && s.bad:
		return " " + st.PaintBold(st.Error, st.Plain(st.Glyph(theme.GlyphCross)+" "+s.text))
	case s.text != "":
		return " " + st.Paint(st.Text, st.Plain(s.text))
	case own != "":
		return " " + own
	}
	return ""
}

// Box is the line in w columns as a part of a frame: the cursor is in it while text is asked for.
func (s *Status) Box(st theme.Style, w int, computed, own string) *layout.Box {
	b := layout.Text(w, s.Line(st, computed, own))
	if s.Open() {
		b.Cursor = s.cursor(st)
	}
	return b
}

// Confirmation is the question whether one is sure: the key that asked it is pressed once more, any other one is a no.
type Confirmation struct {
	pendingKey string // the key
	repeated   bool   // the key press that is taken repeats it
}

// Pressed takes note of a key press, before anything is done by it.
func (s *Confirmation) Pressed(msg tea.KeyPressMsg) {
	s.repeated, s.pendingKey = s.pendingKey == msg.String(), ""
}

// Confirmed reports whether who pressed a key is sure; if not, the same key will say so.
func (s *Confirmation) Confirmed(msg tea.KeyPressMsg) bool {
	if !s.repeated {
		s.pendingKey = msg.String()
	}
	return s.repeated
}

// Take does what a key press asks of a screen or mode m: an open prompt gets it; otherwise what was said goes, and the
// key's command does it, or its reason why it cannot is said. It is not taken where no command has the key.
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
