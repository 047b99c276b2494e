package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/optimizers/methods"
	"bandscope/sessions"
	"bandscope/sessions/bench"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/log"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
)

// BenchOptions say what Bench runs: the setting's optimizer may be several names with commas.
type BenchOptions struct {
	Setting
	Seeds int
	JSON  bool
}

// maxSeeds bounds a benchmark.
const maxSeeds = 1000

// benchRow is one method's results for other programs.
type benchRow struct {
	Optimizer string          `json:"optimizer"`
	Median    report.Number   `json:"median"`    // of the values at the end, over the seeds
	Quartiles []report.Number `json:"quartiles"` // the first and the third
	Final     []report.Number `json:"final"`     // of every seed
	Curve     []report.Number `json:"curve"`     // the median along the budget
}

// Bench runs methods over seeds and prints a table of what came of it: simple regret, or where no optimum is known the best value, at parts of the
// budget. It returns the curves, for a plot.
func Bench(ctx context.Context, out, errs io.Writer, o BenchOptions) ([]bench.Result, error) {
	if o.Seeds < 1 || o.Seeds > maxSeeds {
		return nil, command.Usagef("--seeds must be in [1, %d], got %d", maxSeeds, o.Seeds)
	}
	cfg := sessions.Config{Problem: o.Function, Noise: o.Noise, Budget: o.Budget, Cost: o.Cost, CostBudget: o.CostBudget}
	p, err := functions.Find(o.Function, 1)
	if err != nil {
		return nil, command.Usage{Err: err}
	}
	if o.Optimizer == "" {
		o.Optimizer = methods.Default(len(p.Objectives))
	}
	names := strings.Split(o.Optimizer, ",")
	for _, m := range names {
		if _, err := methods.Find(m); err != nil {
			return nil, command.Usage{Err: err}
		}
	}
	if err := o.checkPairs(names); err != nil {
		return nil, err
	}
	bar := command.NewBar(errs)
	results, err := bench.Run(ctx, cfg, names, o.Seeds, o.paramsOf, func(what string, done, total int) { bar.Show(done, total, what) })
	bar.Clear()
	if ctx.Err() != nil {
		return nil, errors.New("interrupted; nothing is kept of a benchmark")
	}
	if err != nil {
		return nil, err
	}
	if o.JSON {
		for _, r := range results {
			if err := safe.JSON(out, benchRow{r.Optimizer, lastOf(r.Median), []report.Number{lastOf(r.Low), lastOf(r.High)}, numbersOf(r.Final), numbersOf(r.Median)}); err != nil {
				return nil, err
			}
		}
		return results, nil
	}
	return results, benchTable(out, o, p, results)
}

func benchTable(out io.Writer, o BenchOptions, p *functions.Problem, results []bench.Result) error {
	what := "best value"
	switch {
	case len(p.Objectives) > 1 && p.Range != nil && p.Front() == nil:
		what = "hypervolume by the declared range"
	case len(p.Objectives) > 1:
		what = "hypervolume"
	case p.Optimum() != nil:
		what = "simple regret"
	}
	of := "the iterations"
	if o.CostBudget > 0 {
		of = "a budget of " + digits.Given(o.CostBudget)
	}
	fmt.Fprintf(out, "%s: median %s over %d seeds, after parts of %s\n\n", p.Name, what, o.Seeds, of)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(w, "method\t1/4\t1/2\t3/4\tall\tquartiles\n")
	for _, r := range results {
		n := len(r.Median)
		fmt.Fprint(w, r.Optimizer)
		for part := 1; part <= 4; part++ {
			fmt.Fprint(w, "\t", digits.Of(r.Median[max(part*n/4-1, 0)]))
		}
		fmt.Fprintf(w, "\t%s to %s\n", digits.Of(r.Low[n-1]), digits.Of(r.High[n-1]))
	}
	return w.Flush()
}

func numbersOf(v []float64) []report.Number { return log.Cast[report.Number](v) }
