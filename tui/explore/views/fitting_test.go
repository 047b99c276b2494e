package views

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/view"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// While a model is fitted, every picture has its axes and the data of the new step, with a note in place of the first
// model, and with the model before in place of the next one; when that takes long, the title says so.
func TestDataAreDrawnAtOnce(t *testing.T) {
	for _, c := range []struct {
		problem, method string
		picture         func(sessions.State) view.Picture
	}{
		{"forrester", "gp-ei", func(st sessions.State) view.Picture { return NewLine(st) }},
		{"branin", "gp-ei", func(st sessions.State) view.Picture { return NewPlane(st) }},
		{"branin-currin", "ehvi", func(sessions.State) view.Picture { return NewFront() }},
	} {
		s := modetest.Session(t, sessions.Config{Problem: c.problem, Optimizer: c.method, Seed: 3}, 6)
		scene := view.Scene{State: s.State(), Style: theme.New(true, theme.NoColor, false), W: 84, H: 33,
			View: picture.View{Samples: 8}, Reveal: true}
		p := c.picture(scene.State)
		shows := func(when string, fitting bool, marks int) {
			t.Helper()
			text := modetest.Text(p.Panel(scene))
			if strings.Contains(text, "fitting…") != fitting {
				t.Errorf("%s, %s: a note is shown %v:\n%s", c.problem, when, !fitting, text)
			}
			if n := strings.Count(text, "●") + strings.Count(text, "○"); n < marks {
				t.Errorf("%s, %s: %d points are shown:\n%s", c.problem, when, n, text)
			}
			explained.Check(t, c.problem+", "+when, p.Panel(scene), scene.W, scene.H)
		}
		shows("before the first model", true, 4)
		image, err := p.Compute(scene)(t.Context(), s.Snapshot(), nil, func(view.Image) {})
		require.NoError(t, err)
		scene.Report = p.SetImage(scene, image)
		shows("with its model", false, 4)
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
		scene.State = s.State()
		shows("at once after a step", false, 5)
		scene.Late = true
		shows("when the model takes long", false, 5)
		if text := modetest.Text(p.Panel(scene)); !strings.Contains(text, "(step 6)") {
			t.Errorf("%s: the model does not say of which step it is:\n%s", c.problem, text)
		}
		stage := 0
		if image, err = p.Compute(scene)(t.Context(), s.Snapshot(), nil, func(part view.Image) {
			stage++
			scene.Report = p.SetImage(scene, part)
			shows(fmt.Sprint("in stage ", stage), false, 5)
			if text := modetest.Text(p.Panel(scene)); strings.Count(text, "computing…") > 2 || // of the slices
				c.problem == "forrester" && !strings.Contains(text, "±2 sd") {
				t.Errorf("%s: stage %d lacks a part:\n%s", c.problem, stage, text)
			}
		}); err != nil {
			t.Fatal(err)
		}
		if c.problem != "branin-currin" && stage < 3 {
			t.Errorf("%s: %d stages", c.problem, stage)
		}
		scene.Report = p.SetImage(scene, image)
		shows("with the next model", false, 5)
		if text := modetest.Text(p.Panel(scene)); strings.Contains(text, "step 6") {
			t.Errorf("%s: the earlier model stays:\n%s", c.problem, text)
		}
	}
}

// The axis of values stays where it was while the next model is fitted.
func TestTheAxisStays(t *testing.T) {
	p, s := computedLine(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 4)
	before := p.Chart(s)
	s.State.Head, s.Late = "elsewhere", true
	after := p.Chart(s)
	if before.Y.Min != after.Y.Min || before.Y.Max != after.Y.Max {
		t.Errorf("the axis goes from %+v to %+v", before.Y, after.Y)
	}
}
