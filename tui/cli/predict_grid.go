package cli

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// maxGridValues bounds how many numbers of a model are printed.
const maxGridValues = 20_000_000

// gridOptions say where the model is printed as numbers, and how.
type gridOptions struct {
	Grid   int    // points per variable
	Format string // json or csv
}

// print prints the posterior of a session as numbers, on a grid or at inputs.
func (o gridOptions) print(ctx context.Context, out, errs io.Writer, d *door, path string) error {
	if o.Format != "json" && o.Format != "csv" {
		return usagef("--format must be json or csv, got %q", o.Format)
	}
	raw, err := d.arguments(acts.Predict.Act, nil)
	if err != nil {
		return err
	}
	var p acts.PredictArgs
	if err := json.Unmarshal(raw, &p); err != nil {
		return asUsage(err)
	}
	if p.Samples < 0 || p.Samples > 10000 {
		return usagef("--samples must be in [0, 10000], got %d", p.Samples)
	}
	step := -1
	if p.Step != nil {
		step = *p.Step
	}
	s, err := readAt(ctx, path, step, errs)
	if err != nil {
		return err
	}
	q := report.InspectOptions{Samples: p.Samples}
	if o.Grid != 0 {
		q.Inputs, err = report.Grid(s.State(), o.Grid)
	} else {
		q.Inputs, err = p.Points(s.State())
	}
	if err != nil {
		return asUsage(err)
	}
	if n := len(q.Inputs) * len(s.State().Problem.Objectives) * (q.Samples + 4); n > maxGridValues {
		return usagef("this would print about %d million numbers, and the limit is %d million: use a smaller --grid or fewer --samples", n/1_000_000, maxGridValues/1_000_000)
	}
	progress, done := newProgress(errs)
	r, err := report.Inspect(ctx, s, q, progress)
	done()
	if err != nil {
		return err
	}
	printSubstitute(ctx, s, errs, "-o")
	if o.Format == "csv" {
		return gridCSV(out, s.State(), r)
	}
	return sanitize.JSON(out, r)
}

// gridCSV writes one row per input.
func gridCSV(out io.Writer, st sessions.State, r report.Inspection) error {
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
		add(o.Name+"_log10_sd", o.Log10SD)
		add(o.Name+"_used", o.Used)
		for i, s := range o.Samples {
			add(fmt.Sprintf("%s_sample%d", o.Name, i+1), s)
		}
		add(o.Name+"_truth", o.Truth)
	}
	add("feasible", r.Feasible)
	if r.Acquisition != nil {
		add("acquisition", r.Acquisition.Values)
	}
	if err := c.Write(head); err != nil {
		return err
	}
	for i, x := range r.Inputs {
		row := report.CSVInput(x)
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
