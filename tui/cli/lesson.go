package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui"
	"bandscope/tui/handout"
)

func lessonCommand() *cobra.Command {
	var screen tui.Options
	c := &cobra.Command{Use: "lesson [NAME|FILE]",
		Short: "Open a lesson; without a name, list the lessons and your progress",
		Long: "Open a lesson of the course by its name, or another lesson by its file. Without a name, list the\n" +
			"lessons and your progress.",
		Args: args(cobra.MaximumNArgs(1)),
		Example: "  bandscope lesson\n  bandscope lesson posterior\n  bandscope lesson check posterior\n" +
			"  bandscope lesson export posterior -o posterior.html\n  bandscope lesson new --example > mine.md\n" +
			"  bandscope lesson new mine.jsonl --script mine.md\n  bandscope lesson forget posterior",
		ValidArgsFunction: completeArgs(lessonWords),
		RunE: func(c *cobra.Command, a []string) error {
			if len(a) == 0 {
				return listCourse(c.OutOrStdout(), screen.Rights.Sessions)
			}
			m, err := findLesson(c.Context(), a[0])
			if err != nil {
				return err
			}
			screen.Session = m.session
			if m.training != nil {
				screen.Opened = m.training
			}
			return explore(c.Context(), screen, settings{}, execOptions{}, nil)
		}}
	screenFlags(c, &screen)
	c.AddCommand(lessonCheckCommand(), lessonNewCommand(), lessonExportCommand(), lessonForgetCommand())
	return c
}

func galleryCommand() *cobra.Command {
	var screen tui.Options
	c := &cobra.Command{Use: "gallery [NAME]",
		Short: "Open a recorded session with notes; without a name, list the gallery",
		Long: "Open a recorded session on a test problem, with notes on its important steps. space goes from\n" +
			"note to note; f continues from any of them as a session of your own. Without a name, list the gallery.",
		Args:              args(cobra.MaximumNArgs(1)),
		Example:           "  bandscope gallery\n  bandscope gallery campaign",
		ValidArgsFunction: completeArgs(listWords("gallery", &screen.Rights.Sessions)),
		RunE: func(c *cobra.Command, a []string) error {
			if len(a) == 0 {
				return lessonTable(c.OutOrStdout(), library.Gallery(), readings(c.OutOrStdout(), screen.Rights.Sessions, false))
			}
			if _, err := library.FindGalleryEntry(a[0]); err != nil {
				return asUsage(err)
			}
			var err error
			screen.Session, err = library.OpenLesson(a[0])
			if err != nil {
				return err
			}
			return explore(c.Context(), screen, settings{}, execOptions{}, nil)
		}}
	screenFlags(c, &screen)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaExplorer)
}

// lessonWords are the lessons of the course, those of the gallery, and the files in which there may be others.
func lessonWords(ctx context.Context, before []string, typed string) []string {
	here := "."
	return slices.Concat(listWords("lessons", nil)(ctx, before, typed), listWords("gallery", nil)(ctx, before, typed),
		sessionWords(&here)(ctx, before, typed))
}

func lessonForgetCommand() *cobra.Command {
	var all bool
	var dir string
	c := &cobra.Command{Use: "forget NAME|FILE...",
		Short:             "Forget your progress in lessons: pages, answers and exercises",
		Args:              args(cobra.ArbitraryArgs),
		Example:           "  bandscope lesson forget posterior\n  bandscope lesson forget --all",
		ValidArgsFunction: completeArgs(listWords("lessons", &dir)),
		RunE: func(c *cobra.Command, names []string) error {
			switch {
			case all && len(names) > 0:
				return usagef("--all forgets all lessons: leave out the names")
			case !all && len(names) == 0:
				return usagef("which lesson? Name one, or use --all")
			}
			values := make([]string, len(names))
			for i, name := range names {
				var err error
				values[i], err = library.ReadingName(name)
				if err != nil {
					return asUsage(err)
				}
			}
			n, err := lesson.ForgetProgress(c.Context(), dir, values...)
			if err != nil {
				return err
			}
			text := "forgot the progress in " + numfmt.Count(n, "lesson")
			if n == 0 {
				text = "there is no progress in " + sanitize.Text(strings.Join(names, ", "))
				if all {
					text = "there is no progress in any lesson"
				}
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), text)
			return err
		}}
	c.Flags().BoolVar(&all, "all", false, "forget all lessons")
	c.Flags().StringVar(&dir, "dir", library.DefaultDir(), "folder where sessions are kept")
	c.MarkFlagDirname("dir")
	return c
}

func lessonExportCommand() *cobra.Command {
	file := ""
	c := &cobra.Command{Use: "export NAME|FILE",
		Short: "Export a lesson as one HTML page to print, with the answers at the end",
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
	c.Flags().StringVarP(&file, "output", "o", "", "file to write instead of standard output; it must not exist")
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

// listedLesson is a lesson with the user's progress, for other programs.
type listedLesson struct {
	library.LessonEntry
	Reading lesson.LessonProgress `json:"reading,omitzero"`
}

// listLessons lists lessons with the user's progress, which is kept in dir; a name describes one of them.
func listLessons(out io.Writer, all []library.LessonEntry, find func(string) (library.LessonEntry, error),
	name, dir string, asJSON bool) error {
	state := readings(out, dir, asJSON)
	if name != "" {
		single, err := find(name)
		if err != nil {
			return asUsage(err)
		}
		all = []library.LessonEntry{single}
	}
	if asJSON {
		results := make([]listedLesson, len(all))
		for i, l := range all {
			results[i] = listedLesson{l, state[l.Name]}
		}
		return sanitize.JSON(out, results)
	}
	if name != "" {
		return describeLesson(out, all[0], state[name])
	}
	return lessonTable(out, all, state)
}

// readings is the user's progress. If it cannot be read, the list says so and continues without it.
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
	pages := numfmt.Count(l.Pages, "page")
	if l.Questions > 0 {
		pages += ", " + numfmt.Count(l.Questions, "question")
	}
	lines := []string{fmt.Sprintf("%d  %s: %s", l.Number, l.Name, l.Title), l.About, "",
		fmt.Sprintf("%s: %s, %s", l.Part, pages, l.Subject())}
	if text := r.Describe(l.Pages); text != "" {
		lines = append(lines, text)
	}
	if e := l.Exercise; e != nil {
		lines = append(lines, "", "exercise on "+e.Config.Problem+" with "+e.Config.Optimizer+":", e.Text, "",
			"goals: "+strings.Join(e.Goals, ", "))
	}
	command := "lesson"
	if _, err := library.FindGalleryEntry(l.Name); err == nil {
		command = "gallery"
	}
	lines = append(lines, "", "bandscope "+command+" "+l.Name)
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

// listCourse lists the lessons with the user's progress, which is kept in dir, and names the next one.
func listCourse(out io.Writer, dir string) error {
	all, state := library.Lessons(), readings(out, dir, false)
	if err := lessonTable(out, all, state); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\n"+nextLesson(state))
	return err
}

// nextLesson names the next lesson.
func nextLesson(state lesson.Progress) string {
	l, ok := library.NextLesson(library.Lessons(), state)
	switch r := state[l.Name]; {
	case !ok:
		return "you have finished all lessons and exercises"
	case r.FarthestPage == 0:
		return "next: bandscope lesson " + l.Name
	case r.FarthestPage >= l.Pages:
		return "next: bandscope lesson " + l.Name + ", its exercise"
	default:
		return fmt.Sprintf("next: bandscope lesson %s, from page %d of %d", l.Name, max(r.CurrentPage, 1), l.Pages)
	}
}
