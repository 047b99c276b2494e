package sessions

import (
	"context"
	"math"
	"strings"
	"testing"
)

// A corrected observation changes what is believed from there on, not what stands before; a withdrawn one is out of the data; both keep the original.
func TestCorrections(t *testing.T) {
	ctx := context.Background()
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Budget: 30})
	steps(t, s, 4)
	before := s.State()
	old := before.Iterations[1].Y[0][0]
	if said, err := s.Change(ctx, "step 2 = -30 because the decimal point slipped", nil); err != nil || said != "step 2 is corrected to -30" {
		t.Fatal(said, err)
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
	if _, err := s.Change(ctx, "drop step 2", nil); err != nil {
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
		if _, err := s.Change(ctx, "reject because the oven is broken", nil); err != nil {
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
	for _, c := range []string{"x2 = 7.3", "x1 in -1.1..2.7 because only that was allowed"} {
		if _, err := s.Change(ctx, c, nil); err != nil {
			t.Fatal(c, err)
		}
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
	if _, err := s.Change(ctx, "free x2", nil); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 1)
	if x := s.State().Iterations[9].X[0]; x[1] == 7.3 || x[0] > 2.7 {
		t.Errorf("with x2 free again: %v", x)
	}
	repeats(t, s, len(s.State().Iterations)-1)
}

func TestChangeErrors(t *testing.T) {
	s := start(t, Config{Problem: "branin", Optimizer: "random"})
	steps(t, s, 2)
	for text, want := range map[string]string{
		"":                "say: step 7",
		"step 3 = 1":      "there is no step 3: the session has 2",
		"step 2.2 = 1":    "no point 2 at step 2",
		"step 2 = 1, 2":   "1 finite values",
		"step 2 = NaN":    "no finite number",
		"step x = 1":      `"x" is no step`,
		"drop step 0":     `"0" is no step`,
		"x3 = 1":          `no variable "x3"`,
		"x1 in 2..1":      "the lower one first",
		"x1 in 0..99":     "[-5, 10]",
		"x1 in 3":         "low..high",
		"free x9":         `no variable "x9"`,
		"step 2 = 1e999":  "no finite number",
		"drop step 2.0":   "no point of a step",
		"bring me coffee": "say: step 7",
	} {
		if _, err := s.Change(context.Background(), text, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if len(s.tree.Events()) != 5 {
		t.Errorf("%d events are on record", len(s.tree.Events()))
	}
}

func FuzzChange(f *testing.F) {
	for _, text := range []string{"step 7 = 1.25 because x", "drop step 1.2", "x1 in 0..1", "x1 = 3", "free x1", "reject"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := start(t, Config{Problem: "branin", Optimizer: "random"})
		steps(t, s, 2)
		s.Change(context.Background(), text, nil)
		s.State().Input()
		steps(t, s, 1)
	})
}
