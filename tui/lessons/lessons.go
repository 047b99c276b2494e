// Package lessons is the commands on lessons, as the tree of commands has them: the course is listed, a lesson is read, made, written to a handout, what its
// pages say is checked, and what was done of it is forgotten. Words come in; the lessons and their sessions are those of package shelf, what claims measure is drawn in tui/explore/claims, and
// the screen on which a lesson is read is the window's.
package lessons

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions/digits"
	"bandscope/sessions"
	"bandscope/sessions/course"
	"bandscope/sessions/headless"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/headless/look"
	"bandscope/sessions/lab"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
)

// Window shows lessons: one that is read, and the file of one that is written. Flags gives a command the flags of the window.
type Window struct {
	Flags func(c *cobra.Command)
	Read  func(c *cobra.Command, s *sessions.Session, l *lab.Session) error // one of both is nil
	Write func(c *cobra.Command, path string) error
}

// Command is the command with those below it.
func Command(dir *string, w Window) *cobra.Command {
	c := &cobra.Command{Use: "lesson [NAME|FILE]", Short: "Read a lesson of the course, or one in a file; without a name list them, with what was read", Args: command.Args(cobra.MaximumNArgs(1)),
		Example:           "  bandscope lesson\n  bandscope lesson posterior\n  bandscope lesson check posterior\n  bandscope lesson export posterior -o posterior.html\n  bandscope lesson new --example > mine.md\n  bandscope lesson new mine.jsonl --script mine.md\n  bandscope lesson forget posterior",
		ValidArgsFunction: headless.Offered(words),
		RunE: func(c *cobra.Command, a []string) error {
			if len(a) == 0 {
				return look.Course(c.OutOrStdout(), *dir)
			}
			m, err := find(c.Context(), a[0])
			if err != nil {
				return err
			}
			return w.Read(c, m.session, m.lab)
		}}
	w.Flags(c)
	written := newCommand(dir, w.Write)
	w.Flags(written)
	c.AddCommand(checkCommand(), written, exportCommand(), forgetCommand())
	return c
}

// words are the lessons of the course, and the files in which there may be others.
func words(ctx context.Context, before []string, typed string) []string {
	here := "."
	return append(headless.ListWords("lessons", nil)(ctx, before, typed), headless.SessionWords(&here)(ctx, before, typed)...)
}

func checkCommand() *cobra.Command {
	var o checking
	c := &cobra.Command{Use: "check NAME|FILE...", Short: "Check what the pages of lessons claim of the pictures beside them; perform a script (.md) for that; of an exercise, whether its goals hold", Args: command.Args(cobra.ArbitraryArgs),
		Example:           "  bandscope lesson check posterior\n  bandscope lesson check --all\n  bandscope lesson check mine.md mine.jsonl --json",
		ValidArgsFunction: headless.Offered(words),
		RunE: func(c *cobra.Command, names []string) error {
			switch {
			case o.all && len(names) > 0:
				return command.Wrong(errors.New("--all checks every lesson of the course: it does not go with a name"))
			case o.all:
				for _, l := range shelf.Lessons() {
					names = append(names, l.Name)
				}
			case len(names) == 0:
				return command.Wrong(errors.New("which lesson? Name one, or its file; --all checks those of the course"))
			}
			return o.check(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), names)
		}}
	c.Flags().BoolVar(&o.all, "all", false, "check every lesson of the course")
	c.Flags().BoolVar(&o.json, "json", false, "one JSON object a lesson")
	return c
}

func forgetCommand() *cobra.Command {
	var all bool
	var dir string
	c := &cobra.Command{Use: "forget NAME|FILE...", Short: "Forget what was read and answered of lessons, and done of their exercises", Args: command.Args(cobra.ArbitraryArgs),
		Example:           "  bandscope lesson forget posterior\n  bandscope lesson forget --all",
		ValidArgsFunction: headless.Offered(headless.ListWords("lessons", &dir)),
		RunE: func(c *cobra.Command, names []string) error {
			switch {
			case all && len(names) > 0:
				return command.Wrong(errors.New("--all forgets every lesson: it does not go with a name"))
			case !all && len(names) == 0:
				return command.Wrong(errors.New("which lesson? Name one; --all forgets all"))
			}
			kept := make([]string, len(names))
			for i, name := range names {
				var err error
				if kept[i], err = shelf.ReadingName(name); err != nil {
					return command.Wrong(err)
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
