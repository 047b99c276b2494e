package tui

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/layout"
	"bandscope/tui/palette"
)

// After the first steps of the first start, the window offers two ways to go on, once: the course, and an experiment.

// stepsBeforeWays is after how many steps the ways are offered.
const stepsBeforeWays = 3

// twoWays are the two ways, and whether they are offered.
type twoWays struct {
	firstStart bool // there was no session to resume, and none was asked for
	offered    bool
	shown      bool
}

// offerWays offers the ways when the first steps were taken.
func (a *app) offerWays() {
	w := &a.ways
	if w.firstStart && !w.offered && len(a.explore.Session().Timeline().Stops) > stepsBeforeWays {
		w.offered, w.shown = true, true
	}
}

// wayEntries are the two ways: the entries of the palette that begin with them.
func (a *app) wayEntries() []palette.Entry { return a.placeEntries()[:2] }

// wayKeys are the keys of the ways.
var wayKeys = []string{"1", "2"}

// wayPressed takes a key while the ways are offered: a number goes a way, and esc goes none. All other keys are the
// page's.
func (a *app) wayPressed(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	if !a.ways.shown {
		return nil, false
	}
	for i, k := range wayKeys {
		if msg.String() == k {
			a.ways.shown = false
			return a.wayEntries()[i].Do(), true
		}
	}
	if msg.String() == "esc" {
		a.ways.shown = false
		return nil, true
	}
	return nil, false
}

// waysFrame is the offer over the lower lines of a window of w×h cells.
func (a *app) waysFrame(w, h int) *layout.Box {
	st := a.style
	button := func(name, does string) *layout.Box {
		b := layout.Line(st.PaintBold(st.Accent, name) + " " + st.Paint(st.Text, does))
		b.Name, b.Press = name, name
		return b
	}
	row := layout.Row(layout.Space(1, 1))
	for i, e := range a.wayEntries() {
		row.Beside(button(wayKeys[i], e.Name)).Beside(layout.Space(3, 1))
	}
	row.Beside(button("esc", "not now")).Beside(layout.Space(1, 1))
	panel := layout.Panel(st, "what next?", row, row.W+2, 3, true).
		Section("what next?", "", "Two ways to go on: the course, or your own experiment. Space takes further steps.")
	return layout.Opaque(panel).At(max((w-panel.W)/2, 0), max(h-panel.H-1, 0))
}
