//go:build unix

package sessions

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/external"
	"bandscope/optimizers/program"
)

// TestMain is a method that is a program where the test is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "optimizer" {
		os.Exit(optimize(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// suggestRequest is what the program reads of a line.
type suggestRequest struct {
	Hello   int
	Problem struct {
		Variables []struct {
			Name      string
			Low, High float64
		}
	}
	Parameters map[string]any
	Step       int
	Data       []json.RawMessage
	Pending    []json.RawMessage
	State      *int
	Predict    []json.RawMessage
	Stream     string
}

// optimize answers as an optimizer: with random points, and in some ways with more or less than that.
func optimize(mode string, args []string) int {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	var hello suggestRequest
	var log *os.File
	for in.Scan() {
		var r suggestRequest
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if r.Hello > 0 {
			hello = r
			switch mode {
			case "stillborn":
				fmt.Fprintln(os.Stderr, "no licence")
				return 3
			case "deaf":
				fmt.Println(`{"hello": 1, "name": "deaf"}`)
				time.Sleep(time.Hour)
			case "remembers":
				fmt.Println(`{"hello": 1, "name": "memory", "state": "snapshot", "can": ["pending"]}`)
			case "predicts":
				fmt.Println(`{"hello": 1, "name": "oracle", "can": ["predict", "pending"]}`)
			default:
				fmt.Println(`{"hello": 1, "name": "dice", "version": "6", "can": ["pending"]}`)
			}
			continue
		}
		if r.Predict != nil {
			n := len(r.Predict)
			fmt.Printf("{\"mean\": [%s], \"sd\": [%s]}\n", strings.TrimSuffix(strings.Repeat("[7],", n), ","),
				strings.TrimSuffix(strings.Repeat("[2],", n), ","))
			continue
		}
		key, _ := strconv.ParseUint(r.Stream[:16], 16, 64)
		rng := rand.New(rand.NewPCG(key, 0))
		x := map[string]float64{}
		for _, v := range hello.Problem.Variables {
			x[v.Name] = v.Low + rng.Float64()*(v.High-v.Low)
		}
		text, _ := json.Marshal(x)
		answer := fmt.Sprintf(`{"x": [%s], "note": "%d results"`, text, len(r.Data))
		if len(args) > 0 && (args[0] == strconv.Itoa(r.Step) || len(args) > 1) {
			if answer = misbehave(mode, r, answer, args); answer == "" {
				return 3
			}
		}
		if mode == "remembers" {
			n := 0
			if r.State != nil {
				n = *r.State
			}
			n += len(r.Data)
			answer = fmt.Sprintf(`{"x": [%s], "note": "%d new of %d", "state": %d`, text, len(r.Data), n, n)
		}
		if mode == "logs" {
			if log == nil {
				log, _ = os.OpenFile(args[0], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			}
			fmt.Fprintln(log, os.Getpid())
		}
		fmt.Println(answer + "}")
	}
	return 0
}

// misbehave is another answer, or what goes wrong before it; without an answer, the program ends.
func misbehave(mode string, r suggestRequest, answer string, args []string) string {
	switch mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "no beans")
		return ""
	case "outside":
		return `{"x": [{"x1": 99, "x2": 0}]`
	case "shape":
		return `{"x": {"x1": 1}`
	case "chats":
		fmt.Println("step", r.Step)
	case "huge":
		fmt.Println(strings.Repeat("7", 10<<20))
	case "hangs":
		time.Sleep(time.Hour)
	case "repeats":
		return `{"x": [` + string(firstX(r.Data[0])) + `]`
	default:
		return hostile(mode, args)
	}
	return answer
}

// firstX is the point of a result.
func firstX(result json.RawMessage) json.RawMessage {
	var d struct{ X json.RawMessage }
	json.Unmarshal(result, &d)
	return d.X
}

// optimizer is the name of a method that is this test as a program, which is allowed.
func optimizer(t testing.TB, timeout time.Duration, words ...string) string {
	t.Helper()
	line := "'" + os.Args[0] + "' optimizer"
	for _, w := range words {
		line += " '" + w + "'"
	}
	d, err := program.FromName(program.Prefix + line)
	require.NoError(t, err)
	if timeout >= 0 {
		external.Allow(d.Command, timeout)
	}
	return d.MethodName()
}

// programSession is a session of a method with so many steps.
func programSession(t testing.TB, cfg Config, n int) *Session {
	t.Helper()
	s, err := New(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	for range n {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

// samePoints reports whether the points and predictions of two iterations are the same, to the last digit.
func samePoints(a, b Iteration) bool { return fmt.Sprint(a.Points) == fmt.Sprint(b.Points) }

// A program is stepped like any method: 4 + 4 steps over a restart are 8, back and forward and a fork change nothing
// before them, and every suggestion is computed again to the last digit.
func TestProgramStepsLikeAMethod(t *testing.T) {
	for _, values := range []string{"random", "remembers", "predicts"} {
		name := optimizer(t, 0, values)
		cfg := Config{Problem: "branin", Optimizer: name, Seed: 3}
		whole := programSession(t, cfg, 8)
		part := programSession(t, cfg, 4)
		path := filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, part.SaveAs(path))
		require.NoError(t, part.Close())
		again, err := Open(t.Context(), path)
		require.NoError(t, err)
		defer again.Close()
		_, err = again.Belief(t.Context(), nil)
		require.NoError(t, err)
		again.Back()
		again.Forward()
		for range 4 {
			_, err = again.Step(t.Context(), nil)
			require.NoError(t, err)
		}
		for i, it := range again.State().Iterations {
			if want := whole.State().Iterations[i]; !samePoints(it, want) || it.Note != want.Note ||
				!reflect.DeepEqual(it.State, want.State) {
				t.Errorf("%s, step %d: got %+v, want %+v", values, i+1, it.Points, want.Points)
			}
		}
		made, err := again.Suggestions()
		if err != nil || len(made) != 8 {
			t.Fatalf("%d suggestions, %v", len(made), err)
		}
		for _, m := range made {
			if it, err := m.Recompute(t.Context()); err != nil || !samePoints(it, m.Iteration) {
				t.Errorf("%s, step %d: got %+v, %v, want %+v", values, m.Iteration.Step, it, err, m.Iteration)
			}
		}
		again.Seek(3)
		require.NoError(t, again.Fork("other", ""))
		if it, err := again.Step(t.Context(), nil); err != nil || !samePoints(it, whole.State().Iterations[3]) {
			t.Errorf("%s, on a fork: got %+v, %v", values, it, err)
		}
		if values == "remembers" {
			if it := again.State().Iterations[3]; it.Note != "1 new of 3" || string(it.State.Data) != "3" {
				t.Errorf("the state is not handed back: %+v", it)
			}
		}
		if values == "predicts" && (whole.State().Iterations[0].Points[0].Mean != 7 || whole.State().Iterations[0].Points[0].SD != 2) {
			t.Errorf("the prediction is not on record: %+v", whole.State().Iterations[0])
		}
	}
}

// Every fault of a program is an error that names it. The session stays as it was, and its other steps are not lost.
func TestProgramFaults(t *testing.T) {
	for mode, want := range map[string]string{
		"dies":    "the program ended with exit status 3; standard error: no beans",
		"outside": "x1 must be in [-5, 10], got 99",
		"shape":   "x has the wrong form",
		"chats":   `with: step 3`,
		"huge":    "the program printed a line of more than 4 MiB",
		"hangs":   "the program did not answer within 500ms",
		"repeats": "was evaluated before",
	} {
		name := optimizer(t, 500*time.Millisecond, mode, "3")
		s := programSession(t, Config{Problem: "branin", Optimizer: name, Seed: 3}, 2)
		before := s.State()
		for range 2 {
			_, err := s.Step(t.Context(), nil)
			if err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", mode, err, want)
			}
		}
		if st := s.State(); st.Head != before.Head || len(st.Pending) != 0 {
			t.Errorf("%s: the session changed", mode)
		}
		if _, err := s.Query(t.Context(), []float64{1, 1}); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		if _, err := s.Step(t.Context(), nil); err != nil { // step 4
			t.Errorf("%s, after a point of a person: %v", mode, err)
		}
	}
}

// A session opens, shows its data and a belief, and starts nothing, unless the program is allowed.
func TestProgramIsNotStartedByAFile(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	name := optimizer(t, -1, "logs", log)
	s, err := New(t.Context(), Config{Problem: "branin", Optimizer: name, Seed: 3})
	require.NoError(t, err)
	for _, x := range [][]float64{{0, 0}, {1, 5}, {3, 3}} {
		_, err = s.Query(t.Context(), x)
		require.NoError(t, err)
	}
	path := filepath.Join(dir, "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	s.Close()
	if s, err = Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b, err := s.Belief(t.Context(), nil)
	if err != nil || !strings.Contains(b.Legend().Band, ", not of exec:") {
		t.Errorf("the belief: %v", err)
	}
	_, err = s.Step(t.Context(), nil)
	if err == nil || !strings.HasPrefix(err.Error(), "give "+program.Flag(strings.TrimPrefix(name, program.Prefix))+" again") {
		t.Errorf("a step: %v", err)
	}
	_, err = os.Stat(log)
	assert.Error(t, err, "the program was started")
	external.Allow(strings.TrimPrefix(name, program.Prefix), 0)
	for range 3 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	text, err := os.ReadFile(log)
	if pids := strings.Fields(string(text)); err != nil || len(pids) != 3 || pids[0] != pids[2] {
		t.Errorf("the processes were %v, %v", pids, err)
	}
}

// Results of pending points are reported; a batch is asked for point by point, and found again.
func TestProgramWithPendingPoints(t *testing.T) {
	s := programSession(t, Config{Problem: "branin", Optimizer: optimizer(t, 0, "random"), Seed: 3}, 2)
	for range 2 {
		if _, err := s.Ask(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.AskBatch(t.Context(), Batch{Points: 3, Shared: []string{"x1"}}, nil); err != nil {
		t.Fatal(err)
	}
	made, err := s.Suggestions()
	require.NoError(t, err)
	for _, m := range made {
		if it, err := m.Recompute(t.Context()); err != nil || !reflect.DeepEqual(it.Inputs(), m.Iteration.Inputs()) {
			t.Errorf("got %v, %v, want %v", it.Inputs(), err, m.Iteration.Inputs())
		}
	}
}

// A declaration with parameters is on record, and its parameters are edited like those of any method.
func TestProgramParameters(t *testing.T) {
	name := optimizer(t, 0, "random", "declared")
	d, _, err := program.Parse([]byte(`name = "dice"
command = """` + strings.TrimPrefix(name, program.Prefix) + `"""
[[parameter]]
key = "sides"
kind = "integer"
default = 6
min = 2
max = 20
`))
	require.NoError(t, err)
	s := programSession(t, Config{Problem: "branin", Optimizer: d.MethodName(), Program: d, Seed: 3,
		Params: map[string]any{"sides": 8}}, 2)
	require.NoError(t, s.Edit("sides", "12"))
	_, err = s.Step(t.Context(), nil)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	s.Close()
	again, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer again.Close()
	if st := again.State(); st.Spec.Name != "exec:dice" || st.Params.Int("sides") != 12 || len(again.Notices()) > 0 {
		t.Errorf("got %s, %v, %v", st.Spec.Name, st.Params.Changed(), again.Notices())
	}
	_, err = again.Step(t.Context(), nil)
	assert.NoError(t, err)
	text, _ := os.ReadFile(path)
	hostile := strings.Replace(string(text), `"key":"sides"`, `"key":"\u001b[31m"`, 1)
	_, err = Read(t.Context(), strings.NewReader(hostile))
	assert.Error(t, err, "a hostile declaration was read")
}

// BenchmarkProgram is what a program costs per suggestion beyond its own work, with 100 results.
func BenchmarkProgram(b *testing.B) {
	s, err := New(b.Context(), Config{Problem: "branin", Optimizer: optimizer(b, 0, "random"), Seed: 3})
	require.NoError(b, err)
	defer s.Close()
	for range 100 {
		_, err = s.Step(b.Context(), nil)
		require.NoError(b, err)
	}
	made, err := s.Suggestions()
	require.NoError(b, err)
	last := made[len(made)-1]
	for b.Loop() {
		_, err = last.Recompute(b.Context())
		require.NoError(b, err)
	}
}

// A program gets the reason of a failure, and no reason for other points.
func TestReasonsOfFailures(t *testing.T) {
	s, err := New(t.Context(), Config{Problem: "branin", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	defer s.Close()
	for _, x := range [][]float64{{1, 2}, {3, 4}} {
		o := functions.Outcome{Values: []float64{x[0]}}
		if x[0] == 3 {
			o = functions.Outcome{Values: []float64{math.NaN()}, Reason: "the pump leaks"}
		}
		_, err = s.Record(ByImport, [][]float64{x}, o)
		require.NoError(t, err)
	}
	st := s.State()
	for _, it := range st.Iterations {
		x := it.Points[0].X
		want := map[float64]string{3: "the pump leaks"}[x[0]]
		assert.Equal(t, want, st.source().Reason(st.Problem.Domain.ToUnit(x)), "at %v", x)
	}
}
