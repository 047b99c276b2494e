package explore

import (
	"slices"
	"strings"
	"testing"

	"bandscope/sessions"
	"bandscope/tui/explain"
	"bandscope/tui/internal/golden"
	"bandscope/tui/internal/press"
	"bandscope/tui/theme"
)

// What modes draw and list is told too, also while something is typed that cannot be taken.
func TestModesTellWhatIsSeen(t *testing.T) {
	walk := func(d *driver, states ...string) {
		for _, keys := range states {
			d.press(strings.Fields(keys)...)
			for _, size := range [][2]int{{80, 24}, {120, 36}} {
				d.m.Resize(size[0], size[1])
				d.told(t, keys)
			}
		}
	}
	d := drive(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.press("space")
	walk(d, "x", "0 . 5", "x", "ctrl+u 4", "enter", "esc e", "down down down", "enter x", "esc right", "esc n", "1 2 space a", "esc esc")
	d = driveSession(t, espresso(t), 120, 36, trueColor)
	walk(d, "space", "enter", "1 , 5", "tab tab tab 3", "esc O", "+", "b ctrl+s", "esc down enter 9", "esc")
}

// The walk stands on what is told: it is lit, the legend's entry with it, and all else is dimmed.
func TestGoldenWalks(t *testing.T) {
	for _, c := range []struct {
		name, on string
		cfg      sessions.Config
		w, h     int
		style    theme.Style
	}{
		{"walk-plane-120x36", "3 sd", sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor},
		{"walk-outcomes-80x24-nocolor", "aimed at", sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}, 80, 24, theme.New(true, theme.NoColor, false)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := drive(t, c.cfg, c.w, c.h, c.style)
			d.press("space", "space", "space", "space")
			lines, w := d.m.Render(), explain.Begin(d.m)
			i := slices.IndexFunc(d.m.Elements(), func(e explain.Element) bool { return e.Name == c.on })
			if i < 0 {
				t.Fatalf("%q is not told", c.on)
			}
			w.Draw(c.style, lines, c.w, c.h)
			for range i {
				w.Press(press.Key("down"))
			}
			golden.Check(t, c.name, strings.Join(w.Draw(c.style, lines, c.w, c.h), "\n"), false)
		})
	}
}

// BenchmarkElementsOf measures what the walk needs to tell the screens of fields and of outcomes, and to draw one thing of them.
func BenchmarkElementsOf(b *testing.B) {
	for _, cfg := range []sessions.Config{{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, {Problem: "branin-currin", Optimizer: "mobo-rs-ts", Seed: 3}} {
		b.Run(cfg.Problem, func(b *testing.B) {
			d := drive(b, cfg, 200, 60, trueColor)
			for range 12 {
				d.press("space")
			}
			w, lines := explain.Begin(d.m), d.m.Render()
			b.Run("tell", func(b *testing.B) {
				for b.Loop() {
					d.m.Elements()
				}
			})
			b.Run("draw", func(b *testing.B) {
				for b.Loop() {
					w.Draw(trueColor, lines, 200, 60)
				}
			})
		})
	}
}
