package heading

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/tui/theme"
)

// A window shows as much of the line as it has room for, and never less than the problem, the method, the step and how the search stands.
func TestLine(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3, Noise: 0.25})
	for range 3 {
		if err == nil {
			_, err = s.Step(t.Context(), nil)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Back()
	line := Line{State: s.State(), Style: theme.New(true, theme.NoColor, false), Reveal: true}
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
		text := ansi.Strip(line.String())
		if n := ansi.StringWidth(text); n != c.width && c.width > 55 {
			t.Errorf("in %d columns the line has %d: %s", c.width, n, text)
		}
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
	line.Width, line.Reveal = 120, false
	if text := ansi.Strip(line.String()); strings.Contains(text, "regret") {
		t.Errorf("where the truth is hidden the regret is told: %s", text)
	}
}

// Each part of the line is lit where it is drawn, also where the name of the problem contains the text of another part.
func TestPartsAreLitWhereTheyAre(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3, Noise: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	line := Line{State: s.State(), Style: theme.New(true, theme.NoColor, false), Width: 160}
	problem := *line.State.Problem
	problem.Name = "seed 3 and noise 0.25 at step 0/50"
	line.State.Problem = &problem
	got := map[string]string{}
	for _, e := range line.Elements() {
		span := e.Where()[0]
		got[e.Name] = ansi.Strip(ansi.Cut(line.String(), span.From, span.To))
	}
	for name, want := range map[string]string{"the problem": problem.Name + " 1-D", "the method": "random", "observation noise": "noise 0.25", "seed": "seed 3", "step": "step 0/50"} {
		if got[name] != want {
			t.Errorf("%s is lit at %q, want %q", name, got[name], want)
		}
	}
	if text := ansi.Strip(line.String()); strings.Index(text, "seed 3") == strings.LastIndex(text, "seed 3") {
		t.Fatalf("the name contains no other part: %s", text)
	}
	for _, e := range line.Elements() {
		if e.Name == "seed" && e.Where()[0].From < strings.LastIndex(ansi.Strip(line.String()), "seed 3")-4 {
			t.Errorf("the seed is lit within the name, at %v", e.Where())
		}
	}
}
