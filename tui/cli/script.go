package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"bandscope/sessions/eventlog"
	"bandscope/tui"
	"bandscope/tui/cast"
)

// recordOptions are the files of a recording.
type recordOptions struct {
	cast, svg string // empty for none; without both, the asciicast goes to standard output
	dir       string
}

func scriptCommand() *cobra.Command {
	var o recordOptions
	c := &cobra.Command{Use: "script FILE",
		Short: "Record the screen while a script presses its keys",
		Long: "Play a script of key presses on the screens of the program, without a terminal, and record them as an\n" +
			"asciicast, which asciinema plays, or as an animated SVG picture. The times are those of the script; a\n" +
			"computation takes no time. A script starts no programs. Its lines:\n\n" +
			"  # a comment\n" +
			"  size 100 30                        size of the window; 100 30 if it is left out\n" +
			"  theme light                        dark or light; dark if it is left out\n" +
			"  plots pictures                     cells, or pictures as some terminals show them (only with --svg); cells\n" +
			"                                     if it is left out\n" +
			"  title A search                     title of the recording\n" +
			"  session forrester gp-ei 4          function, method, seed, then key=value …, or\n" +
			"  lesson posterior                   a lesson, or a session of the gallery\n" +
			"  pace 0.8                           seconds before every key; 0.8 if it is left out. With 0, only the\n" +
			"                                     screen after the last of the keys is recorded\n" +
			"  say The band narrows               a caption\n" +
			"  keys space space enter             key presses by their names, as the help (?) shows them\n" +
			"  type 0.4                           a text, key by key\n" +
			"  wait 2                             seconds\n\n" +
			"Size, theme, plots, title, session and lesson come before the other lines.",
		Args: args(cobra.ExactArgs(1)),
		Example: "  bandscope script search.script > search.cast\n" +
			"  bandscope script search.script --cast search.cast --svg search.svg",
		RunE: func(c *cobra.Command, a []string) error { return o.record(c.Context(), c.OutOrStdout(), a[0]) }}
	f := c.Flags()
	f.StringVar(&o.cast, "cast", "", "file for the asciicast; it must not exist")
	f.StringVar(&o.svg, "svg", "", "file for the animated picture; it must not exist")
	f.StringVar(&o.dir, "dir", "", "folder where sessions are kept; without one, they are kept in memory")
	c.MarkFlagFilename("cast", "cast")
	c.MarkFlagFilename("svg", "svg")
	c.MarkFlagDirname("dir")
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return c
}

// record plays a script, and writes its recordings.
func (o *recordOptions) record(ctx context.Context, out io.Writer, path string) error {
	s, err := readRecordScript(path)
	if err != nil {
		if errors.As(err, new(*fs.PathError)) {
			return err
		}
		return asUsage(fmt.Errorf("%s: %w", path, err))
	}
	for _, file := range []string{o.cast, o.svg} {
		if _, err := os.Lstat(file); file != "" && err == nil {
			return asUsage(fmt.Errorf("%s exists already; choose another name", file))
		}
	}
	if s.Pictures && (o.cast != "" || o.svg == "") {
		return asUsage(fmt.Errorf("%s: an asciicast has no pictures: write --svg alone, or plots cells", path))
	}
	var frames []cast.Frame
	end, err := tui.Record(ctx, s, o.dir, filesBeside(path), func(f cast.Frame) error {
		frames = cast.Append(frames, f)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if o.cast != "" || o.svg == "" {
		err = writeTo(ctx, o.cast, out, func(w io.Writer) error { return writeCast(w, s, frames, end) })
	}
	if o.svg != "" {
		err = errors.Join(err, writeTo(ctx, o.svg, out, func(w io.Writer) error { return cast.SVG(w, s.Title, frames, end) }))
	}
	return err
}

// readRecordScript reads the script in a file.
func readRecordScript(path string) (*cast.Script, error) {
	f, err := eventlog.OpenRegular(path, cast.MaxSize)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, cast.MaxSize))
	if err != nil {
		return nil, err
	}
	return cast.ReadScript(string(text))
}

// writeCast writes an asciicast.
func writeCast(w io.Writer, s *cast.Script, frames []cast.Frame, end time.Duration) error {
	c, err := cast.NewWriter(w, s.Width, s.Height, s.Title)
	if err != nil {
		return err
	}
	for _, f := range frames {
		if err := c.Write(f); err != nil {
			return err
		}
	}
	return c.End(end)
}
