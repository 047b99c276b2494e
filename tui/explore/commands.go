package explore

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"bandscope/tui/screen"
)

// modeCommands are the keys of the modes. What a command finds out only when it acts, it says itself.
var modeCommands = [modes][]command{
	boxing: slices.Concat(off(nil, boxKeys.Left, boxKeys.Right, boxKeys.Up, boxKeys.Down, boxKeys.Grow, boxKeys.Shrink, boxKeys.Wider, boxKeys.Narrower, boxKeys.Take,
		boxKeys.Leave, boxKeys.Another), off((*Model).oneBox, boxKeys.Next), off(nil, boxKeys.Remove, boxKeys.Drop)),
}

// off are bindings with one reason why they can do nothing; nil if they always can.
func off(why func(*Model) string, bindings ...key.Binding) []command {
	return screen.Commands(why, bindings...)
}

// modeTitles name the modes, as in "… does nothing in the editor".
var modeTitles = [modes]string{stepping: "the explorer", boxing: "a box"}

// Here tells what the keys do now.
func (m *Model) Here() screen.Here {
	if m.doing != nil {
		return m.modeHere()
	}
	commands := modeCommands[m.mode]
	switch m.mode {
	case stepping:
		commands = steppingCommands()
	default:
		commands = slices.Concat(commands, anywhere())
	}
	return screen.Here{Title: modeTitles[m.mode], Keys: screen.Keys(m, commands), Typing: m.Typing()}
}

func (m *Model) oneBox() string {
	if len(m.steer.moving.prior.Boxes()) < 2 {
		return "there is one box: B adds another"
	}
	return ""
}
