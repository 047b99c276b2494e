package views

import (
	"fmt"
	"testing"

	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// All that is seen of the fields is told: every mark of the legend, every field, colour bar, axis and slice, whatever
// is chosen to be seen.
func TestPlaneIsDescribed(t *testing.T) {
	styles := map[string]theme.Style{"colour": theme.New(true, theme.TrueColor, false),
		"ascii": theme.New(true, theme.NoColor, true)}
	for _, c := range []struct {
		cfg   sessions.Config
		steps int
	}{
		{sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 6},
		{sessions.Config{Problem: "branin", Optimizer: "random", Seed: 3}, 0},
		{sessions.Config{Problem: "gramacy-toy", Optimizer: "gp-ei", Seed: 3}, 5},
		{sessions.Config{Problem: "branin-cost", Optimizer: "random", Seed: 3}, 3},
		{sessions.Config{Problem: "cornell-yarn", Optimizer: "gp-ei", Seed: 3}, 5},
		{sessions.Config{Problem: "hartmann:6", Optimizer: "gp-ucb", Seed: 3}, 2},
	} {
		p, scene := taken(t, modetest.Session(t, c.cfg, c.steps))
		scene.Lesson = true
		check := func(subject string, sizes ...[2]int) {
			t.Helper()
			for name, st := range styles {
				for _, size := range sizes {
					scene.Style, scene.W, scene.H = st, size[0], size[1]
					explained.Check(t, fmt.Sprint(c.cfg.Problem, c.cfg.Optimizer, subject, name, size), p.Panel(scene),
						size[0], size[1])
				}
			}
		}
		check("", [2]int{51, 21}, [2]int{84, 33}, [2]int{148, 57})
		for k := range picture.FieldKindCount {
			p.big = k
			check(fmt.Sprint("field", k), [2]int{84, 33})
		}
		p.big, p.contours, p.numbers, p.own = picture.AcquisitionField, true, true, false
		check("contours", [2]int{84, 33})
		p.big = picture.MeanField
		scene.Overlay.Cursor = scene.State.Problem.Domain.FromUnit(make([]float64, scene.State.Problem.Dim()))
		check("cursor", [2]int{84, 33})
		cursor := scene.Overlay.Cursor
		scene.Marks = []chart.Layer{chart.Points{X: cursor[:1], Y: cursor[1:2], Shape: theme.GlyphDown, Ink: true,
			Name: "your point"}}
		check("marked", [2]int{84, 33})
		scene.Marks = nil
		scene.Reveal, scene.Asking = false, true
		check("asked", [2]int{84, 33})
	}
}
