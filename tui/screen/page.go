package screen

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/theme"
)

// Page is one screen of the window. One that holds something to be closed when it is left for another is an io.Closer besides.
type Page interface {
	Init() tea.Cmd
	Update(tea.Msg) tea.Cmd // takes a key press that the window leaves to it, or what its jobs bring
	Resize(w, h int)
	Restyle(theme.Style)
	Render() []string // as many lines as the window is high, none wider than it
	Here() Here       // what the keys do now
	Say(text string, bad bool)
	Stop() // gives up what is computed for it
}

// Base is what every page has: its window, its colours, and a status line. A page embeds it, and has methods of its own in place of these where it
// does more.
type Base struct {
	Style         theme.Style
	Width, Height int
	Status        Status
}

// NewBase makes the base of a page that has no window yet.
func NewBase() Base { return Base{Status: NewStatus()} }

// Init starts nothing.
func (b *Base) Init() tea.Cmd { return nil }

// Resize tells the page its window.
func (b *Base) Resize(w, h int) { b.Width, b.Height = w, h }

// Restyle tells the page its colours and glyphs.
func (b *Base) Restyle(s theme.Style) { b.Style = s }

// Say puts a sentence into the status line.
func (b *Base) Say(text string, bad bool) { b.Status.Say(text, bad) }

// Stop gives up nothing, where nothing is computed.
func (b *Base) Stop() {}

// Here is what the keys do where one is.
type Here struct {
	Title  string // as in "… does nothing in the editor"
	Keys   []Key
	Typing bool                       // keys are text
	Text   func(tea.KeyPressMsg) bool // which keys are text though not all are; nil for none
}

// Takes reports whether a key press is text here, rather than a command.
func (h Here) Takes(msg tea.KeyPressMsg) bool { return h.Typing || h.Text != nil && h.Text(msg) }
