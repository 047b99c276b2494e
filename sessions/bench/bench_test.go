package bench

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"bandscope/sessions"
	"bandscope/sessions/report"
)

// A median is that of the seeds that have come so far, and there is none unless more than half of them have. Quartiles lie between the values
// linearly (type 7 of Hyndman & Fan 1996).
func TestQuorum(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values            []float64 // of every seed, NaN if it has not come so far
		median, low, high float64
	}{
		{[]float64{1, 2, nan, nan}, nan, nan, nan},
		{[]float64{1, 2, 4, nan}, 2, 1.5, 3},
		{[]float64{1, nan, nan, nan, 2}, nan, nan, nan},
		{[]float64{7, nan, 1, nan, 3}, 3, 2, 5},
		{[]float64{nan}, nan, nan, nan},
		{[]float64{5}, 5, 5, 5},
		{[]float64{4, 3, 2, 1}, 2.5, 1.75, 3.25},
	} {
		var runs []run
		for _, v := range c.values {
			runs = append(runs, run{values: []float64{v}})
		}
		b := together("random", runs, 0)
		for i, got := range []float64{b.Median[0], b.Low[0], b.High[0]} {
			want := []float64{c.median, c.low, c.high}[i]
			if !(got == want || math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%v: median and quartiles %g, %g, %g; want %g, %g, %g", c.values, b.Median[0], b.Low[0], b.High[0], c.median, c.low, c.high)
				break
			}
		}
	}
}

// A benchmark's medians are those of its runs, and it is the same however many run at once.
func TestBench(t *testing.T) {
	none := func(string) (map[string]any, error) { return nil, nil }
	for _, cfg := range []sessions.Config{{Problem: "forrester", Budget: 6}, {Problem: "forrester-cost", CostBudget: 25}} {
		got, err := Run(context.Background(), cfg, []string{"random", "gp-ei"}, 3, none, nil)
		if err != nil || len(got) != 2 || len(got[0].Final) != 3 {
			t.Fatalf("%+v, %v", got, err)
		}
		var finals []float64
		for seed := uint64(1); seed <= 3; seed++ {
			c := cfg
			c.Optimizer, c.Seed = "gp-ei", seed
			s, err := sessions.New(c)
			if err != nil {
				t.Fatal(err)
			}
			for s.State().Over() == "" {
				if _, err := s.Step(context.Background(), nil); err != nil {
					t.Fatal(err)
				}
			}
			tr := report.TracesOf(s.State())
			if cfg.CostBudget == 0 {
				finals = append(finals, tr.Simple[5])
				continue
			}
			i := len(tr.Spent) - 1
			for tr.Spent[i] > 25 {
				i--
			}
			finals = append(finals, tr.Simple[i])
		}
		slices.Sort(finals)
		if m := final(got[1].Median); math.Abs(m-finals[1]) > 1e-12 {
			t.Errorf("the median is %g, of the runs %v", m, finals)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, sessions.Config{Problem: "forrester"}, []string{"gp-ei"}, 2, none, nil); err == nil {
		t.Error("a cancelled benchmark has results")
	}
}

// A benchmark that cannot be run as a whole starts nothing, and one that fails waits for what it has started.
func TestFailedBench(t *testing.T) {
	before := runtime.NumGoroutine()
	params := func(optimizer string) (map[string]any, error) {
		if optimizer == "gp-ei" {
			return nil, errors.New("no parameters")
		}
		return nil, nil
	}
	ran := func(what string, done, total int) { t.Errorf("%s %d/%d", what, done, total) }
	for _, methods := range [][]string{{"random", "gp-ei"}, {"random", "no-such-method"}} {
		if _, err := Run(t.Context(), sessions.Config{Problem: "forrester", Budget: 500}, methods, 4, params, ran); err == nil {
			t.Error("it is run")
		}
		if n := runtime.NumGoroutine(); n > before {
			t.Errorf("%v: %d goroutines, %d before", methods, n, before)
		}
	}
}
