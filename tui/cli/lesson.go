package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions/digits"
	"bandscope/sessions"
	"bandscope/sessions/course"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
	"bandscope/tui"
	"bandscope/tui/handout"
)

// lessonCommand is the command with those below it.
func lessonCommand() *cobra.Command {
	var screen tui.Options
	c := &cobra.Command{Use: "lesson [NAME|FILE]", Short: "Read a lesson of the course, or one in a file; without a name list them, with what was read", Args: args(cobra.MaximumNArgs(1)),
		Example:           "  bandscope lesson\n  bandscope lesson posterior\n  bandscope lesson check posterior\n  bandscope lesson export posterior -o posterior.html\n  bandscope lesson new --example > mine.md\n  bandscope lesson new mine.jsonl --script mine.md\n  bandscope lesson forget posterior",
		ValidArgsFunction: completeArgs(lessonWords),
		RunE: func(c *cobra.Command, a []string) error {
			if len(a) == 0 {
				return listCourse(c.OutOrStdout(), screen.Dir)
			}
			m, err := findLesson(c.Context(), a[0])
			if err != nil {
				return err
			}
			screen.Session, screen.Lab = m.session, m.lab
			return explore(c.Context(), screen, settings{}, execOptions{}, nil)
		}}
	screenFlags(c, &screen)
	c.AddCommand(lessonCheckCommand(), lessonNewCommand(), lessonExportCommand(), lessonForgetCommand())
	return c
}

// words are the lessons of the course, and the files in which there may be others.
func lessonWords(ctx context.Context, before []string, typed string) []string {
	here := "."
	return append(listWords("lessons", nil)(ctx, before, typed), sessionWords(&here)(ctx, before, typed)...)
}

func lessonForgetCommand() *cobra.Command {
	var all bool
	var dir string
	c := &cobra.Command{Use: "forget NAME|FILE...", Short: "Forget what was read and answered of lessons, and done of their exercises", Args: args(cobra.ArbitraryArgs),
		Example:           "  bandscope lesson forget posterior\n  bandscope lesson forget --all",
		ValidArgsFunction: completeArgs(listWords("lessons", &dir)),
		RunE: func(c *cobra.Command, names []string) error {
			switch {
			case all && len(names) > 0:
				return usagef("--all forgets every lesson: it does not go with a name")
			case !all && len(names) == 0:
				return usagef("which lesson? Name one; --all forgets all")
			}
			kept := make([]string, len(names))
			for i, name := range names {
				var err error
				if kept[i], err = shelf.ReadingName(name); err != nil {
					return asUsage(err)
				}
			}
			n, err := course.Forget(c.Context(), dir, kept...)
			if err != nil {
				return err
			}
			said := digits.Count(n, "lesson") + " forgotten"
			switch {
			case n == 0:
				said = "nothing was read of " + safe.Text(strings.Join(names, ", "))
				if all {
					said = "nothing was read"
				}
			case n == 1:
				said = "1 lesson is forgotten"
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), said)
			return err
		}}
	c.Flags().BoolVar(&all, "all", false, "forget every lesson")
	c.Flags().StringVar(&dir, "dir", shelf.DefaultDir(), "folder of the sessions")
	c.MarkFlagDirname("dir")
	return c
}

// exportCommand writes a lesson as a handout.
func lessonExportCommand() *cobra.Command {
	file := ""
	c := &cobra.Command{Use: "export NAME|FILE", Short: "Write a lesson as a handout, one page of HTML to read and print: the answers stand at its end", Args: args(cobra.ExactArgs(1)),
		Example:           "  bandscope lesson export posterior -o posterior.html\n  bandscope lesson export mine.jsonl > mine.html",
		ValidArgsFunction: completeArgs(lessonWords),
		RunE: func(c *cobra.Command, a []string) error {
			m, err := findLesson(c.Context(), a[0])
			if err != nil {
				return err
			}
			progress, done := newProgress(c.ErrOrStderr())
			defer done()
			write := func(w io.Writer) error { return m.handOut(c.Context(), w, a[0], progress) }
			return writeTo(c.Context(), file, c.OutOrStdout(), write)
		}}
	c.Flags().StringVarP(&file, "output", "o", "", "file to write, which must not exist, in place of standard output")
	c.MarkFlagFilename("output", "html")
	return c
}

// handOut writes the handout of a lesson, which is opened under a name.
func (m madeLesson) handOut(ctx context.Context, w io.Writer, name string, progress sessions.Progress) error {
	if m.lab != nil {
		return handout.Lab(ctx, w, m.lab, name)
	}
	return handout.Session(ctx, w, m.session, name, progress)
}
