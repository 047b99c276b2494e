package views

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/view"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/picture/front"
	"bandscope/tui/theme"
)

// All that is seen of outcomes is told: every mark of the legend, plot and axis, of two and more objectives, of one and
// more variables, with boxes, a question and a prior that was another one before.
func TestFrontIsDescribed(t *testing.T) {
	styles := map[string]theme.Style{"colour": theme.New(true, theme.TrueColor, false),
		"ascii": theme.New(true, theme.NoColor, true)}
	all := [][2]int{{51, 21}, {84, 33}, {120, 40}}
	for _, c := range []struct {
		cfg   sessions.Config
		steps int
	}{
		{sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3}, 4},
		{sessions.Config{Problem: "schaffer", Optimizer: "mobo-rs-ucb", Seed: 3,
			Params: map[string]any{"prior": "box(0..20%, 0..20%)"}}, 5},
		{sessions.Config{Problem: "binh-korn", Optimizer: "random", Seed: 3}, 4},
		{sessions.Config{Problem: "dtlz2-k3", Optimizer: "random", Seed: 3}, 3},
		{sessions.Config{Problem: "dtlz2-k4", Optimizer: "random", Seed: 3}, 0},
		{sessions.Config{Problem: "branin-currin", Optimizer: "random", Seed: 3}, 2},
	} {
		s := modetest.Session(t, c.cfg, c.steps)
		scene := view.Scene{State: s.State(), W: 84, H: 33, Reveal: true}
		p := NewFront()
		look(t, s, p, scene)
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
		check("", all...)
		scene.Reveal = false
		check("hidden", all[1])
		scene.Bare, scene.Reveal = true, true
		check("bare", all[1])
		scene.Bare = false
		if !scene.State.HasWeightPrior() || c.steps == 0 {
			continue
		}
		scene.Overlay = mode.Overlay{Boxes: [][4]float64{{0.4, 0.6, 0.4, 0.6}, {front.MinBox, front.MaxBox, 0.7, 0.8}},
			MovingBox: 1, Question: [][]float64{scene.State.Iterations[0].Points[0].Y,
				scene.State.Iterations[1].Points[0].Y}}
		tried, err := scene.State.WithEdit("prior", "box(90%..95%, 90%..95%)")
		if len(scene.State.Problem.Objectives) > 2 {
			tried, err = scene.State.WithEdit("prior", "dirichlet(3)")
		}
		require.NoError(t, err)
		p.Preview(p.Outcomes().UpdateWeights(tried))
		check("a box is moved", all[2])
	}
}
