package cli

import (
	"bandscope/sessions"
	"bandscope/sessions/change"
	"bandscope/sessions/log"
	"bandscope/sessions/safe"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
)

func correctCommand() *cobra.Command {
	return &cobra.Command{Use: "correct FILE CHANGE", Short: "Correct a session: step 7 = 1.25 [sd 0.3] [at x=0.4] [cost 2], point 9 = 18.5, drop step 7, x in 0..0.5, x = 0.3, free x, reject [7]; because …",
		Args: args(cobra.ExactArgs(2)), ValidArgsFunction: completeArgs(keptWords, changeWords),
		RunE: func(c *cobra.Command, a []string) error {
			return correctSession(c.Context(), os.Stdout, os.Stderr, a[0], a[1])
		}}
}

// Correct makes a correction, given as text, at the end of a session, and says what was done.
func correctSession(ctx context.Context, out, errs io.Writer, path, text string) (err error) {
	s, err := openSession(ctx, path, errs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.State().ReadOnly {
		return errors.New("the session cannot be appended to")
	}
	s.Last()
	said, err := change.Make(ctx, s, text, nil)
	switch {
	case err == nil:
		_, err = fmt.Fprintln(out, safe.Text(said))
		return err
	case failedAtRuntime(ctx, err):
		return err
	}
	return asUsage(err)
}

// askedRightly reports whether an act failed though the words for it were right.
func failedAtRuntime(ctx context.Context, err error) bool {
	var disk *fs.PathError
	return errors.As(err, &disk) || errors.Is(err, log.ErrReadOnly) || errors.Is(err, sessions.ErrMoved) || errors.Is(err, sessions.ErrClosed) || ctx.Err() != nil
}
