package explore

import (
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/internal/press"
)

// A box is moved by keys and by the mouse, becomes the prior by events of the session, and is taken back.
func TestSteering(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3}, 120, 36, trueColor)
	d.press("B")
	d.shows("wanted") // what the objectives range over is declared
	d.press("esc")
	for range 6 {
		d.press("space")
	}
	d.shows("hypervolume")
	before := d.m.state.Params.Text("prior")
	d.press("B", "right", "up", "+")
	d.shows("wanted")
	held := func() [4]float64 {
		o := d.m.overlay()
		return o.Boxes[o.Moving]
	}
	box := held()
	if box[0] <= 0.6 || box[2] <= 0.6 || box[1]-box[0] <= 0.2 || d.m.state.Params.Text("prior") != before {
		t.Errorf("the box is %v, the prior %s", box, d.m.state.Params.Text("prior"))
	}
	d.shows("before")                       // the weights under the box, before it is taken
	mouse := func(x, y float64) tea.Mouse { // at a pair of outcomes
		o := d.m.outcomes().Drawing(d.m.stage())
		return d.cell(x, y, func(values []float64) []float64 { return []float64{o.Outcome(0, values[0]), o.Outcome(1, values[1])} })
	}
	d.mouse(tea.MouseClickMsg(mouse(0.3, 0.4)))
	d.mouse(tea.MouseReleaseMsg(mouse(0.3, 0.4)))
	moved := held()
	if math.Abs((moved[0]+moved[1])/2-0.3) > 0.05 || math.Abs((moved[2]+moved[3])/2-0.4) > 0.08 {
		t.Errorf("a click moves the box to %v", moved)
	}
	d.mouse(tea.MouseClickMsg(mouse((moved[0]+moved[1])/2, (moved[2]+moved[3])/2)))
	d.mouse(tea.MouseMotionMsg(mouse(0.5, 0.6)))
	d.mouse(tea.MouseReleaseMsg(mouse(0.5, 0.6)))
	dragged := held()
	if dragged[0] <= moved[0] || dragged[2] <= moved[2] || math.Abs(dragged[1]-dragged[0]-moved[1]+moved[0]) > 1e-9 {
		t.Errorf("dragged from %v to %v", moved, dragged)
	}
	d.mouse(tea.MouseClickMsg(mouse(dragged[1], (dragged[2]+dragged[3])/2)))
	d.mouse(tea.MouseMotionMsg(mouse(dragged[1]+0.2, (dragged[2]+dragged[3])/2)))
	d.mouse(tea.MouseReleaseMsg{})
	if wide := held(); wide[1] < dragged[1]+0.1 || wide[0] != dragged[0] || wide[3] != dragged[3] {
		t.Errorf("a side dragged makes %v of %v", wide, dragged)
	}
	d.mouse(tea.MouseMotionMsg(mouse(0.1, 0.1))) // nothing is held
	wanted := held()
	d.press("enter")
	if p := d.m.state.Params.Text("prior"); !strings.HasPrefix(p, "box(") || d.m.Modes.Doing != nil {
		t.Errorf("the prior is %s", p)
	}
	for n, u := range d.m.outcomes().Drawing(d.m.stage()).Boxes[0] {
		if math.Abs(u-wanted[n]) > 1e-4 {
			t.Errorf("side %d of the prior's box is at %g, taken at %g", n, u, wanted[n])
		}
	}
	d.shows("aims into the box")
	d.press("v", "v")
	d.shows("share in the boxes")
	d.press("B", "B", "left", "tab", "right", "enter")
	if p := d.m.state.Params.Text("prior"); strings.Count(p, "box(") != 2 {
		t.Errorf("the prior is %s", p)
	}
	d.press("B", "tab", "delete", "delete")
	d.shows("the only box")
	d.press("esc")
	if p := d.m.state.Params.Text("prior"); strings.Count(p, "box(") != 2 {
		t.Errorf("leaving makes the prior %s", p)
	}
	d.press("B", "F")
	if p := d.m.state.Params.Text("prior"); p != "flat" {
		t.Errorf("the prior is %s", p)
	}
	d.press("b", "space", "d", "d", "d", "t")
	d.shows("outcomes")
}

// Questions are asked, answered, taken back and pointed out where they contradict; each answer is an event of the session.
func TestQuestions(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 11}, 120, 36, trueColor)
	d.press("a")
	d.shows("a question needs two outcomes")
	for range 8 {
		d.press("space")
	}
	prefer := func(first bool) {
		d.press("a")
		d.shows("which do you prefer?")
		asked := d.m.overlay().Asked
		a, b := asked[0], asked[1]
		if (a[0] > b[0]) == first {
			d.press("1")
		} else {
			d.press("2")
		}
	}
	for range 5 {
		prefer(true)
	}
	d.shows("after 5 answers")
	d.press("a", "3", "a", "4")
	if c := d.m.state.Answers; len(c) != 7 || len(d.m.state.Input().Answers) != 6 {
		t.Errorf("%d answers, %d of them say something", len(c), len(d.m.state.Input().Answers))
	}
	d.press("a", "u")
	d.shows("it stays on record")
	if !d.m.state.Answers[6].Retracted {
		t.Error("the last answer stands")
	}
	d.press("a", "esc", "space")
	if len(d.m.state.Iterations) != 9 {
		t.Errorf("%d iterations", len(d.m.state.Iterations))
	}
}

// A box that no front of the model's draws reaches is said, with the nearest part of one; a prior that is wrong is refused while it is typed.
func TestUnreachableBox(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Seed: 3, Params: map[string]any{"prior": "box(0.9..0.99, 0.9..0.99)"}}, 120, 36, trueColor)
	for range 12 {
		d.press("space")
	}
	d.shows("no drawn front reaches the box; the nearest comes to f1")
	d.press("e", "down", "enter", "ctrl+u")
	for _, r := range "box(1..0.5, any)" {
		d.press(map[rune]string{' ': "space"}[r] + strings.TrimSpace(string(r)))
	}
	d.shows("inverted")
	d.press("enter")
	d.shows("inverted")
	d.press("ctrl+u")
	for _, r := range "dirichlet(3)" {
		d.press(string(r))
	}
	d.press("enter")
	if p := d.m.state.Params.Text("prior"); p != "dirichlet(3)" {
		t.Errorf("the prior is %s", p)
	}
}

// All outcomes are shown side by side, and the ends of the views say what is not steered.
func TestManyOutcomes(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "dtlz2-k4", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	for range 8 {
		d.press("space")
	}
	d.shows("judges and does not steer")
	d.press("p")
	d.shows("all outcomes, 1 best")
	d.press("]", "B", "enter")
	if p := d.m.state.Params.Text("prior"); !strings.HasPrefix(p, "box(any, ") || strings.Count(p, "any") != 2 {
		t.Errorf("the prior is %s", p)
	}
}

// BenchmarkPriorEdit is what an edit of the prior costs until it is drawn: weights, their probability along the front, traces and a frame.
func BenchmarkPriorEdit(b *testing.B) {
	d := drive(b, sessions.Config{Problem: "branin4-currin4", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	for range 100 {
		d.press("space")
	}
	d.press("B")
	for b.Loop() {
		d.m.Update(press.Key("right"))
		d.m.Update(press.Key("left"))
		d.screen()
	}
}
