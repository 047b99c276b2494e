package command

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// Args makes what is wrong with arguments an error of the caller; an empty one always is.
func Args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, a []string) error {
		if i := slices.Index(a, ""); i >= 0 {
			return Wrong(fmt.Errorf("argument %d is empty", i+1))
		}
		return Wrong(check(c, a))
	}
}
