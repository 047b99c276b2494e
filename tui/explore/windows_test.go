package explore

import (
	"fmt"
	"strings"
	"testing"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/internal/explained"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// A window of 80×24 shortens no title and no entry of a legend, whatever the screen and the colours, and no legend has
// more than one line.
func TestSmallWindowsKeepWords(t *testing.T) {
	if testing.Short() {
		t.Skip("every size is drawn by one goroutine")
	}
	lesson := func(name string) *sessions.Session {
		s, err := library.OpenLesson(name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	run := func(steps int, cfg sessions.Config) *sessions.Session {
		s, err := sessions.New(t.Context(), cfg)
		for range steps {
			if err == nil {
				_, err = s.Step(t.Context(), nil)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	config := func(problem, method string) sessions.Config {
		return sessions.Config{Problem: problem, Optimizer: method, Seed: 3}
	}
	for _, c := range []struct {
		name string
		s    *sessions.Session
		keys string // what is looked at, one after the other
	}{
		{"one variable", run(5, config("forrester", "gp-ei")), "x esc e esc t ctrl+t"},
		{"a network", run(5, sessions.Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 3,
			Params: map[string]any{"width": 100}}), "x"},
		{"two variables", run(6, config("branin", "gp-ei")), "4 l x esc d"},
		{"four variables", run(4, config("pressure-vessel", "random")), "d"},
		{"costs", run(5, config("forrester-cost", "ei-per-cost")), "v v"},
		{"limits", run(6, config("forrester-hot", "gp-ei")), "x"},
		{"outcomes", run(6, config("branin-currin", "ehvi")), "A right enter a esc v v"},
		{"three objectives", run(8, config("dtlz2-k3", "mobo-rs-ts")), "A right enter a esc ] v"},
		{"a lesson", lesson("posterior"), "space 2 space space"},
		{"an exercise", exercised(t, 4), "e down down esc"},
	} {
		d := driveSession(t, c.s, 80, 24, trueColor)
		look := func(key string) {
			for _, st := range []theme.Style{trueColor, theme.New(true, theme.NoColor, true)} {
				d.M.Restyle(st)
				where := fmt.Sprintf("%s, %s, ascii %v", c.name, key, st.ASCII)
				explained.CutWords(t, where, d.M.Frame(), 80, 24)
				for _, p := range layout.Arrange(d.M.Frame(), 80, 24).Boxes {
					if p.Name == layout.LegendName && p.H > 1 {
						t.Errorf("%s: a legend has %d lines", where, p.H)
					}
				}
			}
			d.M.Restyle(trueColor)
		}
		look("")
		for _, key := range strings.Fields(c.keys) {
			d.Press(key)
			look(key)
		}
	}
}

// The task of an exercise and its goals stay in sight while a parameter is edited, at every size, with the parameter
// and its value.
func TestTheTaskStaysWhileAParameterIsEdited(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 36}, {200, 60}} {
		d := driveSession(t, exercised(t, 4), size[0], size[1], trueColor)
		d.Press("e")
		text := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╭", " ", "╰", " ").Replace(d.Text())), " ")
		for _, want := range []string{"Bring the simple regret", "Goals (all must hold)", "▸kernel",
			"one of matern52, se"} {
			if !strings.Contains(text, want) {
				t.Errorf("at %v there is no %q:\n%s", size, want, d.Text())
			}
		}
		d.told(t, fmt.Sprint("the exercise is edited at ", size))
	}
}
