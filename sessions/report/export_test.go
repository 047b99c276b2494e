package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// No cell with a text is a formula to a spreadsheet, and names are read back.
func TestCSVText(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "": "", "=1+1": "'=1+1", " =1+1": "' =1+1", "\t@x": "' @x", "\u00a0-2": "'\u00a0-2",
		"＝1": "'＝1", "\r\n+x": "␍ +x", "a=b": "a=b", "step 1 - x": "step 1 - x"} {
		assert.Equal(t, want, CSVText(in), "%q becomes", in)
	}
	s := start(t, sessions.Config{Problem: "forrester", Optimizer: "random"})
	steps(t, s, 1)
	require.NoError(t, s.Note(" =HYPERLINK(1)"))
	var b bytes.Buffer
	if err := Export(t.Context(), s.State(), &b, "csv"); err != nil || !strings.Contains(b.String(), ",'") ||
		strings.Contains(b.String(), ", =") {
		t.Errorf("%s, %v", b.String(), err)
	}
}

// What is exported as CSV can begin another session, batch by batch.
func TestImportOfAnExport(t *testing.T) {
	s := start(t, sessions.Config{Problem: "branin", Optimizer: "sto-bnts", Noise: 0.5,
		Params: map[string]any{"width": 32, "batch": 3}})
	steps(t, s, 5)
	var csv bytes.Buffer
	require.NoError(t, Export(t.Context(), s.State(), &csv, "csv"))
	next, err := readTable(t.Context(), sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 9}, &csv)
	require.NoError(t, err)
	a, b := s.State().Iterations, next.State().Iterations
	require.Equal(t, len(b), len(a), "%d steps, %d imported", len(a), len(b))
	for i := range a {
		if !reflect.DeepEqual(a[i].Inputs(), b[i].Inputs()) || !reflect.DeepEqual(a[i].Outcomes(), b[i].Outcomes()) ||
			b[i].By != sessions.ByImport {
			t.Errorf("step %d: %v = %v, imported %v = %v by %s", i+1, a[i].Inputs(), a[i].Outcomes(), b[i].Inputs(),
				b[i].Outcomes(), b[i].By)
		}
	}
	steps(t, next, 1)
	if it := next.State().Iterations[5]; it.By != "gp-ei" {
		t.Errorf("the sixth step is by %s", it.By)
	}
	if v, err := Verify(context.Background(), next, nil); err != nil || v.FirstDivergence != nil || v.Checked != 1 ||
		v.Skipped != 5 {
		t.Errorf("%+v, %v", v, err)
	}
}

// A session on an experiment is what it is on a test function, but for what only a truth can tell: it steps, is
// exported, inspected and judged by what was observed.
func TestExperiment(t *testing.T) {
	for _, cfg := range []sessions.Config{
		{Problem: "forrester", Optimizer: "gp-ei", Seed: 3, Budget: 20},
		{Problem: "branin-currin", Optimizer: "mobo-rs-ucb", Seed: 3, Budget: 20}} {
		known, s := start(t, cfg), start(t, cfg)
		problem := known.State().Problem
		s.State().Problem.Truth = nil // an experiment, of which nothing is known but what is evaluated
		s.SetEvaluator(given{problem})
		steps(t, known, 5)
		steps(t, s, 5)
		st := s.State()
		traces, want := AllTracesFor(st), AllTracesFor(known.State())
		if traces.SimpleRegret != nil || traces.CumulativeRegret != nil || traces.WeightedRegret != nil ||
			!reflect.DeepEqual(traces.Best, want.Best) {
			t.Errorf("%s: %+v", cfg.Problem, traces)
		}
		if several := traces.Multiobjective; several != nil &&
			(several.Exact || !reflect.DeepEqual(several.Hypervolume, want.Multiobjective.Hypervolume)) {
			t.Errorf("%s: exact %v, hypervolume %v, want %v", cfg.Problem, several.Exact, several.Hypervolume,
				want.Multiobjective.Hypervolume)
		}
		for _, format := range Formats {
			var out strings.Builder
			assert.NoError(t, Export(t.Context(), st, &out, format), "%s as %s", cfg.Problem, format)
		}
		in := make([]float64, st.Problem.Dim())
		r, err := Inspect(t.Context(), s, InspectOptions{Inputs: [][]float64{in}}, nil)
		if err != nil || len(r.Objectives) != len(st.Problem.Objectives) || r.Objectives[0].Truth != nil {
			t.Errorf("%s: %+v, %v", cfg.Problem, r, err)
		}
	}
}

// given evaluates without saying what is true.
type given struct{ problem *functions.Problem }

func (g given) Evaluate(_ context.Context, x []float64) (functions.Outcome, error) {
	return functions.Outcome{Values: g.problem.Truth.Value(x)}, nil
}

// What writes or computes much stops when its context ends.
func TestContextsAreHeeded(t *testing.T) {
	s := start(t, sessions.Config{Problem: "forrester", Optimizer: "random", Budget: 400})
	steps(t, s, 400)
	for _, format := range []string{"csv", "txt"} {
		ctx, cancel := context.WithCancel(t.Context())
		w := &ending{cancel: cancel, left: 1000}
		if err := Export(ctx, s.State(), w, format); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", format, err)
		}
		if w.left < -8<<10 {
			t.Errorf("%s: %d bytes after the end of its context", format, -w.left)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Inspect(ended, s, InspectOptions{Inputs: [][]float64{{0.5}}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("inspecting: %v", err)
	}
}

// ending ends a context after so many bytes.
type ending struct {
	cancel context.CancelFunc
	left   int
}

func (e *ending) Write(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		e.cancel()
	}
	return len(p), nil
}

// An evaluation that failed is told like any other.
func TestFailuresAreExported(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		s := start(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 6})
		f, calls := s.State().Problem.Truth.Value, 0
		s.State().Problem.Truth.Value = func(x []float64) []float64 {
			if calls++; calls%2 == 0 {
				return []float64{bad}
			}
			return f(x)
		}
		steps(t, s, 4)
		for _, format := range Formats {
			var out strings.Builder
			if err := Export(t.Context(), s.State(), &out, format); err != nil || !strings.Contains(out.String(), "x") {
				t.Errorf("%g as %s: %v", bad, format, err)
			}
		}
	}
}

// Other programs read null where a number is not finite.
func TestNumbers(t *testing.T) {
	b, err := json.Marshal([]Number{1.5, Number(math.NaN()), Number(math.Inf(-1))})
	if err != nil || string(b) != "[1.5,null,null]" {
		t.Errorf("%s, %v", b, err)
	}
}
