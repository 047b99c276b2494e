package cli

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

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
