package cli

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// maxInspectValues bounds how many numbers inspect prints.
const maxInspectValues = 20_000_000

type inspectOptions struct {
	At      int      // step to look at; −1 is the last
	Grid    int      // points per variable
	X       []string // or these inputs, values separated by commas
	Samples int
	Format  string // json or csv
}

func inspectCommand() *cobra.Command {
	o := inspectOptions{}
	c := withSessionArg(&cobra.Command{Use: "inspect FILE", Short: "Print the model of a session as numbers",
		Long: "Print the model of a session as numbers: the mean and the standard deviation of each objective, the\n" +
			"acquisition function, and samples of the surrogate, on a grid or at given inputs.",
		Example: "  bandscope inspect s.jsonl --grid 51 --format csv\n  bandscope inspect s.jsonl -x 0.25 --samples 10",
		RunE: func(c *cobra.Command, a []string) error {
			return inspect(c.Context(), os.Stdout, os.Stderr, a[0], o)
		}})
	f := c.Flags()
	f.IntVar(&o.At, "at", -1, "step to look at; -1 is the last")
	f.IntVar(&o.Grid, "grid", 101, "grid points per variable, for one or two variables; integers and choices take all their levels")
	f.StringArrayVarP(&o.X, "x", "x", nil,
		"input instead of the grid: values separated by commas, choices by name; may be repeated")
	f.IntVar(&o.Samples, "samples", 0, "number of samples of the surrogate")
	f.StringVar(&o.Format, "format", "json", "json or csv")
	(&programFlag{}).Flags(c)
	completeFlag(c, "format", choices("json", "csv"))
	return c
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

func evalCommand() *cobra.Command {
	var function, x string
	var seed uint64
	c := &cobra.Command{Use: "eval", Short: "Evaluate a test function at one input", Args: args(cobra.NoArgs),
		Example: "  bandscope eval -f branin -x 2.5,7",
		RunE: func(c *cobra.Command, _ []string) error {
			return evaluate(c.Context(), os.Stdout, os.Stderr, function, x, seed)
		}}
	c.Flags().StringVarP(&function, "function", "f", "forrester", "function; see bandscope list functions")
	c.Flags().StringVarP(&x, "x", "x", "", "input: values separated by commas, choices by name")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of a function that is a random draw")
	completeFlag(c, "function", functionWords)
	return c
}

// evaluate evaluates a function once and writes JSON. It shows the progress of a slow evaluation on errs.
func evaluate(ctx context.Context, out, errs io.Writer, function, point string, seed uint64) error {
	p, err := functions.Find(function, seed)
	if err != nil {
		return asUsage(err)
	}
	x, err := encoding.Parse(p.Domain, point)
	if err != nil {
		return usagef("-x: %w", err)
	}
	progress, done := newProgress(errs)
	o, err := p.Evaluator().Evaluate(functions.WithListener(ctx, func(line string) { progress(line, 0, 1) }), x)
	done()
	if err != nil {
		return asUsage(err)
	}
	reported := map[string]any{"function": p.Name, "x": encoding.EncodeRow(p.Domain, x),
		"y": eventlog.Cast[report.Number](o.Values), "objectives": p.Objectives}
	if o.Reason != "" {
		reported["failed"] = o.Reason
	}
	if o.Note != "" {
		reported["note"] = o.Note
	}
	return sanitize.JSON(out, reported)
}
