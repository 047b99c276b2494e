package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/sessions/recorder"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/training"
	"bandscope/tui"
)

// lessonBuilder holds the options of a new lesson.
type lessonBuilder struct {
	setting settings
	lesson  sessions.Lesson
	script  string // file to perform; empty for none
	from    string // session to turn into a lesson; empty for none
	example bool
	screen  tui.Options // Dir is the folder of named sessions
}

// openedLesson is an opened lesson: one of its fields is set.
type openedLesson struct {
	session  *sessions.Session
	training *training.Session
}

func lessonNewCommand() *cobra.Command {
	var o lessonBuilder
	c := &cobra.Command{Use: "new FILE", Short: "Create your own lesson from a script, a session, or on the screen",
		Args: args(cobra.MaximumNArgs(1)),
		Long: "Create your own lesson in a new FILE, in one of three ways:\n\n" +
			"  On the screen, n writes a page about the current step, and space takes the next step.\n" +
			"  --script performs a script: lines that begin with \"> \" are acts (--example).\n" +
			"  --from turns the notes of a session into pages.\n\n" +
			"On the screen, these lines below the text of a page add to it:\n\n" +
			"  ? one | another* | a third  ask a question; * marks the right answer\n" +
			"  ?1 …                        say why the first answer is wrong\n" +
			"  ?                           ask for a point\n" +
			"  ! band > 2                  claim something that bandscope lesson check verifies\n" +
			"  @ plane                     show a picture\n\n" + actsText(),
		Example: "  bandscope lesson new --example > mine.md\n  bandscope lesson new mine.jsonl --script mine.md\n" +
			"  bandscope lesson new mine.jsonl --title 'Where to look' -f forrester -o gp-ei --seed 3\n" +
			"  bandscope lesson new mine.jsonl --title 'My oven' --from oven.jsonl",
		RunE: func(c *cobra.Command, a []string) error {
			if o.example {
				if len(a) > 0 {
					return usagef("--example only prints a script: leave out the file")
				}
				_, err := io.WriteString(c.OutOrStdout(), lesson.Example)
				return err
			}
			path, err := o.check(c, a)
			if err != nil {
				return asUsage(err)
			}
			if err := o.build(c.Context(), c.ErrOrStderr(), path); err != nil {
				return err
			}
			if o.script == "" && onTerminal() {
				return explore(c.Context(), o.screen, settings{}, execOptions{}, []string{path})
			}
			return o.printSummary(c.Context(), c.OutOrStdout(), path)
		}}
	o.setting.Flags(c)
	f := c.Flags()
	f.StringVar(&o.lesson.Title, "title", "", "title of the lesson")
	f.StringVar(&o.lesson.About, "about", "", "one sentence about the lesson")
	f.StringVar(&o.lesson.Part, "part", "", "part of the course that it belongs to")
	f.StringSliceVar(&o.lesson.Hide, "hide", nil, "parts of the screen to leave out: "+
		strings.Join(sessions.Hideable, ", "))
	f.StringVar(&o.script, "script", "", "script to perform")
	f.StringVar(&o.from, "from", "", "session to turn into a lesson")
	f.BoolVar(&o.example, "example", false, "print an example of a script")
	c.MarkFlagFilename("script", "md")
	screenFlags(c, &o.screen)
	completeFlag(c, "from", sessionWords(&o.screen.Rights.Sessions))
	completeFlag(c, "hide", choices(sessions.Hideable...))
	return c
}

// actsText is the grammar of the acts of scripts.
func actsText() string {
	acts, labs := lesson.Acts()
	return "Acts of scripts:\n\n  " + strings.Join(acts, "\n  ") + "\n\nActs in lessons of labs:\n\n  " +
		strings.Join(labs, "\n  ")
}

// check checks the options and returns the path of the new lesson.
func (o *lessonBuilder) check(c *cobra.Command, a []string) (path string, err error) {
	if len(a) == 0 {
		return "", errors.New("which file? Name the file of the new lesson; --example prints an example of a script")
	}
	path = a[0]
	if filepath.Ext(path) == "" {
		path += ".jsonl"
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s exists already; choose another name", path)
	}
	owners := map[bool]string{true: "--script", false: "--from"}[o.script != ""]
	switch {
	case o.script != "" && o.from != "":
		return "", errors.New("--script cannot be used with --from: choose one of them")
	case o.script != "" || o.from != "":
		if err := checkUnset(c, owners); err != nil {
			return "", err
		}
		for _, name := range []string{"title", "about", "part", "hide"} {
			if o.script != "" && c.Flags().Changed(name) {
				return "", fmt.Errorf("--%s cannot be used with --script: the script sets it", name)
			}
		}
	case o.setting.Import != "":
		return "", errors.New("--import cannot be used with a new lesson: import into a session, and use --from")
	}
	if o.script == "" && strings.TrimSpace(o.lesson.Title) == "" {
		return "", errors.New("the lesson needs a title, as in --title 'Where to look next'")
	}
	for _, subject := range o.lesson.Hide {
		if !slices.Contains(sessions.Hideable, subject) {
			return "", didyoumean.NewUnknownError("part of the screen", subject, sessions.Hideable)
		}
	}
	return path, nil
}

// build makes the lesson.
func (o *lessonBuilder) build(ctx context.Context, errs io.Writer, path string) error {
	switch {
	case o.script != "":
		return o.perform(ctx, errs, path)
	case o.from != "":
		return o.fromSession(ctx, path)
	}
	cfg, err := o.setting.Config()
	if err != nil {
		return err
	}
	o.lesson.About = cmp.Or(o.lesson.About, "On "+cfg.Problem+".")
	s, err := sessions.New(ctx, cfg, sessions.WithLesson(&o.lesson))
	if err != nil {
		return asUsage(err)
	}
	return errors.Join(s.SaveAs(path), s.Close())
}

const maxScript = 4 << 20

// perform makes the lesson from a script.
func (o *lessonBuilder) perform(ctx context.Context, errs io.Writer, path string) error {
	progress, done := newProgress(errs)
	defer done()
	_, m, err := performScript(ctx, o.script, progress)
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.script, err)
	}
	if m.training != nil {
		return errors.Join(m.training.SaveAs(path), m.training.Close())
	}
	return errors.Join(m.session.SaveAs(path), m.session.Close())
}

// performScript performs the script in a file, and also returns its text.
func performScript(ctx context.Context, path string, progress sessions.Progress) (text string, m openedLesson,
	err error) {
	f, err := eventlog.OpenRegular(path, maxScript)
	if err != nil {
		return "", m, err
	}
	defer f.Close()
	read, err := io.ReadAll(io.LimitReader(f, maxScript))
	if err != nil {
		return "", m, err
	}
	s, err := lesson.ReadScript(string(read), filesBeside(path))
	switch {
	case err != nil:
	case s.IsTraining():
		m.training, err = s.PerformTraining(ctx, training.Find, progress)
	default:
		m.session, err = s.Perform(ctx, progress)
	}
	return string(read), m, err
}

// filesBeside are the files beside a script.
func filesBeside(path string) fs.FS { return os.DirFS(filepath.Dir(path)) }

// fromSession makes the lesson from a session.
func (o *lessonBuilder) fromSession(ctx context.Context, path string) error {
	from := sessionFile(o.from, o.screen.Rights.Sessions)
	in, err := eventlog.OpenRegular(from, eventlog.MaxFile)
	if err != nil {
		return err
	}
	defer in.Close()
	o.lesson.About = cmp.Or(o.lesson.About, "Made from "+filepath.Base(from)+".")
	text, err := lesson.FromLog(ctx, in, o.lesson)
	if err != nil {
		return fmt.Errorf("%s: %w", o.from, err)
	}
	s, err := sessions.Read(ctx, bytes.NewReader(text))
	if errors.Is(err, sessions.ErrTraining) {
		l, err := training.Read(ctx, bytes.NewReader(text))
		if err != nil {
			return err
		}
		return errors.Join(l.SaveAs(path), l.Close())
	}
	if err != nil {
		return err
	}
	return errors.Join(s.SaveAs(path), s.Close())
}

// printSummary describes the new lesson and names the commands that open and check it.
func (o *lessonBuilder) printSummary(ctx context.Context, out io.Writer, path string) error {
	m, err := findLesson(ctx, path)
	if err != nil {
		return err
	}
	var l *sessions.Lesson
	var stops []recorder.Stop
	if m.training != nil {
		l, stops = m.training.Lesson(), m.training.Timeline().Stops
	} else {
		l, stops = m.session.Lesson(), m.session.Timeline().Stops
	}
	pages, asks := 0, 0
	for _, s := range stops {
		if s.Note != "" {
			pages++
		}
		if s.Ask {
			asks++
		}
	}
	name := sanitize.Text(path)
	if pages == 0 {
		_, err = fmt.Fprintf(out, "%s: %q has no pages yet\nbandscope %s opens it: n writes a page, space takes a step\n",
			name, sanitize.Text(l.Title), name)
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %q, %s, %s\nbandscope lesson %s opens it, bandscope lesson check %s checks its claims\n", name, sanitize.Text(l.Title), numfmt.Count(pages, "page"), numfmt.Count(asks, "question"), name,
		name)
	return err
}

// findLesson opens a lesson by its name or its file, at its beginning. A wrong name is an error of usage.
func findLesson(ctx context.Context, name string) (m openedLesson, err error) {
	m.session, err = library.FindLesson(ctx, name)
	if errors.Is(err, sessions.ErrTraining) {
		m.training, err = library.FindTrainingLesson(ctx, name)
		if err == nil {
			m.training.First()
		}
	} else if err == nil {
		m.session.First()
	}
	return m, asUsage(err)
}
