package studying

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/optimizers/methods"
	"bandscope/sessions/headless"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/log"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// BenchOptions say what Bench runs: the setting's optimizer may be several names with commas.
type BenchOptions struct {
	headless.Setting
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

// Bench runs methods on one problem over seeds, as a study that is named by what it runs, and prints a table of what came of it: simple regret, or where no optimum
// is known the best value, at parts of the budget. Interrupted, it goes on when it is asked for again. It returns the curves, for a plot, and whether
// the optimum is known.
func Bench(ctx context.Context, out, errs io.Writer, o BenchOptions) (results []Result, known bool, err error) {
	d, p, err := o.study(ctx)
	if err != nil {
		return nil, false, err
	}
	file, end, err := benchFile(errs, d.Name)
	if err != nil {
		return nil, false, err
	}
	defer end()
	st, err := store.Open(ctx, file)
	if err != nil {
		return nil, false, err
	}
	defer st.Close()
	if err := submit(ctx, errs, st, d); err != nil {
		return nil, false, err
	}
	if err := work(ctx, errs, st, d.Name, 0); err != nil {
		return nil, false, err
	}
	t, err := st.Table(ctx, d.Name)
	if err != nil {
		return nil, false, err
	}
	results = resultsOf(t)
	for i := range results { // all have what --set gives
		results[i].Method, _, _ = strings.Cut(results[i].Method, " ")
	}
	known = p.Optimum() != nil
	if !o.JSON {
		return results, known, errors.Join(benchTable(out, o, p, results), told(errs, t, false))
	}
	for _, r := range results {
		if err := safe.JSON(out, benchRow{r.Method, lastOf(r.Median), []report.Number{lastOf(r.Low), lastOf(r.High)}, log.Cast[report.Number](r.Final), log.Cast[report.Number](r.Median)}); err != nil {
			return nil, false, err
		}
	}
	return results, known, told(errs, t, false)
}

// study declares the benchmark. Its name is from what it runs and the program that does, so that another program begins anew.
func (o BenchOptions) study(ctx context.Context) (*study.Declaration, *functions.Problem, error) {
	if o.Seeds < 1 || o.Seeds > maxSeeds {
		return nil, nil, command.Usagef("--seeds must be in [1, %d], got %d", maxSeeds, o.Seeds)
	}
	p, err := functions.Find(o.Function, 1)
	if err != nil {
		return nil, nil, command.Usage{Err: err}
	}
	if o.Optimizer == "" {
		o.Optimizer = methods.Default(len(p.Objectives))
	}
	names := strings.Split(o.Optimizer, ",")
	if err := o.CheckPairs(names); err != nil {
		return nil, nil, err
	}
	d := &study.Declaration{Name: "bench", Title: "bench -f " + p.Name + " -o " + o.Optimizer, Seeds: o.Seeds}
	if o.Budget != 0 {
		d.Budget = strconv.Itoa(o.Budget)
	}
	var about []string
	for key, v := range map[string]float64{study.KeyNoise: o.Noise, study.KeyCostBudget: o.CostBudget} {
		if v != 0 {
			about = append(about, key+"="+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	if o.Cost != "" {
		about = append(about, study.KeyCost+"="+o.Cost)
	}
	d.Problems = []string{study.Entry(p.Name, about...)}
	for _, m := range names {
		own, err := o.PairsOf(m)
		if err != nil {
			return nil, nil, command.Usage{Err: err}
		}
		d.Methods = append(d.Methods, study.Entry(m, own...))
	}
	if err := d.Check(ctx); err != nil {
		return nil, nil, command.Usage{Err: err}
	}
	id, err := d.ID()
	if err != nil {
		return nil, nil, err
	}
	hash := sha256.Sum256([]byte(id + store.Program()))
	d.Name = "bench-" + hex.EncodeToString(hash[:5])
	return d, p, nil
}

// benchFile is where a benchmark is kept: in the data folder, or where there is none in a file that is gone when it has ended.
func benchFile(errs io.Writer, name string) (path string, end func(), err error) {
	if path, err = store.Default(name); err == nil {
		return path, func() {}, nil
	}
	dir, made := os.MkdirTemp("", "bandscope-*")
	if made != nil {
		return "", nil, errors.Join(err, made)
	}
	fmt.Fprintf(errs, "bandscope: %s; nothing is kept of this benchmark when it has ended\n", safe.Text(err.Error()))
	return filepath.Join(dir, name+".db"), func() { os.RemoveAll(dir) }, nil
}

func benchTable(out io.Writer, o BenchOptions, p *functions.Problem, results []Result) error {
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
		fmt.Fprintf(w, "%s%s\n", r.Method, r.columns())
	}
	return w.Flush()
}
