package headless

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/functions/naming"
	"bandscope/optimizers"
	"bandscope/optimizers/methods"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
)

// maxNumbers bounds what Inspect tells.
const maxNumbers = 20_000_000

// InspectOptions say what Inspect tells.
type InspectOptions struct {
	At      int      // step to stand at; −1 is the last
	Grid    int      // points a variable
	X       []string // or these inputs, values separated by commas
	Samples int
	Format  string // json or csv
}

// Inspect writes the belief of a session as numbers.
func Inspect(ctx context.Context, out, errs io.Writer, path string, o InspectOptions) error {
	if o.Format != "json" && o.Format != "csv" {
		return usagef("--format must be json or csv, got %q", o.Format)
	}
	if o.Samples < 0 || o.Samples > 10000 {
		return usagef("--samples must be in [0, 10000], got %d", o.Samples)
	}
	s, err := Read(ctx, path, errs)
	if err != nil {
		return err
	}
	if err := standAt(s, o.At); err != nil {
		return err
	}
	q := report.Question{Samples: o.Samples}
	if len(o.X) > 0 {
		for _, text := range o.X {
			x, err := parsePoint(text)
			if err != nil {
				return err
			}
			if err := s.State().Problem.Domain.Check(x); err != nil {
				return Usage{err}
			}
			q.Inputs = append(q.Inputs, x)
		}
	} else if q.Inputs, err = report.Grid(s.State(), o.Grid); err != nil {
		return Usage{err}
	}
	if n := len(q.Inputs) * len(s.State().Problem.Objectives) * (q.Samples + 4); n > maxNumbers {
		return usagef("that would be some %d million numbers, at most %d million are told: take a smaller --grid or fewer --samples", n/1_000_000, maxNumbers/1_000_000)
	}
	r, err := report.Inspect(ctx, s, q, nil)
	if err != nil {
		return err
	}
	if o.Format == "csv" {
		return reportCSV(out, s.State(), r)
	}
	return safe.JSON(out, r)
}

// standAt goes to a step of the session.
func standAt(s *sessions.Session, step int) error {
	s.Last()
	n := len(s.State().Iterations)
	if step < -1 || step > n {
		return usagef("--at must be in [0, %d], the session has %d steps; got %d", n, n, step)
	}
	if step >= 0 {
		s.Seek(step)
	}
	return nil
}

// parsePoint reads values separated by commas.
func parsePoint(text string) ([]float64, error) {
	var x []float64
	for _, f := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil {
			return nil, usagef("-x takes numbers separated by commas, got %q", text)
		}
		x = append(x, v)
	}
	return x, nil
}

// reportCSV writes one row an input.
func reportCSV(out io.Writer, st sessions.State, r report.Inspection) error {
	c := csv.NewWriter(out)
	var head []string
	for _, v := range st.Problem.Domain {
		head = append(head, report.CSVText(v.Name))
	}
	columns := [][]report.Number{}
	add := func(name string, v []report.Number) {
		if v != nil {
			head, columns = append(head, report.CSVText(name)), append(columns, v)
		}
	}
	for _, o := range r.Objectives {
		add(o.Name+"_mean", o.Mean)
		add(o.Name+"_sd", o.SD)
		add(o.Name+"_used", o.Used)
		for i, s := range o.Samples {
			add(fmt.Sprintf("%s_sample%d", o.Name, i+1), s)
		}
		add(o.Name+"_truth", o.Truth)
	}
	if r.Acquisition != nil {
		add("acquisition", r.Acquisition.Values)
	}
	if err := c.Write(head); err != nil {
		return err
	}
	for i, x := range r.Inputs {
		var row []string
		for _, v := range x {
			row = append(row, strconv.FormatFloat(float64(v), 'g', -1, 64))
		}
		for _, v := range columns {
			row = append(row, strconv.FormatFloat(float64(v[i]), 'g', -1, 64))
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// Eval evaluates a test function once and writes JSON.
func Eval(out io.Writer, function, point string, seed uint64) error {
	p, err := functions.Find(function, seed)
	if err != nil {
		return Usage{err}
	}
	x, err := parsePoint(point)
	if err != nil {
		return err
	}
	y, err := p.TrueValues(x)
	if err != nil {
		return Usage{err}
	}
	values := make([]report.Number, len(y))
	for i, v := range y {
		values[i] = report.Number(v)
	}
	return safe.JSON(out, map[string]any{"function": p.Name, "x": x, "y": values, "objectives": p.Objectives})
}

// optimizerEntry describes a method for programs that read lists.
type optimizerEntry struct {
	Name    string       `json:"name"`
	Title   string       `json:"title"`
	Family  string       `json:"family"`
	Summary string       `json:"summary"`
	Source  string       `json:"source"`
	Params  []param.Decl `json:"params"`
	Judge   []param.Decl `json:"judge,omitempty"` // in addition, where there are several objectives
}

// lists are what List can list.
var lists = []string{"functions", "optimizers", "comparisons", "lessons", "sessions"}

// List writes what there is: functions, optimizers or the sessions of a folder. A name lists one of them whole.
func List(ctx context.Context, out io.Writer, what, name, dir string, asJSON bool) error {
	switch what {
	case "functions":
		return listFunctions(out, name, asJSON)
	case "optimizers":
		return listOptimizers(out, name, asJSON)
	case "comparisons":
		return listComparisons(out, name, asJSON)
	case "lessons":
		return listLessons(out, name, asJSON)
	case "sessions":
		return listSessions(ctx, out, name, dir, asJSON)
	}
	return Usage{naming.Unknown("list", what, lists)}
}

func listComparisons(out io.Writer, name string, asJSON bool) error {
	all := shelf.Comparisons()
	if name != "" {
		c, err := shelf.FindComparison(name)
		if err != nil {
			return Usage{err}
		}
		all = []shelf.Comparison{*c}
	}
	if asJSON {
		return safe.JSON(out, all)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, c := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, c.Title, c.Source)
	}
	return w.Flush()
}

func listLessons(out io.Writer, name string, asJSON bool) error {
	all := shelf.Lessons()
	if name != "" {
		if _, err := shelf.OpenLesson(name); err != nil {
			return Usage{err}
		}
		all = slices.DeleteFunc(all, func(l shelf.LessonEntry) bool { return l.Name != name })
	}
	if asJSON {
		return safe.JSON(out, all)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, l := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\n", l.Name, l.Title, l.About)
	}
	return w.Flush()
}

func listFunctions(out io.Writer, name string, asJSON bool) error {
	all := functions.Catalog()
	if name != "" {
		base, _, _ := strings.Cut(name, ":")
		p, err := functions.Find(name, 0)
		if err != nil {
			return Usage{err}
		}
		var one []functions.Entry
		for _, e := range all {
			if e.Name == base {
				e.DefaultDim, e.Domain, e.Optimum, e.Regions = p.Dim(), p.Domain, p.Optimum(), p.Regions
				if e.Seeded {
					e.Optimum = nil
				}
				one = append(one, e)
			}
		}
		all = one
	}
	if asJSON {
		return safe.JSON(out, all)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, e := range all {
		dims := strconv.Itoa(e.MinDim)
		if e.MaxDim > e.MinDim {
			dims = fmt.Sprintf("%d…%d", e.MinDim, e.MaxDim)
		}
		if len(e.Dims) > 0 {
			dims = strings.ReplaceAll(strings.Trim(fmt.Sprint(e.Dims), "[]"), " ", " or ")
		}
		fmt.Fprintf(w, "%s\t%s-D\t%s\n", e.Name, dims, e.About)
	}
	if name != "" {
		for _, e := range all {
			describeFunction(w, e)
		}
	}
	return w.Flush()
}

// describeFunction tells what a person may want to know before choosing a problem.
func describeFunction(w io.Writer, e functions.Entry) {
	fmt.Fprintf(w, "source: %s\n\n", e.Source)
	for _, v := range e.Domain {
		fmt.Fprintf(w, "%s\tin [%s, %s]\t%s\n", v.Name, digits.Given(v.Low), digits.Given(v.High), v.Unit)
	}
	for _, o := range e.Objectives {
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.Name, o.Direction, o.Unit)
	}
	if e.Optimum != nil {
		fmt.Fprintf(w, "optimum\t%.10g\tat %v\n", e.Optimum.Value, e.Optimum.X)
	}
	if e.Cost != "" {
		fmt.Fprintf(w, "cost\t%s\n", e.Cost)
	}
	if f := e.Fidelity; f != nil {
		fmt.Fprintf(w, "fidelity\t%s, full at %s\n", f.Variable, digits.Given(f.Full))
	}
	for _, r := range e.Regions {
		fmt.Fprintf(w, "region %s\t%s\n", r.Name, r.Prior)
	}
}

func listOptimizers(out io.Writer, name string, asJSON bool) error {
	specs := methods.All()
	if name != "" {
		s, err := methods.Find(name)
		if err != nil {
			return Usage{err}
		}
		specs = []optimizers.Spec{*s}
	}
	if asJSON {
		entries := make([]optimizerEntry, len(specs))
		for i, s := range specs {
			entries[i] = optimizerEntry{s.Name, s.Title, s.Family, s.Summary, s.Source, s.Params, s.Judge}
		}
		return safe.JSON(out, entries)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	if name != "" {
		describeOptimizer(w, specs[0])
		return w.Flush()
	}
	family := ""
	for _, s := range specs {
		if s.Family != family {
			family = s.Family
			fmt.Fprintf(w, "%s\n", family)
		}
		fmt.Fprintf(w, "  %s\t%s\n", s.Name, s.Summary)
	}
	return w.Flush()
}

func describeOptimizer(w io.Writer, s optimizers.Spec) {
	fmt.Fprintf(w, "%s: %s\nsource: %s\n\n", s.Title, s.Summary, s.Source)
	fmt.Fprintf(w, "parameter\tdefault\tvalues\tsource\n")
	params := s.Declared(2)
	for _, d := range params {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", d.Key, d.Format(d.Default), d.Range(), d.Source)
	}
	fmt.Fprintln(w)
	for _, d := range params {
		fmt.Fprintf(w, "%s\t%s\n", d.Key, d.Help)
	}
}

func listSessions(ctx context.Context, out io.Writer, name, dir string, asJSON bool) error {
	entries, err := shelf.List(ctx, dir)
	if err != nil {
		return err
	}
	if name != "" {
		if entries, err = pick(entries, name); err != nil {
			return err
		}
	}
	if asJSON {
		if entries == nil {
			entries = []shelf.Entry{}
		}
		return safe.JSON(out, entries)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, e := range entries {
		about := fmt.Sprintf("%s · %s · seed %d · %d steps", e.Problem, e.Optimizer, e.Seed, e.Steps)
		if e.Unreadable != "" {
			about = "cannot be read: " + e.Unreadable
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", e.Modified.Format("2006-01-02 15:04"), safe.Text(about), safe.Text(e.Path))
	}
	return w.Flush()
}

// pick keeps the session of a name.
func pick(entries []shelf.Entry, name string) ([]shelf.Entry, error) {
	var known []string
	for _, e := range entries {
		if e.Name == name {
			return []shelf.Entry{e}, nil
		}
		known = append(known, e.Name)
	}
	return nil, Usage{naming.Unknown("session", name, known)}
}
