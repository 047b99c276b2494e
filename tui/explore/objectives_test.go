package explore

import (
	"strings"
	"testing"

	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

// body adds an objective by the form, turn by turn as a person types it.
const body = "objectives insert b o d y tab right tab tab 0 , 5 tab tab tab "

func TestGoldenObjectives(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		style theme.Style
		keys  string
	}{
		{"objectives-80x24", 80, 24, noColor, byHand + body},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := driveSession(t, espressoBy(t, "random"), c.w, c.h, c.style)
			d.Press(strings.Fields(c.keys)...)
			screentest.Check(t, c.name, d.Screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}

// Objectives come and go while pictures, boxes and forms are there: every picture is of those that hold, also after
// going back.
func TestObjectivesMidway(t *testing.T) {
	s := espressoBy(t, "random")
	d := driveSession(t, s, 120, 36, trueColor)
	d.Press(strings.Fields(byHand)...)
	d.Press(strings.Fields("d d A esc")...)
	d.Press(strings.Fields(body + "ctrl+s")...)
	if st := s.State(); len(st.Problem.Objectives) != 3 || st.Problem.Objectives[2].Name != "body" ||
		st.Problem.Objectives[2].Range[1] != 5 {
		t.Fatalf("%+v", st.Problem.Objectives)
	}
	d.Shows("body is an objective from now on; report it for 2 earlier results")
	d.Press("esc")
	d.Press(strings.Fields("] d d enter 2 ctrl+s esc ]")...)
	if st := s.State(); st.Input().Data.Len() != 1 {
		t.Errorf("%d results are whole", st.Input().Data.Len())
	}
	d.Press(strings.Fields("objectives delete delete")...)
	if st := s.State(); len(st.Problem.Objectives) != 2 || st.Problem.Objectives[0].Name != "bitterness" {
		t.Fatalf("%+v", st.Problem.Objectives)
	}
	d.Press("delete", "delete", "delete")
	d.Shows("body is the only objective")
	d.Press(strings.Fields("right enter backspace 9 ctrl+s esc")...)
	if o := s.State().Problem.Objectives; len(o) != 1 || o[0].Direction != "minimize" || o[0].Range[1] != 9 {
		t.Fatalf("%+v", o)
	}
	d.Press("objectives", "esc", "space")
	for range 8 {
		d.Press("b")
	}
	d.Shows("step 0")
	d.Press("G", "d", "v", "all_variables")
	d.Shows("body")
}

// The objectives of a test function are its own.
func TestObjectivesOfATestFunction(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 80, 24, trueColor)
	d.Press("objectives")
	d.Shows("a test function's objectives are fixed")
}
