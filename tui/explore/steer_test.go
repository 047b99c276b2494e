package explore

import (
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
)

// A box is moved by keys and by the mouse, becomes the prior by events of the session, and is taken back.
func TestSteering(t *testing.T) {
	cfg := sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3}
	d := drive(t, cfg, 120, 36, trueColor)
	d.Press("A")
	d.Shows("target box") // what the objectives range over is declared
	d = driveAfter(t, 6, cfg, 120, 36, trueColor)
	d.Shows("hypervolume")
	before := d.M.state.Params.Text("prior")
	d.Press("A", "right", "up", ")")
	d.Shows("target box")
	held := func() [4]float64 {
		o := d.M.overlay()
		return o.Boxes[o.MovingBox]
	}
	box := held()
	if box[0] <= 0.6 || box[2] <= 0.6 || box[1]-box[0] <= 0.2 || d.M.state.Params.Text("prior") != before {
		t.Errorf("the box is %v, the prior %s", box, d.M.state.Params.Text("prior"))
	}
	d.Shows("previ")                        // the weights under the box, before it is taken
	mouse := func(x, y float64) tea.Mouse { // at a pair of outcomes
		o := d.M.outcomes().Drawing(d.M.stage())
		return d.cell(x, y, func(values []float64) []float64 {
			return []float64{o.Outcome(0, values[0]), o.Outcome(1, values[1])}
		})
	}
	d.Mouse(tea.MouseClickMsg(mouse(0.3, 0.4)))
	d.Mouse(tea.MouseReleaseMsg(mouse(0.3, 0.4)))
	moved := held()
	if math.Abs((moved[0]+moved[1])/2-0.3) > 0.05 || math.Abs((moved[2]+moved[3])/2-0.4) > 0.08 {
		t.Errorf("a click moves the box to %v", moved)
	}
	d.Mouse(tea.MouseClickMsg(mouse((moved[0]+moved[1])/2, (moved[2]+moved[3])/2)))
	d.Mouse(tea.MouseMotionMsg(mouse(0.5, 0.6)))
	d.Mouse(tea.MouseReleaseMsg(mouse(0.5, 0.6)))
	dragged := held()
	if dragged[0] <= moved[0] || dragged[2] <= moved[2] || math.Abs(dragged[1]-dragged[0]-moved[1]+moved[0]) > 1e-9 {
		t.Errorf("dragged from %v to %v", moved, dragged)
	}
	d.Mouse(tea.MouseClickMsg(mouse(dragged[1], (dragged[2]+dragged[3])/2)))
	d.Mouse(tea.MouseMotionMsg(mouse(dragged[1]+0.2, (dragged[2]+dragged[3])/2)))
	d.Mouse(tea.MouseReleaseMsg{})
	if wide := held(); wide[1] < dragged[1]+0.1 || wide[0] != dragged[0] || wide[3] != dragged[3] {
		t.Errorf("a side dragged makes %v of %v", wide, dragged)
	}
	d.Mouse(tea.MouseMotionMsg(mouse(0.1, 0.1))) // nothing is held
	wanted := held()
	d.Press("enter")
	if p := d.M.state.Params.Text("prior"); !strings.HasPrefix(p, "box(") || d.M.Modes.Active != nil {
		t.Errorf("the prior is %s", p)
	}
	for n, u := range d.M.outcomes().Drawing(d.M.stage()).Boxes[0] {
		assert.InDelta(t, wanted[n], u, 1e-4, "side %d of the prior's box is at %g, taken at %g", n, u, wanted[n])
	}
	d.Shows("targets the box")
	d.Press("v", "v")
	d.Shows("share in the boxes")
	d.Press("A", "A", "left", "tab", "right", "enter")
	if p := d.M.state.Params.Text("prior"); strings.Count(p, "box(") != 2 {
		t.Errorf("the prior is %s", p)
	}
	d.Press("A", "tab", "delete")
	d.Press("esc")
	if p := d.M.state.Params.Text("prior"); strings.Count(p, "box(") != 2 {
		t.Errorf("leaving makes the prior %s", p)
	}
	d.Press("A", "delete", "delete") // without a box
	assert.Equal(t, "flat", d.M.state.Params.Text("prior"), "the prior")
	d.Press("b", "space", "d", "d", "d", "t")
	d.Shows("outcomes")
}

// Questions are asked, answered, taken back and pointed out where they contradict; each answer is an event of the
// session.
func TestQuestions(t *testing.T) {
	cfg := sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Seed: 11}
	d := drive(t, cfg, 120, 36, trueColor)
	d.Press("a")
	d.Shows("a preference question needs two results")
	d = driveAfter(t, 8, cfg, 120, 36, trueColor)
	d.Press("a")
	prefer := func(first bool) {
		d.Shows("which do you prefer?")
		asked := d.M.overlay().Question
		a, b := asked[0], asked[1]
		if (a[0] > b[0]) == first {
			d.Press("1")
		} else {
			d.Press("2")
		}
	}
	for range 5 {
		prefer(true)
	}
	d.Shows("which do you prefer?")
	d.Press("3", "4")
	if c := d.M.state.Answers; len(c) != 7 || len(d.M.state.Input().Answers) != 6 {
		t.Errorf("%d answers, %d of them say something", len(c), len(d.M.state.Input().Answers))
	}
	d.Press("ctrl+u")
	d.Shows("it stays in the record")
	assert.True(t, d.M.state.Answers[6].Retracted, "the last answer stands")
	d.Press("esc", "space")
	assert.Equal(t, 9, len(d.M.state.Iterations), "%d iterations", len(d.M.state.Iterations))
}

// A box that no front of the model's draws reaches is said, with the nearest part of one; a prior that is wrong is
// refused while it is typed.
func TestUnreachableBox(t *testing.T) {
	if testing.Short() {
		t.Skip("12 steps run the job that other tests of steering run once")
	}
	d := driveAfter(t, 12, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Seed: 3,
		Params: map[string]any{"prior": "box(0.9..0.99, 0.9..0.99)"}}, 120, 36, trueColor)
	d.Shows("no sampled front reaches the box; the nearest point is f1")
	d.Press("e", "down", "enter", "ctrl+u")
	for _, r := range "box(1..0.5, any)" {
		d.Press(map[rune]string{' ': "space"}[r] + strings.TrimSpace(string(r)))
	}
	d.Shows("from the smaller to the larger")
	d.Press("enter")
	d.Shows("from the smaller to the larger")
	d.Press("ctrl+u")
	for _, r := range "dirichlet(3)" {
		d.Press(string(r))
	}
	d.Press("enter")
	assert.Equal(t, "dirichlet(3)", d.M.state.Params.Text("prior"), "the prior")
}

// All outcomes are shown side by side, and the ends of the views say what is not steered.
func TestManyOutcomes(t *testing.T) {
	d := driveAfter(t, 8, sessions.Config{Problem: "dtlz2-k4", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.Shows("not used by this method")
	d.Press("all_variables")
	d.Shows("all outcomes (1 is best)")
	d.Press("]", "A", "enter")
	if p := d.M.state.Params.Text("prior"); !strings.HasPrefix(p, "box(any, ") || strings.Count(p, "any") != 2 {
		t.Errorf("the prior is %s", p)
	}
}

// BenchmarkPriorEdit is what an edit of the prior costs until it is drawn: weights, their probability along the front,
// traces and a frame.
func BenchmarkPriorEdit(b *testing.B) {
	d := drive(b, sessions.Config{Problem: "branin4-currin4", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	for range 100 {
		d.Press("space")
	}
	d.Press("A")
	for b.Loop() {
		d.M.Update(screentest.Key("right"))
		d.M.Update(screentest.Key("left"))
		d.Screen()
	}
}
