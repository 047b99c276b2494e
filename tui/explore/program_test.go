//go:build unix

package explore

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions/external"
	"bandscope/optimizers/program"
	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

// TestMain is a method that is a program where the test is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "optimizer" {
		answerLines(len(os.Args) > 2)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// answerLines answers the lines of a session as a method of the variable x, which predicts if it is to.
func answerLines(predicts bool) {
	type at struct{ X float64 }
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var line struct {
			Hello, Step          int
			Predict, Acquisition []at
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		var answer any
		switch {
		case line.Hello > 0 && predicts:
			answer = map[string]any{"hello": 1, "name": "waves", "version": "1.2", "can": []string{"predict", "acquisition"}}
		case line.Hello > 0:
			answer = map[string]any{"hello": 1, "name": "ladder"}
		case line.Predict != nil:
			var mean, sd [][]float64
			for _, p := range line.Predict {
				mean = append(mean, []float64{4 * math.Sin(9*p.X) * p.X})
				sd = append(sd, []float64{1 + 2*math.Abs(math.Cos(float64(line.Step)*p.X))})
			}
			answer = map[string]any{"mean": mean, "sd": sd}
		case line.Acquisition != nil:
			var values []float64
			for _, p := range line.Acquisition {
				values = append(values, 1-math.Abs(p.X-0.4))
			}
			answer = map[string]any{"acquisition": values}
		default:
			answer = map[string]any{"x": []any{map[string]float64{"x": math.Mod(0.37*float64(line.Step), 1)}}}
		}
		text, err := json.Marshal(answer)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		fmt.Println(string(text))
	}
}

// programConfig is a session of a method that is this test as a program.
func programConfig(t *testing.T, name string, words ...string) sessions.Config {
	t.Helper()
	command, err := external.Canonical(strings.Join(append([]string{"'" + os.Args[0] + "'", "optimizer"}, words...), " "))
	require.NoError(t, err)
	external.Allow(command, 0)
	d := &program.Declaration{Name: name, Command: command, About: "a program of a test"}
	return sessions.Config{Problem: "forrester", Optimizer: d.MethodName(), Program: d, Seed: 3}
}

// A program with a band is drawn by it; for one without, the band of another method is drawn, and it is said whose it
// is.
func TestGoldenPrograms(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		style theme.Style
		words []string
	}{
		{"program-80x24", 80, 24, noColor, nil},
		{"predicts-80x24", 80, 24, noColor, []string{"predicts"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := sessions.New(t.Context(), programConfig(t, strings.Split(c.name, "-")[0], c.words...))
			require.NoError(t, err)
			defer s.Close()
			for range 4 {
				_, err = s.Step(t.Context(), nil)
				require.NoError(t, err)
			}
			d := driveSession(t, s, c.w, c.h, c.style)
			screentest.Check(t, c.name, d.Screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}

// candidatesOf is a table of candidates with so many variables.
func candidatesOf(variables int) string {
	text := strings.Join([]string{"dose", "heat", "amine"}[:variables], ",") + ",yield:max\n"
	for i := range 45 {
		dose, heat, amine := float64(i*37%97)/10, float64(20+i*31%71), i%3
		y := 5 + 3*math.Sin(dose) + 0.4*dose
		text += fmt.Sprintf("%g", dose)
		if variables > 1 {
			text, y = text+fmt.Sprintf(",%g", heat), y-(heat-60)*(heat-60)/400
		}
		if variables > 2 {
			text, y = text+","+[]string{"aniline", "morpholine", "piperidine"}[amine], y+float64(amine)
		}
		text += fmt.Sprintf(",%.3g\n", y)
	}
	return text
}

// The candidates of a table are marked: the measured ones, the next one and the remaining ones.
func TestGoldenCandidates(t *testing.T) {
	for _, c := range []struct {
		name      string
		w, h      int
		style     theme.Style
		variables int
	}{
		{"candidates-80x24", 80, 24, noColor, 1},
		{"candidates-120x36", 120, 36, trueColor, 1},
		{"candidates-plane-120x36", 120, 36, trueColor, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "amines.csv")
			require.NoError(t, os.WriteFile(file, []byte(candidatesOf(c.variables)), 0o600))
			cfg, err := sessions.Config{Seed: 3, Optimizer: "gp-ei"}.WithExperiment(file)
			require.NoError(t, err)
			s, err := sessions.New(t.Context(), cfg)
			require.NoError(t, err)
			for range 7 {
				_, err = s.Step(t.Context(), nil)
				require.NoError(t, err)
			}
			d := driveSession(t, s, c.w, c.h, c.style)
			screentest.Check(t, c.name, d.Screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}
