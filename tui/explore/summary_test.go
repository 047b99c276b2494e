package explore

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

// brewed is a session on a problem without a truth, with results of a quiet function, of which one contradicts that
// before it at the same place.
func brewed(t *testing.T, problem string, results int, wrong int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"initial": 3}})
	require.NoError(t, err)
	p := s.State().Problem
	p.Truth = nil
	for i := range results {
		u := make([]float64, p.Dim())
		sum := 0.0
		for j := range u {
			place := float64(i)
			if i == wrong {
				place--
			}
			_, u[j] = math.Modf(0.37 + 0.618*place*float64(j+1))
			sum += math.Pow(u[j]-0.4, 2) * float64(j+1)
		}
		if i == wrong {
			sum += 0.3
		}
		if _, err := s.Record(sessions.ByPerson, [][]float64{p.Domain.FromUnit(u)},
			functions.Outcome{Values: []float64{10 + 5*sum}, SE: []float64{0.1}}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Where no truth is, what the model says stands in the place of the regret: in words, as traces, and what it depends
// on, each wherever there is room or by a key.
func TestGoldenOutlook(t *testing.T) {
	if testing.Short() {
		t.Skip("TestGoldenScreens runs the same jobs")
	}
	understood := driveSession(t, brewed(t, "branin", 9, -1), 80, 24, trueColor)
	strange := driveSession(t, brewed(t, "forrester", 12, 5), 80, 24, trueColor)
	for _, c := range []struct {
		name  string
		d     *driver
		w, h  int
		style theme.Style
		keys  string
	}{
		{"outlook-80x24", understood, 80, 24, noColor, ""},
		{"outlook-120x36", understood, 120, 36, trueColor, ""},
		{"outlook-80x24-traces", strange, 80, 24, noColor, "v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.d.T = t
			c.d.M.Restyle(c.style)
			c.d.Resize(c.w, c.h)
			c.d.Press(strings.Fields(c.keys)...)
			screentest.Check(t, c.name, c.d.Screen(), c.style.ASCII)
			c.d.told(t, c.name)
			c.d.checkMarks(t, c.name, c.style)
		})
	}
	if a := diagnostics.CachedSummary(strange.M.state); a == nil || len(a.Outliers) == 0 ||
		!diagnostics.HasTrace(strange.M.state) {
		t.Errorf("the model was not asked: %+v", a)
	}
}

// A truth that is hidden gives way to what the model says, and comes back with its regret.
func TestOutlookOfAHiddenTruth(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.Press("space", "space")
	d.Shows("simple regret")
	assert.Nil(t, diagnostics.CachedSummary(d.M.state), "the model is asked while nobody sees what it says")
	d.Press("t")
	d.Shows("outlook")
	d.Shows("no advice on stopping")
	d.Press("t")
	d.Shows("simple regret")
}
