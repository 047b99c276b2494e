package explore

import (
	"strings"
	"testing"

	"bandscope/sessions"
	"bandscope/tui/explain"
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
