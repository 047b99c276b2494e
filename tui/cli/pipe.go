package cli

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/pipe"
	"bandscope/tui/export"
)

func pipeCommand() *cobra.Command {
	via := sessions.ViaPipe
	c := &cobra.Command{Use: "pipe [FILE]...",
		Short: "Perform acts that are given as JSON, one object per line",
		Long: "Read one JSON request per line from standard input, and write one answer per line to standard output.\n" +
			"Requests name a session: one of the given files, or one of the present folder, which \"create\" begins. Those that\n" +
			"name none are about the first file. The model stays in memory between requests. bandscope schema prints\n" +
			"their JSON Schema.",
		Example: "  echo '{\"act\":\"ask\"}' | bandscope pipe espresso.jsonl\n" +
			"  echo '{\"id\":1,\"session\":\"espresso.jsonl\",\"act\":\"status\"}' | bandscope pipe",
		Args: args(cobra.ArbitraryArgs), ValidArgsFunction: completeFurther(savedSessionWords),
		RunE: func(c *cobra.Command, a []string) error {
			amount := authorFrom(c.Context())
			amount.Via = via
			if via != sessions.ViaPipe && via != sessions.ViaPython {
				return usagef("--via is %s or %s, got %q", sessions.ViaPipe, sessions.ViaPython, via)
			}
			ctx, cancel := untilHangup(context.WithValue(c.Context(), authorKey{}, amount), os.Stdout)
			defer cancel()
			return servePipe(ctx, os.Stdin, os.Stdout, os.Stderr, a)
		}}
	(&programFlag{}).Flags(c)
	c.Flags().StringVar(&via, "via", via, "what the requests come through, which is recorded: pipe or python")
	return recordsAs(c, sessions.AuthorProgram, sessions.ViaPipe)
}

// servePipe answers requests about sessions, one JSON object per line. Others can write to their files meanwhile.
func servePipe(ctx context.Context, in io.Reader, out, errs io.Writer, paths []string) (err error) {
	folder, err := acts.NewFolder(".", authorFrom(ctx), nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	o := pipe.Options{Folder: folder, Paint: export.Paint}
	for i, path := range paths {
		s, err := openToWrite(ctx, path, errs)
		if err != nil {
			return err
		}
		if i == 0 {
			o.Session = s
		}
		if err := folder.Adopt(path, s); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	return pipe.Serve(ctx, o, in, contextWriter{ctx, out})
}
