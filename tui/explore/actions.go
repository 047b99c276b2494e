package explore

import (
	"bandscope/tui/layout"
)

// Actions of the parts of the screen, for their menus. An action is a key of the explorer or of its mode; the one that
// has it not is left out.

// pictureActions are what can be done with the picture. The first one is what a double click does.
func (m *Model) pictureActions() []layout.Action {
	if m.Modes.Active != nil {
		return []layout.Action{{Key: "enter"}, {Key: "tab"}, {Key: "e"}, {Key: "A"}, {Key: "delete"},
			{Key: "flat_prior"}, {Key: "esc"}}
	}
	there := layout.Action{Help: "choose this point", Want: layout.ClickThere{
		About: "put the cursor here; enter evaluates the point"}}
	keys := []string{"w", "u", "t", "s", "+", "-", "large_plot", "c", "copy_the_point", "ctrl+e"}
	switch {
	case m.frontShown():
		there.Help, there.Want = "draw the target box here", layout.ClickThere{
			About: "move the box that the search aims for to this place"}
		keys = []string{"A", "a", "d", "w", "u", "all_variables", "large_plot", "copy_the_table", "ctrl+e"}
	case m.planeShown():
		keys = []string{"w", "u", "+", "-", "l", "#", "y", "colour_map", "d", "s", "large_plot", "copy_the_point", "ctrl+e"}
	}
	return append([]layout.Action{there}, keyed(keys...)...)
}

// keyed are actions that keys do.
func keyed(keys ...string) []layout.Action {
	actions := make([]layout.Action, len(keys))
	for i, k := range keys {
		actions[i].Key = k
	}
	return actions
}

// The actions of the side panels.
var (
	traceActions     = keyed("v", "large_traces", "ctrl+t", "all_variables", "copy_the_table", "ctrl+e")
	parameterActions = keyed("e", "u", "f")
	noteActions      = keyed("n", "h", "N", "previous_note", "*")
	pendingActions   = keyed("enter", "p", "delete")
)

// acting gives a panel actions; nil stays nil.
func acting(panel *layout.Box, actions []layout.Action) *layout.Box {
	if panel != nil {
		panel.Actions = actions
	}
	return panel
}

// enlarged is the part of the screen that has the whole window.
type enlarged int

// The parts that can have the whole window.
const (
	nothingLarge enlarged = iota
	plotLarge
	sideLarge // the text of a lesson, or the parameters
	tracesLarge
)

// enlarge gives a part the whole window, or gives the window back to all parts.
func (m *Model) enlarge(part enlarged) {
	if m.large == part {
		part = nothingLarge
	}
	m.large = part
}
