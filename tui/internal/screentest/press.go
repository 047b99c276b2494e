package screentest

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// codes are the keys that have no text.
var codes = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "left": tea.KeyLeft, "right": tea.KeyRight,
	"up": tea.KeyUp, "down": tea.KeyDown,
	"tab": tea.KeyTab, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "pgup": tea.KeyPgUp,
	"pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f5": tea.KeyF5, "insert": tea.KeyInsert}

// Key is the press of a key: a single character, or a name such as enter, space, ctrl+s or shift+left.
func Key(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	for {
		if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
			k.Mod, name = k.Mod|tea.ModCtrl, rest
		} else if rest, ok := strings.CutPrefix(name, "shift+"); ok {
			k.Mod, name = k.Mod|tea.ModShift, rest
		} else {
			break
		}
	}
	switch code, ok := codes[name]; {
	case ok:
		k.Code = code
	case name == "space":
		k.Code, k.Text = tea.KeySpace, " "
	default:
		k.Code = []rune(name)[0]
		if k.Mod == 0 {
			k.Text = name
		}
	}
	return k
}

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
