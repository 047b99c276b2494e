package headless

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// CheckFlags says what is wrong with the flags that a command was given: that one is empty, as by a shell's variable that is not set, or that a session would be
// about two things.
func CheckFlags(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" && err == nil {
			err = fmt.Errorf("--%s is given, but empty: leave it out, or give it a value", f.Name)
		}
	})
	if f := c.Flags().Lookup("problem"); f != nil && f.Changed && c.Flags().Changed("function") {
		err = errors.Join(err, errors.New("--problem does not go with --function: a session is about the one or the other"))
	}
	return err
}
