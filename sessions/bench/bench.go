// Package bench runs methods on a problem over seeds and puts their runs together: medians and quartiles of what each had reached after so many
// iterations, or for so much of a budget in cost. It steps sessions in memory, side by side, and keeps none of them; tables and curves of the results
// are drawn above.
package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/report"
)

// run is one run of a benchmark.
type run struct {
	values []float64 // after each iteration: simple regret, or where no optimum is known the best value; of several objectives the hypervolume
	spent  []float64 // the cost so far
}

// Result is one method's runs over seeds, put together.
type Result struct {
	Optimizer string
	Median    []float64 // over the seeds, after each iteration or, with a budget in cost, at each of so many parts of it
	Low, High []float64 // quartiles
	Final     []float64 // of every seed
}

// parts is into how many parts a budget in cost is divided.
const parts = 100

// Run runs methods on a problem over so many seeds, from 1, each to the end of its budget. As many runs as there are cores go on at once, with one thread
// each; the last have all cores. Every method has the same start. It stops soon after its context ends or a run fails.
func Run(ctx context.Context, cfg sessions.Config, methods []string, seeds int, params func(optimizer string) (map[string]any, error), progress sessions.Progress) ([]Result, error) {
	configs := make([]sessions.Config, len(methods))
	for m, name := range methods { // before anything runs
		set, err := params(name)
		if err != nil {
			return nil, err
		}
		configs[m] = cfg
		configs[m].Optimizer, configs[m].Seed, configs[m].Params = name, 1, set
		if _, err := sessions.New(configs[m]); err != nil {
			return nil, err
		}
	}
	runs := make([]run, len(methods)*seeds)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	done := 0
	tell := func(what string) { // the caller holds the lock
		if progress != nil {
			progress(what, done, len(runs))
		}
	}
	err := parallel.Try(len(runs), func(i int) error {
		c := configs[i/seeds]
		c.Seed = uint64(i%seeds + 1)
		var run run
		var err error
		stepped := func(steps int) {
			mu.Lock()
			defer mu.Unlock()
			tell(fmt.Sprintf("%s, seed %d, step %d", c.Optimizer, c.Seed, steps))
		}
		if p := parallel.Catch(func() { run, err = runToEnd(ctx, c, stepped) }); p != nil {
			err = fmt.Errorf("%s: %v", c.Optimizer, p) // an error of this run, no panic of them all
		}
		if err != nil {
			stop(err) // of several the first is told of, for the others only end because of it
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		runs[i] = run
		done++
		tell(c.Optimizer)
		return nil
	})
	if err != nil {
		return nil, context.Cause(ctx)
	}
	out := make([]Result, len(methods))
	for m, name := range methods {
		out[m] = together(name, runs[m*seeds:(m+1)*seeds], cfg.CostBudget)
	}
	return out, nil
}

// runToEnd runs one session to its end; stepped hears of every step.
func runToEnd(ctx context.Context, cfg sessions.Config, stepped func(steps int)) (run, error) {
	s, err := sessions.New(cfg)
	if err != nil {
		return run{}, err
	}
	for s.State().Over() == "" {
		it, err := s.Step(ctx, nil)
		if err != nil {
			return run{}, err
		}
		stepped(it.Step)
	}
	st := s.State()
	t := report.AllTracesOf(st)
	run := run{spent: t.Spent, values: t.Simple}
	switch {
	case t.Several != nil:
		run.values = t.Several.Hypervolume
	case t.Simple == nil:
		run.values = t.Best
	}
	return run, nil
}

// together takes the median and the quartiles over the seeds.
func together(name string, runs []run, budget float64) Result {
	b := Result{Optimizer: name}
	traces := make([][]float64, len(runs))
	n := parts
	for i, r := range runs {
		traces[i] = r.values
		if budget > 0 {
			traces[i] = report.ByCost(r.values, r.spent, budget, parts)
			b.Final = append(b.Final, final(slices.DeleteFunc(slices.Clone(traces[i]), math.IsNaN)))
		} else {
			n = len(r.values)
			b.Final = append(b.Final, final(r.values))
		}
	}
	for k := range n {
		var at []float64
		for _, t := range traces {
			if k < len(t) && !math.IsNaN(t[k]) {
				at = append(at, t[k])
			}
		}
		slices.Sort(at)
		if len(at) <= len(runs)/2 { // too few have come so far: no median
			b.Median, b.Low, b.High = append(b.Median, math.NaN()), append(b.Low, math.NaN()), append(b.High, math.NaN())
			continue
		}
		b.Median = append(b.Median, quantile(at, 0.5))
		b.Low, b.High = append(b.Low, quantile(at, 0.25)), append(b.High, quantile(at, 0.75))
	}
	return b
}

// final is the last of values; NaN where there are none.
func final(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return v[len(v)-1]
}

// quantile is that of sorted values, linear between them.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
