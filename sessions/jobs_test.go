package sessions

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bandscope/functions"
)

// jobs evaluates when a test says so.
type jobs struct {
	begun chan functions.Place
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
	place := functions.PlaceIn(ctx)
	functions.Say(ctx, "on it")
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
	return &jobs{begun: make(chan functions.Place, 100), let: map[int]chan error{}, times: map[int]int{}}
}

// Up to so many are evaluated at once, each once, and are told in the order in which they end; what was out goes first.
func TestSeveralAreEvaluatedAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	first, err := s.AskFor([]float64{0.25})
	if err != nil {
		t.Fatal(err)
	}
	by := newJobs()
	s.Attach(by)
	var said []string
	var mu sync.Mutex
	progress := func(what string, _, _ int) {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasPrefix(what, "point ") {
			said = append(said, what)
		}
	}
	told := make(chan Iteration, 10)
	done := make(chan error, 1)
	go func() {
		done <- s.Run(t.Context(), 10, 4, progress, func(it Iteration) error { told <- it; return nil })
	}()
	under := map[int]bool{}
	order := []int{}
	for len(order) < 10 {
		for len(under) < min(4, 10-len(order)) {
			p := <-by.begun
			under[p.Point] = true
		}
		last := 0 // the one that was begun last ends first
		for n := range under {
			last = max(last, n)
		}
		by.gate(last) <- nil
		<-told
		delete(under, last)
		order = append(order, last)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.Close()
	st := reopen(t, path).State()
	if len(st.Iterations) != 10 || len(st.Out) != 0 {
		t.Fatalf("%d iterations, %d out", len(st.Iterations), len(st.Out))
	}
	if !slices.Equal(order[:7], []int{4, 5, 6, 7, 8, 9, 10}) {
		t.Errorf("the order is %v", order)
	}
	for n, times := range by.times {
		if times != 1 {
			t.Errorf("point %d was evaluated %d times", n, times)
		}
	}
	if it := st.Iterations[9]; it.ID != first.ID || it.Y[0][0] != 0.25 {
		t.Errorf("what was out first ended last: %+v", it)
	}
	if len(said) != 10 || !slices.Contains(said, "point 10: on it") {
		t.Errorf("said was %q", said)
	}
}

// After an error nothing more is begun, and what is under way is recorded; when the context ends its points stay out.
func TestSeveralAtOnceEnd(t *testing.T) {
	broke := errors.New("the pump is broken")
	const n = 100
	for _, name := range []string{"error", "cancel", "told"} {
		s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
		by := newJobs()
		s.Attach(by)
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
			points = append(points, (<-by.begun).Point)
		}
		switch name {
		case "cancel":
			cancel()
		case "error":
			by.gate(points[0]) <- broke
			fallthrough
		default:
			for point := range n + 1 {
				if point != points[0] || name != "error" {
					by.gate(point) <- nil
				}
			}
		}
		err := <-done
		cancel()
		if name == "cancel" && !errors.Is(err, context.Canceled) || name != "cancel" && !errors.Is(err, broke) {
			t.Errorf("%s: %v", name, err)
		}
		st := s.State()
		if out := map[string]int{"error": 1, "cancel": 4, "told": 0}[name]; len(st.Out) != out || name == "cancel" && len(st.Iterations) > 0 || name == "told" && len(st.Iterations) != 4 {
			t.Errorf("%s: %d done, %d out", name, len(st.Iterations), len(st.Out))
		}
	}
}

// One at a time is a step after the other.
func TestOneAtATimeIsStepping(t *testing.T) {
	cfg := Config{Problem: "forrester", Optimizer: "random", Seed: 3}
	one, two := start(t, cfg), start(t, cfg)
	steps(t, one, 5)
	n := 0
	if err := two.Run(t.Context(), 5, 1, nil, func(Iteration) error { n++; return nil }); err != nil || n != 5 {
		t.Fatalf("%d, %v", n, err)
	}
	for i, it := range one.State().Iterations {
		if other := two.State().Iterations[i]; it.X[0][0] != other.X[0][0] || it.Y[0][0] != other.Y[0][0] {
			t.Errorf("step %d: %v, %v", i+1, it, other)
		}
	}
}
