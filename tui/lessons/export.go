package lessons

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/headless"
	"bandscope/sessions/headless/command"
	"bandscope/tui/export"
	"bandscope/tui/handout"
)

// exportCommand writes a lesson as a handout.
func exportCommand() *cobra.Command {
	file := ""
	c := &cobra.Command{Use: "export NAME|FILE", Short: "Write a lesson as a handout, one page of HTML to read and print: the answers stand at its end", Args: command.Args(cobra.ExactArgs(1)),
		Example:           "  bandscope lesson export posterior -o posterior.html\n  bandscope lesson export mine.jsonl > mine.html",
		ValidArgsFunction: headless.Offered(words),
		RunE: func(c *cobra.Command, a []string) error {
			m, err := find(c.Context(), a[0])
			if err != nil {
				return err
			}
			progress, done := command.Progress(c.ErrOrStderr())
			defer done()
			write := func(w io.Writer) error { return m.handOut(c.Context(), w, a[0], progress) }
			if file == "" {
				return write(command.Heeding(c.Context(), c.OutOrStdout()))
			}
			return export.New(file, write)
		}}
	c.Flags().StringVarP(&file, "output", "o", "", "file to write, which must not exist, in place of standard output")
	c.MarkFlagFilename("output", "html")
	return c
}

// handOut writes the handout of a lesson, which is opened under a name.
func (m made) handOut(ctx context.Context, w io.Writer, name string, progress sessions.Progress) error {
	if m.lab != nil {
		return handout.Lab(ctx, w, m.lab, name)
	}
	return handout.Session(ctx, w, m.session, name, progress)
}
