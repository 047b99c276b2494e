package explore

import (
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"bandscope/sessions"
	"bandscope/tui/explain"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// What modes draw and list is told too, also while something is typed that cannot be taken.
func TestModesTellWhatIsSeen(t *testing.T) {
	walk := func(d *driver, states ...string) {
		for _, keys := range states {
			d.Press(strings.Fields(keys)...)
			for _, size := range [][2]int{{80, 24}, {120, 36}} {
				d.Resize(size[0], size[1])
				d.told(t, keys)
			}
		}
	}
	d := drive(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.Press("space")
	walk(d, "x", "0 . 5", "x", "ctrl+u 4", "enter", "esc e", "down down down", "enter x", "esc right", "esc n",
		"1 2 space a", "esc esc")
	d = driveSession(t, espresso(t), 120, 36, trueColor)
	walk(d, "space", "enter", "1 , 5", "tab tab tab 3", "esc O", "insert", "b ctrl+s", "esc down enter 9", "esc")
}

// The walk stands on what is told: it is lit, the legend's entry with it, and all else is dimmed.
func TestGoldenWalks(t *testing.T) {
	if testing.Short() {
		t.Skip("every screen is drawn by one goroutine; TestGoldenScreens runs the same jobs")
	}
	for _, c := range []struct {
		name, on string
		cfg      sessions.Config
		w, h     int
		style    theme.Style
	}{
		{"walk-plane-120x36", "3 sd", sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 120, 36,
			trueColor},
		{"walk-outcomes-80x24-nocolor", "preferred",
			sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}, 80, 24,
			theme.New(true, theme.NoColor, false)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, name, active := drive(t, c.cfg, c.w, c.h, c.style), c.name, c.on
			d.Press("space", "space", "space", "space")
			w, c := explain.New(d.Arranged()), lipgloss.NewCanvas(c.w, c.h)
			i := slices.IndexFunc(d.Arranged().ByImportance(), func(p layout.PlacedBox) bool { return p.Name == active })
			if i < 0 {
				t.Fatalf("%q is not told", active)
			}
			for range i {
				w.Press(screentest.Key("down"))
			}
			w.Draw(d.M.Style, c, d.Arranged())
			screentest.Check(t, name, c.Render(), false)
		})
	}
}
