package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/library"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

// bounds are two bounds and a method that only spreads points.
func bounds() *library.Comparison {
	quick := func(beta float64) map[string]any {
		return map[string]any{"initial": 3.0, "restarts": 1.0, "beta_scale": beta}
	}
	return &library.Comparison{Title: "bounds", About: "bounds of two widths",
		Panes: []library.Pane{{Title: "narrow", Optimizer: "gp-ucb", Params: quick(0.2)},
			{Title: "wide", Optimizer: "gp-ucb", Params: quick(40)}, {Title: "by chance", Optimizer: "random"}}}
}

// stepped opens a comparison on a session of so many steps.
func stepped(t *testing.T, c *library.Comparison, problem string, steps, w, h int, st theme.Style) *driver {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: "gp-ucb", Seed: 7,
		Params: c.Panes[0].Params})
	require.NoError(t, err)
	for range steps {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	c.Config = s.State().Config
	m, err := build(c, s)
	require.NoError(t, err)
	m.owned, m.dir = true, t.TempDir()
	return begin(t, m, w, h, st)
}

func TestGoldenDecisions(t *testing.T) {
	if testing.Short() {
		t.Skip("every screen is drawn by one goroutine; TestDecisions runs the same jobs")
	}
	plain := theme.New(true, theme.NoColor, false)
	for _, c := range []struct {
		name, problem string
		w, h          int
		st            theme.Style
	}{
		{"decide-120", "forrester", 120, 36, trueColor}, {"decide-80", "forrester", 80, 24, plain},
		{"decide-plane-120", "branin", 120, 36, trueColor},
	} {
		d := stepped(t, bounds(), c.problem, 6, c.w, c.h, c.st)
		d.Press("w")
		screentest.Check(t, c.name, d.Screen(), c.st.ASCII)
		d.check(c.name)
	}
}

// What is told are the two next points, how far they agree, and the result that separates them, as sessions/why has
// them; of other panes after tab, and of the next step after space.
func TestDecisions(t *testing.T) {
	d := stepped(t, bounds(), "forrester", 6, 200, 60, theme.New(true, theme.NoColor, false))
	d.Press("w")
	report := func() string {
		t.Helper()
		a, b := d.M.panes[0].alt, d.M.panes[1].alt
		r, err := diagnostics.ExplainNext(t.Context(), a, diagnostics.ExplainOptions{Influence: true}, nil)
		require.NoError(t, err)
		beside, err := diagnostics.CompareChoices(t.Context(), a, r, b, diagnostics.ExplainOptions{}, nil)
		require.NoError(t, err)
		require.NotNil(t, beside.Separating, "nothing separates them: %+v", beside)
		d.Shows(fmt.Sprintf("A chooses x = %.4g and B chooses x = %.4g", r.Chosen.X[0], beside.Other.Chosen.X[0]))
		message := strings.Join(d.M.decision.decisions.Sentences(), " ")
		for _, want := range []string{
			fmt.Sprintf("correlation is %.2f. Their top 10 %% of points overlap by %.0f %%", beside.Correlation,
				100*beside.Overlap), "Result " + beside.Separating.Label + " at x = "} {
			assert.Contains(t, message, want, "%q is not said: %s", want, message)
		}
		return fmt.Sprint(r.Chosen.X, beside.Other.Chosen.X)
	}
	first := report()
	d.Press("space")
	assert.NotEqual(t, first, report(), "after a step both go where they went before")
	d.Press("tab")
	d.Shows("where B and C agree")
	d.Press("tab")
	d.Shows("where C and A agree")
	d.Press("R")
	if text := ansi.Strip(d.Screen()); strings.Contains(text, "where C and A agree") {
		t.Errorf("in a race data are not the same, and yet:\n%s", text)
	}
	d.Press("w")
	d.Shows("in a race each method has its own data")
	d.Press("R")
	d.Shows("where C and A agree")
	d.Press("ctrl+t", "w")
	d.Shows("where C and A agree")
	if d.M.shown.view.Theory {
		t.Error("theory is looked at beside the decisions")
	}
}

// Where there is no closed form without a result, L finds the one that separates them by training again.
func TestDecisionsByTrainingAgain(t *testing.T) {
	c := bounds()
	c.Panes = []library.Pane{c.Panes[0], {Title: "network", Optimizer: "neural-greedy",
		Params: map[string]any{"width": 30.0, "initial": 3.0}}}
	d := stepped(t, c, "forrester", 4, 120, 36, trueColor)
	d.Press("enter")
	d.Shows("w shows where two panes agree")
	d.Press("w")
	if lacks := d.M.decision.decisions.MissingReason(); !strings.Contains(lacks, "no closed form") {
		t.Errorf("results are left out, or lack %q", lacks)
	}
	d.Press("enter")
	d.Shows("distance without a result")
	d.Press("enter")
	d.Shows("already refitted without each result")
}
