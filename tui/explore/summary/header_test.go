package summary

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/layout"
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
	require.NoError(t, err)
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
			assert.Contains(t, text, want, "in %d columns the line lacks %q: %s", c.width, want, text)
		}
		for _, not := range c.lacks {
			assert.NotContains(t, text, not, "in %d columns the line has %q: %s", c.width, not, text)
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

// A best result that is probably within the limits has its probability once the model is summarized, and one that is
// certainly within them has none.
func TestProbablyFeasibleBest(t *testing.T) {
	limit := 5.0
	for impurity, certain := range map[float64]bool{4.9: false, 1: true} {
		d := &experiment.Declaration{Name: "reactor", Variables: functions.Domain{{Name: "dose", Low: 0, High: 1}},
			Objectives: []functions.Objective{{Name: "yield", Direction: functions.Maximize}},
			Limits:     []functions.Objective{{Name: "impurity", AtMost: &limit, Noise: 0.3}}}
		s := modetest.Session(t, sessions.Config{Experiment: d, Optimizer: "gp-ei", Seed: 1, Budget: 9,
			Params: map[string]any{"initial": 3}}, 0)
		for i, x := range []float64{0, 0.2, 0.45, 0.6, 0.8, 1} {
			values := []float64{10 - 20*(x-0.45)*(x-0.45), 1 + 0.1*float64(i%2)}
			if x >= 0.45 {
				values[1] = impurity + 6*(x-0.45)
			}
			if _, err := s.Record(sessions.ByPerson, [][]float64{{x}}, functions.Outcome{Values: values}); err != nil {
				t.Fatal(err)
			}
		}
		line := Header{State: s.State(), Style: theme.New(true, theme.NoColor, false), Width: 140}
		if text := modetest.Text(line.Box()); strings.Contains(text, "feasible") {
			t.Errorf("before the model is summarized the line is %s", text)
		}
		a, err := diagnostics.Summarize(t.Context(), s, nil)
		require.NoError(t, err)
		p := a.Objectives[0].BestFeasible
		if (p >= 0.995) != certain || p < 0.5 {
			t.Fatalf("with an impurity of %g the probability is %g", impurity, p)
		}
		want := fmt.Sprintf("best 10 (%.0f %% feasible)", 100*p)
		text, message := modetest.Text(line.Box()), ""
		var find func(b *layout.Box)
		find = func(b *layout.Box) {
			if b.Name == "best value" {
				message = b.Description()
			}
			for _, c := range b.Children {
				find(c)
			}
		}
		find(line.Box())
		if strings.Contains(text, want) == certain || strings.Contains(text, "feasible") == certain ||
			strings.Contains(message, "within limits with a probability of") == certain {
			t.Errorf("with an impurity of %g the line is %s, described as %q; want %q: %t", impurity, text, message, want, !certain)
		}
	}
}
