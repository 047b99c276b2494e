package cli

import (
	"bandscope/functions"
	"bandscope/functions/setting"
	"bandscope/sessions/log"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func evalCommand() *cobra.Command {
	var function, x string
	var seed uint64
	c := &cobra.Command{Use: "eval", Short: "Evaluate a function once", Args: args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return evaluate(c.Context(), os.Stdout, os.Stderr, function, x, seed)
		}}
	c.Flags().StringVarP(&function, "function", "f", "forrester", "the function")
	c.Flags().StringVarP(&x, "x", "x", "", "the input, values separated by commas, choices by their names")
	c.Flags().Uint64Var(&seed, "seed", 1, "of a function that is a random draw")
	completeFlag(c, "function", functionWords)
	return c
}

// Eval evaluates a function once and writes JSON; how an evaluation goes that takes its time is shown on errs.
func evaluate(ctx context.Context, out, errs io.Writer, function, point string, seed uint64) error {
	p, err := functions.Find(function, seed)
	if err != nil {
		return asUsage(err)
	}
	x, err := setting.Parse(p.Domain, point)
	if err != nil {
		return usageError{Err: fmt.Errorf("-x: %w", err)}
	}
	progress, done := newProgress(errs)
	o, err := p.Evaluator().Evaluate(functions.WithListener(ctx, func(line string) { progress(safe.Text(line), 0, 1) }), x)
	done()
	if err != nil {
		return asUsage(err)
	}
	told := map[string]any{"function": p.Name, "x": setting.Row(p.Domain, x), "y": log.Cast[report.Number](o.Values), "objectives": p.Objectives}
	if o.Reason != "" {
		told["failed"] = o.Reason
	}
	if o.Note != "" {
		told["note"] = o.Note
	}
	return safe.JSON(out, told)
}
