package sessions

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

const boiler = "../functions/experiment/testdata/boiler.toml"

// What has limits and is not optimized is told, by name and in parts, with the objectives, corrected like them, on
// record after them, and given to methods apart.
func TestLimitsAreMeasured(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := onExperiment(t, boiler, Config{Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	out := asks(t, s, 3)
	it := hears(t, s, out[0], functions.Result{Values: named{"efficiency": 70, "loss": -1, "temperature": 75},
		SE: named{"temperature": 0.2}})
	if !it.Incomplete() || !slices.Equal(it.Points[0].Missing, []string{"acidity"}) || len(s.State().Iterations) != 0 {
		t.Fatalf("a part is %+v", it)
	}
	hears(t, s, out[0], functions.Result{Values: named{"acidity": 7}})
	hears(t, s, out[1], functions.Result{Values: named{"efficiency": 90, "loss": -2, "temperature": 81, "acidity": 7}})
	hears(t, s, out[2], functions.Result{Values: named{"efficiency": 59, "loss": -1, "temperature": 80,
		"acidity": 6.5}})
	if _, err := s.State().Problem.Outcome(out[0].Points[0].X, functions.Result{Values: named{"temprature": 1}}); err ==
		nil || !strings.Contains(err.Error(), `no objective or limit "temprature"; did you mean temperature?`) {
		t.Errorf("an unknown name: %v", err)
	}
	counts := func(s *Session) (list []bool) {
		for _, it := range s.State().Iterations {
			list = append(list, s.State().Feasible(it, 0))
		}
		return list
	}
	if got := counts(s); !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("within their limits are %v", got)
	}
	if _, y, step, _ := s.State().Best(); y != 70 || step != 1 {
		t.Errorf("the best is %g at step %d", y, step)
	}
	require.NoError(t, s.Correct(2, 0, []float64{90, -2, 79, 7}, "a slip"))
	assert.Error(t, s.Correct(2, 0, []float64{90, -2}, ""), "a correction of the objectives alone is taken")
	s.Close()
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer s.Close()
	if got := counts(s); !slices.Equal(got, []bool{true, true, false}) {
		t.Errorf("read again, and corrected, within their limits are %v", got)
	}
	in := s.State().Input()
	if n, l := in.Data.Limits.Dims(); n != 3 || l != 4 || len(in.Limits) != 4 {
		t.Fatalf("the method is told of %d×%d values of %+v", n, l, in.Limits)
	}
	if l := in.Limits[0]; l.Name != "efficiency" || l.Objective != 0 || l.Min != 60 || !math.IsInf(l.Max, 1) ||
		in.Data.Limits.At(0, 0) != 70 || in.Data.Y.At(0, 0) != -70 {
		t.Errorf("an objective with a limit is %+v", l)
	}
	if l := in.Limits[3]; l.Name != "acidity" || l.Objective != -1 || l.Min != 6.5 || l.Max != 7.5 ||
		in.Data.Limits.At(2, 3) != 6.5 {
		t.Errorf("a limit is %+v", l)
	}
	if _, k := in.Data.Y.Dims(); k != 2 || in.Data.SE.At(0, 0) == in.Data.SE.At(0, 0) ||
		in.Data.LimitSE.At(0, 2) != 0.2 {
		t.Errorf("of %d objectives the errors are %v, of limits %v", k, in.Data.SE, in.Data.LimitSE)
	}
	for i, want := range []bool{true, true, false} {
		assert.Equal(t, want, in.IsFeasible(i), "datum %d is within its limits: %v", i, !want)
	}
}

// A method that keeps to no limits refuses a problem that has some, and says which methods do.
func TestMethodsWithoutLimits(t *testing.T) {
	cfg, err := Config{Optimizer: "pesmo"}.WithExperiment(boiler)
	require.NoError(t, err)
	if _, err = New(t.Context(), cfg); err == nil ||
		!strings.Contains(err.Error(), "pesmo does not support limits, but boiler has some; use one of ") ||
		!strings.Contains(err.Error(), "random") {
		t.Errorf("%v", err)
	}
}

// Failures are learned in sessions of experiments that begin now, unless their file says otherwise; sessions on record
// without a word of it go on without.
func TestFailuresAreLearnedFromNowOn(t *testing.T) {
	s := onExperiment(t, boiler, Config{Optimizer: "random", Seed: 3})
	assert.True(t, s.State().Input().LearnFailures, "a new session of an experiment does not learn them")
	cfg := s.State().Config
	d := *cfg.Experiment
	d.Failures = "ignored"
	cfg.Failures, cfg.Experiment = "", &d
	if s, err := New(t.Context(), cfg); err != nil || s.State().Input().LearnFailures {
		t.Errorf("one whose file says that they are ignored: %v", err)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	s.Close()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	bare := `{` + strings.Replace(string(text), `"failures":"learned",`, "", 1)[len(`{"id":"0123456789abcdef",`):]
	_, line := signedLine(strings.TrimSuffix(bare, "\n"))
	require.NoError(t, os.WriteFile(path, append(line, '\n'), 0o644))
	before, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer before.Close()
	if before.State().Config.Failures != "" || before.State().Input().LearnFailures {
		t.Error("a session on record without a word of failures learns them now")
	}
	old := start(t, Config{Problem: "forrester", Seed: 1})
	if old.State().Config.Failures != "" || old.State().Input().LearnFailures {
		t.Error("a session of a test function learns them")
	}
}

// Midway what is measured gets other limits, or a further quantity has some: what is on record stays, lacks what it
// lacks, and reads back the same; what is no limit any more is not measured.
func TestLimitsMidway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := onExperiment(t, espresso, Config{Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	for _, bitterness := range []float64{3, 7} {
		if _, err := s.Record(ByPerson, [][]float64{{16, 30}},
			functions.Outcome{Values: []float64{18, bitterness}}); err != nil {
			t.Fatal(err)
		}
	}
	six, hot, number := 6.0, 96.0, functions.Objective{Name: "bitterness"}
	number.AtMost = &six
	limit := func(o functions.Objective) {
		t.Helper()
		require.NoError(t, s.Limit(o, ""))
	}
	limit(number)
	if st := s.State(); !st.Feasible(st.Iterations[0], 0) || st.Feasible(st.Iterations[1], 0) ||
		st.Input().Data.Limits.At(1, 0) != 7 {
		t.Errorf("with a limit on bitterness: %+v", st.Iterations)
	}
	limit(functions.Objective{Name: "temperature", Unit: "°C", AtMost: &hot})
	it := s.State().Iterations[0]
	if !it.Incomplete() || !slices.Equal(it.Points[0].Missing, []string{"temperature"}) ||
		s.State().Input().Data.Len() != 0 {
		t.Errorf("what was not measured is not missing: %+v", it)
	}
	hears(t, s, it, functions.Result{Values: named{"temperature": 90}})
	check := func(s *Session) {
		t.Helper()
		if st := s.State(); !st.Feasible(st.Iterations[0], 0) || st.Input().Data.Len() != 1 ||
			len(st.Problem.Outputs()) != 3 || !st.Iterations[1].Incomplete() {
			t.Errorf("one of two results is complete: %+v", st.Iterations)
		}
	}
	check(s)
	s.Close()
	var err error
	if s, err = Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	check(s)
	limit(functions.Objective{Name: "temperature"})
	if st := s.State(); len(st.Problem.Outputs()) != 2 || st.Input().Data.Len() != 2 || st.Iterations[1].Incomplete() {
		t.Errorf("without the limit on temperature: %+v", st.Iterations)
	}
}
