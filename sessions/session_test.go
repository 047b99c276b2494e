package sessions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// start begins a session whose clock ticks a second an event.
func start(t testing.TB, cfg Config) *Session {
	t.Helper()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := newAt(cfg, func() time.Time { now = now.Add(time.Second); return now })
	if err != nil {
		t.Fatal(err)
	}
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
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// points lists what was evaluated.
func points(s *Session) (x [][][]float64) {
	for _, it := range s.State().Iterations {
		x = append(x, it.X)
	}
	return x
}

// A session that is left and taken up again goes on as if it had never been left.
func TestResumedEqualsUninterrupted(t *testing.T) {
	for _, c := range []struct {
		optimizer string
		half      int
	}{{"random", 25}, {"gp-ei", 25}, {"gp-ts", 6}, {"neural-greedy", 5}} {
		cfg := Config{Problem: "forrester", Optimizer: c.optimizer, Seed: 11, Noise: 0.1}
		if c.optimizer == "neural-greedy" {
			cfg.Params = map[string]any{"width": 200}
		}
		whole := start(t, cfg)
		steps(t, whole, 2*c.half)
		path := filepath.Join(t.TempDir(), "s.jsonl")
		first := start(t, cfg)
		if err := first.SaveAs(path); err != nil {
			t.Fatal(err)
		}
		steps(t, first, c.half)
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		second := reopen(t, path)
		steps(t, second, c.half)
		if !reflect.DeepEqual(points(whole), points(second)) {
			t.Errorf("%s: the points differ after a resume", c.optimizer)
		}
		if a, b := whole.State().Traces(), second.State().Traces(); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the traces differ after a resume", c.optimizer)
		}
		if v, err := second.Verify(context.Background(), nil); err != nil || v.Diverged != nil || v.Checked != 2*c.half {
			t.Errorf("%s: verification gives %+v, %v", c.optimizer, v, err)
		}
	}
}

// Looking at beliefs, in any order, changes nothing of what is suggested.
func TestLookingChangesNothing(t *testing.T) {
	cfg := Config{Problem: "gramacy-lee", Optimizer: "gp-ts", Seed: 4}
	plain, looked := start(t, cfg), start(t, cfg)
	steps(t, plain, 8)
	for range 8 {
		q := Question{Inputs: [][]float64{{1}, {2}}, Samples: 3}
		if _, err := looked.Inspect(context.Background(), q, nil); err != nil {
			t.Fatal(err)
		}
		steps(t, looked, 1)
		looked.Back()
		looked.Belief(context.Background(), nil)
		looked.Forward()
	}
	if !reflect.DeepEqual(points(plain), points(looked)) {
		t.Error("the points differ")
	}
}

func TestMoves(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	if s.Back() || s.Forward() {
		t.Error("a new session has nowhere to go")
	}
	steps(t, s, 5)
	recorded := points(s)
	at := func() (int, int) { st := s.State(); return len(st.Iterations), st.Ahead }
	for i := 4; i >= 0; i-- {
		if !s.Back() {
			t.Fatalf("Back from %d fails", i+1)
		}
		if n, ahead := at(); n != i || ahead != 5-i {
			t.Fatalf("after Back: %d iterations, %d ahead; want %d and %d", n, ahead, i, 5-i)
		}
	}
	if s.Back() {
		t.Error("Back goes on behind the start")
	}
	events := len(s.order)
	steps(t, s, 5) // over what is recorded
	if !reflect.DeepEqual(points(s), recorded) || len(s.order) != events {
		t.Error("stepping over recorded iterations makes new ones")
	}
	s.First()
	if n, _ := at(); n != 0 {
		t.Errorf("First stands at %d", n)
	}
	s.Last()
	if n, _ := at(); n != 5 {
		t.Errorf("Last stands at %d", n)
	}
}

// An edit made after going back begins a branch; what was recorded before stays in the log.
func TestEditBranches(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ucb", Seed: 2})
	steps(t, s, 5)
	old := points(s)
	s.Back()
	if err := s.Edit("beta_scale", "50"); err != nil {
		t.Fatal(err)
	}
	if st := s.State(); st.Ahead != 0 || len(st.Iterations) != 4 || st.Params.Number("beta_scale") != 50 {
		t.Fatalf("after the edit: %d iterations, %d ahead, %v", len(st.Iterations), st.Ahead, st.Params.Changed())
	}
	steps(t, s, 1)
	if reflect.DeepEqual(points(s)[4], old[4]) {
		t.Error("the edited parameter changes nothing")
	}
	s.Back() // to the place after the edit, which the fifth suggestion was made from
	if st := s.State(); st.Params.Number("beta_scale") != 50 {
		t.Error("going back one iteration loses the edit that it was made with")
	}
	found := 0
	for _, e := range s.order {
		if e.kind == kindObserved {
			found++
		}
	}
	if found != 6 {
		t.Errorf("the log holds %d observations, want 6", found)
	}
}

func TestEditErrors(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 2})
	for key, c := range map[string][2]string{"kernal": {"se", "kernel"}, "restarts": {"0", "[1, 50]"}, "kernel": {"rbf", "matern52"}} {
		if err := s.Edit(key, c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("Edit(%s, %s): got %v, want a mention of %s", key, c[0], err, c[1])
		}
	}
}

func TestQueryAndNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "branin", Optimizer: "random", Seed: 2})
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Query(context.Background(), []float64{11, 0}); err == nil || !strings.Contains(err.Error(), "x1") {
		t.Errorf("a query outside of the domain: %v", err)
	}
	it, err := s.Query(context.Background(), []float64{1, 2})
	if err != nil || it.By != "person" || math.Abs(it.Y[0][0]-21.6276353921) > 1e-9 {
		t.Errorf("got %+v, %v", it, err)
	}
	if err := s.Note("what if \x1b[2J x₁ is larger?"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	st := reopen(t, path).State()
	if len(st.Iterations) != 1 || len(st.Iterations[0].Remarks) != 1 || st.Iterations[0].By != "person" {
		t.Errorf("read back: %+v", st.Iterations)
	}
	if got := Sanitize(st.Iterations[0].Remarks[0]); strings.ContainsRune(got, 0x1b) {
		t.Errorf("an escape character survives: %q", got)
	}
}

func TestStandsWhereItWasLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 6)
	s.Back()
	s.Back()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r := reopen(t, path)
	if st := r.State(); len(st.Iterations) != 4 || st.Ahead != 2 {
		t.Errorf("stands at %d with %d ahead, want 4 and 2", len(st.Iterations), st.Ahead)
	}
	steps(t, r, 2)
	if st := r.State(); st.Ahead != 0 || len(st.Iterations) != 6 {
		t.Errorf("the recorded steps are not there any more: %d, %d ahead", len(st.Iterations), st.Ahead)
	}
}

// What is written is the same to the byte for the same events, and a rewritten log keeps lines that this program does not know.
func TestWritingIsStable(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) []byte {
		s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3, Noise: 0.5})
		if err := s.SaveAs(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		steps(t, s, 3)
		b, _ := os.ReadFile(filepath.Join(dir, name))
		return b
	}
	a, b := write("a.jsonl"), write("b.jsonl")
	if !bytes.Equal(a, b) {
		t.Errorf("the same events are written differently:\n%s\n%s", a, b)
	}
	lines := strings.Split(strings.TrimSpace(string(a)), "\n")
	parent := lines[len(lines)-1][len(`{"id":"`):][:idLength]
	_, strange, err := encode(map[string]any{"parent": parent, "dt": 1, "kind": "zz-later", "data": map[string]any{"b": 1}, "extra": "kept"})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "c.jsonl")
	os.WriteFile(path, append(a, append(strange, '\n')...), 0o644)
	s := reopen(t, path)
	if st := s.State(); len(st.Iterations) != 3 || len(s.Notices()) != 0 {
		t.Errorf("an unknown event disturbs: %d iterations, notices %q", len(st.Iterations), s.Notices())
	}
	copied := filepath.Join(dir, "d.jsonl")
	if err := s.SaveAs(copied); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(copied); !bytes.Contains(b, strange) {
		t.Error("an unknown event is lost on rewriting")
	}
}

func TestNewerMajorIsRefused(t *testing.T) {
	_, line, _ := encode(map[string]any{"format": formatName, "version": "2.0", "config": map[string]any{}})
	path := filepath.Join(t.TempDir(), "s.jsonl")
	os.WriteFile(path, append(line, '\n'), 0o644)
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "newer bandscope") {
		t.Errorf("got %v", err)
	}
}

// realLog is a log with every kind of event.
func realLog(t testing.TB) ([]byte, int) {
	path := filepath.Join(t.TempDir(), "real.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ucb", Seed: 5, Noise: 0.1})
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 3)
	s.Edit("beta_scale", "4")
	s.Note("a note")
	s.Query(context.Background(), []float64{0.3})
	s.Back()
	s.Close()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b, 4
}

// Cut at any byte, a log gives back every event that was whole, goes on, and its old bytes stay.
func TestTruncationAtEveryByte(t *testing.T) {
	log, _ := realLog(t)
	path := filepath.Join(t.TempDir(), "cut.jsonl")
	headerEnd := bytes.IndexByte(log, '\n')
	for n := 0; n <= len(log); n++ {
		if err := os.WriteFile(path, log[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if n < headerEnd {
			if err == nil {
				t.Fatalf("cut at %d: a log without its header opens", n)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		whole := bytes.Count(log[:n], []byte("\n"))
		if rest := log[bytes.LastIndexByte(log[:n], '\n')+1 : n]; len(rest) > 0 && json.Valid(rest) {
			whole++ // only the line feed is missing
		}
		if len(s.order) != whole {
			t.Fatalf("cut at %d: %d events are read, %d are whole", n, len(s.order), whole)
		}
		if torn := whole == bytes.Count(log[:n], []byte("\n")) && n > 0 && log[n-1] != '\n'; torn != (len(s.Notices()) > 0) {
			t.Fatalf("cut at %d: torn is %v, notices %q", n, torn, s.Notices())
		}
		if n%7 == 0 { // going on costs two writes to the disk
			done := len(s.State().Iterations)
			s.Last()
			steps(t, s, 1)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			after, _ := os.ReadFile(path)
			if !bytes.HasPrefix(after, log[:n]) {
				t.Fatalf("cut at %d: old bytes were changed", n)
			}
			r, err := Open(path)
			if err != nil || len(r.State().Iterations) < done {
				t.Fatalf("cut at %d: going on is lost: %v", n, err)
			}
			r.Close()
			continue
		}
		s.Close()
	}
}

// With any byte changed, what is not damaged is still read, and the file is never written to.
func TestCorruptionAtEveryByte(t *testing.T) {
	log, iterations := realLog(t)
	path := filepath.Join(t.TempDir(), "bad.jsonl")
	headerEnd := bytes.IndexByte(log, '\n')
	for n := range log {
		bad := bytes.Clone(log)
		bad[n] ^= 0x15
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if n <= headerEnd {
			if err == nil {
				t.Fatalf("byte %d of the header changed: it opens all the same", n)
			}
			continue
		}
		if err != nil {
			t.Fatalf("byte %d changed: %v", n, err)
		}
		if got := len(s.State().Iterations); got > iterations {
			t.Fatalf("byte %d changed: %d iterations appear", n, got)
		}
		last := n == len(log)-1 // without its line feed the last line is torn, not damaged
		if len(s.Notices()) == 0 || (!last && !s.State().ReadOnly) {
			t.Fatalf("byte %d changed: nothing is said (%q), or the file may be written", n, s.Notices())
		}
		s.Close()
		if after, _ := os.ReadFile(path); !bytes.Equal(after, bad) {
			t.Fatalf("byte %d changed: opening writes to the file", n)
		}
	}
}

func TestDamageIsNamed(t *testing.T) {
	log, _ := realLog(t)
	lines := bytes.SplitAfter(log, []byte("\n"))
	lines[5] = []byte("rubbish \x1b[31m\n")
	path := filepath.Join(t.TempDir(), "bad.jsonl")
	os.WriteFile(path, bytes.Join(lines, nil), 0o644)
	s := reopen(t, path)
	said := strings.Join(s.Notices(), " ")
	if !strings.Contains(said, "line 6 is damaged") || !strings.Contains(said, "lines can be read") {
		t.Errorf("notices: %q", said)
	}
	if _, err := s.Step(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("stepping writes to a damaged file: %v", err)
	}
	if err := s.SaveAs(filepath.Join(t.TempDir(), "rescued.jsonl")); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 1)
}

func TestSecondProcessIsKeptOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random"})
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 2)
	other := reopen(t, path)
	if st := other.State(); !st.ReadOnly || len(st.Iterations) != 2 || len(other.Notices()) != 1 {
		t.Errorf("while another has the file: read-only %v, %d iterations, %q", st.ReadOnly, len(st.Iterations), other.Notices())
	}
	s.Close()
	if reopen(t, path).State().ReadOnly {
		t.Error("it is still locked after it was closed")
	}
}

func TestSaveAsNeverOverwrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	os.WriteFile(path, []byte("precious"), 0o644)
	s := start(t, Config{Problem: "forrester", Optimizer: "random"})
	if err := s.SaveAs(path); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("got %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "precious" {
		t.Error("the file was changed")
	}
}

// An evaluation without a finite value is recorded as failed, and the search goes on.
func TestFailedEvaluations(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 6})
		if err := s.SaveAs(path); err != nil {
			t.Fatal(err)
		}
		f := s.setup.problem.Func
		calls := 0
		s.setup.problem.Func = func(x []float64) []float64 {
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
		if got := st.Iterations[1].Y[0][0]; !st.Iterations[1].Failed[0] || !(got == bad || math.IsNaN(got) && math.IsNaN(bad)) {
			t.Errorf("%g is read back as %g", bad, got)
		}
		var out bytes.Buffer
		for _, format := range Exports {
			if err := st.Export(&out, format); err != nil {
				t.Errorf("%g as %s: %v", bad, format, err)
			}
		}
	}
}

// A suggestion without observation, as a crash between the two leaves it, is evaluated and not made anew.
func TestPendingSuggestion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 8})
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 5)
	want := points(s)
	s.Close()
	log, _ := os.ReadFile(path)
	cut := bytes.LastIndexByte(bytes.TrimSpace(log), '\n') + 1
	os.WriteFile(path, log[:cut], 0o644)
	r := reopen(t, path)
	if st := r.State(); st.Pending == nil || len(st.Iterations) != 4 {
		t.Fatalf("pending %v, %d iterations", st.Pending, len(st.Iterations))
	}
	steps(t, r, 1)
	if !reflect.DeepEqual(points(r), want) {
		t.Error("the pending point was not the one evaluated")
	}
}

func TestVerifyFindsTampering(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 9})
	steps(t, s, 4)
	s.mu.Lock()
	s.recordAll([]string{kindSuggested, kindObserved}, []any{
		suggestedData{X: [][]Float{{0.123}}, By: "gp-ei"}, observedData{Y: [][]Float{{1}}, Truth: [][]Float{{1}}}})
	s.mu.Unlock()
	v, err := s.Verify(context.Background(), nil)
	if err != nil || v.Diverged == nil || v.Diverged.Step != 5 || v.Checked != 5 {
		t.Errorf("got %+v, %v", v, err)
	}
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
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want a mention of %q", cfg, err, want)
		}
	}
}

// TestKilledWhileRunning kills a process that steps a session at random moments; at most the event being written is lost.
func TestKilledWhileRunning(t *testing.T) {
	if path := os.Getenv("BANDSCOPE_TEST_STEP"); path != "" {
		s, err := Open(path)
		if err != nil {
			os.Exit(3)
		}
		for {
			if _, err := s.Step(context.Background(), nil); err != nil {
				os.Exit(4)
			}
			os.Stdout.WriteString("x")
		}
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for round := range 6 {
		c := exec.Command(os.Args[0], "-test.run=^TestKilledWhileRunning$")
		c.Env = append(os.Environ(), "BANDSCOPE_TEST_STEP="+path)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		before := len(reopenOnce(t, path).Iterations)
		acknowledged := 0
		for buf := make([]byte, 1); acknowledged < 5+3*round; acknowledged++ {
			if _, err := out.Read(buf); err != nil {
				t.Fatal(err)
			}
		}
		c.Process.Kill()
		c.Wait()
		st := reopenOnce(t, path)
		if n := len(st.Iterations); n < before+acknowledged || n < 5+3*round {
			t.Errorf("round %d: %d iterations are left, %d were acknowledged after %d", round, n, acknowledged, before)
		}
	}
}

// reopenOnce reads the state of a file that may be in use.
func reopenOnce(t *testing.T, path string) State {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	st := s.State()
	s.Close()
	return st
}

func TestCancelledStepRecordsNothing(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 1})
	steps(t, s, 4)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Step(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n := len(s.State().Iterations); n != 4 {
		t.Errorf("%d iterations", n)
	}
}

func TestListAndNames(t *testing.T) {
	dir := t.TempDir()
	if l, err := List(filepath.Join(dir, "none")); err != nil || len(l) != 0 {
		t.Errorf("a folder that is not there: %v, %v", l, err)
	}
	cfg := Config{Problem: "ackley:3", Optimizer: "random", Seed: 2}
	s := start(t, cfg)
	path := NewPath(dir, cfg, time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC))
	if want := "20260506-070809-ackley-3-random-2.jsonl"; filepath.Base(path) != want {
		t.Errorf("the name is %s, want %s", filepath.Base(path), want)
	}
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 3)
	s.Close()
	if again := NewPath(dir, cfg, time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)); again == path {
		t.Error("the name is taken")
	}
	os.WriteFile(filepath.Join(dir, "junk.jsonl"), []byte("junk\n"), 0o644)
	l, err := List(dir)
	if err != nil || len(l) != 2 {
		t.Fatalf("got %v, %v", l, err)
	}
	for _, e := range l {
		if e.Name == "junk" != (e.Unreadable != "") || e.Name != "junk" && e.Steps != 3 {
			t.Errorf("got %+v", e)
		}
	}
}

func FuzzOpen(f *testing.F) {
	log, _ := realLog(f)
	f.Add(log)
	f.Add(log[:len(log)/2])
	f.Add([]byte("{}\n"))
	f.Add(bytes.Replace(log, []byte("observed"), []byte("suggested"), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if err != nil {
			return
		}
		st := s.State()
		st.Traces()
		st.Input()
		s.First()
		s.Last()
		s.Close()
	})
}

// FuzzApply feeds events with right ids and wrong contents: the fold may refuse them, never fail.
func FuzzApply(f *testing.F) {
	f.Add("suggested", `{"x":[[0.5]],"by":"random","seconds":0}`, "observed", `{"y":[["NaN"]],"truth":[[1]]}`)
	f.Add("edited", `{"key":"design","value":"uniform"}`, "noted", `{"text":"x"}`)
	f.Add("observed", `{}`, "suggested", `{"x":[[]]}`)
	f.Fuzz(func(t *testing.T, kind1, data1, kind2, data2 string) {
		s := start(t, Config{Problem: "forrester", Optimizer: "random"})
		for _, e := range [][2]string{{kind1, data1}, {kind2, data2}} {
			if !json.Valid([]byte(e[1])) {
				return
			}
			s.record(e[0], json.RawMessage(e[1]))
		}
		s.State().Traces()
		s.State().Input()
		s.First()
	})
}
