package cli

import (
	"bandscope/sessions/loop"
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func pipeCommand() *cobra.Command {
	return onSession(&cobra.Command{Use: "pipe FILE", Short: "Ask and tell by JSON, a line on standard input and one on standard output, with the belief kept in memory",
		RunE: func(c *cobra.Command, a []string) error {
			return servePipe(c.Context(), os.Stdin, os.Stdout, os.Stderr, a[0])
		}})
}

// Pipe answers requests about a session, a JSON object a line, and keeps its file meanwhile.
func servePipe(ctx context.Context, in io.Reader, out, errs io.Writer, path string) error {
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	return errors.Join(loop.Serve(ctx, s, in, newContextWriter(ctx, out)), s.Close())
}
