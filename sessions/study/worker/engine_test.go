package worker

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// postgresURL names a PostgreSQL for tests, such as .ci/postgres starts; without one they are of files only.
var postgresURL = os.Getenv("BANDSCOPE_POSTGRES")

// freshURL is a database that is empty: a schema of its own.
func freshURL(t testing.TB) string {
	t.Helper()
	schema := "test_" + strings.ToLower(rand.Text())
	return postgresURL + "&search_path=" + schema
}

// onBoth runs a test on a file, and on PostgreSQL where there is one.
func onBoth(t *testing.T, test func(t *testing.T, name string)) {
	t.Run("file", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "study.db")) })
	t.Run("postgres", func(t *testing.T) {
		if postgresURL == "" {
			t.Skip("BANDSCOPE_POSTGRES names no database")
		}
		test(t, freshURL(t))
	})
}

func open(t testing.TB, name string) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), name)
	require.NoError(t, err)
	t.Cleanup(func() { st.Close() })
	return st
}

// submitted is a database with a study.
func submitted(t testing.TB, name string, d *study.Declaration) *store.Store {
	t.Helper()
	st := open(t, name)
	require.NoError(t, Submit(t.Context(), st, d))
	return st
}

func tableFor(t testing.TB, st *store.Store, name string) *study.Table {
	t.Helper()
	table, err := st.Table(context.Background(), name)
	require.NoError(t, err)
	return table
}

// every is a slice of so many steps.
func every(steps int) func(int, time.Duration) bool {
	return func(done int, _ time.Duration) bool { return done >= steps }
}

// inOneGo is the trace of a cell that is run without a study.
func inOneGo(t testing.TB, c study.Cell) study.Trace {
	t.Helper()
	s, err := c.Session(t.Context())
	require.NoError(t, err)
	defer s.Close()
	for s.State().StopReason() == "" {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return study.TraceFor(s.State())
}

// bits is a trace to be compared bit by bit, but for the seconds that the computer took.
func bits(tr study.Trace) string {
	var b strings.Builder
	fmt.Fprintln(&b, tr.Evaluations, len(tr.Seconds))
	for _, list := range [][]float64{
		tr.Spent, tr.Best, tr.SimpleRegret, tr.CumulativeRegret, tr.WeightedRegret, tr.Hypervolume, tr.BayesRegret} {
		if list == nil {
			fmt.Fprint(&b, "none")
		}
		for _, v := range list {
			if math.IsNaN(v) {
				fmt.Fprint(&b, "NaN ")
				continue
			}
			fmt.Fprintf(&b, "%x ", math.Float64bits(v))
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

// What comes of a run does not depend on the slices that it is worked in, nor on who works them: it is that of the run
// in one go, bit by bit.
func TestSlicesAreTheRunInOneGo(t *testing.T) {
	declaration := study.Declaration{Problems: []string{"forrester noise=0.1", "forrester-cost cost_budget=12"},
		Methods: []string{"gp-ei", "sto-bnts-linear batch=2 width=8"}, Seeds: 1, Budget: "5"}
	several := study.Declaration{Problems: []string{"zdt1:2"}, Methods: []string{"random"}, Seeds: 1, Budget: "5",
		Keep: study.KeepSessions}
	onBoth(t, func(t *testing.T, name string) {
		st := open(t, name)
		for _, forget := range []bool{true, false} {
			for i, d := range []study.Declaration{declaration, several} {
				d.Name = fmt.Sprint("sliced-", forget, "-", i)
				require.NoError(t, Submit(t.Context(), st, &d))
			}
			var opened atomic.Int64
			begin := func(ctx context.Context, c store.Run, log []byte) (cellRun, error) {
				opened.Add(1)
				return openSession(ctx, c, log)
			}
			if err := Work(t.Context(), st, Options{Workers: 2, UntilDone: true, begin: begin, sliceOver: every(3),
				noCache: forget, Report: func(s string) { t.Error(s) }}); err != nil {
				t.Fatal(err)
			}
			if n := opened.Load(); !forget && n != 5 {
				t.Errorf("5 runs were opened %d times", n)
			}
			for i := range 2 {
				name := fmt.Sprint("sliced-", forget, "-", i)
				for _, r := range tableFor(t, st, name).Rows {
					if r.Status != study.Done || r.Steps != len(r.Trace.Evaluations) || r.Steps == 0 ||
						len(r.Trace.Seconds) != r.Steps {
						t.Errorf("%v: %+v", r.Cell, r)
					}
					if got, want := bits(r.Trace), bits(inOneGo(t, r.Cell)); got != want {
						t.Errorf("%v: in slices\n%s, in one go\n%s", r.Cell, got, want)
					}
					text, err := st.Log(t.Context(), name, r.Cell)
					if err != nil || (text != nil) != (i == 1) {
						t.Errorf("%v: of a run that has ended is kept %q, %v", r.Cell, text, err)
					}
					if i == 1 {
						sameSession(t, text, r)
					}
				}
			}
		}
	})
}

// sameSession checks that a session that is kept is the whole run, each line once.
func sameSession(t *testing.T, text []byte, r study.Row) {
	t.Helper()
	s, err := sessions.Read(t.Context(), bytes.NewReader(text))
	require.NoError(t, err)
	if got := study.TraceFor(s.State()); bits(got) != bits(r.Trace) {
		t.Errorf("%v: the session that is kept\n%s, the trace\n%s", r.Cell, bits(got), bits(r.Trace))
	}
	if _, count := s.Lines(0); count != bytes.Count(text, []byte("\n")) {
		t.Errorf("%v: %d lines for %d events", r.Cell, bytes.Count(text, []byte("\n")), count)
	}
}

var errTest = errors.New("it fails")

// acted is a course of tests.
type acted struct {
	budget, done int
	act          func(ctx context.Context, step int) error // nil does nothing
}

func (a *acted) step(ctx context.Context) error {
	if a.act != nil {
		if err := a.act(ctx, a.done+1); err != nil {
			return err
		}
	}
	a.done++
	return nil
}
func (a *acted) finished() bool { return a.done >= a.budget }
func (a *acted) steps() int     { return a.done }
func (a *acted) trace() (tr study.Trace) {
	for i := range a.done {
		tr.Evaluations, tr.SimpleRegret = append(tr.Evaluations, i+1), append(tr.SimpleRegret, 1/float64(i+1))
	}
	return tr
}

// how far it is stands in the last line
func (a *acted) lines() []byte { return []byte(strings.Repeat("x", a.done) + "\n") }

// acting opens courses whose steps act as a function of the cell says.
func acting(act func(c study.Cell) func(ctx context.Context, step int) error) opener {
	return func(_ context.Context, c store.Run, log []byte) (cellRun, error) {
		lines := strings.Split(strings.TrimSpace(string(log)), "\n")
		return &acted{budget: c.Budget, done: len(lines[len(lines)-1]), act: act(c.Cell)}, nil
	}
}

// A cell that fails is tried three times and then marked, with what it had; the others are done.
func TestCellsThatFail(t *testing.T) {
	d := &study.Declaration{Name: "failing", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 5,
		Budget: "5"}
	onBoth(t, func(t *testing.T, name string) {
		st := submitted(t, name, d)
		var mu sync.Mutex
		tried := map[uint64]int{}
		begin := acting(func(c study.Cell) func(context.Context, int) error {
			return func(_ context.Context, step int) error {
				if step != 3 {
					return nil
				}
				mu.Lock()
				tried[c.Seed]++
				n := tried[c.Seed]
				mu.Unlock()
				switch {
				case c.Seed == 1:
					return errTest
				case c.Seed == 2:
					panic("at once")
				case c.Seed == 3 && n < 3:
					return errTest
				}
				return nil
			}
		})
		unreadable := func(ctx context.Context, c store.Run, log []byte) (cellRun, error) {
			if c.Seed == 5 && len(log) > 0 {
				return nil, errTest
			}
			return begin(ctx, c, log)
		}
		if err := Work(t.Context(), st, Options{Workers: 2, UntilDone: true, begin: unreadable, sliceOver: every(4),
			noCache: true}); err != nil {
			t.Fatal(err)
		}
		rows := tableFor(t, st, "failing").Rows
		for i, want := range []struct {
			status          study.Status
			steps, attempts int
			text            string
		}{{study.Failed, 2, 3, "it fails"}, {study.Failed, 2, 3, "at once"}, {study.Done, 5, 2, "it fails"},
			{study.Done, 5, 0, ""}, {study.Failed, 4, 3, "it fails"}} {
			if r := rows[i]; r.Status != want.status || r.Steps != want.steps || r.Attempts != want.attempts ||
				len(r.Trace.SimpleRegret) != want.steps || !strings.HasPrefix(r.Error, want.text) {
				t.Errorf("%v: %+v, want %+v", r.Cell, r, want)
			}
		}
		if n, err := st.Restart(t.Context(), "failing"); n != 3 || err != nil {
			t.Errorf("%d begin anew, %v", n, err)
		}
		if r := tableFor(t, st, "failing").Rows[0]; r.Status != study.Waiting || r.Steps != 0 || r.Error != "" ||
			r.Trace.Evaluations != nil {
			t.Errorf("anew: %+v", r)
		}
		if err := Work(t.Context(), st, Options{UntilDone: true,
			begin: acting(func(study.Cell) func(context.Context, int) error { return nil })}); err != nil {
			t.Fatal(err)
		}
		if r := tableFor(t, st, "failing").Rows[0]; r.Status != study.Done || r.Steps != 5 {
			t.Errorf("done anew: %+v", r)
		}
	})
}

// A worker that is to end hands over the steps that it has done, and another goes on after them; none is done twice.
func TestWorkersThatAreToEnd(t *testing.T) {
	d := &study.Declaration{Name: "ended", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 2,
		Budget: "5"}
	onBoth(t, func(t *testing.T, name string) {
		st := submitted(t, name, d)
		ctx, end := context.WithCancelCause(t.Context())
		var mu sync.Mutex
		done := map[string]int{}
		count := func(c study.Cell, step int) {
			mu.Lock()
			defer mu.Unlock()
			done[fmt.Sprint(c.Seed, step)]++
		}
		begin := acting(func(c study.Cell) func(context.Context, int) error {
			return func(ctx context.Context, step int) error {
				if step == 4 {
					end(errTest)
					<-ctx.Done() // as a fit that is given up
					return ctx.Err()
				}
				count(c, step)
				return nil
			}
		})
		if err := Work(ctx, st, Options{Workers: 2, UntilDone: true, begin: begin}); !errors.Is(err, errTest) {
			t.Fatal(err)
		}
		steps := 0
		for _, r := range tableFor(t, st, "ended").Rows {
			if r.Status != study.Waiting || r.Error != "" || r.Worker != "" {
				t.Errorf("%+v", r)
			}
			steps += r.Steps
		}
		if steps < 3 || len(done) != steps {
			t.Errorf("%d steps are handed over of %v", steps, done)
		}
		if workers, err := st.Workers(t.Context()); len(workers) != 0 || err != nil {
			t.Errorf("%v, %v", workers, err)
		}
		begin = acting(func(c study.Cell) func(context.Context, int) error {
			return func(_ context.Context, step int) error { count(c, step); return nil }
		})
		require.NoError(t, Work(t.Context(), st, Options{UntilDone: true, begin: begin}))
		for subject, n := range done {
			assert.Equal(t, 1, n, "seed and step %s were done %d times", subject, n)
		}
		assert.Equal(t, 10, len(done), "%v", done)
	})
}

// A worker whose database another program takes away ends at once, and everything that it had done is in a new file
// beside it, with which another goes on.
func TestDatabaseTakenAway(t *testing.T) {
	d := &study.Declaration{Name: "taken", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 2,
		Budget: "5"}
	for name, take := range map[string]func(path string) error{
		"removed":  os.Remove,
		"replaced": func(path string) error { return eventlog.Replace(path, []byte("another program's"), 0o600) },
	} {
		path := filepath.Join(t.TempDir(), "study.db")
		st := submitted(t, path, d)
		begin := acting(func(c study.Cell) func(context.Context, int) error {
			return func(ctx context.Context, step int) error {
				if c.Seed == 1 || step < 4 {
					return nil
				}
				if err := take(path); err != nil {
					return err
				}
				<-ctx.Done()
				return ctx.Err()
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		err := Work(ctx, st, Options{Workers: 1, UntilDone: true, begin: begin})
		assert.NoError(t, ctx.Err(), "%s: it was not noticed", name)
		cancel()
		rescued := filepath.Join(filepath.Dir(path), "study-rescued.db")
		if !errors.As(err, new(*eventlog.LostError)) ||
			!strings.Contains(err.Error(), path+" was "+name+" by another program") ||
			!strings.Contains(err.Error(), "continue with --db "+rescued) {
			t.Fatalf("%s: %v", name, err)
		}
		again := open(t, rescued)
		if rows := tableFor(t, again, "taken").Rows; rows[0].Status != study.Done || rows[1].Status != study.Waiting ||
			rows[1].Steps != 3 || rows[1].Worker != "" {
			t.Errorf("%s: %+v", name, rows)
		}
		if err := Work(t.Context(), again, Options{UntilDone: true,
			begin: acting(func(study.Cell) func(context.Context, int) error { return nil })}); err != nil {
			t.Error(err)
		}
		if rows := tableFor(t, again, "taken").Rows; rows[1].Status != study.Done ||
			len(rows[1].Trace.SimpleRegret) != 5 {
			t.Errorf("%s: %+v", name, rows[1])
		}
	}
}

// A cell that another version of the program began is named, and left to it.
func TestCellsOfAnotherProgram(t *testing.T) {
	d := &study.Declaration{Name: "foreign", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 2,
		Budget: "4"}
	onBoth(t, func(t *testing.T, name string) {
		st := submitted(t, name, d)
		ctx, end := context.WithCancelCause(t.Context())
		begin := acting(func(c study.Cell) func(context.Context, int) error {
			return func(ctx context.Context, step int) error {
				if c.Seed == 1 && step == 3 {
					end(errTest)
				}
				return ctx.Err()
			}
		})
		st.Program = "1.0"
		if err := Work(ctx, st, Options{Workers: 1, begin: begin}); !errors.Is(err, errTest) {
			t.Fatal(err)
		}
		var texts []string
		st.Program = "2.0"
		if err := Work(t.Context(), st, Options{Workers: 1, UntilDone: true, Report: func(s string) {
			texts = append(texts, s)
		}}); err != nil {
			t.Fatal(err)
		}
		rows := tableFor(t, st, "foreign").Rows
		if rows[0].Status != study.OtherVersion || rows[0].Program != "1.0" || rows[0].Steps != 2 ||
			rows[1].Status != study.Done || rows[1].Program != "2.0" {
			t.Errorf("%+v", rows)
		}
		if len(texts) != 1 || !strings.Contains(texts[0], "forrester, random, seed 1 was started by bandscope 1.0") {
			t.Errorf("told %q", texts)
		}
	})
}

// The same study joins, and another of its name does not.
func TestTwoStudiesOfOneName(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		d := &study.Declaration{Name: "one", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 2,
			Budget: "3"}
		st := submitted(t, name, d)
		d.Title = "told otherwise"
		submitted(t, name, d)
		if got, err := st.Declaration(t.Context(), "one"); err != nil || !reflect.DeepEqual(got, d) {
			t.Errorf("%+v, %v", got, err)
		}
		if list, err := st.Studies(t.Context()); err != nil || len(list) != 1 || list[0].Total() != 2 ||
			list[0].Remaining() != 2 || list[0].Title != d.Title {
			t.Errorf("%+v, %v", list, err)
		}
		d.Seeds = 3
		if err := Submit(t.Context(), st, d); !errors.As(err, new(*store.NameTakenError)) ||
			!strings.Contains(err.Error(), `already has another study "one"`) {
			t.Errorf("%v", err)
		}
	})
}
