package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/sample"
)

func names(t *testing.T, s *Session) (names []string, current string) {
	t.Helper()
	list, err := s.Branches()
	require.NoError(t, err)
	for _, b := range list {
		names = append(names, fmt.Sprintf("%s %d/%d of %d", b.Name, b.From, len(b.State.Iterations), b.Parent))
		if b.Current {
			current = b.Name
		}
	}
	return names, current
}

// forks are the steps of the timeline at which other branches leave.
func forks(s *Session) (steps []int) {
	for _, stop := range s.Timeline().Stops {
		if stop.Fork {
			steps = append(steps, stop.Step)
		}
	}
	return steps
}

// A fork leaves what is recorded ahead where it is; the branches form a tree, which can be switched in, and which a
// file keeps.
func TestForks(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random"})
	steps(t, s, 6)
	s.Seek(3)
	require.Equal(t, 3, len(s.State().Iterations), "seeking step 3 comes to")
	require.NoError(t, s.Fork("with a GP", "gp-ei"))
	steps(t, s, 2)
	s.Seek(4)
	if _, err := s.Query(context.Background(), []float64{0.25}); err != nil {
		t.Fatal(err)
	}
	want := []string{"main 0/6 of -1", "with a GP 3/5 of 0", "branch 3 4/5 of 1"}
	got, current := names(t, s)
	if !reflect.DeepEqual(got, want) || current != "branch 3" {
		t.Errorf("branches %q, on %q; want %q, on branch 3", got, current, want)
	}
	if got := forks(s); !slices.Equal(got, []int{3, 4}) {
		t.Errorf("on branch 3 others leave at %v", got)
	}
	list, _ := s.Branches()
	require.NoError(t, s.Switch(list[1].ID))
	st := s.State()
	if st.Spec.Name != "gp-ei" || st.Iterations[3].By != "gp-ei" || st.Iterations[2].By != "random" ||
		!slices.Equal(forks(s), []int{3, 4}) {
		t.Errorf("on the branch the method is %s, steps by %s and %s, left at %v", st.Spec.Name, st.Iterations[2].By,
			st.Iterations[3].By, forks(s))
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	s.Close()
	again := reopen(t, path)
	if got, current := names(t, again); !reflect.DeepEqual(got, want) || current != "with a GP" {
		t.Errorf("read again: branches %q, on %q", got, current)
	}
	repeats(t, again, 5)
	assert.Error(t, again.Switch("nonsense"), "a branch that is not there is switched to")
	assert.Error(t, again.Fork("", "gp-ie"), "an optimizer that is not there takes over")
}

// What was changed goes with a fork to another method that knows it.
func TestForkTakesOver(t *testing.T) {
	s := start(t, Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts",
		Params: map[string]any{"prior": "dirichlet(3)", "kernel": "matern52"}})
	require.NoError(t, s.Fork("", "mobo-rs-ucb"))
	st := s.State()
	if st.Spec.Name != "mobo-rs-ucb" || st.Params.Text("prior") != "dirichlet(3)" ||
		st.Params.Choice("kernel") != "matern52" || st.Branch != "fork 1" {
		t.Errorf("%s on %q with %v", st.Spec.Name, st.Branch, st.Params.Changed())
	}
	assert.ErrorContains(t, s.Fork("", "gp-ei"), "one objective", "a method for one objective takes over two")
}

// anything does one random thing to a session; what is refused is passed over.
func anything(s *Session, rng *rand.Rand) {
	ctx := context.Background()
	switch rng.IntN(14) {
	case 0, 1, 2, 3:
		s.Step(ctx, nil)
	case 4:
		s.Query(ctx, []float64{rng.Float64()})
	case 5:
		s.Back()
	case 6:
		s.Forward()
	case 7:
		s.Edit("design", []string{"lhs", "uniform"}[rng.IntN(2)])
	case 8:
		s.Note(strings.Repeat("\x1b é\n", 1+rng.IntN(3)))
	case 9:
		s.Mark()
	case 10:
		s.Seek(rng.IntN(8))
		s.Fork(fmt.Sprint("b", rng.IntN(100)), []string{"", "random"}[rng.IntN(2)])
	case 11:
		s.Correct(1+rng.IntN(5), 0, [][]float64{nil, {rng.NormFloat64()}}[rng.IntN(2)], "typo")
	case 12:
		s.Reject(ctx, "cannot be made", nil)
	case 13:
		low := rng.Float64() / 2
		s.Bound(ctx, "x", low, low+rng.Float64()/2, "")
	}
}

// Any sequence of acts, written and read back, gives the same state, the same tree and the same place; and every state
// that was seen on the way stays what it was.
func TestAnySequenceReadsBack(t *testing.T) {
	for i := range sample.Count(10, 100) {
		seed := uint64(i)
		rng := rand.New(rand.NewPCG(seed, 1))
		s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: seed, Noise: 0.1})
		path := filepath.Join(t.TempDir(), "s.jsonl")
		saving := rng.IntN(10)
		var seen []State
		var texts []string
		for act := range 30 {
			if act == saving {
				require.NoError(t, s.SaveAs(path))
			}
			anything(s, rng)
			st := s.State()
			seen, texts = append(seen, st), append(texts, tell(st))
		}
		for act, st := range seen {
			if tell(st) != texts[act] {
				t.Fatalf("seed %d: the state after act %d has changed since:\n%s\n%s", seed, act, texts[act], tell(st))
			}
		}
		wantNames, wantCurrent := names(t, s)
		require.NoError(t, s.Close())
		again := reopen(t, path)
		if got, want := tell(again.State()), texts[len(texts)-1]; got != want || len(again.Notices()) > 0 {
			t.Fatalf("seed %d: read back\n%s\nwritten\n%s\n%v", seed, got, want, again.Notices())
		}
		if got, current := names(t, again); !reflect.DeepEqual(got, wantNames) || current != wantCurrent {
			t.Fatalf("seed %d: branches %q on %q, were %q on %q", seed, got, current, wantNames, wantCurrent)
		}
	}
}

// tell is all that a state says, as text.
func tell(st State) string {
	in := st.Input()
	declared, _ := json.Marshal([]any{st.Config, st.Problem.Objectives})
	return fmt.Sprint(string(declared), st.suggestionCount, st.Range, rows(in.Data.SE), st.Spec.Name,
		st.Params.Changed(),
		st.Iterations, st.Pending, st.Notes, st.Branch, st.Bounds, st.Rejections, st.Ahead, rows(in.Data.X),
		rows(in.Data.Y),
		rows(in.Data.Failed), in.Low, in.High, in.Avoid)
}

func rows(m *mat.Dense) []float64 {
	if m == nil {
		return nil
	}
	return m.RawMatrix().Data
}

// long is a session of so many events, with branches, notes, edits and corrections.
func long(t testing.TB, events int) string {
	t.Helper()
	s := start(t, Config{Problem: "branin", Optimizer: "random", Budget: 10_000})
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 0; len(s.rec.Tree.Events()) < events; i++ {
		steps(t, s, 1)
		switch rng.IntN(20) {
		case 0:
			s.Note("a note")
		case 1:
			s.Edit("design", []string{"lhs", "uniform"}[i%2])
		case 2:
			s.Correct(1+rng.IntN(len(s.rec.State().Iterations)), 0, []float64{rng.NormFloat64()}, "typo")
		case 3:
			if i%10 == 0 {
				s.Seek(len(s.rec.State().Iterations) - 3)
				s.Fork("", "")
			}
		}
	}
	path := filepath.Join(t.TempDir(), "long.jsonl")
	require.NoError(t, s.SaveAs(path))
	require.NoError(t, s.Close())
	return path
}

func BenchmarkOpen10000(b *testing.B) {
	path := long(b, 10_000)
	info, _ := os.Stat(path)
	b.SetBytes(info.Size())
	for b.Loop() {
		s, err := Open(b.Context(), path)
		require.NoError(b, err)
		s.Close()
	}
}

func BenchmarkSeek10000(b *testing.B) {
	s, err := Open(b.Context(), long(b, 10_000))
	require.NoError(b, err)
	defer s.Close()
	n := len(s.State().Iterations)
	rng := rand.New(rand.NewPCG(1, 2))
	worst := time.Duration(0)
	for b.Loop() {
		begun := time.Now()
		s.Seek(rng.IntN(n))
		worst = max(worst, time.Since(begun))
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
}
