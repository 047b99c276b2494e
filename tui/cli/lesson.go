package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui"
	"bandscope/tui/lesson/handout"
)

func lessonCommand() *cobra.Command {
	var screen tui.Options
	c := &cobra.Command{Use: "lesson [NAME|FILE]",
		Short: "Read a lesson of the course, or one in a file; without a name list them, with what was read",
		Args:  args(cobra.MaximumNArgs(1)),
		Example: "  bandscope lesson\n  bandscope lesson posterior\n  bandscope lesson check posterior\n" +
			"  bandscope lesson export posterior -o posterior.html\n  bandscope lesson new --example > mine.md\n" +
			"  bandscope lesson new mine.jsonl --script mine.md\n  bandscope lesson forget posterior",
		ValidArgsFunction: completeArgs(lessonWords),
		RunE: func(c *cobra.Command, a []string) error {
			if len(a) == 0 {
				return listCourse(c.OutOrStdout(), screen.Dir)
			}
			m, err := findLesson(c.Context(), a[0])
			if err != nil {
				return err
			}
			screen.Session, screen.Training = m.session, m.training
			return explore(c.Context(), screen, settings{}, execOptions{}, nil)
		}}
	screenFlags(c, &screen)
	c.AddCommand(lessonCheckCommand(), lessonNewCommand(), lessonExportCommand(), lessonForgetCommand())
	return c
}

// lessonWords are the lessons of the course, and the files in which there may be others.
func lessonWords(ctx context.Context, before []string, typed string) []string {
	here := "."
	return append(listWords("lessons", nil)(ctx, before, typed), sessionWords(&here)(ctx, before, typed)...)
}

func lessonForgetCommand() *cobra.Command {
	var all bool
	var dir string
	c := &cobra.Command{Use: "forget NAME|FILE...",
		Short:             "Forget what was read and answered of lessons, and done of their exercises",
		Args:              args(cobra.ArbitraryArgs),
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
				if kept[i], err = library.ReadingName(name); err != nil {
					return asUsage(err)
				}
			}
			n, err := lesson.ForgetProgress(c.Context(), dir, kept...)
			if err != nil {
				return err
			}
			said := numfmt.Count(n, "lesson") + " forgotten"
			switch {
			case n == 0:
				said = "nothing was read of " + sanitize.Text(strings.Join(names, ", "))
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
	c.Flags().StringVar(&dir, "dir", library.DefaultDir(), "folder of the sessions")
	c.MarkFlagDirname("dir")
	return c
}

func lessonExportCommand() *cobra.Command {
	file := ""
	c := &cobra.Command{Use: "export NAME|FILE",
		Short: "Write a lesson as a handout, one page of HTML to read and print: the answers stand at its end",
		Args:  args(cobra.ExactArgs(1)),
		Example: "  bandscope lesson export posterior -o posterior.html\n" +
			"  bandscope lesson export mine.jsonl > mine.html",
		ValidArgsFunction: completeArgs(lessonWords),
		RunE: func(c *cobra.Command, a []string) error {
			m, err := findLesson(c.Context(), a[0])
			if err != nil {
				return err
			}
			progress, done := newProgress(c.ErrOrStderr())
			defer done()
			write := func(w io.Writer) error { return m.writeHandout(c.Context(), w, a[0], progress) }
			return writeTo(c.Context(), file, c.OutOrStdout(), write)
		}}
	c.Flags().StringVarP(&file, "output", "o", "", "file to write, which must not exist, in place of standard output")
	c.MarkFlagFilename("output", "html")
	return c
}

// writeHandout writes the handout of a lesson, which is opened under a name.
func (m openedLesson) writeHandout(ctx context.Context, w io.Writer, name string, progress sessions.Progress) error {
	if m.training != nil {
		return handout.Training(ctx, w, m.training, name)
	}
	return handout.Session(ctx, w, m.session, name, progress)
}

// listedLesson is a lesson with what was done of it, for programs that read lists.
type listedLesson struct {
	library.LessonEntry
	Reading lesson.LessonProgress `json:"reading,omitzero"`
}

// listLessons lists the lessons with what was done of them, by what is kept in a folder; a name lists one of them
// whole.
func listLessons(out io.Writer, name, dir string, asJSON bool) error {
	all, state := library.Lessons(), readings(out, dir, asJSON)
	if name != "" {
		one, err := library.FindEntry(name)
		if err != nil {
			return asUsage(err)
		}
		all = []library.LessonEntry{one}
	}
	if asJSON {
		told := make([]listedLesson, len(all))
		for i, l := range all {
			told[i] = listedLesson{l, state[l.Name]}
		}
		return sanitize.JSON(out, told)
	}
	if name != "" {
		return describeLesson(out, all[0], state[name])
	}
	return lessonTable(out, all, state)
}

// readings are what was done of lessons. Of what cannot be read the list says so, and goes on without it.
func readings(out io.Writer, dir string, asJSON bool) lesson.Progress {
	state, err := lesson.ReadProgress(dir)
	if err != nil && !asJSON {
		fmt.Fprintln(out, sanitize.Text(err.Error()))
	}
	return state
}

func lessonTable(out io.Writer, all []library.LessonEntry, state lesson.Progress) error {
	name, title := 0, 0
	for _, l := range all {
		name, title = max(name, utf8.RuneCountInString(l.Name)), max(title, utf8.RuneCountInString(l.Title))
	}
	var lines []string
	part := ""
	for _, l := range all {
		if l.Part != part {
			if part != "" {
				lines = append(lines, "")
			}
			part = l.Part
			lines = append(lines, part)
		}
		lines = append(lines, strings.TrimRight(
			fmt.Sprintf("%4d  %-*s  %-*s  %s", l.Number, name, l.Name, title, l.Title, state[l.Name].Describe(l.Pages)),
			" "))
	}
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

func describeLesson(out io.Writer, l library.LessonEntry, r lesson.LessonProgress) error {
	lines := []string{fmt.Sprintf("%d  %s: %s", l.Number, l.Name, l.Title), l.About, "",
		fmt.Sprintf("%s: %s, %d of them with a question, %s", l.Part, numfmt.Count(l.Pages, "page"), l.Questions,
			l.Subject())}
	if said := r.Describe(l.Pages); said != "" {
		lines = append(lines, said)
	}
	if e := l.Exercise; e != nil {
		lines = append(lines, "", "exercise, on "+e.Config.Problem+" with "+e.Config.Optimizer+":", e.Text, "",
			"goals: "+strings.Join(e.Goals, ", "))
	}
	lines = append(lines, "", "bandscope lesson "+l.Name)
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

// listCourse lists the lessons with what was done of them, by what is kept in a folder, and says which one comes next.
func listCourse(out io.Writer, dir string) error {
	all, state := library.Lessons(), readings(out, dir, false)
	if err := lessonTable(out, all, state); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\n"+nextLesson(state))
	return err
}

// nextLesson says which lesson comes next.
func nextLesson(state lesson.Progress) string {
	l, ok := library.NextLesson(library.Lessons(), state)
	switch r := state[l.Name]; {
	case !ok:
		return "all lessons are read, and every exercise is done"
	case r.FarthestPage == 0:
		return "next: bandscope lesson " + l.Name
	case r.FarthestPage >= l.Pages:
		return "next: bandscope lesson " + l.Name + ", whose exercise waits"
	default:
		return fmt.Sprintf("next: bandscope lesson %s, from page %d of %d on", l.Name, max(r.CurrentPage, 1), l.Pages)
	}
}
