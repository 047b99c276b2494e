package sessions

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
)

// recorded is a session whose suggestions, after the initial design, are moved by so much of the unit cube before they are recorded.
func recorded(t *testing.T, moved ...float64) *Session {
	t.Helper()
	s := start(t, Config{Problem: "branin", Optimizer: "gp-ei", Seed: 9})
	steps(t, s, optimizers.InitialCount(s.State().Input()))
	for _, by := range moved {
		sug, err := s.Next(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		u := sug.X.At(0, 1)
		sug.X.Set(0, 1, u+math.Copysign(by, 0.5-u)) // inside
		it := s.state.pointsOf(sug, 0)
		sug.X.Set(0, 1, u)
		if _, err := evaluated(s, it); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// evaluated records what is to be evaluated as if the method had suggested it, and does it.
func evaluated(s *Session, it Iteration) (Iteration, error) {
	return s.askAndTell(context.Background(), func() (Iteration, error) { return s.giveOut(func() (Iteration, error) { return it, nil }) })
}

// The largest difference is that of all suggestions, not of the last, and one beyond the tolerance is named with its size.
func TestVerifyMeasures(t *testing.T) {
	s := recorded(t, 2e-7, 8e-7, 4e-7)
	v, err := s.Verify(context.Background(), nil)
	if err != nil || v.Diverged != nil || math.Abs(v.Largest-8e-7) > 1e-9 || v.Checked != len(s.State().Iterations) {
		t.Errorf("got %+v, %v", v, err)
	}
	s = recorded(t, 2e-7, 3e-6, 4e-7)
	n := len(s.State().Iterations)
	v, err = s.Verify(context.Background(), nil)
	if err != nil || v.Diverged == nil || v.Diverged.Step != n-1 || math.Abs(v.Diverged.Size-3e-6) > 1e-9 || math.Abs(v.Largest-2e-7) > 1e-9 || v.Checked != n-1 {
		t.Errorf("got %+v, %v", v, err)
	}
}

// A suggestion that was recorded differently from what is recomputed says so with what the method says now.
func TestVerifyTellsWhy(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 1, Params: diverging})
	steps(t, s, 4)
	if _, err := evaluated(s, Iteration{X: [][]float64{{0.123}}, By: "neural-greedy"}); err != nil {
		t.Fatal(err)
	}
	v, err := s.Verify(context.Background(), nil)
	if err != nil || v.Diverged == nil || !strings.Contains(v.String(), "step 5: recorded [[0.123]]") || !strings.Contains(v.String(), "diverged") {
		t.Errorf("got %v, %v", v, err)
	}
}

// Points within narrowed bounds are those bounds to the last digit, and verify: what the unit cube rounds away does not leave them.
func TestBoundsHoldToTheLastDigit(t *testing.T) {
	s := start(t, Config{Problem: "branin", Optimizer: "random", Seed: 5})
	missed := 0 // values that the way to the unit cube and back does not keep
	for i := range 20 {
		v := -5 + 15*float64(2*i+1)/41
		u := s.state.Problem.Domain.ToUnit([]float64{v, 0})
		if s.state.Problem.Domain.FromUnit(u)[0] != v {
			missed++
		}
		if err := s.Bound("x1", v, v, ""); err != nil {
			t.Fatal(err)
		}
		it, err := s.Step(context.Background(), nil)
		if err != nil || it.X[0][0] != v {
			t.Errorf("pinned at %v, it evaluates %v, %v", v, it.X, err)
		}
	}
	if missed == 0 {
		t.Error("no value is rounded: the test shows nothing")
	}
	if v, err := s.Verify(context.Background(), nil); err != nil || v.Diverged != nil || v.Checked != 20 {
		t.Errorf("got %v, %v", v, err)
	}
}

// Points that a person chose are passed over, and what comes after them is still checked.
func TestVerifyPassesOverPeople(t *testing.T) {
	s := recorded(t, 0)
	if _, err := s.Query(context.Background(), []float64{1, 2}); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 1)
	n := len(s.State().Iterations)
	said := 0
	v, err := s.Verify(context.Background(), func(string, int, int) { said++ })
	if err != nil || v.Diverged != nil || v.Checked != n-1 || v.Skipped != 1 || v.Failed != 0 || said != n-1 {
		t.Errorf("got %+v, %v, told of %d", v, err, said)
	}
	if _, err := evaluated(s, Iteration{X: [][]float64{{1, 2}}, By: "gp-ei"}); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Verify(context.Background(), nil); err != nil || v.Diverged == nil || v.Diverged.Step != n+1 {
		t.Errorf("a divergence after a person's point: %+v, %v", v, err)
	}
}

// A suggestion becomes an iteration in the problem's units and directions, with its time in seconds to the microsecond.
func TestPointsOf(t *testing.T) {
	p := &functions.Problem{Domain: functions.Domain{{Name: "a", Low: -5, High: 10}, {Name: "b", Low: 100, High: 300}}, Objectives: []functions.Objective{{Name: "f", Direction: functions.Maximize}}}
	st := State{Problem: p, Spec: &optimizers.Spec{Name: "method"}}
	sug := optimizers.Suggestion{X: mat.NewDense(2, 2, []float64{0, 0.5, 0.2, 1}), Mean: []float64{2, -3}, SD: []float64{0.5, 0.25}, Note: "said"}
	it := st.pointsOf(sug, 1500001499*time.Nanosecond)
	want := [][]float64{{-5, 200}, {-2, 300}}
	for i, x := range want {
		for j, v := range x {
			if math.Abs(it.X[i][j]-v) > 1e-12 {
				t.Errorf("point %d is %v, want %v", i, it.X[i], x)
			}
		}
	}
	if len(it.X) != 2 || it.Seconds != 1.500001 || it.Mean[0] != -2 || it.Mean[1] != 3 || it.SD[0] != 0.5 || it.By != "method" || it.Note != "said" {
		t.Errorf("got %+v", it)
	}
}
