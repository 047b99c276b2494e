package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/training"
	"bandscope/tui/export"
)

func exportCommand() *cobra.Command {
	var format, file string
	c := withSessionArg(&cobra.Command{Use: "export FILE",
		Short: "Write a session for other programs: numbers, a picture, a report, a recording",
		RunE: func(c *cobra.Command, a []string) error {
			if !slices.Contains(export.Formats(), format) {
				return asUsage(fmt.Errorf("--format must be one of %s, got %q", strings.Join(export.Formats(), ", "),
					format))
			}
			s, err := readSession(c.Context(), a[0], os.Stderr)
			if errors.Is(err, sessions.ErrTraining) {
				return writeTo(c.Context(), file, os.Stdout, func(w io.Writer) error {
					return exportTraining(c.Context(), w, a[0], format)
				})
			}
			if err != nil {
				return err
			}
			progress, done := newProgress(os.Stderr)
			defer done()
			return writeTo(c.Context(), file, os.Stdout, func(w io.Writer) error {
				return export.Write(c.Context(), w, s, format, progress)
			})
		}})
	c.Flags().StringVar(&format, "format", "csv", strings.Join(export.Formats(), ", "))
	c.Flags().StringVarP(&file, "output", "o", "", "file to write, which must not exist, in place of standard output")
	c.MarkFlagFilename("output")
	completeFlag(c, "format", choices(export.Formats()...))
	return c
}

// exportTraining writes the traces of the session of a lab.
func exportTraining(ctx context.Context, w io.Writer, path, format string) error {
	s, err := readTraining(ctx, path, os.Stderr)
	if err != nil {
		return err
	}
	if !slices.Contains(training.Formats, format) {
		return asUsage(training.Export(w, s.State(), format))
	}
	return training.Export(w, s.State(), format)
}

// writeTo writes to a new file, or where none is named to out until the context ends.
func writeTo(ctx context.Context, file string, out io.Writer, write func(io.Writer) error) error {
	if file == "" {
		return write(contextWriter{ctx, out})
	}
	return export.New(file, write)
}
