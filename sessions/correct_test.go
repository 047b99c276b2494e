package sessions

import (
	"context"
	"errors"
	"math"
	"testing"
)

// A corrected observation changes what is believed from there on, not what stands before; a withdrawn one is out of the data; both keep the original.
func TestCorrections(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Budget: 30})
	steps(t, s, 4)
	before := s.State()
	old := before.Iterations[1].Y[0][0]
	if err := s.Correct(2, 0, []float64{-30}, "the decimal point slipped"); err != nil {
		t.Fatal(err)
	}
	st := s.State()
	c := st.Iterations[1].Corrections
	if st.Iterations[1].Y[0][0] != -30 || len(c) != 1 || c[0].Old[0] != old || c[0].Reason != "the decimal point slipped" {
		t.Errorf("after the correction %+v", st.Iterations[1])
	}
	if before.Iterations[1].Y[0][0] != old || before.Iterations[1].Corrections != nil {
		t.Error("the state before has changed")
	}
	if got := st.Input().Data.Y.At(1, 0); got != -30 {
		t.Errorf("the method sees %g", got)
	}
	if x, y, step, _ := st.Best(); y != -30 || step != 2 {
		t.Errorf("the best is %g at %v of step %d", y, x, step)
	}
	if err := s.Correct(2, 0, nil, ""); err != nil {
		t.Fatal(err)
	}
	st = s.State()
	if n := st.Input().Data.Len(); n != 3 || !math.IsNaN(st.Iterations[1].Y[0][0]) || len(st.Iterations[1].Corrections) != 2 {
		t.Errorf("after the withdrawal %d data, %+v", n, st.Iterations[1])
	}
	steps(t, s, 2)
	repeats(t, s, 6)
	s.Seek(4)
	s.Back()
	if got := s.State().Iterations[1].Y[0][0]; got != old {
		t.Errorf("before the correction the observation is %g, was %g", got, old)
	}
}

// A rejected suggestion is on record with its reason, and what is suggested instead lies apart from it.
func TestReject(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{0, 5} {
		s := start(t, Config{Problem: "forrester", Optimizer: "gp-ucb"})
		steps(t, s, n)
		first, err := s.Next(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Reject(ctx, "the oven is broken", nil); err != nil {
			t.Fatal(err)
		}
		r := s.State().Rejected
		if len(r) != 1 || r[0].Step != n+1 || r[0].Reason != "the oven is broken" || math.Abs(r[0].X[0][0]-first.X.At(0, 0)) > 1e-12 {
			t.Fatalf("on record %+v", r)
		}
		second, err := s.Next(ctx, nil)
		if err != nil || math.Abs(second.X.At(0, 0)-first.X.At(0, 0)) < 0.049 {
			t.Errorf("after %d steps: %g is suggested instead of %g, %v", n, second.X.At(0, 0), first.X.At(0, 0), err)
		}
		steps(t, s, 2)
		repeats(t, s, len(s.State().Iterations)+len(s.State().Rejected))
	}
}

// Bounds and pins hold from there on, exactly; the data stay; a person may still query outside.
func TestBounds(t *testing.T) {
	ctx := context.Background()
	s := start(t, Config{Problem: "branin", Optimizer: "gp-ei"})
	steps(t, s, 5)
	if err := errors.Join(s.Bound("x2", 7.3, 7.3, ""), s.Bound("x1", -1.1, 2.7, "only that was allowed")); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 3)
	st := s.State()
	if n := st.Input().Data.Len(); n != 8 {
		t.Errorf("%d data", n)
	}
	for _, it := range st.Iterations[5:] {
		if x := it.X[0]; x[1] != 7.3 || x[0] < -1.1 || x[0] > 2.7 {
			t.Errorf("step %d at %v", it.Step, x)
		}
	}
	if _, err := s.Query(ctx, []float64{9, 1}); err != nil {
		t.Error(err)
	}
	if err := s.Bound("x2", 0, 15, ""); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 1)
	if x := s.State().Iterations[9].X[0]; x[1] == 7.3 || x[0] > 2.7 {
		t.Errorf("with x2 free again: %v", x)
	}
	repeats(t, s, len(s.State().Iterations)-1)
}
