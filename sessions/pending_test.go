package sessions

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions/recorder"
)

// asks asks so many times.
func asks(t testing.TB, s *Session, n int) (out []Iteration) {
	t.Helper()
	for range n {
		it, err := s.Ask(t.Context(), nil)
		require.NoError(t, err)
		out = append(out, it)
	}
	return out
}

// worth is the outcome of a point that is one number.
func worth(y float64) functions.Outcome { return functions.Outcome{Values: []float64{y}} }

func ids(its []Iteration) (list []string) {
	for _, it := range its {
		list = append(list, it.ID)
	}
	return list
}

// Between asking and telling the session is closed and opened, and several points are told in any order; each is told
// once.
func TestAskAndTell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3, Noise: 1})
	require.NoError(t, s.SaveAs(path))
	out := asks(t, s, 2)
	named, err := s.AskPoint([]float64{0.25})
	if err != nil || named.By != ByPerson || named.Points[0].X[0] != 0.25 {
		t.Fatalf("%+v, %v", named, err)
	}
	out = append(out, named, asks(t, s, 1)[0])
	if st := s.State(); !reflect.DeepEqual(st.Pending, out) ||
		!slices.Equal([]int{out[0].Step, out[1].Step, out[2].Step, out[3].Step}, []int{1, 2, 3, 4}) {
		t.Fatalf("out are %+v, asked was %+v", st.Pending, out)
	}
	tellLater := func(i int, y float64) Iteration {
		s.Close()
		s = reopen(t, path)
		it, err := s.Tell(out[i].ID, worth(y))
		require.NoError(t, err)
		return it
	}
	for n, i := range []int{2, 0, 3} {
		it := tellLater(i, float64(i))
		if it.ID != out[i].ID || it.Step != n+1 || it.Points[0].Y[0] != float64(i) || !reflect.DeepEqual(it.Inputs(),
			out[i].Inputs()) || it.By != out[i].By {
			t.Errorf("told of %+v, got %+v", out[i], it)
		}
	}
	if got := ids(s.State().Pending); !slices.Equal(got, []string{out[1].ID}) {
		t.Errorf("out is %v", got)
	}
	before, _ := os.ReadFile(path)
	for name, c := range map[string]struct {
		id       string
		outcomes []functions.Outcome
		err      error
		says     string
	}{
		"a second result": {out[0].ID, []functions.Outcome{worth(1)}, ErrAlreadyTold, "correct it"},
		"an unknown id":   {"0123456789abcdef", []functions.Outcome{worth(1)}, ErrNotPending, "0123456789abcdef"},
		"no suggestion":   {s.rec.Tree.Root().ID, []functions.Outcome{worth(1)}, ErrNotPending, ""},
		"too many outcomes": {out[1].ID, []functions.Outcome{worth(1), worth(2)}, nil,
			"outcomes of 2 points for 1 pending point"},
		"no outcome":      {out[1].ID, nil, nil, "outcomes of 0 points for 1 pending point"},
		"too many values": {out[1].ID, []functions.Outcome{{Values: []float64{1, 2}}}, nil, "returned 2 values"},
	} {
		if _, err := s.Tell(c.id, c.outcomes...); err == nil || c.err != nil && !errors.Is(err, c.err) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("what was refused is in the file")
	}
	if err := s.Reject(t.Context(), "too dear", nil); err != nil { // refuses what is out
		t.Fatal(err)
	}
	_, err = s.Tell(out[1].ID, worth(1))
	assert.ErrorIs(t, err, ErrNotPending, "a result for what was rejected: %v", err)
	if st := s.State(); st.Pending != nil || len(st.Rejections) != 1 || !reflect.DeepEqual(st.Rejections[0].X,
		out[1].Inputs()) {
		t.Errorf("out %v, rejected %v", st.Pending, st.Rejections)
	}
	text, _ := os.ReadFile(path)
	for _, c := range []struct {
		i     int
		named bool
	}{{0, true}, {1, false}, {2, true}, {3, false}} { // the last that was out, and the only one
		if got := strings.Contains(string(text), `"suggestion":"`+out[c.i].ID+`"`); got != c.named {
			t.Errorf("the line about %d names it: %v", c.i, got)
		}
	}
}

// A point that is out is evaluated before anything is suggested, the oldest first, and a query does not wait for it.
// Points that were asked for ahead are those of steps, noise and all, where the method looks at no outcome.
func TestStepsTakeWhatIsOut(t *testing.T) {
	cfg := Config{Problem: "forrester", Optimizer: "random", Seed: 4, Noise: 0.5}
	plain, ahead := start(t, cfg), start(t, cfg)
	steps(t, plain, 5)
	out := asks(t, ahead, 3)
	if next, err := ahead.Next(t.Context(), nil); err != nil ||
		ahead.State().Problem.Domain.FromUnit(next.X.RawRowView(0))[0] != out[0].Points[0].X[0] {
		t.Errorf("the next is %+v, %v; the oldest is %v", next, err, out[0].Inputs())
	}
	steps(t, ahead, 5)
	values := func(s *Session) (all []any) {
		for _, it := range s.State().Iterations {
			all = append(all, it.Inputs(), it.Outcomes(), Column(it, Point.Judged), it.Step)
		}
		return all
	}
	if !reflect.DeepEqual(values(ahead), values(plain)) {
		t.Errorf("asked for ahead:\n%v\nstepped:\n%v", values(ahead), values(plain))
	}
	out = asks(t, ahead, 2)
	if it, err := ahead.Query(t.Context(), []float64{0.5}); err != nil || it.Points[0].X[0] != 0.5 || it.Step != 6 ||
		!slices.Equal(ids(ahead.State().Pending), ids(out)) {
		t.Errorf("%+v, %v, out are %v", it, err, ids(ahead.State().Pending))
	}
	steps(t, ahead, 1)
	steps(t, plain, 1)
	its := ahead.State().Iterations
	assert.Equal(t, out[0].ID, its[6].ID, "the oldest was not evaluated first")
	if want := plain.State().Iterations[5]; !reflect.DeepEqual(its[6].Outcomes(), want.Outcomes()) {
		// the noise is its own, whatever was evaluated before it
		t.Errorf("it is %v, without a query before it %v", its[6].Outcomes(), want.Outcomes())
	}
	out = append(out, asks(t, ahead, 1)...)
	if err := ahead.Reject(t.Context(), "", nil); err != nil ||
		!slices.Equal(ids(ahead.State().Pending), ids(out[2:])) {
		t.Errorf("%v: the oldest is not the one that was refused", err)
	}
}

// However many are asked for, they are different points, in the initial design and behind it.
func TestAskedPointsDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("its searches run in the tests of optimizers too")
	}
	for _, c := range []struct {
		problem, optimizer string
		done               int
		params             map[string]any
	}{
		{"forrester", "random", 0, nil},
		{"forrester", "random", 0, map[string]any{"design": "uniform"}},
		{"forrester", "gp-ei", 0, map[string]any{"design": "uncertainty", "initial": 6}},
		{"forrester", "gp-ei", 1, map[string]any{"initial": 3}},
		{"forrester", "gp-ei", 5, nil},
		{"branin", "gp-ucb", 6, nil},
		{"forrester", "gp-ts", 2, map[string]any{"initial": 2}},
		{"branin", "forest-ei", 6, nil},
		{"branin-currin", "mobo-rs-ucb", 6, nil},
		{"branin", "neural-greedy", 2, map[string]any{"width": 100, "initial": 2}},
	} {
		s := start(t, Config{Problem: c.problem, Optimizer: c.optimizer, Seed: 5, Params: c.params, Budget: 40})
		steps(t, s, c.done)
		before := s.State()
		seen := before.Iterations
		for _, it := range asks(t, s, 4) {
			for _, other := range seen {
				if reflect.DeepEqual(it.Inputs(), other.Inputs()) {
					t.Errorf("%s on %s after %d: %v is asked for twice", c.optimizer, c.problem, c.done, it.Inputs())
				}
			}
			seen = append(slices.Clip(seen), it)
		}
		if st := s.State(); !reflect.DeepEqual(st.Input().Data, before.Input().Data) || len(st.Rejections) > 0 {
			t.Errorf("%s: what is out counts as data, or as rejected", c.optimizer)
		}
		repeats(t, s, c.done+4)
	}
}

// An outcome is recorded where its point is out, wherever the session stands by then; whoever went elsewhere stays
// there.
func TestToldElsewhere(t *testing.T) {
	edit := func(s *Session) {
		require.NoError(t, s.Edit("design", "uniform"))
	}
	for name, c := range map[string]struct {
		do          func(s *Session)
		done, ahead int // where the session stands when the older of two that were out was told
		out         int // besides
		kinds       string
	}{
		"here":         {func(*Session) {}, 3, 0, 1, "suggested suggested observed"},
		"gone back":    {func(s *Session) { s.Back() }, 2, 1, 0, "suggested suggested observed"},
		"at the start": {(*Session).First, 0, 3, 0, "suggested suggested observed"},
		"edited":       {edit, 3, 0, 1, "suggested suggested edited observed"},
		"forked": {func(s *Session) {
			s.Fork("other", "gp-ei")
		}, 3, 0, 1, "suggested suggested forked observed"},
		"on another": {func(s *Session) { s.Back(); edit(s) }, 2, 0, 0, "suggested suggested edited observed"},
		"stepped there": {func(s *Session) {
			s.Back()
			edit(s)
			s.Step(context.Background(), nil)
		}, 3, 0, 0, "suggested suggested edited suggested observed observed"},
		"asked there": {func(s *Session) {
			s.Back()
			edit(s)
			s.Ask(context.Background(), nil)
		}, 2, 0, 1, "suggested suggested edited suggested observed"},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
		require.NoError(t, s.SaveAs(path))
		steps(t, s, 2)
		out := asks(t, s, 2)
		c.do(s)
		if _, err := s.Tell(out[0].ID, worth(1)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		st := s.State()
		if len(st.Iterations) != c.done || st.Ahead != c.ahead || len(st.Pending) != c.out {
			t.Errorf("%s: it stands at %d with %d ahead and %d out, want %d, %d and %d", name, len(st.Iterations),
				st.Ahead, len(st.Pending), c.done, c.ahead, c.out)
		}
		assert.Equal(t, "suggested observed suggested observed "+c.kinds, written(t, path), "%s: the file", name)
		if _, err := s.Tell(out[0].ID, worth(2)); !errors.Is(err, ErrAlreadyTold) {
			t.Errorf("%s: told twice: %v", name, err)
		}
		if it, err := s.Tell(out[1].ID, worth(2)); err != nil || it.Step != 4 {
			t.Errorf("%s: the other one: %+v, %v", name, it, err)
		}
		s.Close()
		again := reopen(t, path)
		made, err := again.Suggestions()
		require.NoError(t, err)
		repeats(t, again, len(made))
	}
}

// What is decided belongs to the step that it is, also if the steps before are out.
func TestDecisionsWithSeveralOut(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	steps(t, s, 1)
	out := asks(t, s, 2)
	if _, err := s.Tell(out[0].ID, worth(1)); err != nil {
		t.Fatal(err)
	}
	asks(t, s, 1)
	list, err := s.Decisions(s.State().Head)
	require.NoError(t, err)
	var values []int
	for _, d := range list[1:] {
		values = append(values, d.Step)
	}
	if !slices.Equal(values, []int{1, 2, 3, 4}) {
		t.Errorf("decided at %v", values)
	}
}

// Back and forward go by iterations, whatever was out between them, and come to where all is out that is.
func TestMovesWithSeveralOut(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	steps(t, s, 1)
	out := asks(t, s, 3)
	for _, i := range []int{1, 0} {
		if _, err := s.Tell(out[i].ID, worth(float64(i))); err != nil {
			t.Fatal(err)
		}
	}
	stands := func() string {
		st := s.State()
		line := s.Timeline()
		return fmt.Sprintf("%d+%d at %d of %d", len(st.Iterations), len(st.Pending), line.At, len(line.Stops))
	}
	want := []string{"3+1 at 4 of 5", "2+2 at 3 of 5", "1+3 at 2 of 5", "1+0 at 1 of 5", "0+0 at 0 of 5"}
	for i, w := range want {
		assert.Equal(t, w, stands(), "%d back", i)
		assert.Equal(t, i < len(want)-1, s.Back(), "%d back: moved", i)
	}
	for i, w := range slices.Backward(want) {
		assert.Equal(t, w, stands(), "forward to %d", i)
		s.Forward()
	}
	s.First()
	steps(t, s, 3) // those on record
	assert.Equal(t, want[0], stands(), "stepped over what is on record")
	steps(t, s, 1) // and what is out
	if st := s.State(); st.Iterations[3].ID != out[2].ID || st.Pending != nil {
		t.Error("what is out was not evaluated")
	}
	asks(t, s, 2)
	s.Back()
	if !s.Forward() || len(s.State().Pending) != 2 {
		t.Error("forward does not come to what is out")
	}
	s.Back()
	if steps(t, s, 1); len(s.State().Pending) != 1 {
		t.Error("a step from before does not take what is out ahead")
	}
}

// settled checks that nothing that went out is forgotten and nothing is told twice: on every branch each suggestion is
// out, or told, or rejected, once.
func settled(t *testing.T, s *Session) {
	t.Helper()
	s.rec.Lock()
	defer s.rec.Unlock()
	for _, b := range s.rec.Tree.Branches() {
		st, err := s.rec.Fold(b.End)
		require.NoError(t, err)
		var went []string
		rejected := 0
		for _, e := range b.End.PathFromRoot() {
			switch e.Kind {
			case kindSuggested:
				went = append(went, e.ID)
			case kindRejected:
				rejected++
			}
		}
		known := append(ids(st.Iterations), ids(st.Pending)...)
		if len(known)+rejected != len(went) || rejected != len(st.Rejections) {
			t.Fatalf("%d went out, %d are told, %d out and %d rejected", len(went), len(st.Iterations), len(st.Pending),
				len(st.Rejections))
		}
		slices.Sort(known)
		require.Equal(t, len(known), len(slices.Compact(slices.Clone(known))), "twice among %v", known)
		for i, it := range st.Iterations {
			if it.Step != i+1 || !slices.Contains(went, it.ID) {
				t.Fatalf("iteration %d is %+v", i+1, it)
			}
		}
	}
}

// Whatever is asked, told, moved, corrected, forked, closed and opened, in whatever order: no point that is out is
// forgotten, none is told twice, and the state is what is read back.
func TestAnyOrderOfAskAndTell(t *testing.T) {
	sequences := uint64(25)
	if testing.Short() {
		sequences = 5
	}
	for seed := range sequences {
		rng := rand.New(rand.NewPCG(seed, 2))
		s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: seed, Noise: 0.1})
		path := filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, s.SaveAs(path))
		var went []string
		reported := map[string]int{}
		for act := range 60 {
			switch rng.IntN(9) {
			case 0, 1:
				if it, err := s.Ask(t.Context(), nil); err == nil {
					went = append(went, it.ID)
				}
			case 2:
				if it, err := s.AskPoint([]float64{rng.Float64()}); err == nil {
					went = append(went, it.ID)
				}
			case 3, 4, 5:
				if len(went) == 0 {
					continue
				}
				id := went[rng.IntN(len(went))]
				_, err := s.Tell(id, worth(rng.NormFloat64()))
				if err == nil {
					reported[id]++
				} else if !errors.Is(err, ErrAlreadyTold) && !errors.Is(err, ErrNotPending) {
					t.Fatalf("seed %d, act %d: %v", seed, act, err)
				}
			case 6:
				was := tell(s.State())
				require.NoError(t, s.Close())
				s = reopen(t, path)
				if now := tell(s.State()); now != was || len(s.Notices()) > 0 {
					t.Fatalf("seed %d, act %d: read back\n%s\nwritten\n%s\n%v", seed, act, now, was, s.Notices())
				}
			default:
				anything(s, rng)
			}
			settled(t, s)
		}
		st := s.State()
		peeked, err := OpenReadOnly(t.Context(), path)
		require.NoError(t, err)
		settled(t, peeked)
		require.NoError(t, peeked.rec.MoveTo(peeked.rec.Tree.Find(st.Head)))
		state := peeked.State()
		state.Ahead = st.Ahead
		if tell(state) != tell(st) {
			t.Fatalf("seed %d: the file says\n%s\nthe session\n%s", seed, tell(state), tell(st))
		}
	}
}

// SuggestionTime and told from many goroutines, with steps, queries, moves and looks between, every point is told once,
// and the file is what the session holds.
func TestManyAskAndTellAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, err := New(t.Context(), Config{Problem: "forrester", Optimizer: "random", Seed: 3, Budget: 500})
	require.NoError(t, err)
	require.NoError(t, s.SaveAs(path))
	out := make(chan string, 200)
	var all sync.WaitGroup
	passed := func(subject string, err error) {
		if err != nil && !errors.Is(err, recorder.ErrMoved) && !errors.Is(err, ErrAlreadyTold) &&
			!errors.Is(err, ErrNotPending) {
			t.Errorf("%s: %v", subject, err)
		}
	}
	for worker := range 4 {
		all.Go(func() {
			for i := range 10 {
				it, err := s.AskPoint([]float64{float64(10*worker+i) / 40})
				passed("asking for a point", err)
				out <- it.ID
				if it, err = s.Ask(t.Context(), nil); err == nil {
					out <- it.ID
				} else {
					passed("asking", err)
				}
			}
		})
		all.Go(func() {
			for i := range 10 {
				var err error
				switch (worker + i) % 4 {
				case 0:
					_, err = s.Step(t.Context(), nil)
				case 1:
					s.Snapshot()
				case 2:
					s.Back()
					s.Last()
				case 3:
					_, err = s.Query(t.Context(), []float64{0.5})
				}
				passed("an act", err)
			}
		})
	}
	var tellers sync.WaitGroup
	for range 3 { // each tells of everything that it takes, and of it once more
		tellers.Go(func() {
			for id := range out {
				_, err := s.Tell(id, worth(1))
				passed("telling", err)
				_, err = s.Tell(id, worth(2))
				assert.ErrorIs(t, err, ErrAlreadyTold, "telling again: %v", err)
			}
		})
	}
	all.Wait()
	close(out)
	tellers.Wait()
	settled(t, s)
	want := tell(s.State())
	require.NoError(t, s.Close())
	r := reopen(t, path)
	settled(t, r)
	if got := tell(r.State()); got != want {
		t.Errorf("read back\n%s\nheld\n%s", got, want)
	}
}

// Who looks and moves waits for no evaluation, and for no line on its way to the disk.
func TestNobodyWaitsForAnEvaluation(t *testing.T) {
	looked := map[string]int{}
	s := hooked(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 2, func(s *Session, stage string) error {
		s.Snapshot() // would never return if the lock were held
		s.Back()
		s.Last()
		looked[stage]++
		return nil
	})
	out := asks(t, s, 2)
	s.SetEvaluator(fake(func(context.Context, []float64) (functions.Outcome, error) {
		if _, err := s.Tell(out[1].ID, worth(2)); err != nil { // while the other one is evaluated
			t.Error(err)
		}
		return worth(1), nil
	}))
	if it, err := s.Step(t.Context(), nil); err != nil || it.ID != out[0].ID || it.Step != 4 {
		t.Errorf("%+v, %v", it, err)
	}
	assert.Equal(t, 4, looked["write"], "looked at %v", looked)
}
