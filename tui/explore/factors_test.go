package explore

import (
	"context"
	"math"
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

// Objectives as a file declares them, of the second of which factors count.
const (
	recall   = "[[objective]]\nname = \"recall\"\ndirection = \"maximize\"\nunit = \"%\"\nrange = [0, 100]\n"
	byFactor = "[[objective]]\nname = \"work\"\ndirection = \"minimize\"\nrange = [0.1, 160]\nscale = \"log\"\n"
	depth    = "[[variable]]\nname = \"depth\"\nlow = 0\nhigh = 1\n"
	breadth  = "[[variable]]\nname = \"breadth\"\nlow = 0\nhigh = 2\n"
)

// factored evaluates what ranges over powers of ten, once below the floor.
type factored struct{ objectives int }

func (f factored) Evaluate(_ context.Context, x []float64) (functions.Outcome, error) {
	z := 0.5
	if len(x) > 1 {
		z = x[1]
	}
	work := math.Pow(10, 2.4*x[0]*x[0]-0.7+0.4*z) - 0.3
	values := []float64{85 * (1 - math.Exp(-0.6*math.Sqrt(work+0.3))) * (1 - 0.2*(z-1)*(z-1)), work}
	return functions.Outcome{Values: values[2-f.objectives:]}, nil
}

// What factors count of is drawn along logarithmic axes, in its own unit: along one variable, over two, and against
// another objective.
func TestGoldenFactors(t *testing.T) {
	if testing.Short() {
		t.Skip("TestGoldenScreens runs the same jobs")
	}
	for _, c := range []struct {
		name     string
		w, h     int
		style    theme.Style
		declared string
		method   string
		prior    string
		keys     string
	}{
		{"factors-80x24", 80, 24, noColor, depth + byFactor, "gp-ei", "", ""},
		{"factors-plane-120x36", 120, 36, trueColor, depth + breadth + byFactor, "gp-ei", "", "2 x right"},
		{"factors-outcomes-120x36", 120, 36, trueColor, depth + breadth + recall + byFactor, "mobo-rs-ts",
			"box(any, 0.5..2)", "A right"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "p.toml")
			require.NoError(t, os.WriteFile(file, []byte("name = \"embeddings\"\n"+c.declared), 0o644))
			cfg := sessions.Config{Seed: 3, Optimizer: c.method}
			if c.prior != "" {
				cfg.Params = map[string]any{"prior": c.prior}
			}
			cfg, err := cfg.WithExperiment(file)
			require.NoError(t, err)
			s, err := sessions.New(t.Context(), cfg)
			require.NoError(t, err)
			s.SetEvaluator(factored{strings.Count(c.declared, "[[objective]]")})
			for range 6 {
				_, err = s.Step(t.Context(), nil)
				require.NoError(t, err)
			}
			d := driveSession(t, s, c.w, c.h, c.style)
			d.Press(strings.Fields(c.keys)...)
			screentest.Check(t, c.name, d.Screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}
