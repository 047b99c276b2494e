package cli

import (
	"os"

	"github.com/spf13/cobra"

	"bandscope/sessions/acts"
)

func predictCommand() *cobra.Command {
	c, d := actCommand(acts.Predict.Act, "  bandscope predict s.jsonl -x x=0.25 -x x=0.75 --quantiles 0.05,0.95\n  bandscope predict s.jsonl -x x=0.25 -x x=0.75 --samples 3 --seed 7\n"+
		"  bandscope predict s.jsonl --grid 51 --format csv")
	c.Long += "\n\nWith --grid or --format, print the model as numbers: the mean and the standard deviation of each objective, the acquisition function, and samples of the surrogate."
	var o gridOptions
	f := c.Flags()
	f.IntVar(&o.Grid, "grid", 0, "grid points per variable, for one or two variables; integers and choices take all their levels")
	f.StringVar(&o.Format, "format", "json", "format of the model as numbers: json or csv")
	completeFlag(c, "format", choices("json", "csv"))
	run := c.RunE
	c.RunE = func(c *cobra.Command, a []string) error {
		isGiven := func(name string) bool { return d.flags[name].value != nil }
		if f.Changed("grid") == isGiven("inputs") {
			return usagef("where? Give inputs with -x, as in -x x1=0.3,x2=2, or a grid, as in --grid 51")
		}
		if !f.Changed("grid") && !f.Changed("format") {
			return run(c, a)
		}
		if isGiven("quantiles") || isGiven("seed") || d.json && o.Format != "json" {
			return usagef("--grid and --format print the model as numbers: leave out --quantiles, --seed and --json")
		}
		return o.print(c.Context(), os.Stdout, os.Stderr, d, a[0])
	}
	return c
}
