package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// hookedJournal is a session's file that calls a function before it appends, which may fail, and when it has.
type hookedJournal struct {
	recorder.Journal
	ask   func(stage string) error
	stuck bool // nothing can be written any more
}

func (w *hookedJournal) Append(events []*eventlog.Event) error {
	if err := w.ask("write"); err != nil {
		return err
	}
	if err := w.Journal.Append(events); err != nil {
		return err
	}
	return w.ask("written")
}

func (w *hookedJournal) DeferSync() {
	w.ask("hold")
	w.Journal.DeferSync()
}

func (w *hookedJournal) Flush() error {
	if err := w.ask("flush"); err != nil {
		return err
	}
	return w.Journal.Flush()
}

func (w *hookedJournal) Writable() bool { return !w.stuck && w.Journal.Writable() }

// hooked is a session with a file and so many iterations, which calls a function at every stage of what follows: fit,
// evaluate, write, written.
func hooked(t *testing.T, cfg Config, done int, hook func(s *Session, stage string) error) *Session {
	t.Helper()
	s := start(t, cfg)
	require.NoError(t, s.SaveAs(filepath.Join(t.TempDir(), "s.jsonl")))
	steps(t, s, done)
	s.rec.File = &hookedJournal{Journal: s.rec.File, ask: func(subject string) error { return hook(s, subject) }}
	f := s.setup.problem.Truth.Value
	s.setup.problem.Truth.Value = func(x []float64) []float64 {
		hook(s, "evaluate")
		return f(x)
	}
	spec := *s.rec.State().Spec
	fit := spec.Fit
	spec.Fit = func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		if err := hook(s, "fit"); err != nil {
			return nil, err
		}
		return fit(ctx, in)
	}
	s.rec.State().Spec = &spec
	t.Cleanup(func() { s.Close() })
	return s
}

// written lists the events of a file, without the header.
func written(t *testing.T, path string) string {
	t.Helper()
	s, err := OpenReadOnly(context.Background(), path)
	require.NoError(t, err)
	if len(s.Notices()) > 0 {
		t.Errorf("the file is damaged: %q", s.Notices())
	}
	var list []string
	for _, e := range s.rec.Tree.Events()[1:] {
		list = append(list, e.Kind)
	}
	return strings.Join(list, " ")
}

// Whoever goes elsewhere at any stage of a step is not held up, stays there, and finds the step recorded where it was
// made; gone before anything was recorded, the step says so.
func TestStepIsOvertaken(t *testing.T) {
	const before = "suggested observed suggested observed suggested observed suggested observed"
	back := func(s *Session) { s.Back() }
	edit := func(s *Session) {
		if err := s.Edit("restarts", "3"); err != nil {
			panic(err)
		}
	}
	for _, c := range []struct {
		stage       string // at which, counted: "write 2" is the second write
		do          func(*Session)
		err         error
		done, ahead int // where the session stands then
		total       int // on its branch
		kinds       string
	}{
		{"fit 1", back, recorder.ErrMoved, 3, 1, 4, before},
		{"fit 1", func(s *Session) { s.Back(); s.Forward() }, nil, 5, 0, 5, before + " suggested observed"},
		{"fit 1", edit, recorder.ErrMoved, 4, 0, 4, before + " edited"},
		{"write 1", back, nil, 3, 2, 5, before + " suggested observed"},
		{"written 1", (*Session).First, nil, 0, 5, 5, before + " suggested observed"},
		{"evaluate 1", back, nil, 4, 1, 5, before + " suggested observed"},
		{"evaluate 1", edit, nil, 5, 0, 5, before + " suggested edited observed"},
		{"evaluate 1", func(s *Session) { edit(s); s.Back() }, nil, 4, 1, 5, before + " suggested edited observed"},
		{"evaluate 1", func(s *Session) { s.Fork("other", "") }, nil, 5, 0, 5, before + " suggested forked observed"},
		{"evaluate 1", func(s *Session) { s.Back(); edit(s) }, nil, 4, 0, 4, before + " suggested edited observed"},
		{"write 2", back, nil, 4, 1, 5, before + " suggested observed"},
		{"written 2", back, nil, 4, 1, 5, before + " suggested observed"},
	} {
		seen := map[string]int{}
		acting := false
		s := hooked(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 4,
			func(s *Session, stage string) error {
				seen[stage]++
				if !acting && fmt.Sprint(stage, " ", seen[stage]) == c.stage {
					acting = true
					assert.Equal(t, 4, len(s.State().Iterations), "%s: it stands at", c.stage)
					c.do(s)
					acting = false
				}
				return nil
			})
		it, err := s.Step(context.Background(), nil)
		if !errors.Is(err, c.err) || err == nil && it.Step != 5 {
			t.Errorf("%s: step %d, %v; want %v", c.stage, it.Step, err, c.err)
		}
		st := s.State()
		if len(st.Iterations) != c.done || st.Ahead != c.ahead || st.Pending != nil && c.ahead == 0 {
			t.Errorf("%s: it stands at %d with %d ahead, pending %v; want %d and %d", c.stage, len(st.Iterations),
				st.Ahead, st.Pending, c.done, c.ahead)
		}
		assert.Equal(t, c.kinds, written(t, st.Path), "%s: the file", c.stage)
		if s.Last(); len(s.State().Iterations) != c.total {
			t.Errorf("%s: the branch has %d iterations, want %d", c.stage, len(s.State().Iterations), c.total)
		}
	}
}

// A rejection is overtaken like a step.
func TestRejectionIsOvertaken(t *testing.T) {
	s := hooked(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 4, func(s *Session, stage string) error {
		if stage == "fit" {
			s.Back()
		}
		return nil
	})
	if err := s.Reject(context.Background(), "too dear", nil); !errors.Is(err, recorder.ErrMoved) {
		t.Errorf("got %v", err)
	}
	if st := s.State(); len(st.Iterations) != 3 || len(st.Rejections) != 0 ||
		strings.Contains(written(t, st.Path), "rejected") {
		t.Errorf("at %d, %d rejected", len(st.Iterations), len(st.Rejections))
	}
}

// A step that is in flight when its session is closed says so, and is written nowhere: not to the file, and not to a
// second copy.
func TestStepInFlightWhenClosed(t *testing.T) {
	for _, c := range []struct {
		stage   string
		more    string // events that are in the file besides
		pending bool
	}{{"fit", "", false}, {"evaluate", " suggested", true}} {
		s := hooked(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 4,
			func(s *Session, stage string) error {
				if stage == c.stage {
					return s.Close()
				}
				return nil
			})
		path := s.Path()
		before := written(t, path)
		_, err := s.Step(context.Background(), nil)
		assert.ErrorIs(t, err, recorder.ErrClosed, "%s: got %v", c.stage, err)
		if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
			t.Errorf("%s: there are %d files", c.stage, len(files))
		}
		assert.Equal(t, before+c.more, written(t, path), "%s: the file", c.stage)
		r := reopen(t, path)
		if st := r.State(); len(st.Iterations) != 4 || (st.Pending != nil) != c.pending || st.ReadOnly {
			t.Errorf("%s: read back: %d iterations, pending %v", c.stage, len(st.Iterations), st.Pending)
		}
		steps(t, r, 1) // what was left is evaluated then
		if st := r.State(); len(st.Iterations) != 5 || st.Pending != nil {
			t.Errorf("%s: going on: %d iterations", c.stage, len(st.Iterations))
		}
	}
}

// Every act on a closed session is refused; it can still be looked at and walked through.
func TestClosedSessionRefuses(t *testing.T) {
	ctx := context.Background()
	acts := map[string]func(s *Session, dir string) error{
		"step":       func(s *Session, _ string) error { _, err := s.Step(ctx, nil); return err },
		"step ahead": func(s *Session, _ string) error { s.First(); _, err := s.Step(ctx, nil); return err },
		"query":      func(s *Session, _ string) error { _, err := s.Query(ctx, []float64{0.5, 0.5}); return err },
		"edit":       func(s *Session, _ string) error { return s.Edit("samples", "3") },
		"note":       func(s *Session, _ string) error { return s.Note("text") },
		"mark":       func(s *Session, _ string) error { return s.Mark() },
		"compare":    func(s *Session, _ string) error { return s.Answer([2]int{1, 0}, [2]int{3, 0}, PreferA) },
		"retract":    func(s *Session, _ string) error { return s.Retract(1) },
		"fork":       func(s *Session, _ string) error { return s.Fork("other", "random") },
		"correct":    func(s *Session, _ string) error { return s.Correct(1, 0, []float64{1, 2}, "") },
		"reject":     func(s *Session, _ string) error { return s.Reject(ctx, "", nil) },
		"bound":      func(s *Session, _ string) error { return s.Bound(t.Context(), "x1", 0.2, 0.3, "") },
		"save":       func(s *Session, dir string) error { return s.SaveAs(filepath.Join(dir, "copy.jsonl")) },
	}
	for _, saved := range []bool{true, false} {
		for name, act := range acts {
			dir := t.TempDir()
			s := start(t, Config{Problem: "branin-currin", Optimizer: "mobo-rs-ucb", Seed: 2})
			if saved {
				require.NoError(t, s.SaveAs(filepath.Join(dir, "s.jsonl")))
			}
			steps(t, s, 3)
			require.NoError(t, s.Answer([2]int{1, 0}, [2]int{2, 0}, PreferB))
			events := len(s.rec.Tree.Events())
			for range 2 { // closing again does nothing
				require.NoError(t, s.Close())
			}
			before, _ := os.ReadFile(filepath.Join(dir, "s.jsonl"))
			if err := act(s, dir); !errors.Is(err, recorder.ErrClosed) {
				t.Errorf("%s, saved %v: got %v", name, saved, err)
			}
			after, _ := os.ReadFile(filepath.Join(dir, "s.jsonl"))
			if files, _ := os.ReadDir(dir); len(files) > 1 || !saved && len(files) > 0 ||
				!bytes.Equal(before, after) || len(s.rec.Tree.Events()) != events {
				t.Errorf("%s, saved %v: something was recorded", name, saved)
			}
			if s.Last(); len(s.State().Iterations) != 3 || !s.Back() {
				t.Errorf("%s: it cannot be looked at any more", name)
			}
		}
	}
	s := start(t, Config{Problem: "forrester", Optimizer: "random"})
	s.Close()
	if err := s.SaveAs(filepath.Join(t.TempDir(), "s.jsonl")); !errors.Is(err, recorder.ErrClosed) {
		t.Errorf("saving: %v", err)
	}
}

// Whatever cannot be written is no part of the session: the act says so, and the next one succeeds, or says why nothing
// mergeOutcome is written.
func TestWritingFails(t *testing.T) {
	full := errors.New("no space left on device")
	for _, stuck := range []bool{false, true} {
		for _, act := range []string{"step", "note", "reject", "tell"} {
			subject := fmt.Sprint(act, ", stuck ", stuck)
			broken := false
			s := hooked(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 4,
				func(s *Session, stage string) error {
					if act == "tell" && stage == "evaluate" {
						broken = true
					}
					if broken && stage == "write" {
						s.rec.File.(*hookedJournal).stuck = stuck
						return full
					}
					return nil
				})
			broken = act != "tell"
			var err error
			switch act {
			case "step", "tell":
				_, err = s.Step(context.Background(), nil)
			case "note":
				err = s.Note("text")
			case "reject":
				err = s.Reject(context.Background(), "", nil)
			}
			if !errors.Is(err, full) || !strings.Contains(err.Error(), "s.jsonl") {
				t.Errorf("%s: got %v", subject, err)
			}
			st := s.State()
			if st.Saved == stuck || len(st.Iterations) != 4 || (st.Pending != nil) != (act == "tell") ||
				len(st.NotesAt(4)) != 0 {
				t.Errorf("%s: saved %v, %d iterations, pending %v", subject, st.Saved, len(st.Iterations), st.Pending)
			}
			broken = false
			assert.NoError(t, s.Note("more"), "%s: the next act", subject)
			var want strings.Builder
			for _, e := range s.rec.Tree.Events() {
				want.WriteString(string(e.Line) + "\n")
			}
			if log, _ := os.ReadFile(st.Path); string(log) != want.String() {
				t.Errorf("%s: the file is not what the session is:\n%s", subject, log)
			}
		}
	}
}

// A line is in the file before its act returns.
func TestEveryActIsWritten(t *testing.T) {
	var did []string
	s := hooked(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 4, func(_ *Session, stage string) error {
		did = append(did, stage)
		return nil
	})
	check := func(name, want string) {
		t.Helper()
		assert.Equal(t, want, strings.Join(did, " "), name)
		did = nil
	}
	s.Note("text")
	check("a note", "write written")
	s.Reject(context.Background(), "", nil)
	check("a rejection with its suggestion", "fit write written")
	if _, err := s.Query(context.Background(), []float64{0.5}); err != nil {
		t.Fatal(err)
	}
	check("a query", "write written evaluate write written")
}

// Steps, moves, edits, looks and saves from many goroutines leave a session whose file, order and all, is what it
// holds.
func TestManyActAtOnce(t *testing.T) {
	dir := t.TempDir()
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3, Budget: 200})
	var mu sync.Mutex
	now := s.rec.Now
	s.rec.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now() }
	require.NoError(t, s.SaveAs(filepath.Join(dir, "a.jsonl")))
	var all sync.WaitGroup
	for worker := range 6 {
		all.Go(func() {
			for i := range 12 {
				var err error
				switch (worker + i) % 6 {
				case 0, 1:
					_, err = s.Step(context.Background(), nil)
				case 2:
					s.Back()
				case 3:
					err = s.Edit("design", []string{"lhs", "uniform"}[i%2])
				case 4:
					s.Timeline()
					s.Branches()
				case 5:
					_, err = s.Query(context.Background(), []float64{float64(worker) / 6})
				}
				if err != nil && !errors.Is(err, recorder.ErrMoved) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	want := make([]string, 0, len(s.rec.Tree.Events()))
	for _, e := range s.rec.Tree.Events() {
		want = append(want, e.ID)
	}
	st := s.State()
	require.NoError(t, s.Close())
	r := reopen(t, st.Path)
	var got []string
	for _, e := range r.rec.Tree.Events() {
		if !e.IsMark() {
			got = append(got, e.ID)
		}
	}
	if !reflect.DeepEqual(got, want) || len(r.State().Iterations) != len(st.Iterations) {
		t.Errorf("read back: %d events of %d, %d iterations of %d", len(got), len(want), len(r.State().Iterations),
			len(st.Iterations))
	}
}

// Acts that are done together are flushed once, at their end, also where one of them failed; what cannot be flushed is
// said.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		fails string
		want  string
		done  int
	}{{"", "hold write written write written flush", 2}, {"act", "hold write written flush", 1},
		{"flush", "hold write written write written flush", 2}} {
		var asked []string
		s := hooked(t, Config{Problem: "forrester", Optimizer: "random"}, 1, func(_ *Session, stage string) error {
			asked = append(asked, stage)
			if stage == c.fails {
				return errors.New("it fails")
			}
			return nil
		})
		n := 0
		err := s.RecordTogether(func() error {
			for n = range 2 {
				if n == 1 && c.fails == "act" {
					return errors.New("it fails")
				}
				if err := s.Mark(); err != nil {
					return err
				}
			}
			n = 2
			return nil
		})
		if got := strings.Join(asked, " "); got != c.want || n != c.done || (err != nil) != (c.fails != "") {
			t.Errorf("%q fails: %q, %d done, %v", c.fails, got, n, err)
		}
	}
}

// Values of parameters that are right together only are set in one act; values that are wrong together change nothing.
func TestSetTogether(t *testing.T) {
	s := hooked(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 1, func(*Session, string) error { return nil })
	s.rec.State().Spec.Check = func(in optimizers.Input) error {
		if in.Params.Text("kernel") == "se" && in.Params.Int("restarts") < 4 {
			return errors.New("se needs 4 restarts")
		}
		return nil
	}
	require.NoError(t, s.Edit("restarts", "2"))
	before := s.State().Head
	for _, wrong := range []map[string]string{{"kernel": "se", "restarts": "3"}, {"restarts": "5", "kernel": "none"},
		{"restarts": "5", "nothing": "1"}} {
		if err := s.Set("", wrong); err == nil || s.State().Head != before {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	require.NoError(t, s.Set("", map[string]string{"kernel": "se", "restarts": "4"}))
	if p := s.State().Params; p.Text("kernel") != "se" || p.Int("restarts") != 4 {
		t.Errorf("%v", p)
	}
}
