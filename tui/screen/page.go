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

// Here is what the keys do where one is.
type Here struct {
	Title  string // as in "… does nothing in the editor"
	Keys   []Key
	Typing bool                       // keys are text
	Text   func(tea.KeyPressMsg) bool // which keys are text though not all are; nil for none
}

// Takes reports whether a key press is text here, rather than a command.
func (h Here) Takes(msg tea.KeyPressMsg) bool { return h.Typing || h.Text != nil && h.Text(msg) }
