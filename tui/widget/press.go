package widget

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// keyCodes are the keys that have no text, by their names.
var keyCodes = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "left": tea.KeyLeft, "right": tea.KeyRight,
	"up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"insert": tea.KeyInsert, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "pgdn": tea.KeyPgDown, "home": tea.KeyHome,
	"end": tea.KeyEnd, "f1": tea.KeyF1, "f2": tea.KeyF2, "f5": tea.KeyF5, "f10": tea.KeyF10}

// isKey reports whether a name is that of one key.
func isKey(name string) bool { return len([]rune(name)) == 1 || keyCodes[name] != 0 }

// KeyPress is the press of a key by its name: a single character, or a name such as enter, space, ctrl+s or shift+left.
// Another name is that of a command without a key, with underscores or blanks between its words.
func KeyPress(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	if strings.HasPrefix(name, callPrefix) {
		return tea.KeyPressMsg{Code: tea.KeyExtended, Text: name}
	}
	for {
		if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
			k.Mod, name = k.Mod|tea.ModCtrl, rest
		} else if rest, ok := strings.CutPrefix(name, "shift+"); ok {
			k.Mod, name = k.Mod|tea.ModShift, rest
		} else {
			break
		}
	}
	switch code, ok := keyCodes[name]; {
	case ok:
		k.Code = code
	case name == "space":
		k.Code, k.Text = tea.KeySpace, " "
	case len([]rune(name)) > 1:
		return tea.KeyPressMsg{Code: tea.KeyExtended, Text: callPrefix + strings.ReplaceAll(name, "_", " ")}
	default:
		k.Code = []rune(name)[0]
		if k.Mod == 0 {
			k.Text = name
		}
	}
	return k
}
