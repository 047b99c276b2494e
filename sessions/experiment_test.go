package sessions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/functions/tomlfile"
)

const (
	espresso = "../functions/experiment/testdata/espresso.toml"
	reactor  = "../functions/experiment/testdata/reactor.toml"
)

// onExperiment starts a session on the experiment in a file.
func onExperiment(t *testing.T, path string, cfg Config) *Session {
	t.Helper()
	cfg, err := cfg.WithExperiment(path)
	require.NoError(t, err)
	return start(t, cfg)
}

// barista is who makes the espresso.
var barista = fake(func(_ context.Context, x []float64) (functions.Outcome, error) {
	return functions.Outcome{Values: []float64{24 - math.Abs(x[0]-17)/3 - math.Abs(x[1]-30)/5, math.Abs(x[1]-20) / 2}},
		nil
})

// A session on an experiment is one file: reopened elsewhere, where nobody has the experiment's file, it is equal, and
// goes on as the one that was not closed would have.
func TestExperimentInOneFile(t *testing.T) {
	for _, optimizer := range []string{"", "parego", "random"} {
		dir := t.TempDir()
		file := filepath.Join(dir, "p.toml")
		text, err := os.ReadFile(espresso)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o644))
		cfg := Config{Optimizer: optimizer, Seed: 4, Budget: 12}
		first, second := onExperiment(t, file, cfg), onExperiment(t, file, cfg)
		require.NoError(t, second.SaveAs(filepath.Join(dir, "s.jsonl")))
		first.SetEvaluator(barista)
		second.SetEvaluator(barista)
		steps(t, first, 8)
		steps(t, second, 5)
		require.NoError(t, second.Close())
		elsewhere := filepath.Join(t.TempDir(), "t.jsonl")
		require.NoError(t, os.Rename(filepath.Join(dir, "s.jsonl"), elsewhere))
		require.NoError(t, os.Remove(file))
		again, err := Open(t.Context(), elsewhere)
		require.NoError(t, err)
		defer again.Close()
		if st := again.State(); len(again.Notices()) > 0 || !reflect.DeepEqual(st.Problem, second.State().Problem) ||
			fmt.Sprint(st.Iterations) != fmt.Sprint(second.State().Iterations) {
			t.Fatalf("reopened it is %+v, %q", st.Problem, again.Notices())
		}
		_, err = again.Step(context.Background(), nil)
		require.ErrorIs(t, err, ErrNoEvaluator, "opening attached somebody: %v", err)
		again.SetEvaluator(barista)
		steps(t, again, 3)
		for i, it := range again.State().Iterations {
			if want := first.State().Iterations[i]; !reflect.DeepEqual(it.Inputs(), want.Inputs()) ||
				!reflect.DeepEqual(it.Outcomes(), want.Outcomes()) {
				t.Errorf("step %d is %v, and in one go %v", i+1, it.Inputs(), want.Inputs())
			}
		}
	}
}

// What is expected of several objectives measures them from the first point on; the method is told, and of the noise,
// too.
func TestExperimentIsMeasuredByItsRanges(t *testing.T) {
	s := onExperiment(t, espresso, Config{Seed: 1})
	st := s.State()
	if r, frozen := st.OutcomeRange(); !frozen || r.From != FromDeclared ||
		!reflect.DeepEqual(r.Best, []float64{24, 0}) ||
		!reflect.DeepEqual(r.Worst, []float64{14, 10}) {
		t.Errorf("it is measured by %+v, %v", r, frozen)
	}
	in := st.Input()
	if !reflect.DeepEqual(in.Lo, []float64{-24, 0}) || !reflect.DeepEqual(in.Hi, []float64{-14, 10}) ||
		!reflect.DeepEqual(in.Noise, []float64{0.3, 0}) {
		t.Errorf("the method is told %v to %v, noise %v", in.Lo, in.Hi, in.Noise)
	}
	s.SetEvaluator(barista)
	steps(t, s, 6)
	for _, e := range s.rec.Tree.Events() {
		assert.NotEqual(t, kindRanged, e.Kind, "a range is recorded beside the declared one")
	}
}

// Costs, the budget and the logarithmic scale are those of the file, and a setting goes before them.
func TestExperimentSaysTheRest(t *testing.T) {
	st := onExperiment(t, reactor, Config{Seed: 1}).State()
	if c, err := st.Problem.CostAt([]float64{20, 5, 1}); err != nil || c != 1.5 || st.Config.Budget != 30 ||
		st.Config.Cost != "" {
		t.Errorf("the cost is %g (%v), the configuration %+v", c, err, st.Config)
	}
	in := st.Input()
	if math.Abs(in.Widths[1]-math.Log(100)) > 1e-12 || !reflect.DeepEqual(in.Factors, []bool{false, true, false}) ||
		in.Length(1, 0.5, numfmt.Format) != "×10" || in.Length(0, 0.5, numfmt.Format) != "30" {
		t.Errorf("with the widths %v and the factors %v a length is %s", in.Widths, in.Factors, in.Length(1, 0.5, numfmt.Format))
	}
	st = onExperiment(t, reactor, Config{Seed: 1, Budget: 7, Cost: "2"}).State()
	if c, err := st.Problem.CostAt([]float64{20, 5, 1}); err != nil || c != 2 || st.Config.Budget != 7 {
		t.Errorf("the cost is %g (%v), the budget %d", c, err, st.Config.Budget)
	}
	cfg, err := Config{Noise: 0.5}.WithExperiment(espresso)
	if err == nil {
		_, err = New(t.Context(), cfg)
	}
	assert.ErrorContains(t, err, "noise is only added to test functions", "noise on top")
}

// A fork with another method and corrections work as on any problem.
func TestExperimentIsForked(t *testing.T) {
	s := onExperiment(t, espresso, Config{Seed: 2, Optimizer: "random"})
	s.SetEvaluator(barista)
	steps(t, s, 3)
	require.NoError(t, s.Fork("other", "parego"))
	steps(t, s, 1)
	require.NoError(t, s.Bound(t.Context(), "dose", 16, 18, ""))
	steps(t, s, 1)
	st := s.State()
	if x := st.Iterations[4].Points[0].X[0]; st.Spec.Name != "parego" || st.Config.Experiment == nil || x < 16 ||
		x > 18 {
		t.Errorf("%s suggests a dose of %g", st.Spec.Name, x)
	}
}

// What changed in the file is said when somebody asks, and the session's own declaration stays.
func TestDeclared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.toml")
	write := func(text string) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	text, err := os.ReadFile(espresso)
	require.NoError(t, err)
	write(string(text))
	s := onExperiment(t, file, Config{Seed: 1})
	for _, c := range []struct{ text, want string }{
		{string(text), ""},
		{string(text) + "\n# a remark", ""},
		{strings.Replace(string(text), "high = 20", "high = 21", 1),
			file + " has changed since the session began: high of dose is now 21; it was 20; the session keeps the declaration that it began with"},
		{"name = 3\nbudget = 1.5",
			file +
				`: line 1, column 8: name must be text in quotes, such as name = "espresso"; got 3 (and 3 more faults); the session keeps the declaration that it began with`},
	} {
		write(c.text)
		assert.Equal(t, c.want, s.CompareDeclaration(file), "it is said")
	}
	if got := s.CompareDeclaration(t.TempDir()); !strings.Contains(got, "it is a folder") {
		t.Errorf("of a folder: %q", got)
	}
	if got := start(t, Config{Problem: "forrester", Seed: 1}).
		CompareDeclaration(espresso); !strings.Contains(got,
		"declares espresso, but the session is about the test function forrester") {
		t.Errorf("of a test function: %q", got)
	}
	assert.Equal(t, 20.0, s.State().Problem.Domain[0].High, "the session took over what the file says")
}

// A file with another declaration than this version reads, or a wrong one, is refused, and says why.
func TestHeaderOfAnExperiment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := onExperiment(t, espresso, Config{Seed: 1, Optimizer: "random"})
	require.NoError(t, s.SaveAs(path))
	s.Close()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, c := range []struct{ from, to, want string }{
		{`"high":20`, `"high":2`, "got low = 14 and high = 2"},
		{`"unit":"g"`, `"grain":"fine"`, `json: unknown field "grain"`},
		{`"name":"bitterness"`, `"name":"dose"`, "already has the name \"dose\""},
		{`"dose"`, `"do\u001bse"`, `"do\x1bse"`},
	} {
		changed := strings.Replace(string(text), c.from, c.to, 1)
		bare := `{` + changed[len(`{"id":"0123456789abcdef",`):]
		_, line := signedLine(strings.TrimSuffix(bare, "\n"))
		require.NoError(t, os.WriteFile(path, append(line, '\n'), 0o644))
		_, err := Open(t.Context(), path)
		assert.ErrorContains(t, err, c.want, "with %s: %v, want %s", c.to, err, c.want)
		if faults := (*tomlfile.Faults)(nil); errors.As(err, &faults) &&
			!strings.HasPrefix(err.Error(), path+": line 1: ") {
			t.Errorf("the file is not named: %v", err)
		}
	}
}
