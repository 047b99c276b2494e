package cli

import (
	"bandscope/sessions/shelf"
	"bandscope/tui"

	"github.com/spf13/cobra"
)

func compareCommand() *cobra.Command {
	var screen tui.Options
	c := &cobra.Command{Use: "compare NAME", Short: "Open a built-in comparison; see list comparisons",
		Args: args(cobra.ExactArgs(1)), ValidArgsFunction: completeArgs(listWords("comparisons", &screen.Dir)),
		RunE: func(c *cobra.Command, a []string) (err error) {
			if screen.Comparison, err = shelf.FindComparison(a[0]); err != nil {
				return asUsage(err)
			}
			return explore(c.Context(), screen, settingsOf(screen.Comparison.Config), execOptions{}, nil)
		}}
	screenFlags(c, &screen)
	return c
}
