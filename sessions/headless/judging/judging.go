// Package judging is the commands that ask whether models can be believed and why a point is chosen, as the tree of commands has them: their words, flags and completion. What they do is said in
// sessions/headless/look.
package judging

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"bandscope/sessions/headless"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/headless/look"
)

// Commands are these commands. Sessions are offered from a folder.
func Commands(dir *string) []*cobra.Command {
	return []*cobra.Command{believe(dir), calibrate(), why(dir)}
}

func believe(dir *string) *cobra.Command {
	var o look.BelieveOptions
	c := &cobra.Command{Use: "believe FILE", Short: "Tell whether the model of a session can be believed: by its results left out, the truth, and other assumptions", Args: command.Args(cobra.ExactArgs(1)),
		Example:           "  bandscope believe s.jsonl --alternatives\n  bandscope believe networks.jsonl --retrain --json",
		ValidArgsFunction: headless.Offered(headless.SessionWords(dir)),
		RunE: func(c *cobra.Command, a []string) error {
			return look.Believe(c.Context(), os.Stdout, os.Stderr, a[0], o)
		}}
	o.Flags(c.Flags())
	return c
}

func calibrate() *cobra.Command {
	var o look.CalibrateOptions
	c := &cobra.Command{Use: "calibrate", Short: "Hold the bands of a method against test functions over seeds: which of them is honest", Args: command.Args(cobra.NoArgs),
		Example: "  bandscope calibrate --seeds 10 --set width=1000\n  bandscope calibrate -f forrester,branin -o gp-ei --over kernel",
		RunE: func(c *cobra.Command, _ []string) error {
			return look.Calibrate(c.Context(), os.Stdout, os.Stderr, o)
		}}
	o.Flags(c.Flags())
	headless.Offer(c, "function", headless.FunctionWords)
	headless.Offer(c, "optimizer", (&headless.Setting{}).OptimizerWords)
	headless.Offer(c, "over", func(context.Context, []string, string) []string { return look.CalibrationKeys(o.Optimizer) })
	return c
}

func why(dir *string) *cobra.Command {
	var o look.WhyOptions
	c := &cobra.Command{Use: "why FILE", Short: "Tell why the next point of a session is the one it is: what was weighed, what was nearly chosen, what holds it", Args: command.Args(cobra.ExactArgs(1)),
		Example:           "  bandscope why s.jsonl --influence --change\n  bandscope why s.jsonl --at 7 --json\n  bandscope why s.jsonl --beside gp-ucb --set beta_scale=4",
		ValidArgsFunction: headless.Offered(headless.SessionWords(dir)),
		RunE: func(c *cobra.Command, a []string) error {
			return look.Why(c.Context(), os.Stdout, os.Stderr, a[0], o)
		}}
	o.Flags(c.Flags())
	headless.Offer(c, "beside", (&headless.Setting{}).OptimizerWords)
	return c
}
