package sessions

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/model/parallel"
)

// fake is an evaluator that does what a test says.
type fake func(ctx context.Context, x []float64) (functions.Outcome, error)

func (f fake) Evaluate(ctx context.Context, x []float64) (functions.Outcome, error) { return f(ctx, x) }

func gives(y ...float64) fake {
	return func(context.Context, []float64) (functions.Outcome, error) { return functions.Outcome{Values: y}, nil }
}

// unknown is a session on a problem of which nothing is known but what is evaluated; nobody is attached.
func unknown(t *testing.T, cfg Config) *Session {
	t.Helper()
	s := start(t, cfg)
	s.setup.problem.Truth = nil
	return s
}

// An evaluation that cannot be done leaves its point out, and says why; whoever evaluates the next time evaluates that
// one.
func TestEvaluationThatCannotBeDone(t *testing.T) {
	broke := errors.New("the pump is broken")
	release := make(chan struct{})
	defer close(release)
	for name, c := range map[string]struct {
		by     fake
		err    error // that it is
		says   string
		cancel bool
	}{
		"errs": {by: func(context.Context, []float64) (functions.Outcome, error) {
			return functions.Outcome{}, broke
		}, err: broke, says: "pump"},
		"panics": {by: func(context.Context, []float64) (functions.Outcome, error) {
			panic("boom")
		}, says: "the evaluator panicked: boom"},
		"ends": {by: func(context.Context, []float64) (functions.Outcome, error) {
			runtime.Goexit()
			return functions.Outcome{}, nil
		}, says: "without an answer"},
		"too many values": {by: gives(1, 2), says: "returned 2 values, but forrester has 1 objective"},
		"no value":        {by: gives(), says: "returned 0 values"},
		"both": {by: func(context.Context, []float64) (functions.Outcome, error) {
			return functions.Outcome{Values: []float64{1}, Reason: "spilt"}, nil
		}, says: "a failure (spilt)"},
		"bad cost": {by: func(context.Context, []float64) (functions.Outcome, error) {
			return functions.Outcome{Values: []float64{1}, Cost: -1}, nil
		}, says: "got -1"},
		"heeds": {by: func(ctx context.Context, _ []float64) (functions.Outcome, error) {
			<-ctx.Done()
			return functions.Outcome{}, ctx.Err()
		}, err: context.Canceled, says: "x = ", cancel: true},
		"does not heed": {by: func(context.Context, []float64) (functions.Outcome, error) {
			<-release
			return functions.Outcome{}, nil
		},
			err: context.Canceled, says: "continues in the background", cancel: true},
	} {
		s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
		s.SetEvaluator(c.by)
		ctx, cancel := context.WithCancel(t.Context())
		if c.cancel {
			time.AfterFunc(10*time.Millisecond, cancel)
		}
		began := time.Now()
		_, err := s.Step(ctx, nil)
		if err == nil || c.err != nil && !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v", name, err)
		}
		if p := (*parallel.Panic)(nil); name == "panics" &&
			(!errors.As(err, &p) || !strings.Contains(string(p.Stack), "evaluate_test.go")) {
			t.Errorf("%s: where it began is lost", name)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
		cancel()
		st := s.State()
		if len(st.Pending) != 1 || len(st.Iterations) != 0 || len(s.rec.Tree.Events()) != 2 {
			t.Errorf("%s: %d iterations, %d events", name, len(st.Iterations), len(s.rec.Tree.Events()))
			continue
		}
		want := st.Pending[0].Inputs()
		s.SetEvaluator(gives(4.5))
		it, err := s.Step(t.Context(), nil)
		if err != nil || !reflect.DeepEqual(it.Inputs(), want) || it.Points[0].Y[0] != 4.5 ||
			len(s.State().Iterations) != 1 {
			t.Errorf("%s: the point was %v, what is evaluated is %+v, %v", name, want, it, err)
		}
	}
}

// An evaluation that gives no finite value is an outcome: it is recorded, with the reason if there is one, and the
// search goes on.
func TestEvaluationThatFails(t *testing.T) {
	for name, o := range map[string]functions.Outcome{
		"NaN":             {Values: []float64{math.NaN()}},
		"infinite":        {Values: []float64{math.Inf(1)}},
		"reason":          {Reason: "the portafilter leaked"},
		"reason and cost": {Values: []float64{math.NaN()}, Reason: "the portafilter leaked", Cost: 2},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
		require.NoError(t, s.SaveAs(path))
		s.SetEvaluator(fake(func(context.Context, []float64) (functions.Outcome, error) { return o, nil }))
		steps(t, s, 2)
		s.Close()
		st := reopen(t, path).State()
		if len(st.Iterations) != 2 || st.Input().Data.Len() != 0 {
			t.Fatalf("%s: %d iterations", name, len(st.Iterations))
		}
		it := st.Iterations[1]
		if !it.Points[0].Failed || functions.Finite(it.Points[0].Y) || it.Points[0].Cost != max(o.Cost, 1) ||
			(o.Reason == "") != (it.Points[0].Reason == "") || o.Reason != "" && it.Points[0].Reason != o.Reason {
			t.Errorf("%s: %+v", name, it)
		}
	}
}

// What came of a point is not evaluated again because the next one of its batch could not be, or because nothing could
// be written.
func TestNothingIsEvaluatedTwice(t *testing.T) {
	var evaluated []float64
	broken := 0.0
	broke, full := errors.New("the pump is broken"), errors.New("no space left on device")
	stuck := false
	s := hooked(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 0, func(_ *Session, stage string) error {
		if stuck && stage == "write" {
			return full
		}
		return nil
	})
	s.SetEvaluator(fake(func(_ context.Context, x []float64) (functions.Outcome, error) {
		if x[0] == broken {
			return functions.Outcome{}, broke
		}
		evaluated = append(evaluated, x[0])
		stuck = x[0] == 0.3
		return functions.Outcome{Values: []float64{x[0]}}, nil
	}))
	it, err := s.recordSuggestion(func() (Iteration, error) {
		return Iteration{By: ByPerson, Points: pointsAt([][]float64{{0.1}, {0.2}, {0.3}}, nil, nil, nil)}, nil
	})
	require.NoError(t, err)
	for i, c := range []struct {
		broken float64
		err    error
		want   []float64
	}{{0.2, broke, []float64{0.1}}, {0, full, []float64{0.1, 0.2, 0.3}}, {0, nil, []float64{0.1, 0.2, 0.3}}} {
		broken = c.broken
		got, err := s.Step(t.Context(), nil)
		if !errors.Is(err, c.err) || !slices.Equal(evaluated, c.want) || got.ID != it.ID {
			t.Errorf("step %d: %v, evaluated are %v of %s", i, err, evaluated, got.ID)
		}
		stuck = false
	}
	if st := s.State(); len(st.Iterations) != 1 ||
		!reflect.DeepEqual(st.Iterations[0].Outcomes(), [][]float64{{0.1}, {0.2}, {0.3}}) || len(s.results) != 0 {
		t.Errorf("%+v, %v", st.Iterations, s.results)
	}
}

// Where nobody is attached, a step records what is to be evaluated and says that it waits. It waits over a restart, is
// not suggested anew, and is evaluated by whoever is attached later.
func TestEvaluatorAttachedLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := unknown(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3, Noise: 1})
	require.NoError(t, s.SaveAs(path))
	_, err := s.Step(t.Context(), nil)
	if !errors.Is(err, ErrNoEvaluator) || !strings.Contains(err.Error(),
		"is pending: no evaluator is attached") {
		t.Fatalf("got %v", err)
	}
	out := s.State().Pending
	if len(out) != 1 || len(s.rec.Tree.Events()) != 2 {
		t.Fatal("nothing is out")
	}
	s.Close()
	r := reopen(t, path)
	r.setup.problem.Truth = nil
	if _, err := r.Step(t.Context(), nil); !errors.Is(err, ErrNoEvaluator) || len(r.rec.Tree.Events()) != 2 {
		t.Errorf("after a restart: %v, %d events", err, len(r.rec.Tree.Events()))
	}
	r.SetEvaluator(gives(3))
	it, err := r.Step(t.Context(), nil)
	if err != nil || !reflect.DeepEqual(it.Inputs(), out[0].Inputs()) || it.Points[0].Y[0] != 3 ||
		it.Points[0].Truth != nil {
		// without the noise of a test function
		t.Errorf("got %+v, %v", it, err)
	}
	r.Close()
}
