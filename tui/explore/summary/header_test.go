package summary

import (
	"fmt"
	"strings"
	"testing"

	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/theme"
)

// A window shows as much of the line as it has room for, and never less than the problem, the method, the step and how
// the search stands.
func TestLine(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3,
		Noise: 0.25})
	for range 3 {
		if err == nil {
			_, err = s.Step(t.Context(), nil)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Back()
	line := Header{State: s.State(), Style: theme.New(true, theme.NoColor, false), Reveal: true}
	always := []string{"forrester 1-D", "random", "step 2/50 (+1)", "best "}
	for _, c := range []struct {
		width        int
		shown, lacks []string
	}{
		{140, []string{"bandscope", "noise 0.25", "seed 3", "regret ", "not saved"}, nil},
		{99, []string{"bandscope", "noise 0.25", "seed 3"}, []string{"regret ", "saved"}},
		{90, []string{"bandscope", "noise 0.25"}, []string{"seed 3"}},
		{82, []string{"bandscope"}, []string{"seed 3", "noise"}},
		{72, nil, []string{"bandscope", "noise", "seed"}},
	} {
		line.Width = c.width
		text := modetest.Text(line.Box())
		explained.Check(t, fmt.Sprint(c.width), line.Box(), c.width, 1)
		for _, want := range append(always, c.shown...) {
			if !strings.Contains(text, want) {
				t.Errorf("in %d columns the line lacks %q: %s", c.width, want, text)
			}
		}
		for _, not := range c.lacks {
			if strings.Contains(text, not) {
				t.Errorf("in %d columns the line has %q: %s", c.width, not, text)
			}
		}
	}
	problem := *line.State.Problem
	problem.Name = "the yield of a reaction of which nobody knows the name: tried"
	long := Header{State: line.State, Style: line.Style, Width: 72}
	long.State.Problem = &problem
	if text := modetest.Text(long.Box()); !strings.Contains(text, "the yield of") ||
		!strings.Contains(text, "step 2/50") {
		t.Errorf("a long name leaves no room: %s", text)
	}
	line.Width, line.Reveal = 120, false
	if text := modetest.Text(line.Box()); strings.Contains(text, "regret") {
		t.Errorf("where the truth is hidden the regret is told: %s", text)
	}
}
