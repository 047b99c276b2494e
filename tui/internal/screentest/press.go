package screentest

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/widget"
)

// Key is the press of a key: a single character, or a name such as enter, space, ctrl+s or shift+left.
func Key(name string) tea.KeyPressMsg { return widget.KeyPress(name) }

// Text is a text typed key by key.
func Text(text string) []tea.KeyPressMsg {
	var keys []tea.KeyPressMsg
	for _, r := range text {
		switch r {
		case ' ':
			keys = append(keys, Key("space"))
		case '\n':
			keys = append(keys, Key("enter"))
		default:
			keys = append(keys, Key(string(r)))
		}
	}
	return keys
}
