package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/training"
	"bandscope/tui/export"
)

func exportCommand() *cobra.Command {
	var format, file string
	var photos bool
	c := &cobra.Command{Use: "export FILE[#BRANCH]",
		Short: "Export a session as a table, a picture, a report or a recording",
		Args:  args(cobra.ExactArgs(1)), ValidArgsFunction: completeArgs(branchWords),
		Long: "Export a session, without its forks, or one of its branches. The formats:\n\n" +
			"  csv   one row per evaluated point\n" +
			"  json  the configuration and every iteration\n" +
			"  txt   one line per iteration, to read\n" +
			"  svg   a picture of the model\n" +
			"  html  a report on one page\n" +
			"  cast  a recording of the replay, for asciinema",
		Example: "  bandscope export espresso.jsonl > espresso.csv\n" +
			"  bandscope export espresso.jsonl -o espresso.html",
		RunE: func(c *cobra.Command, a []string) error {
			format, err := exportFormat(format, file)
			if err != nil {
				return asUsage(err)
			}
			if photos && format != "html" {
				return usagef("--photos goes with --format html")
			}
			s, err := readBranch(c.Context(), a[0], os.Stderr)
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
				var err error
				if photos {
					err = export.HTMLWithPhotos(c.Context(), w, s, filepath.Dir(s.Path()), progress)
				} else {
					err = export.Write(c.Context(), w, s, format, progress)
				}
				if err == nil && (format == "svg" || format == "html" || format == "cast") {
					printSubstitute(c.Context(), s, os.Stderr, "--optimizer")
				}
				return err
			})
		}}
	c.Flags().StringVar(&format, "format", "", "one of "+strings.Join(export.Formats(), ", ")+
		"; by default the ending of the output file, or csv")
	c.Flags().StringVarP(&file, "output", "o", "", "file to write instead of standard output; it must not exist")
	c.Flags().BoolVar(&photos, "photos", false, "embed the photographs that notes name, from the folder of the session; html only")
	(&programFlag{}).Flags(c)
	c.MarkFlagFilename("output")
	completeFlag(c, "format", choices(export.Formats()...))
	return c
}

// exportFormat is the format that a flag and the ending of a file ask for; both may be empty.
func exportFormat(flag, file string) (string, error) {
	if flag != "" && !slices.Contains(export.Formats(), flag) {
		return "", fmt.Errorf("--format must be one of %s, got %q", strings.Join(export.Formats(), ", "), flag)
	}
	ending := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	known := slices.Contains(export.Formats(), ending)
	switch {
	case known && flag != "" && flag != ending:
		return "", fmt.Errorf("--format %s does not fit the file %q; remove --format, or let the file end in .%s", flag,
			file, flag)
	case flag != "":
		return flag, nil
	case known:
		return ending, nil
	case file == "":
		return "csv", nil
	}
	return "", fmt.Errorf("the format of %q is unknown; let the file end in one of .%s, or add --format", file,
		strings.Join(export.Formats(), ", ."))
}

// exportTraining writes the traces of a lab's session.
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

// writeTo writes to a new file, or to out if file is empty, until the context ends.
func writeTo(ctx context.Context, file string, out io.Writer, write func(io.Writer) error) error {
	if file == "" {
		return write(contextWriter{ctx, out})
	}
	return export.New(file, write)
}
