package cli

import (
	"bandscope/sessions/safe"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func newCommand() *cobra.Command {
	var o settings
	c := &cobra.Command{Use: "new FILE", Short: "Begin a session that is asked and told, on an experiment of one's own (--problem) or a function (-f)", Args: args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, a []string) error {
			if !c.Flags().Changed("problem") && !c.Flags().Changed("function") {
				return usagef("what is optimized? --problem FILE declares an experiment, -f NAME takes a test function")
			}
			return newSession(c.Context(), os.Stdout, a[0], o)
		}}
	o.Flags(c)
	return c
}

// New begins a session in a new file, to be asked and told.
func newSession(ctx context.Context, out io.Writer, path string, o settings) error {
	s, err := o.Start(ctx)
	if err != nil {
		return err
	}
	if err := s.SaveAs(path); err != nil {
		return errors.Join(err, s.Close())
	}
	_, err = fmt.Fprintf(out, "%s\nbandscope ask %s tells what to evaluate first\n", safe.Text(s.State().Title()), safe.Text(path))
	return errors.Join(err, s.Close())
}
