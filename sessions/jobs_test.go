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
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

// jobs evaluates when a test says so.
type jobs struct {
	begun chan functions.PointID
	mu    sync.Mutex
	let   map[int]chan error // by the number of the point
	times map[int]int
}

func (j *jobs) gate(point int) chan error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.let[point] == nil {
		j.let[point] = make(chan error, 1)
	}
	return j.let[point]
}

func (j *jobs) Evaluate(ctx context.Context, x []float64) (functions.Outcome, error) {
	place := functions.PointIDFrom(ctx)
	functions.LogLine(ctx, "on it")
	gate := j.gate(place.Point)
	j.mu.Lock()
	j.times[place.Point]++
	j.mu.Unlock()
	j.begun <- place
	select {
	case err := <-gate:
		return functions.Outcome{Values: []float64{x[0]}}, err
	case <-ctx.Done():
		return functions.Outcome{}, ctx.Err()
	}
}

func newJobs() *jobs {
	return &jobs{begun: make(chan functions.PointID, 100), let: map[int]chan error{}, times: map[int]int{}}
}

// Up to so many are evaluated at once, each once, and are told in the order in which they end; what was out goes first.
func TestSeveralAreEvaluatedAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	first, err := s.AskPoint([]float64{0.25})
	require.NoError(t, err)
	jobs := newJobs()
	s.SetEvaluator(jobs)
	var texts []string
	var mu sync.Mutex
	progress := func(subject string, _, _ int) {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasPrefix(subject, "point ") {
			texts = append(texts, subject)
		}
	}
	updates := make(chan Iteration, 10)
	done := make(chan error, 1)
	go func() {
		done <- s.Run(t.Context(), 10, 4, progress, func(it Iteration) error { updates <- it; return nil })
	}()
	under := map[int]bool{}
	order := []int{}
	for len(order) < 10 {
		for len(under) < min(4, 10-len(order)) {
			p := <-jobs.begun
			under[p.Point] = true
		}
		last := 0 // the one that was begun last ends first
		for n := range under {
			last = max(last, n)
		}
		jobs.gate(last) <- nil
		<-updates
		delete(under, last)
		order = append(order, last)
	}
	require.NoError(t, <-done)
	s.Close()
	st := reopen(t, path).State()
	if len(st.Iterations) != 10 || len(st.Pending) != 0 {
		t.Fatalf("%d iterations, %d out", len(st.Iterations), len(st.Pending))
	}
	if !slices.Equal(order[:7], []int{4, 5, 6, 7, 8, 9, 10}) {
		t.Errorf("the order is %v", order)
	}
	for n, times := range jobs.times {
		assert.Equal(t, 1, times, "point %d was evaluated %d times", n, times)
	}
	if it := st.Iterations[9]; it.ID != first.ID || it.Points[0].Y[0] != 0.25 {
		t.Errorf("what was out first ended last: %+v", it)
	}
	if len(texts) != 10 || !slices.Contains(texts, "point 10: on it") {
		t.Errorf("said was %q", texts)
	}
}

// After an error nothing more is begun, and what is under way is recorded; when the context ends its points stay out.
func TestSeveralAtOnceEnd(t *testing.T) {
	broke := errors.New("the pump is broken")
	const n = 100
	for _, name := range []string{"error", "cancel", "told"} {
		s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
		jobs := newJobs()
		s.SetEvaluator(jobs)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- s.Run(ctx, n, 4, nil, func(Iteration) error {
				if name == "told" {
					return broke
				}
				return nil
			})
		}()
		points := []int{}
		for len(points) < 4 {
			points = append(points, (<-jobs.begun).Point)
		}
		switch name {
		case "cancel":
			cancel()
		case "error":
			jobs.gate(points[0]) <- broke
			fallthrough
		default:
			for point := range n + 1 {
				if point != points[0] || name != "error" {
					jobs.gate(point) <- nil
				}
			}
		}
		err := <-done
		cancel()
		if name == "cancel" && !errors.Is(err, context.Canceled) || name != "cancel" && !errors.Is(err, broke) {
			t.Errorf("%s: %v", name, err)
		}
		st := s.State()
		if out := map[string]int{
			"error": 1, "cancel": 4, "told": 0}[name]; len(st.Pending) != out || name == "cancel" &&
			len(st.Iterations) > 0 || name == "told" && len(st.Iterations) != 4 {
			t.Errorf("%s: %d done, %d out", name, len(st.Iterations), len(st.Pending))
		}
	}
}

// One at a time is a step after the other.
func TestOneAtATimeIsStepping(t *testing.T) {
	cfg := Config{Problem: "forrester", Optimizer: "random", Seed: 3}
	single, two := start(t, cfg), start(t, cfg)
	steps(t, single, 5)
	n := 0
	if err := two.Run(t.Context(), 5, 1, nil, func(Iteration) error { n++; return nil }); err != nil || n != 5 {
		t.Fatalf("%d, %v", n, err)
	}
	for i, it := range single.State().Iterations {
		if other := two.State().Iterations[i]; it.Points[0].X[0] != other.Points[0].X[0] ||
			it.Points[0].Y[0] != other.Points[0].Y[0] {
			t.Errorf("step %d: %v, %v", i+1, it, other)
		}
	}
}

// Of a batch, the report of one point can take the results of all others with it; who reports next, with nothing left,
// learns that the batch is complete.
func TestTellingWithNothingLeft(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	batch, err := s.recordSuggestion(func() (Iteration, error) {
		return Iteration{By: ByPerson, Points: pointsAt([][]float64{{0.1}, {0.2}}, nil, nil, nil)}, nil
	})
	require.NoError(t, err)
	s.results = map[string]map[int]functions.Outcome{batch.ID: {0: {Values: []float64{1}}, 1: {Values: []float64{2}}}}
	ev := &evaluation{session: s, it: batch, told: batch, problem: s.State().Problem, partial: true}
	for range 2 {
		if it, err := ev.tell(); err != nil || !it.HasResults() || it.Incomplete() {
			t.Errorf("%+v, %v", it, err)
		}
	}
}

// The points of a batch are evaluated at once as well, and each is on record when it ends: whoever goes on after the
// machine died evaluates the others.
func TestPointsOfABatchAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	batch, err := s.recordSuggestion(func() (Iteration, error) {
		return Iteration{By: ByPerson, Points: pointsAt([][]float64{{0.1}, {0.2}, {0.3}, {0.4}}, nil, nil, nil)}, nil
	})
	require.NoError(t, err)
	begun, gates := make(chan functions.PointID, 10), map[int]chan bool{}
	for i := 1; i <= 4; i++ {
		gates[i] = make(chan bool)
	}
	evaluator := fake(func(ctx context.Context, x []float64) (functions.Outcome, error) {
		place := functions.PointIDFrom(ctx)
		begun <- place
		select {
		case works := <-gates[place.Batch]:
			if !works {
				return functions.Outcome{Values: []float64{math.NaN()}}, nil
			}
			return functions.Outcome{Values: []float64{x[0]}, Note: "as " + place.String()}, nil
		case <-ctx.Done():
			return functions.Outcome{}, ctx.Err()
		}
	})
	s.SetEvaluator(evaluator)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, 1, 3, nil, func(Iteration) error { return nil }) }()
	under := map[int]bool{}
	for range 3 {
		under[(<-begun).Batch] = true
	}
	gates[2] <- true
	if p := <-begun; p.Batch != 4 || p.Point != batch.Number || !under[1] || !under[2] || !under[3] {
		t.Fatalf("%v after %v", p, under)
	}
	gates[3] <- false
	for s.State().Pending[0].told < 2 {
		runtime.Gosched()
	}
	cancel()
	err = <-done
	require.ErrorIs(t, err, context.Canceled, err)
	s.Close()

	r := reopen(t, path)
	if it := r.State().Pending[0]; !slices.Equal(it.pendingPoints(), []int{0, 3}) {
		t.Fatalf("of %+v %v are due", it, it.pendingPoints())
	}
	r.SetEvaluator(evaluator)
	var iteration Iteration
	go func() {
		done <- r.Run(t.Context(), 1, 8, nil, func(it Iteration) error { iteration = it; return nil })
	}()
	for range 2 {
		under[(<-begun).Batch] = true
	}
	gates[4] <- true
	gates[1] <- true
	if err := <-done; err != nil || len(begun) > 0 {
		t.Fatal(err, len(begun))
	}
	if iteration.ID != batch.ID || iteration.Points[0].Y[0] != 0.1 || iteration.Points[1].Y[0] != 0.2 || iteration.Points[3].Y[0] != 0.4 ||
		!slices.Equal(Column(iteration, func(pt Point) bool { return pt.Failed }), []bool{false, false, true, false}) ||
		iteration.Points[1].Note != "as 1.2" || iteration.Points[2].Reason != "the evaluation gave no finite value" ||
		len(r.State().Iterations) != 1 || len(r.State().Pending) != 0 {
		t.Errorf("got %+v", iteration)
	}
}

// What a person tells of a batch stands, and the program's word on it is passed over; the objectives may change while
// it evaluates.
func TestToldAndChangedWhileItEvaluates(t *testing.T) {
	s := onExperiment(t, espresso, Config{Optimizer: "random", Seed: 3})
	x := s.State().Problem.Domain.FromUnit([]float64{0.5, 0.5})
	it, err := s.recordSuggestion(func() (Iteration, error) {
		return Iteration{By: ByPerson, Points: pointsAt([][]float64{x, x},
			nil, nil, nil)}, nil
	})
	require.NoError(t, err)
	s.SetEvaluator(fake(func(ctx context.Context, x []float64) (functions.Outcome, error) {
		switch p := functions.PointIDFrom(ctx); {
		case p.Batch == 1:
			o, err := s.State().Problem.Outcome(x, functions.Result{Values: named{"extraction": 20, "bitterness": 1}})
			if err == nil {
				_, err = s.Tell(it.ID, o, functions.Outcome{Partial: true})
			}
			assert.NoError(t, err)
		case p.Batch == 0:
			if err := s.AddObjective(functions.Objective{Name: "price", Direction: functions.Minimize,
				Range: &[2]float64{0, 1}}, ""); err != nil {
				t.Error(err)
			}
		}
		return functions.Outcome{Values: []float64{16, 2}, SE: []float64{0.5, math.NaN()}}, nil
	}))
	step, err := s.Step(t.Context(), nil)
	if err != nil || !reflect.DeepEqual(step.Outcomes(), [][]float64{{20, 1}, {16, 2}}) {
		t.Fatalf("%v, %v", step.Outcomes(), err)
	}
	if step, err = s.Step(t.Context(), nil); err != nil || !step.Incomplete() || step.Points[0].Y[1] != 2 ||
		step.Points[0].SE[0] != 0.5 || !slices.Equal(step.Points[0].Missing, []string{"price"}) {
		t.Fatalf("%+v, %v", step, err)
	}
}

// A run that is to stop when nothing better is expected leaves that suggestion pending, however often it is continued.
func TestRunWhilePromising(t *testing.T) {
	for _, jobs := range []int{1, 2} {
		s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 2, Budget: 40})
		for range 2 {
			err := s.RunWhilePromising(t.Context(), 40, jobs, nil, func(Iteration) error { return nil })
			require.ErrorIs(t, err, ErrNothingBetter, "%d jobs: %v", jobs, err)
		}
		st := s.State()
		done := len(st.Iterations)
		if done >= 40 || len(st.Pending) != 1 || !slices.Equal(st.NothingBetterSteps(), []int{done + 1}) {
			t.Errorf("%d jobs: %d done, %d pending, nothing better at %v", jobs, done, len(st.Pending),
				st.NothingBetterSteps())
		}
		assert.NoError(t, s.Run(t.Context(), 2, jobs, nil, func(Iteration) error { return nil }))
		if st := s.State(); len(st.Iterations) != done+2 || st.NothingBetterSteps()[0] != done+1 {
			t.Errorf("%d jobs: %d done, nothing better at %v", jobs, len(st.Iterations), st.NothingBetterSteps())
		}
	}
}
