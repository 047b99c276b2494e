package sessions

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/sample"
	"bandscope/optimizers/registry"
	"bandscope/sessions/sanitize"
)

// withBudgetDesign returns a configuration whose initial design has the size by the budget, unless it says otherwise:
// three points of one or two variables.
func withBudgetDesign(cfg Config) Config {
	params := map[string]any{"design_size": "budget"}
	maps.Copy(params, cfg.Params)
	cfg.Params = params
	return cfg
}

// start begins a session whose clock ticks a second an event. Its initial design has the size by the budget.
func start(t testing.TB, cfg Config) *Session {
	t.Helper()
	cfg = withBudgetDesign(cfg)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := New(t.Context(), cfg, WithClock(func() time.Time { now = now.Add(time.Second); return now }))
	require.NoError(t, err)
	return s
}

func steps(t testing.TB, s *Session, n int) {
	t.Helper()
	for range n {
		if _, err := s.Step(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

func reopen(t testing.TB, path string) *Session {
	t.Helper()
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// repeats checks that every suggestion of the optimizer on the current branch, so many, comes out again as it is on
// record.
func repeats(t testing.TB, s *Session, count int) {
	t.Helper()
	made, err := s.Suggestions()
	require.NoError(t, err)
	n := 0
	for _, m := range made {
		if m.Iteration.By == ByPerson || m.Iteration.By == ByImport {
			continue
		}
		n++
		again, err := m.Recompute(context.Background())
		if err != nil || len(again.Points) != len(m.Iteration.Points) {
			t.Fatalf("step %d: %+v, %v", m.Iteration.Step, again, err)
		}
		for i, pt := range again.Points {
			u, v := m.Before.Problem.Domain.ToUnit(pt.X), m.Before.Problem.Domain.ToUnit(m.Iteration.Points[i].X)
			if floats.Distance(u, v, math.Inf(1)) > 1e-6 {
				t.Errorf("step %d: %v is on record, recomputed %v", m.Iteration.Step, m.Iteration.Points[i].X, pt.X)
			}
		}
	}
	assert.Equal(t, count, n, "%d suggestions are recomputed", n)
}

// points lists what was evaluated.
func points(s *Session) (x [][][]float64) {
	for _, it := range s.State().Iterations {
		x = append(x, it.Inputs())
	}
	return x
}

// A session that is left and taken up again goes on as if it had never been left.
func TestResumedEqualsUninterrupted(t *testing.T) {
	for _, c := range []struct {
		optimizer string
		half      int
	}{{"random", 25}, {"gp-ei", 10}, {"gp-ts", 6}, {"neural-greedy", 5}} {
		cfg := Config{Problem: "forrester", Optimizer: c.optimizer, Seed: 11, Noise: 0.1}
		if c.optimizer == "neural-greedy" {
			cfg.Params = map[string]any{"width": 200}
		}
		whole := start(t, cfg)
		steps(t, whole, 2*c.half)
		path := filepath.Join(t.TempDir(), "s.jsonl")
		first := start(t, cfg)
		require.NoError(t, first.SaveAs(path))
		steps(t, first, c.half)
		require.NoError(t, first.Close())
		second := reopen(t, path)
		steps(t, second, c.half)
		assert.Equal(t, points(second), points(whole), "%s: the points differ after a resume", c.optimizer)
		if a, b := whole.State().Iterations[2*c.half-1],
			second.State().Iterations[2*c.half-1]; !reflect.DeepEqual(a.Outcomes(), b.Outcomes()) ||
			!reflect.DeepEqual(Column(a, Point.Judged), Column(b, Point.Judged)) {
			t.Errorf("%s: what came of them differs after a resume", c.optimizer)
		}
		repeats(t, second, 2*c.half)
	}
}

// Looking at beliefs, in any order, changes nothing of what is suggested.
func TestLookingChangesNothing(t *testing.T) {
	cfg := Config{Problem: "gramacy-lee", Optimizer: "gp-ts", Seed: 4}
	plain, looked := start(t, cfg), start(t, cfg)
	steps(t, plain, 8)
	for range 8 {
		b, err := looked.Belief(context.Background(), nil)
		require.NoError(t, err)
		_, err = b.Samples(context.Background(), mat.NewDense(2, 1, []float64{0.2, 0.6}), 3, 0)
		require.NoError(t, err)
		_, err = looked.Next(context.Background(), nil)
		require.NoError(t, err)
		steps(t, looked, 1)
		looked.Back()
		looked.Belief(context.Background(), nil)
		looked.Forward()
	}
	assert.Equal(t, points(looked), points(plain), "the points differ")
}

func TestMoves(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	if s.Back() || s.Forward() {
		t.Error("a new session has nowhere to go")
	}
	steps(t, s, 5)
	recorded := points(s)
	valueAt := func() (int, int) { st := s.State(); return len(st.Iterations), st.Ahead }
	for i := 4; i >= 0; i-- {
		require.True(t, s.Back(), "Back from %d fails", i+1)
		if n, ahead := valueAt(); n != i || ahead != 5-i {
			t.Fatalf("after Back: %d iterations, %d ahead; want %d and %d", n, ahead, i, 5-i)
		}
	}
	assert.False(t, s.Back(), "Back goes on behind the start")
	events := len(s.rec.Tree.Events())
	steps(t, s, 5) // over what is recorded
	if !reflect.DeepEqual(points(s), recorded) || len(s.rec.Tree.Events()) != events {
		t.Error("stepping over recorded iterations makes new ones")
	}
	s.First()
	if n, _ := valueAt(); n != 0 {
		t.Errorf("First stands at %d", n)
	}
	s.Last()
	if n, _ := valueAt(); n != 5 {
		t.Errorf("Last stands at %d", n)
	}
}

// An edit made after going back begins a branch; what was recorded before stays in the log.
func TestEditBranches(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ucb", Seed: 2})
	steps(t, s, 5)
	old := points(s)
	s.Back()
	require.NoError(t, s.Edit("beta_scale", "50"))
	if st := s.State(); st.Ahead != 0 || len(st.Iterations) != 4 || st.Params.Number("beta_scale") != 50 {
		t.Fatalf("after the edit: %d iterations, %d ahead, %v", len(st.Iterations), st.Ahead, st.Params.Changed())
	}
	steps(t, s, 1)
	assert.False(t, reflect.DeepEqual(points(s)[4], old[4]), "the edited parameter changes nothing")
	s.Back() // to the place after the edit, which the fifth suggestion was made from
	if st := s.State(); st.Params.Number("beta_scale") != 50 {
		t.Error("going back one iteration loses the edit that it was made with")
	}
	found := 0
	for _, e := range s.rec.Tree.Events() {
		if e.Kind == kindObserved {
			found++
		}
	}
	assert.Equal(t, 6, found, "the log holds %d observations, want 6", found)
}

// A snapshot keeps what it shows while the session goes back and takes another way.
func TestSnapshotsStay(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 2})
	var states []State
	var want [][][][]float64
	for round := range 40 {
		if round%3 == 2 {
			s.Back()
			s.Back()
			if _, err := s.Query(context.Background(), []float64{float64(round) / 40}); err != nil {
				t.Fatal(err)
			}
		} else {
			steps(t, s, 1)
		}
		states, want = append(states, s.State()), append(want, points(s))
	}
	for i, st := range states {
		var got [][][]float64
		for _, it := range st.Iterations {
			got = append(got, it.Inputs())
		}
		require.Equal(t, want[i], got, "snapshot %d has changed", i)
	}
}

func TestEditErrors(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 2})
	for key, c := range map[string][2]string{
		"kernal": {"se", "kernel"}, "restarts": {"0", "[1, 50]"}, "kernel": {"rbf", "matern52"}} {
		if err := s.Edit(key, c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("Edit(%s, %s): got %v, want a mention of %s", key, c[0], err, c[1])
		}
	}
}

func TestQueryAndNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "branin", Optimizer: "random", Seed: 2})
	require.NoError(t, s.SaveAs(path))
	if _, err := s.Query(context.Background(), []float64{11, 0}); err == nil || !strings.Contains(err.Error(), "x1") {
		t.Errorf("a query outside of the domain: %v", err)
	}
	it, err := s.Query(context.Background(), []float64{1, 2})
	if err != nil || it.By != "person" || math.Abs(it.Points[0].Y[0]-21.6276353921) > 1e-9 {
		t.Errorf("got %+v, %v", it, err)
	}
	require.NoError(t, s.Note("what if \x1b[2J x₁ is larger?"))
	s.Close()
	st := reopen(t, path).State()
	if len(st.Iterations) != 1 || len(st.NotesAt(1)) != 1 || st.Iterations[0].By != "person" {
		t.Errorf("read back: %+v", st.Iterations)
	}
	if got := sanitize.Text(st.NotesAt(1)[0].Text); strings.ContainsRune(got, 0x1b) {
		t.Errorf("an escape character survives: %q", got)
	}
}

func TestStandsWhereItWasLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	steps(t, s, 6)
	s.Back()
	s.Back()
	require.NoError(t, s.Close())
	r := reopen(t, path)
	if st := r.State(); len(st.Iterations) != 4 || st.Ahead != 2 {
		t.Errorf("stands at %d with %d ahead, want 4 and 2", len(st.Iterations), st.Ahead)
	}
	steps(t, r, 2)
	if st := r.State(); st.Ahead != 0 || len(st.Iterations) != 6 {
		t.Errorf("the recorded steps are not there any more: %d, %d ahead", len(st.Iterations), st.Ahead)
	}
}

// An evaluation without a finite value is recorded as failed, and the search goes on.
func TestFailedEvaluations(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 6})
		require.NoError(t, s.SaveAs(path))
		f := s.setup.problem.Truth.Value
		calls := 0
		s.setup.problem.Truth.Value = func(x []float64) []float64 {
			if calls++; calls%2 == 0 {
				return []float64{bad}
			}
			return f(x)
		}
		steps(t, s, 8)
		s.Close()
		st := reopen(t, path).State()
		in := st.Input()
		if in.Data.Len() != 4 || in.Data.Failed == nil || in.Step != 8 {
			t.Errorf("%g: %d data, step %d", bad, in.Data.Len(), in.Step)
		}
		if got := st.Iterations[1].Points[0].Y[0]; !st.Iterations[1].Points[0].Failed ||
			!(got == bad || math.IsNaN(got) && math.IsNaN(bad)) {
			t.Errorf("%g is read back as %g", bad, got)
		}
	}
}

// A suggestion without observation, as a crash between the two leaves it, is evaluated and not made anew.
func TestPendingSuggestion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 8})
	require.NoError(t, s.SaveAs(path))
	steps(t, s, 5)
	want := points(s)
	s.Close()
	log, _ := os.ReadFile(path)
	cut := bytes.LastIndexByte(bytes.TrimSpace(log), '\n') + 1
	os.WriteFile(path, log[:cut], 0o644)
	r := reopen(t, path)
	if st := r.State(); len(st.Pending) != 1 || len(st.Iterations) != 4 {
		t.Fatalf("out %v, %d iterations", st.Pending, len(st.Iterations))
	}
	steps(t, r, 1)
	assert.Equal(t, want, points(r), "the pending point was not the one evaluated")
}

func TestConfigErrors(t *testing.T) {
	for want, cfg := range map[string]Config{
		"forrester":     {Problem: "forester", Optimizer: "random"},
		"gp-ei":         {Problem: "forrester", Optimizer: "gp-eii"},
		"noise":         {Problem: "forrester", Optimizer: "random", Noise: -1},
		"budget":        {Problem: "forrester", Optimizer: "random", Budget: -4},
		"[0.1, 20]":     {Problem: "forrester", Optimizer: "neural-greedy", Params: map[string]any{"gamma": 30.0}},
		"gp-ei: no par": {Problem: "forrester", Optimizer: "gp-ei", Params: map[string]any{"gamma": 3.0}},
	} {
		if _, err := New(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want a mention of %q", cfg, err, want)
		}
	}
}

// A session records the γ that its problem has by default, and repeats with it: 2 in two variables, of more the
// evidence's, which 0 stands for, unless something else is asked for or on record. A fork to another method takes over
// what was asked for, and no default.
func TestDefaultsByInputs(t *testing.T) {
	for _, c := range []struct {
		problem string
		params  map[string]any
		want    float64
		changed bool
	}{{"branin", nil, 2, false}, {"branin", map[string]any{"gamma": 0.0}, 0, true}, {"hartmann:3", nil, 0, false},
		{"hartmann:3", map[string]any{"gamma": 2.0}, 2, true}} {
		values := map[string]any{"width": 24, "ensemble": 2, "initial": 3}
		maps.Copy(values, c.params)
		s := start(t, Config{Problem: c.problem, Optimizer: "neural-greedy", Seed: 5, Params: values})
		steps(t, s, 5)
		repeats(t, s, 5)
		st := s.State()
		if _, changed := st.Params.Changed()["gamma"]; st.Config.Params["gamma"] != c.want || changed != c.changed {
			t.Errorf("%s with %v records γ = %v, changed: %v", c.problem, c.params, st.Config.Params["gamma"], changed)
		}
		other, err := st.withOptimizer("posterior-greedy")
		if err != nil || other.params.Number("gamma") != c.want {
			t.Errorf("%s with %v becomes %v, %v", c.problem, c.params, other.params.Changed(), err)
		}
		if p, err := (Config{Problem: c.problem, Optimizer: "neural-greedy"}).Defaults(); err != nil ||
			(p.Number("gamma") == c.want) == c.changed {
			t.Errorf("the defaults of %s are %v, %v", c.problem, p.Number("gamma"), err)
		}
	}
}

func TestCancelledStepRecordsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, done := range []int{0, 4} { // in the initial design, and after it
		s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 1})
		steps(t, s, done)
		if _, err := s.Step(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d: got %v", done, err)
		}
		if n := len(s.State().Iterations); n != done {
			t.Errorf("%d iterations, want %d", n, done)
		}
	}
}

// diverging are parameters of neural-greedy with which training fails.
var diverging = map[string]any{"trainer": "gradient-descent", "rate": 1.0, "epochs": 2000, "gamma": 20.0, "width": 100}

// A method that fails does not stop the session: a random point takes the place of its suggestion, with the reason, and
// it verifies.
func TestAFailingMethodDoesNotStopTheSession(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 1, Params: diverging})
	steps(t, s, 6)
	its := s.State().Iterations
	if note := its[4].Note; !strings.Contains(note, "random point") || !strings.Contains(note, "diverged") {
		t.Errorf("the note is %q", note)
	}
	if reflect.DeepEqual(its[4].Inputs(), its[5].Inputs()) {
		t.Errorf("the random point is %v twice", its[4].Inputs())
	}
	repeats(t, s, 6)
	if !its[4].IsFallback() || !its[5].IsFallback() || its[3].IsFallback() {
		t.Errorf("the notes are %q, %q and %q", its[3].Note, its[4].Note, its[5].Note)
	}
}

// Sessions of every method verify: the initial design, a few suggestions and a batch where there is one.
func TestEveryMethodVerifies(t *testing.T) {
	small := map[string]any{"width": 24, "depth": 1, "ensemble": 2, "epochs": 50, "trees": 5, "features": 60,
		"networks": 2, "batch": 3, "restarts": 1, "hyperparameters": "fitted"}
	for _, spec := range sample.Of(registry.All(), 3, 1) {
		params := map[string]any{}
		for _, d := range spec.Params {
			if v, ok := small[d.Key]; ok {
				params[d.Key] = v
			}
		}
		s := start(t, Config{Problem: "branin", Optimizer: spec.Name, Seed: 4, Noise: 0.5, Params: params})
		steps(t, s, 6)
		repeats(t, s, 6)
		it := s.State().Iterations[5]
		if it.Note != "" && strings.Contains(it.Note, "random point") {
			t.Errorf("%s: %s", spec.Name, it.Note)
		}
		if _, batched := params["batch"]; batched && len(it.Points) != 3 {
			t.Errorf("%s: a batch of 3 has %d points", spec.Name, len(it.Points))
		}
	}
}

// A problem that is chosen alone brings a method that fits it.
func TestProblemBringsItsMethod(t *testing.T) {
	for problem, want := range map[string]string{
		"forrester": "gp-ucb", "thesis-xy": "ehvi", "dtlz2-k3": "ehvi"} {
		s, err := New(t.Context(), Config{Problem: problem})
		if err != nil {
			t.Errorf("%s: %v", problem, err)
			continue
		}
		if st := s.State(); st.Spec.Name != want || st.Config.Optimizer != want {
			t.Errorf("%s begins with %s, on record %q; want %s", problem, st.Spec.Name, st.Config.Optimizer, want)
		}
		if p, err := (Config{Problem: problem}).Defaults(); err != nil ||
			!p.Has("scalarization") != (want == "gp-ucb") {
			t.Errorf("the defaults of %s are %v (%v)", problem, p, err)
		}
	}
}
