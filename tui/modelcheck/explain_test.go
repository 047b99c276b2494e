package modelcheck

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// openExplain is the screen with its first report.
func openExplain(t *testing.T, s *sessions.Session, w, h int, st theme.Style, names ...string) *ExplainPage {
	m, err := NewExplain(s)
	require.NoError(t, err)
	opened(t, m, w, h, st, names...)
	return m
}

func TestExplainScreens(t *testing.T) {
	quick := map[string]any{"restarts": 1}
	line := stepped(t, "forrester", "gp-ei", 8, quick)
	drawn := stepped(t, "forrester", "gp-ts", 6, quick)
	field := stepped(t, "branin", "gp-ucb", 12, quick)
	several := stepped(t, "schaffer", "mobo-rs-ucb", 7, quick)
	for _, c := range []struct {
		name  string
		s     *sessions.Session
		w, h  int
		style theme.Style
		keys  string
	}{
		{"line-80x24", line, 80, 24, noColor, ""},
		{"drawn-80x24", drawn, 80, 24, noColor, ""},
		{"field-80x24", field, 80, 24, trueColor, ""},
		{"several-120x36", several, 120, 36, trueColor, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := openExplain(t, c.s, c.w, c.h, c.style, strings.Fields(c.keys)...)
			screentest.Check(t, "explain-"+c.name, layout.Render(m.Frame(), c.w, c.h), false)
			explained.Check(t, c.name, m.Frame(), c.w, c.h)
			m.Restyle(theme.New(true, theme.NoColor, true))
			screentest.ASCII(t, c.name, layout.Render(m.Frame(), c.w, c.h))
			for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 36}, {200, 60}} {
				m.Resize(size[0], size[1])
				explained.Check(t, fmt.Sprint(c.name, " at ", size), m.Frame(), size[0], size[1])
			}
		})
	}
}

// Keys say why they can do nothing; results are left out of new fits, another pair of variables is shown, and the
// screen is left.
func TestKeys(t *testing.T) {
	m := openExplain(t, stepped(t, "forrester", "gp-ei", 5, map[string]any{"restarts": 1}), 120, 36, trueColor)
	for _, c := range [][2]string{{"up", "this is the first entry"}, {"]", "there is only one picture"}} {
		if keys(m, c[0]); !strings.Contains(text(m), c[1]) {
			t.Errorf("%s does not say %q:\n%s", c[0], c[1], text(m))
		}
	}
	if keys(m, "r"); !strings.Contains(text(m), "(refitted)") {
		t.Errorf("nothing was fitted anew:\n%s", text(m))
	}
	if keys(m, "r"); !strings.Contains(text(m), "already refitted without each result") {
		t.Errorf("again:\n%s", text(m))
	}
	if sent := keys(m, "esc"); sent != tea.Msg(widget.ActionMsg{Action: widget.Close{}}) {
		t.Errorf("esc sends %#v", sent)
	}
	m = openExplain(t, stepped(t, "hartmann", "gp-ei", 2, map[string]any{"restarts": 1}), 80, 24, trueColor)
	before := m.grid
	if keys(m, "]"); m.grid.View == before.View || len(m.acquisition().Z) != 36*36 {
		t.Errorf("] shows variables %d and %d, as before", m.grid.View.X, m.grid.View.Y)
	}
}

// What chooses by nothing says so, and so does what cannot leave a result out without a fit.
func TestWithoutAnAcquisition(t *testing.T) {
	m := openExplain(t, stepped(t, "forrester", "random", 4, nil), 80, 24, trueColor)
	if keys(m, "e"); !strings.Contains(text(m), "has no acquisition function") {
		t.Errorf("%s", text(m))
	}
	m = openExplain(t, stepped(t, "forrester", "neural-greedy", 3, map[string]any{"width": 16, "ensemble": 2, "initial": 3}), 80, 24,
		trueColor)
	if keys(m, "tab"); !strings.Contains(text(m), "no closed form") {
		t.Errorf("%s", text(m))
	}
}

// Rows of a list are highlighted by their place, also where the text of one row contains another's, and where not all
// have room.
func TestRowsAreLitByTheirPlace(t *testing.T) {
	m := openExplain(t, stepped(t, "forrester", "gp-ei", 6, map[string]any{"restarts": 1}), 100, 30,
		theme.New(true, theme.NoColor, false))
	f := layout.Arrange(m.Frame(), 100, 30)
	for _, p := range f.DescribedBoxes() {
		if cells := f.Spans(p); p.Kind == layout.Mark && p.Name == runnerUpName &&
			len(cells) != len(m.report.RunnersUp)+1 {
			// with its entry in the legend
			t.Errorf("%d places are lit as %v", len(m.report.RunnersUp), cells)
		}
	}
	m.report.Influence = nil
	for i, label := range []string{"11", "1", "111", "10", "110", "01", "0", "101"} {
		influence := diagnostics.Influence{XWithout: []float64{0.11}}
		influence.Label, influence.Distance = label, 0.9-0.1*float64(i)
		m.report.Influence = append(m.report.Influence, influence)
	}
	m.report.RunnersUp = nil
	for i := range 12 {
		m.report.RunnersUp = append(m.report.RunnersUp,
			diagnostics.RunnerUp{Candidate: diagnostics.Candidate{X: []float64{1 + float64(i)}}, Deficit: "1  x: 1"})
	}
	m.report.RunnersUp[0].Acquisition.Value, m.report.Chosen.Acquisition.Name = 1, "the whole, of 1  and more"
	row := func(name string) int {
		f := layout.Arrange(m.Frame(), m.Width, m.Height)
		for _, p := range f.DescribedBoxes() {
			if p.Name == name {
				return f.Spans(p)[0].Row
			}
		}
		return -1
	}
	drawn := func(words string) int {
		return slices.IndexFunc(strings.Split(text(m), "\n"), func(l string) bool { return strings.Contains(l, words) })
	}
	for _, label := range []string{"11", "1", "111", "10", "110"} {
		if got, want := row("without "+label), drawn(" "+label+strings.Repeat(" ", 9-len(label))+"x = 0.11"); got != want {
			t.Errorf("without %s is lit in row %d, and drawn in row %d", label, got, want)
		}
	}
	if got, want := row("others"), drawn("which move it less"); got != want || want < 0 {
		t.Errorf("the others are lit in row %d, and drawn in row %d:\n%s", got, want, text(m))
	}
	name := diagnostics.TermName(m.state, m.report.Chosen.Acquisition)
	m.report.Chosen.Acquisition.Value = 1
	if got, want := row(diagnostics.TermName(m.state, m.report.Chosen.Acquisition.Terms[0])),
		drawn("predicted improvement"); got != want || want < 0 {
		t.Errorf("the first part below %q is lit in row %d, and drawn in row %d:\n%s", name, got, want, text(m))
	}
	for m.chosen = range len(m.report.RunnersUp) + 1 {
		for i := range m.report.RunnersUp {
			if got, want := row(fmt.Sprintf("runner-up %d", i+1)),
				drawn(fmt.Sprintf("%d  x = %d ", i+1, i+1)); got != want {
				t.Fatalf("with %d chosen, place %d is lit in row %d, and drawn in row %d:\n%s", m.chosen, i+1, got,
					want, text(m))
			}
		}
	}
}

// A bar goes from 0 to its value: one below 0 to the left of the line at 0, which all bars have where one of them is
// below 0.
func TestBars(t *testing.T) {
	for _, c := range []struct {
		v, least, most float64
		want           string
	}{
		{2, 0, 4, "━━━━━     "}, {4, 0, 4, "━━━━━━━━━━"}, {0, 0, 4, "          "}, {-1, -1, 2, "━━━│      "},
		{2, -1, 2, "   │━━━━━━"}, {-0.5, -1, 2, " ━━│      "}, {1, -1, 2, "   │━━━   "},
		{-1, -1, 0, "━━━━━━━━━│"}, {0, -1, 0, "         │"}, {0, 0, 0, ""}, {math.NaN(), 0, 1, "          "},
		{math.Inf(1), 0, 1, "━━━━━━━━━━"},
	} {
		m := &ExplainPage{}
		m.Style = theme.New(true, theme.NoColor, false)
		assert.Equal(t, c.want, ansi.Strip(m.bar(c.v, c.least, c.most, 10)), "%g of %g to %g", c.v, c.least, c.most)
	}
}

// Components of a mixture are drawn as a triangle, where every node is a mixture. Each triangle is drawn once.
func TestTriangle(t *testing.T) {
	s := declared(t, "name = \"m\"\n[[mixture]]\ncomponents = [\"a\", \"b\", \"c\"]\n"+
		"[[variable]]\nname = \"a\"\nlow = 0\nhigh = 1\n[[variable]]\nname = \"b\"\nlow = 0\nhigh = 1\n"+
		"[[variable]]\nname = \"c\"\nlow = 0\nhigh = 1\n[[variable]]\nname = \"t\"\nlow = 20\nhigh = 90\n"+
		"[[objective]]\nname = \"y\"\ndirection = \"maximize\"\n",
		[][]float64{{0.2, 0.3, 0.5, 40}, {0.5, 0.5, 0, 50}, {0, 0.1, 0.9, 60}, {0.3, 0.4, 0.3, 80}})
	m := openExplain(t, s, 120, 36, trueColor)
	if variables := m.grid.View.Variables(); len(variables) != 3 || len(m.pairs()) != 4 {
		t.Errorf("the picture is over the variables %v, one of %v", variables, m.pairs())
	}
	for k, z := range m.grid.ConstraintHatch.Over.Z {
		if z > 0 {
			t.Fatalf("node %d is no mixture: %g", k, z)
		}
	}
	if !strings.Contains(text(m), "╲") {
		t.Errorf("there is no triangle:\n%s", text(m))
	}
	explained.Check(t, "triangle", m.Frame(), 120, 36)
	keys(m, "]")
	if variables := m.grid.View.Variables(); len(variables) != 2 || strings.Contains(text(m), "╲") {
		t.Errorf("the next picture is over %v:\n%s", variables, text(m))
	}
}

// The picture is hatched where a known constraint does not hold, over two variables and along one, and that is
// explained.
func TestConstraintsAreHatched(t *testing.T) {
	s := declared(t, "name = \"p\"\nconstraints = [\"a + b <= 1\"]\n[[variable]]\nname = \"a\"\n"+
		"low = 0\nhigh = 1\n[[variable]]\nname = \"b\"\nlow = 0\nhigh = 1\n[[objective]]\nname = \"y\"\n"+
		"direction = \"maximize\"\n", [][]float64{{0.1, 0.2}, {0.5, 0.3}, {0.2, 0.7}, {0.4, 0.1}})
	m := openExplain(t, s, 120, 36, trueColor)
	g := m.grid
	for k, z := range g.ConstraintHatch.Over.Z {
		if a, b := float64(k%36)/35, float64(k/36)/35; (z > 0) != (a+b > 1+1e-6) && math.Abs(a+b-1) > 1e-3 {
			t.Fatalf("(%g, %g) has %g", a, b, z)
		}
	}
	if len(g.ConstraintHatch.Over.Z) != len(m.acquisition().Z) || !strings.Contains(text(m), "violates a constraint") ||
		!strings.Contains(text(m), "╱") {
		t.Errorf("nothing is hatched:\n%s", text(m))
	}
	explained.Check(t, "hatched", m.Frame(), 120, 36)
}

// declared is a session of a declaration with results at some points.
func declared(t *testing.T, toml string, points [][]float64) *sessions.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.toml")
	require.NoError(t, os.WriteFile(path, []byte(toml), 0o600))
	cfg, err := sessions.Config{Optimizer: "gp-ei", Seed: 7, Params: map[string]any{"restarts": 1}}.WithExperiment(path)
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for i, x := range points {
		it, err := s.AskPoint(x)
		if err == nil {
			_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{float64(i)}})
		}
		require.NoError(t, err)
	}
	return s
}
