package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"bandscope/functions/numfmt"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/coco"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/stats"
	"bandscope/tui/export"
	"bandscope/tui/studyreport"
)

// studyResult summarizes one method's runs on a problem over the seeds.
type studyResult struct {
	Problem, Method string
	Label           string // short name of the method
	Measure         study.Measure
	Quantity        string // the measure as text
	Axis            stats.Axis
	End             float64 // of the axis
	// over the seeds, after each iteration or, with a budget in cost, at each of costParts fractions of it; NaN where
	// fewer than half of the seeds have a value
	Median, Low, High []float64
	Final             []float64 // of every seed; NaN if it is not done
	Cells             map[study.Status]int
	// evaluations over all seeds, and how many were of points that had been evaluated before; NaN if those were not
	// counted
	Evaluations int
	Repeats     float64
}

// costParts is into how many parts a budget in cost is divided.
const costParts = 100

// studyResults are the results of a study, problem by problem.
func studyResults(t *study.Table) (results []studyResult) {
	byDefault := stats.CurvesFor(t, stats.DefaultAxis)
	iterations := stats.CurvesFor(t, stats.Iterations)
	for p := range byDefault.Problems {
		runs, values := iterations, []float64(nil)
		if byDefault.Problems[p].Axis == stats.Cost {
			runs = byDefault
			for k := range costParts {
				values = append(values, runs.Problems[p].End*float64(k+1)/costParts)
			}
		} else {
			for k := 1.0; k <= runs.Problems[p].End; k++ {
				values = append(values, k)
			}
		}
		for m := range runs.Methods {
			if r := newStudyResult(runs, p, m, values); len(r.Final) > 0 { // an imported method may have no run here
				results = append(results, r)
			}
		}
	}
	return results
}

func newStudyResult(runs *stats.Runs, p, m int, point []float64) studyResult {
	about := runs.Problems[p]
	r := studyResult{Problem: about.Name, Method: runs.Methods[m], Label: runs.Labels[m],
		Measure: about.Measure, Quantity: about.Quantity, Axis: about.Axis, End: about.End, Cells: map[study.Status]int{}}
	b := runs.BandAt(p, m, point)
	for k := range point {
		low, high := about.Sign*b.Low[k], about.Sign*b.High[k]
		r.Median = append(r.Median, about.Sign*b.Median[k])
		r.Low = append(r.Low, min(low, high))
		r.High = append(r.High, max(low, high))
	}
	for _, c := range runs.Curves(p, m) {
		if c.Method == "" {
			continue
		}
		r.Final = append(r.Final, about.Sign*c.Final())
		r.Cells[c.Status]++
		if n := len(c.Counts); n > 0 {
			r.Evaluations, r.Repeats = r.Evaluations+c.Counts[n-1], r.Repeats+c.Repeats
		}
	}
	return r
}

type studyRow struct {
	Study   string               `json:"study"`
	Problem string               `json:"problem"`
	Method  string               `json:"method"`
	Measure study.Measure        `json:"measure"`
	Cells   map[study.Status]int `json:"cells"`
	resultNumbers
}

// resultNumbers are the numbers of a result for other programs.
type resultNumbers struct {
	Median    report.Number   `json:"median"`    // of the values at the end, over the seeds
	Quartiles []report.Number `json:"quartiles"` // the first and the third
	Final     []report.Number `json:"final"`     // of every seed
	Curve     []report.Number `json:"curve"`     // the median along the budget
	Repeats   *report.Number  `json:"repeats"`   // evaluations of points that were evaluated before; null if not counted
}

func (r studyResult) numbers() resultNumbers {
	n := resultNumbers{lastValueOrNaN(r.Median), []report.Number{lastValueOrNaN(r.Low), lastValueOrNaN(r.High)},
		eventlog.Cast[report.Number](r.Final), eventlog.Cast[report.Number](r.Median), nil}
	if !math.IsNaN(r.Repeats) {
		repeats := report.Number(r.Repeats)
		n.Repeats = &repeats
	}
	return n
}

// repeatLines says which methods evaluated points again.
func repeatLines(results []studyResult) (lines []string) {
	for _, r := range results {
		if r.Repeats > 0 {
			lines = append(lines, fmt.Sprintf("%s repeated %s of %s", sanitize.Text(r.Label), numfmt.Format(r.Repeats),
				numfmt.Count(r.Evaluations, "evaluation")))
		}
	}
	return lines
}

// writeStudy writes the results of a study in the format of the options.
func writeStudy(ctx context.Context, w io.Writer, t *study.Table, o studyOptions) error {
	switch {
	case o.Export != "":
		return exportStudy(ctx, contextWriter{ctx, w}, t, o)
	case o.JSON:
		for _, r := range studyResults(t) {
			if err := sanitize.JSON(w, studyRow{t.Declaration.Name, r.Problem, r.Method, r.Measure, r.Cells,
				r.numbers()}); err != nil {
				return err
			}
		}
		return nil
	}
	return studyTable(w, t)
}

// studyTable prints a table per problem: the methods with their medians at fractions of the budget.
func studyTable(out io.Writer, t *study.Table) error {
	cells := map[study.Status]int{}
	for _, r := range t.Rows {
		cells[r.Status]++
	}
	title := ""
	if t.Declaration.Title != "" {
		title = ": " + t.Declaration.Title
	}
	fmt.Fprintf(out, "%s%s\n%s\n", sanitize.Text(t.Declaration.Name), sanitize.Text(title),
		cellCounts(cells, len(t.Rows)))
	joined, _ := stats.JoinInstances(t) // instances are runs of their function
	results := studyResults(joined)
	for len(results) > 0 {
		n := slices.IndexFunc(results, func(r studyResult) bool { return r.Problem != results[0].Problem })
		if n < 0 {
			n = len(results)
		}
		if err := problemTable(out, results[:n]); err != nil {
			return err
		}
		results = results[n:]
	}
	return publishedTable(out, t)
}

// publishedTable prints the values in the source of the study next to ours.
func publishedTable(out io.Writer, t *study.Table) error {
	d := t.Declaration
	list := stats.ComparePublished(t)
	if len(list) > 0 {
		fmt.Fprintf(out, "\npublished values and ours: means with 95 %% intervals, medians with quartiles\n\n")
		w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
		fmt.Fprintf(w, "problem\tmethod\tafter\tmeasure\tpublished\tours\truns\tsource\n")
		for _, b := range list {
			middle, low, high := b.Interval()
			after := "the end"
			printed := numfmt.Exact(b.Value)
			here := valueText(middle)
			if b.Evaluations > 0 {
				after = fmt.Sprint(b.Evaluations)
			}
			if b.PublishedNumber.Interval != nil {
				printed += " ± " + numfmt.Exact(*b.PublishedNumber.Interval)
			}
			if !math.IsNaN(low) {
				here += fmt.Sprintf(", %s to %s", numfmt.Format(low), numfmt.Format(high))
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", sanitize.Text(b.Problem), sanitize.Text(b.Method),
				after, b.Measure, printed, here, b.Ours.N, sanitize.Text(b.Source))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	notes := map[string]bool{}
	for _, b := range list {
		if b.Note != "" && !notes[b.Note] {
			notes[b.Note] = true
			fmt.Fprintf(out, "\n%s: %s\n", sanitize.Text(strings.TrimSpace(b.Problem+" "+b.Method)),
				sanitize.Text(b.Note))
		}
	}
	for _, line := range [][2]string{{"source: ", d.Source}, {"", d.Note}} {
		if line[1] != "" {
			fmt.Fprintf(out, "\n%s%s\n", line[0], sanitize.Text(line[1]))
		}
	}
	return nil
}

// cellCounts says how many cells of a study have each status.
func cellCounts(cells map[study.Status]int, total int) string {
	text := fmt.Sprintf("%d of %d cells done", cells[study.Done], total)
	for _, status := range []study.Status{study.Running, study.Waiting, study.Failed, study.OtherVersion} {
		if n := cells[status]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, status)
		}
	}
	return text
}

func problemTable(out io.Writer, results []studyResult) error {
	first := results[0]
	subject := fmt.Sprintf("%s steps", numfmt.Exact(first.End))
	if first.Axis == stats.Cost {
		subject = "a budget of " + numfmt.Exact(first.End)
	}
	fmt.Fprintf(out, "\n%s: median %s over %s, by fraction of %s\n\n", sanitize.Text(first.Problem),
		first.Quantity, numfmt.Count(len(first.Final), "run"), subject)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(w, "method\t1/4\t1/2\t3/4\tall\tquartiles\tdone\n")
	for _, r := range results {
		fmt.Fprintf(w, "%s%s\t%d\n", sanitize.Text(r.Label), r.columns(), r.Cells[study.Done])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printLines(out, repeatLines(results)...)
}

// columns are the medians at fractions of the budget and the quartiles at its end.
func (r studyResult) columns() string {
	n, text := len(r.Median), ""
	for part := 1; part <= 4; part++ {
		text += "\t" + valueText(r.Median[max(part*n/4-1, 0)])
	}
	if math.IsNaN(r.Median[n-1]) {
		return text + "\t–"
	}
	return text + fmt.Sprintf("\t%s to %s", numfmt.Format(r.Low[n-1]), numfmt.Format(r.High[n-1]))
}

// valueText is a number, and a dash where there is none.
func valueText(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return numfmt.Format(v)
}

// reportFailures returns an error if runs failed or were started by another version of the program. With looks it only
// prints it.
func reportFailures(errs io.Writer, t *study.Table, looks bool) error {
	for _, status := range []study.Status{study.Failed, study.OtherVersion} {
		var list []study.Row
		for _, r := range t.Rows {
			if r.Status == status {
				list = append(list, r)
			}
		}
		if len(list) == 0 {
			continue
		}
		first := list[0]
		err := fmt.Errorf("%d of %d runs failed; the first is %s: %s (--again restarts them)", len(list),
			len(t.Rows), first.Cell, first.Error)
		if status == study.OtherVersion {
			err = fmt.Errorf("%d of %d runs were started by another version of the program, %s; only it can continue them; the first is %s (--again restarts them)", len(list), len(t.Rows), first.Program, first.Cell)
		}
		if !looks {
			return err
		}
		fmt.Fprintln(errs, "bandscope: "+sanitize.Text(err.Error()))
	}
	return nil
}

func exportStudy(ctx context.Context, w io.Writer, t *study.Table, o studyOptions) error {
	write := map[string]func(w io.Writer) error{
		"csv": func(w io.Writer) error { return published.CSV(w, t) }, "cells": func(w io.Writer) error {
			return published.CellsCSV(w, t)
		}, "json": func(w io.Writer) error { return published.JSON(w, t) },
		"html": func(w io.Writer) error { return studyreport.HTML(ctx, w, t) },
	}[o.Export]
	if write == nil {
		a, err := coco.Write(ctx, o.Output, t)
		if err != nil {
			return err
		}
		for _, left := range a.Skipped {
			fmt.Fprintln(w, sanitize.Text(left))
		}
		command := "python -m cocopp"
		for _, folder := range a.Folders {
			command += " " + sanitize.Word(folder)
		}
		_, err = fmt.Fprintf(w, "%d trials; %s\n", a.Trials, command)
		return err
	}
	if o.Output == "" {
		return write(w)
	}
	return export.New(o.Output, func(w io.Writer) error { return write(contextWriter{ctx, w}) })
}
