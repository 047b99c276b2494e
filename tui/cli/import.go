package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/foreign"
	"bandscope/sessions/sanitize"
)

// importOptions say which study is imported and which method goes on.
type importOptions struct {
	Study     string // of several in one storage
	Optimizer string
	Seed      uint64
	JSON      bool
	Table     tableFlags
}

func importCommand() *cobra.Command {
	var o importOptions
	c := &cobra.Command{Use: "import SOURCE FILE",
		Short: "Make a session of the run of another program: Optuna, Ax or CSV", Args: args(cobra.ExactArgs(2)),
		Long: "Make a session of the run of another program. SOURCE is the SQLite storage or the journal of Optuna, an experiment of Ax as JSON, or a table (CSV or XLSX) whose header marks the objectives (yield:max, cost:min). The file is only read.\n\n" +
			"The session has the variables, the objectives and all results; pruned and failed trials are failures.",
		Example: "  bandscope import optuna.db tuning.jsonl --study gbm\n  bandscope import ax.json reactor.jsonl -o gp-ei\n" +
			"  bandscope import results.csv s.jsonl",
		RunE: func(c *cobra.Command, a []string) error { return importRun(c.Context(), os.Stdout, a[0], a[1], o) }}
	f := c.Flags()
	f.StringVar(&o.Study, "study", "", "study of a storage that has several")
	f.StringVarP(&o.Optimizer, "optimizer", "o", "", "method that continues the session; see bandscope list optimizers")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of all random numbers")
	f.BoolVar(&o.JSON, "json", false, "print a JSON object")
	o.Table.Flags(c)
	completeFlag(c, "optimizer", (&settings{}).OptimizerWords)
	return c
}

// importRun makes a session of a run in a new file.
func importRun(ctx context.Context, out io.Writer, source, path string, o importOptions) error {
	table, err := o.Table.Options()
	if err != nil {
		return err
	}
	r, err := foreign.Read(ctx, source, foreign.Options{Study: o.Study, Table: table})
	if err != nil {
		return asUsage(err)
	}
	s, err := r.Session(ctx, sessions.Config{Optimizer: o.Optimizer, Seed: o.Seed})
	if err != nil {
		return asUsage(err)
	}
	if err := s.SaveAs(path); err != nil {
		return errors.Join(err, s.Close())
	}
	st := s.State()
	failed := 0
	for _, it := range st.Iterations {
		if it.Points[0].Failed {
			failed++
		}
	}
	if o.JSON {
		err = sanitize.JSON(out, map[string]any{"program": r.Program, "experiment": r.Experiment.Name,
			"variables": len(r.Experiment.Variables), "results": len(st.Iterations), "failed": failed, "notices": r.Notices,
			"file": path})
		return errors.Join(err, s.Close())
	}
	lines := []string{st.Title(), fmt.Sprintf("%s of %s, %d of them failed", numfmt.Count(len(st.Iterations), "result"),
		sanitize.Text(r.Program), failed)}
	for _, notice := range r.Notices {
		lines = append(lines, sanitize.Text(notice))
	}
	err = printLines(out, append(lines, fmt.Sprintf("bandscope %s opens the session", path))...)
	return errors.Join(err, s.Close())
}
