package cli

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

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/external"
	"bandscope/functions/numfmt"
	"bandscope/optimizers/program"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
	"bandscope/tui"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// shortStudy says what the short form of a study runs, methods on one problem over seeds: the setting's
// optimizer may be several names with commas.
type shortStudy struct {
	settings
	Seeds int
	JSON  bool
	Exec  studyExec // the program that evaluates your own problem, if any
}

// flags adds the flags of the short form of a study.
func (o *shortStudy) flags(c *cobra.Command) {
	o.settings.Flags(c)
	f := c.Flags()
	f.IntVar(&o.Seeds, "seeds", 10, "number of seeds, from 1 on, of a study of one problem")
	for _, name := range []string{"seed", "import", "worksheet", "separator", "decimal"} {
		f.MarkHidden(name)
	}
}

// run runs the short form of a study, and prints a table and a plot.
func (o shortStudy) run(c *cobra.Command, names []string) error {
	if len(names) > 0 {
		return usagef("the study %s has its own problems and methods: leave out its name, or the flags of a problem and a method",
			names[0])
	}
	for _, name := range []string{"seed", "import", "db", "workers", "look", "again", "published", "export", "output"} {
		if c.Flags().Changed(name) {
			return usagef("--%s cannot be used with a study of one problem, which runs with seeds from 1 on", name)
		}
	}
	results, known, err := runShortStudy(c.Context(), os.Stdout, os.Stderr, o)
	if err != nil || o.JSON {
		return err
	}
	return drawCurves(os.Stdout, results, o.CostBudget, known)
}

const maxStudySeeds = 1000

// runShortStudy runs methods on one problem over seeds, as a study whose name is a hash of its settings, and prints a table of
// the results: the simple regret, or the best value if the optimum is not known, at fractions of the budget. A second
// call continues one that was interrupted. It returns the curves for a plot, and whether the optimum is known.
func runShortStudy(ctx context.Context, out, errs io.Writer, o shortStudy) (results []studyResult, known bool, err error) {
	d, p, err := o.study(ctx)
	if err != nil {
		return nil, false, err
	}
	evaluators, stop, err := o.Exec.openEvaluators(d.Own, false)
	if err != nil {
		return nil, false, err
	}
	defer stop()
	file, end, err := shortStudyFile(errs, d.Name)
	if err != nil {
		return nil, false, err
	}
	defer end()
	st, err := store.Open(ctx, file)
	if err != nil {
		return nil, false, err
	}
	defer st.Close()
	if err := submitStudy(ctx, errs, st, d); err != nil {
		return nil, false, err
	}
	if err := workStudy(ctx, errs, st, d.Name, 0, evaluators); err != nil {
		return nil, false, err
	}
	t, err := st.Table(ctx, d.Name)
	if err != nil {
		return nil, false, err
	}
	results = studyResults(t)
	for i := range results { // all have what --set gives
		results[i].Method = study.MethodName(results[i].Method)
	}
	known = p.Optimum() != nil
	if !o.JSON {
		return results, known, errors.Join(shortStudyTable(out, o, p, results), reportFailures(errs, t, false))
	}
	for _, r := range results {
		if err := sanitize.JSON(out, struct {
			Optimizer string `json:"optimizer"`
			resultNumbers
		}{r.Method, r.numbers()}); err != nil {
			return nil, false, err
		}
	}
	return results, known, reportFailures(errs, t, false)
}

// study declares the benchmark. Its name is a hash of its settings and of the program's version, so that another
// version starts again.
func (o shortStudy) study(ctx context.Context) (*study.Declaration, *functions.Problem, error) {
	if o.Seeds < 1 || o.Seeds > maxStudySeeds {
		return nil, nil, usagef("--seeds must be in [1, %d], got %d", maxStudySeeds, o.Seeds)
	}
	base := sessions.Config{Problem: o.Function, Seed: 1}
	var ownFiles []study.OwnFile
	if file := o.experimentFile(); file != "" {
		var err error
		base, err = base.WithExperiment(file)
		if err != nil {
			return nil, nil, asUsage(err)
		}
		ownFiles = []study.OwnFile{{File: filepath.Base(file), Experiment: base.Experiment}}
	}
	p, err := base.FindProblem()
	if err != nil {
		return nil, nil, asUsage(err)
	}
	if o.Optimizer == "" {
		o.Optimizer = registry.Default(len(p.Objectives))
		if o.Prior != "" && len(p.Objectives) > 1 {
			o.Optimizer = registry.Steered()
		}
	}
	names := strings.Split(o.Optimizer, ",")
	programs, digest, err := o.allowPrograms(names)
	if err != nil {
		return nil, nil, err
	}
	declarations := map[string]*program.Declaration{}
	for _, p := range programs {
		declarations[p.Name()] = p.Program
	}
	ownFiles = append(ownFiles, programs...)
	pairs, err := o.pairsOf(base, names, declarations)
	if err != nil {
		return nil, nil, err
	}
	d := &study.Declaration{Name: "bench", Title: "study -f " + p.Name + " -o " + o.Optimizer, Seeds: o.Seeds,
		Own: ownFiles}
	if o.Budget != 0 {
		d.Budget = strconv.Itoa(o.Budget)
	}
	d.Problems = []string{o.problemEntry(p)}
	for i, m := range names {
		d.Methods = append(d.Methods, study.Entry(m, pairs[i]...))
	}
	if err := d.Check(ctx); err != nil {
		return nil, nil, asUsage(err)
	}
	id, err := d.ID()
	if err != nil {
		return nil, nil, err
	}
	hash := sha256.Sum256([]byte(id + store.Program() + digest))
	d.Name = "bench-" + hex.EncodeToString(hash[:5])
	return d, p, nil
}

// problemEntry is the problem with its settings as a study names it.
func (o shortStudy) problemEntry(p *functions.Problem) string {
	var pairs []string
	for key, v := range map[string]float64{study.KeyNoise: o.Noise, study.KeyCostBudget: o.CostBudget} {
		if v != 0 {
			pairs = append(pairs, key+"="+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	if o.Cost != "" {
		pairs = append(pairs, study.KeyCost+"="+o.Cost)
	}
	return study.Entry(p.Name, pairs...)
}

// allowPrograms allows the programs among the methods, which it names as the study does. It returns those that files
// declare, and a text that changes with the files that their commands name: a benchmark of a program that was changed
// starts again.
func (o shortStudy) allowPrograms(names []string) (ownFiles []study.OwnFile, digest string, err error) {
	for i, name := range names {
		if !isProgram(name) {
			continue
		}
		d, err := allowProgram(name, o.SuggestTimeout)
		if err != nil {
			return nil, "", err
		}
		names[i] = d.MethodName()
		if !program.IsName(name) {
			ownFiles = append(ownFiles, study.OwnFile{File: filepath.Base(name), Program: d})
		}
		words, err := external.Words(d.Command)
		if err != nil {
			return nil, "", err
		}
		for _, word := range words {
			if text, err := readSmall(word); err == nil {
				digest += fmt.Sprintf("%x", sha256.Sum256(text))
			}
		}
	}
	return ownFiles, digest, nil
}

// readSmall reads a file, of which it takes the beginning.
func readSmall(path string) ([]byte, error) {
	const most = 1 << 20
	f, err := eventlog.OpenRegular(path, 1<<40)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// shortStudyFile is where a benchmark is kept: in the data folder, or without one in a temporary file.
func shortStudyFile(errs io.Writer, name string) (path string, end func(), err error) {
	path, err = store.PathIn(library.DefaultStudiesDir(), name)
	if err == nil {
		return path, func() {}, nil
	}
	dir, made := os.MkdirTemp("", "bandscope-*")
	if made != nil {
		return "", nil, errors.Join(err, made)
	}
	fmt.Fprintf(errs, "bandscope: %s; the runs of this benchmark are not kept\n",
		sanitize.Text(err.Error()))
	return filepath.Join(dir, name+".db"), func() { os.RemoveAll(dir) }, nil
}

func shortStudyTable(out io.Writer, o shortStudy, p *functions.Problem, results []studyResult) error {
	if len(results) == 0 {
		return nil
	}
	quantity := results[0].Quantity
	if len(p.Objectives) > 1 && p.Range != nil && p.Front() == nil {
		quantity += " (declared range)"
	}
	subject := "the steps"
	if o.CostBudget > 0 {
		subject = "a budget of " + numfmt.Exact(o.CostBudget)
	}
	fmt.Fprintf(out, "%s: median %s over %s, by fraction of %s\n\n", p.Name, quantity, numfmt.Count(o.Seeds, "seed"), subject)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(w, "method\t1/4\t1/2\t3/4\tall\tquartiles\n")
	for _, r := range results {
		fmt.Fprintf(w, "%s%s\n", r.Label, r.columns())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printLines(out, repeatLines(results)...)
}

// drawCurves draws the medians of a benchmark, each with a letter: over the iterations, or over the cost where that has
// a budget.
func drawCurves(out *os.File, results []studyResult, costBudget float64, log bool) error {
	width := 100
	if w, _, err := term.GetSize(out.Fd()); err == nil && w >= 40 {
		width = min(w, 160)
	}
	profile := colorprofile.Detect(out, os.Environ())
	text := curves(results, costBudget, log, width, theme.New(true, tui.TierFor(profile), false))
	if !term.IsTerminal(out.Fd()) {
		text = ansi.Strip(text)
	}
	_, err := io.WriteString(out, "\n"+text)
	return err
}

func curves(results []studyResult, costBudget float64, log bool, width int, st theme.Style) string {
	t := chart.Trace{Log: log, X: "step"}
	if costBudget > 0 {
		t.X = "cost"
		t.From = "0"
		t.To = chart.Short(costBudget)
	}
	text := ""
	for i, r := range results {
		mark := string(rune('a' + i%26))
		color := st.Series[i%len(st.Series)]
		t.Series = append(t.Series, chart.Series{Values: r.Median, Color: color, Mark: mark})
		text += fmt.Sprintf("%s %s  ", st.PaintBold(color, mark), r.Label)
	}
	for _, line := range t.Draw(width, 22, st) {
		text += "\n" + layout.Fit(line, width)
	}
	return text + "\n"
}
