package sessions

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// beside opens a session at a file that others have open.
func beside(t testing.TB, path, name string) *Session {
	t.Helper()
	s := reopen(t, path)
	s.SetAuthor(Author{Kind: AuthorProgram, Name: name, Via: ViaPipe})
	return s
}

// onFile is a session that is in a file.
func onFile(t testing.TB, cfg Config) (*Session, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, cfg)
	require.NoError(t, s.SaveAs(path))
	t.Cleanup(func() { s.Close() })
	return s, path
}

// lineIDs are the ids of the events of a session, in the order of its file.
func lineIDs(s *Session) (list []string) {
	s.rec.Lock()
	defer s.rec.Unlock()
	for _, e := range s.rec.Tree.Events() {
		list = append(list, e.ID)
	}
	return list
}

// Two sessions at one file act in turn, each on what the other recorded; who stands at the end follows, who went back
// stays.
func TestTwoSessionsAtOneFile(t *testing.T) {
	a, path := onFile(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3})
	b := beside(t, path, "ann")
	steps(t, a, 2)
	steps(t, b, 2)
	it := asks(t, a, 1)[0]
	assert.Equal(t, 5, it.Number, "the next point has number")
	require.NoError(t, b.Refresh())
	if st := b.State(); len(st.Iterations) != 4 || len(st.Pending) != 1 || !st.Pending[0].Foreign || st.Pending[0].ID !=
		it.ID {
		t.Errorf("the other session has %d steps and %+v", len(st.Iterations), st.Pending)
	}
	if _, err := b.Tell(it.ID, worth(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Tell(it.ID, worth(2)); !errors.Is(err, ErrAlreadyTold) {
		t.Errorf("reported twice: %v", err)
	}
	var texts []string
	for _, r := range a.Arrivals() {
		texts = append(texts, r.String())
	}
	if got := strings.Join(texts, ", "); got != "ann via pipe asked for point 3, ann via pipe reported point 3, ann via pipe asked for point 4, ann via pipe reported point 4, ann via pipe reported point 5" {
		t.Errorf("the arrivals are %s", got)
	}
	a.Seek(2)
	steps(t, b, 1)
	require.NoError(t, a.Refresh())
	if st := a.State(); len(st.Iterations) != 2 || st.Ahead != 4 {
		t.Errorf("after it went back it has %d steps and %d ahead", len(st.Iterations), st.Ahead)
	}
	a.Last()
	if x, y := lineIDs(a), lineIDs(b); !slices.Equal(x, y) {
		t.Errorf("the sessions differ: %v, %v", x, y)
	}
	repeats(t, a, 6)
}

// Two explorers that step at once both get a point, and none of them twice; so it is with two that ask.
func TestAtOnce(t *testing.T) {
	a, path := onFile(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	b := beside(t, path, "ann")
	var all sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]int{}
	for _, s := range []*Session{a, b} {
		all.Go(func() {
			for i := range 20 {
				it, err := s.Step(t.Context(), nil)
				if err == nil && i%2 == 0 {
					it, err = s.Ask(t.Context(), nil)
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				ids[it.ID]++
				mu.Unlock()
				if i%2 == 0 {
					_, err = s.Tell(it.ID, worth(1))
					assert.NoError(t, err)
				}
			}
		})
	}
	all.Wait()
	again := reopen(t, path)
	settled(t, again)
	if st := again.State(); len(st.Iterations) != 60 || st.Pending != nil || len(ids) != 40 || len(again.Notices()) > 0 {
		t.Errorf("%d steps, %d pending, %d points, %v", len(st.Iterations), len(st.Pending), len(ids), again.Notices())
	}
	repeats(t, again, 60)
}

// liveActs do something to a session at random; they return the ids of what is recorded, or nothing for what is refused.
var liveActs = []func(s *Session, rng *rand.Rand) error{
	func(s *Session, _ *rand.Rand) error { _, err := s.Ask(context.Background(), nil); return err },
	func(s *Session, rng *rand.Rand) error {
		st := s.State()
		if len(st.Pending) == 0 {
			return nil
		}
		_, err := s.Tell(st.Pending[rng.IntN(len(st.Pending))].ID, worth(rng.Float64()))
		return err
	},
	func(s *Session, _ *rand.Rand) error { _, err := s.Step(context.Background(), nil); return err },
	func(s *Session, rng *rand.Rand) error { return s.Note(fmt.Sprint("note ", rng.IntN(1000))) },
	func(s *Session, rng *rand.Rand) error {
		_, err := s.Record(ByPerson, [][]float64{{rng.Float64()}}, worth(rng.Float64()))
		return err
	},
	func(s *Session, rng *rand.Rand) error { return s.Fork(fmt.Sprint("way ", rng.IntN(1000)), "") },
	func(s *Session, _ *rand.Rand) error { return s.Reject(context.Background(), "no", nil) },
	func(s *Session, _ *rand.Rand) error { s.Back(); return nil },
	func(s *Session, _ *rand.Rand) error { s.Last(); return nil },
	func(s *Session, _ *rand.Rand) error { return s.Refresh() },
	func(s *Session, rng *rand.Rand) error {
		return s.Bound(context.Background(), "x", 0, 0.5+rng.Float64()/2, "")
	},
	func(s *Session, rng *rand.Rand) error {
		return s.RecordTogether(func() error {
			for range 3 {
				if _, err := s.Record(ByImport, [][]float64{{rng.Float64()}}, worth(1)); err != nil {
					return err
				}
			}
			return nil
		})
	},
}

// refusals are why an act may be refused in the company of others.
var refusals = []error{ErrAlreadyTold, ErrNotPending, recorder.ErrMoved, functions.ErrMissing}

// Whatever two or three sessions do to one file, in any order or at once: the file is one log that opens without a
// notice, each session has the same events in the same order, and what an act acknowledged is among them.
func TestAnyInterleaving(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 7))
		first, path := onFile(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
		all := []*Session{first}
		for i := range 1 + rng.IntN(2) {
			all = append(all, beside(t, path, fmt.Sprint("program ", i)))
		}
		values := make([][]string, len(all)) // the ids that each has in its tree after its acts
		act := func(i int, rng *rand.Rand) {
			err := liveActs[rng.IntN(len(liveActs))](all[i], rng)
			if err != nil && !slices.ContainsFunc(refusals, func(r error) bool { return errors.Is(err, r) }) {
				t.Errorf("seed %d: %v", seed, err)
			}
			values[i] = lineIDs(all[i])
		}
		if seed%2 == 0 {
			for range 120 {
				act(rng.IntN(len(all)), rng)
			}
		} else {
			var wg sync.WaitGroup
			for i := range all {
				rng := rand.New(rand.NewPCG(seed, uint64(i)))
				wg.Go(func() {
					for range 60 {
						act(i, rng)
					}
				})
			}
			wg.Wait()
		}
		again := reopen(t, path)
		if len(again.Notices()) > 0 {
			t.Fatalf("seed %d: %v", seed, again.Notices())
		}
		want := lineIDs(again)
		for i, s := range all {
			require.NoError(t, s.Refresh())
			if got := lineIDs(s); !slices.Equal(got, want) {
				t.Fatalf("seed %d: session %d has %d events, the file has %d", seed, i, len(got), len(want))
			}
			if n := len(values[i]); !slices.Equal(values[i], want[:n]) {
				t.Fatalf("seed %d: what session %d acknowledged is not in the file", seed, i)
			}
		}
		for _, b := range again.rec.Tree.Branches() {
			if _, err := again.rec.Fold(b.End); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
}

// A line that was cut off, because its program was killed, is skipped by those who have the file open, and by those who
// open it later.
func TestCutOffMeanwhile(t *testing.T) {
	a, path := onFile(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	b := beside(t, path, "ann")
	steps(t, a, 1)
	steps(t, b, 1)
	appendTo(t, path, `{"id":"0123456789abcdef","parent":"`)
	if err := a.Refresh(); err != nil || len(a.State().Iterations) != 2 {
		t.Errorf("refreshing: %v, %d steps", err, len(a.State().Iterations))
	}
	steps(t, b, 1)
	steps(t, a, 1)
	steps(t, b, 1)
	again := reopen(t, path)
	if len(again.Notices()) > 0 || len(again.State().Iterations) != 5 {
		t.Errorf("%v, %d steps", again.Notices(), len(again.State().Iterations))
	}
	require.NoError(t, a.Refresh())
	if x, y := lineIDs(a), lineIDs(again); !slices.Equal(x, y) {
		t.Errorf("%v\n%v", x, y)
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// A line that cannot be read, or that cannot follow, makes the session read-only with a sentence about it, whoever finds
// it; nothing of the file is changed, and the session can be saved elsewhere.
func TestDamagedMeanwhile(t *testing.T) {
	for _, refresh := range []bool{false, true} {
		for name, line := range map[string]func(head string) string{
			"rubbish": func(string) string { return "rubbish\n" },
			"impossible": func(head string) string {
				_, line := signedLine(`{"parent":"` + head + `","dt":1,"kind":"observed","data":{"y":[[1]]}}`)
				return string(line) + "\n"
			},
		} {
			a, path := onFile(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
			steps(t, a, 2)
			appendTo(t, path, line(a.State().Head)+line(a.State().Head))
			before, _ := os.ReadFile(path)
			var err error
			if refresh {
				err = a.Refresh()
			} else {
				_, err = a.Step(t.Context(), nil)
			}
			if !errors.As(err, new(*eventlog.DamagedError)) || !strings.Contains(err.Error(), "save it to another file") {
				t.Errorf("%s: got %v", name, err)
			}
			_, err = a.Step(t.Context(), nil)
			assert.ErrorIs(t, err, eventlog.ErrReadOnly, "%s: the next act gives %v", name, err)
			if n := a.Notices(); len(n) != 1 || !a.State().ReadOnly {
				t.Errorf("%s: notices %q", name, n)
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Errorf("%s: the file is changed", name)
			}
			require.NoError(t, a.SaveAs(path+".copy"))
			steps(t, a, 1)
		}
	}
}

// A file that is edited by hand while it is open, in front of what is known, is left alone; the session goes on in
// another one.
func TestEditedMeanwhile(t *testing.T) {
	a, path := onFile(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	steps(t, a, 2)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	edited := strings.Replace(string(text), `"seed":3`, `"seed":333`, 1)
	require.NoError(t, os.WriteFile(path, []byte(edited), 0o644))
	assert.NoError(t, a.Refresh(), "refreshing")
	steps(t, a, 1)
	if st := a.State(); !strings.HasSuffix(st.Path, "-rescued.jsonl") || len(reopen(t, st.Path).State().Iterations) != 3 {
		t.Errorf("it goes on in %s", st.Path)
	}
	if after, _ := os.ReadFile(path); string(after) != edited {
		t.Error("the edited file is changed")
	}
}

// A program that is started while a point is evaluated can report that point first; the step ends with that result.
func TestReportedMeanwhile(t *testing.T) {
	reported := false
	s := hooked(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 2, func(s *Session, stage string) error {
		if stage != "evaluate" || reported {
			return nil
		}
		reported = true
		other, err := Open(t.Context(), s.Path())
		if err != nil {
			return err
		}
		defer other.Close()
		_, err = other.Tell(other.State().Pending[0].ID, worth(7))
		return err
	})
	it, err := s.Step(t.Context(), nil)
	if err != nil || it.Step != 3 || it.Points[0].Y[0] != 7 {
		t.Errorf("step %d, %v", it.Step, err)
	}
	if st := s.State(); len(st.Iterations) != 3 || st.Pending != nil {
		t.Errorf("%d steps, %d pending", len(st.Iterations), len(st.Pending))
	}
}
