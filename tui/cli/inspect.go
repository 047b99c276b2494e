package cli

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// maxInspectValues bounds how many numbers of a model are printed.
const maxInspectValues = 20_000_000

type inspectOptions struct {
	At      int      // step to look at; −1 is the last
	Grid    int      // points per variable
	X       []string // or these inputs, values separated by commas
	Samples int
	Format  string // json or csv
}

// inspect prints the posterior of a session as numbers.
func inspect(ctx context.Context, out, errs io.Writer, path string, o inspectOptions) error {
	if o.Format != "json" && o.Format != "csv" {
		return usagef("--format must be json or csv, got %q", o.Format)
	}
	if o.Samples < 0 || o.Samples > 10000 {
		return usagef("--samples must be in [0, 10000], got %d", o.Samples)
	}
	s, err := readAt(ctx, path, o.At, errs)
	if err != nil {
		return err
	}
	q := report.InspectOptions{Samples: o.Samples}
	if len(o.X) > 0 {
		for _, text := range o.X {
			x, err := encoding.Parse(s.State().Problem.Domain, text)
			if err != nil {
				return usagef("-x: %w", err)
			}
			q.Inputs = append(q.Inputs, x)
		}
	} else if q.Inputs, err = report.Grid(s.State(), o.Grid); err != nil {
		return asUsage(err)
	}
	if n := len(q.Inputs) * len(s.State().Problem.Objectives) * (q.Samples + 4); n > maxInspectValues {
		return usagef("this would print about %d million numbers, and the limit is %d million: use a smaller --grid or fewer --samples", n/1_000_000, maxInspectValues/1_000_000)
	}
	progress, done := newProgress(errs)
	r, err := report.Inspect(ctx, s, q, progress)
	done()
	if err != nil {
		return err
	}
	printSubstitute(ctx, s, errs, "-o")
	if o.Format == "csv" {
		return inspectCSV(out, s.State(), r)
	}
	return sanitize.JSON(out, r)
}

// inspectCSV writes one row per input.
func inspectCSV(out io.Writer, st sessions.State, r report.Inspection) error {
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
