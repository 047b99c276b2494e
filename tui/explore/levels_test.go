package explore

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

// answered is an evaluator that knows the value of every point.
type answered func(x []float64) float64

func (f answered) Evaluate(_ context.Context, x []float64) (functions.Outcome, error) {
	return functions.Outcome{Values: []float64{f(x)}}, nil
}

// The variables of experiments as their files declare them, and what is measured there.
var (
	ligand = "[[variable]]\nname = \"ligand\"\nkind = \"choice\"\n" +
		"choices = [\"PPh3\", \"XPhos\", \"dppf\", \"tert-butyl-BrettPhos\", \"水溶性\"]\n"
	heat     = "[[variable]]\nname = \"temperature\"\nlow = 20\nhigh = 100\nunit = \"°C\"\n"
	layers   = "[[variable]]\nname = \"layers\"\nkind = \"integer\"\nlow = 1\nhigh = 8\n"
	width    = "[[variable]]\nname = \"width\"\nkind = \"ordered\"\nscale = \"log\"\nvalues = [16, 32, 64, 256]\n"
	yielded  = "[[objective]]\nname = \"yield\"\ndirection = \"maximize\"\nrange = [0, 100]\n"
	ofChoice = []float64{40, 72, 35, 55, 12}
)

// levelled is a session of six steps on an experiment of some variables.
func levelled(t *testing.T, variables string, measure answered) *sessions.Session {
	t.Helper()
	file := filepath.Join(t.TempDir(), "levels.toml")
	require.NoError(t, os.WriteFile(file, []byte("name = \"levels\"\n"+variables+yielded), 0o600))
	cfg, err := sessions.Config{Seed: 3, Optimizer: "gp-ei"}.WithExperiment(file)
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	s.SetEvaluator(measure)
	for range 6 {
		if s.State().Exhausted() {
			break
		}
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

// What is believed of variables with levels is drawn in steps, bars, rows and cells.
func TestGoldenLevels(t *testing.T) {
	choice := func(x []float64) float64 { return ofChoice[int(x[0])] }
	integer := func(x []float64) float64 { return 60 - 4*(x[0]-5)*(x[0]-5) }
	mixed := func(x []float64) float64 { return ofChoice[int(x[0])] * (1 - (x[1]-60)*(x[1]-60)/3200) }
	cells := func(x []float64) float64 { return 60 - 3*(x[0]-5)*(x[0]-5) - (x[1]-64)*(x[1]-64)/900 }
	for _, c := range []struct {
		name      string
		w, h      int
		style     theme.Style
		variables string
		measure   answered
		keys      string
	}{
		{"choice-120x36", 120, 36, trueColor, ligand, choice, ""},
		{"integer-80x24", 80, 24, noColor, layers, integer, ""},
		{"mixed-120x36", 120, 36, trueColor, ligand + heat, mixed, "x up up"},
		{"cells-80x24", 80, 24, noColor, layers + width, cells, "x left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := driveSession(t, levelled(t, c.variables, c.measure), c.w, c.h, c.style)
			d.Press(strings.Fields(c.keys)...)
			screentest.Check(t, c.name, d.Screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}
