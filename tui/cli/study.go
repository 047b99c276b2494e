package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bandscope/functions/didyoumean"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
	"bandscope/sessions/study/worker"
	"bandscope/tui"
	tuistudy "bandscope/tui/study"
)

// studyOptions say where a study is, how it is worked and what is told of it.
type studyOptions struct {
	DB      string // a file or a URL of PostgreSQL; empty is the study's own file in the data folder
	Workers int    // cells at once; 0 is one a core

	StatusOnly bool // as far as it has come: nothing is worked
	Restart    bool // cells that failed or that another program began are begun anew
	Published  bool // what was published of a built-in one
	Plain      bool // without the screen
	JSON       bool

	Export string // a format; empty for none
	Output string // a file or, of COCO's format, a folder
}

func studyCommand() *cobra.Command {
	var o studyOptions
	var screen tui.Options
	c := &cobra.Command{Use: "study [NAME|FILE.toml]",
		Short: "Run a table of methods on problems over seeds to its end, whatever happens, and watch it grow",
		Args:  args(cobra.MaximumNArgs(1)), ValidArgsFunction: studyArgs,
		Long: "A study is a file in TOML, one that is built in (list studies), or one that was begun before. " +
			"Interrupted, the same command goes on where it was.\n" +
			"On a terminal it is shown while it grows; without one, or with --plain, a table is printed when it is " +
			"done.",
		Example: "  bandscope study small.toml\n  bandscope study nadigatla-5.1 --published\n" +
			"  bandscope study small.toml --db postgres://host/studies    # and on other machines: bandscope work " +
			"--db postgres://host/studies\n" +
			"  bandscope study small --look --json\n  bandscope study small --export html -o small.html",
		RunE: func(c *cobra.Command, a []string) error {
			var show func(*tuistudy.Opening) error
			if !o.Plain && !o.JSON && o.Export == "" && onTerminal() {
				show = func(opening *tuistudy.Opening) error {
					screen.Study, screen.Studies = opening, opening == nil
					return explore(c.Context(), screen, settingsFor(library.DefaultConfig()), execOptions{}, nil)
				}
			}
			switch {
			case len(a) == 1:
				return runStudy(c.Context(), os.Stdout, os.Stderr, a[0], o, show)
			case c.Flags().Changed("db") || c.Flags().Changed("export") || c.Flags().Changed("published") ||
				c.Flags().Changed("look"):
				return usagef("which study? bandscope list studies lists them")
			case show != nil:
				return show(nil)
			}
			return listKind(c.Context(), os.Stdout, "studies", "", "", o.JSON)
		}}
	f := c.Flags()
	f.StringVar(&o.DB, "db", "", "where it is kept: a file, or a URL of PostgreSQL where several machines work; by "+
		"default a file in the data folder")
	f.IntVar(&o.Workers, "workers", 0, "cells at once; 0 is one a core")
	f.BoolVar(&o.StatusOnly, "look", false, "only look how far it is: nothing is worked")
	f.BoolVar(&o.Restart, "again", false, "begin cells anew that failed, or that another version of the program began")
	f.BoolVar(&o.Published, "published", false,
		"what came of a built-in study when it was run for this program; nothing is worked")
	f.BoolVar(&o.Plain, "plain", false, "without the screen")
	f.BoolVar(&o.JSON, "json", false, "without the screen, one JSON object a problem and method")
	f.StringVar(&o.Export, "export", "", "write what there is of it: "+studyFormats)
	f.StringVarP(&o.Output, "output", "o", "",
		"file to export to, which must not exist, in place of standard output; of coco a folder")
	c.MarkFlagFilename("output")
	c.MarkFlagFilename("db", "db")
	completeFlag(c, "export", choices(strings.Split(studyFormats, ", ")...))
	screenFlags(c, &screen)
	return c
}

// studyArgs are what a shell offers for a study: those with a name, and files in TOML.
func studyArgs(c *cobra.Command, a []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(a) == 0 && strings.ContainsAny(typed, "./") {
		return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return completeArgs(studyWords)(c, a, typed)
}

const studyFormats = "csv, cells, json, html, coco"

// Check says what of the options does not go together.
func (o studyOptions) Check() error {
	switch {
	case o.Workers < 0 || o.Workers > maxWorkers:
		return usagef("--workers must be in [0, %d], got %d", maxWorkers, o.Workers)
	case o.Published && o.DB != "":
		return usagef("--db does not go with --published: what is published needs no database")
	case o.Published && o.StatusOnly:
		return usagef("--look does not go with --published: nothing is run of what is published")
	case o.Restart && (o.StatusOnly || o.Published || o.Export != ""):
		return usagef("--again begins cells anew, and goes with none of --look, --published and --export, which work " +
			"nothing")
	case o.Export == "" && o.Output != "":
		return usagef("-o names the file of --export, which is one of %s", studyFormats)
	case o.Export != "" && o.JSON:
		return usagef("--json does not go with --export: --export json writes everything as JSON")
	case o.Export != "" && !slices.Contains(strings.Split(studyFormats, ", "), o.Export):
		return usagef("--export must be one of %s, got %q", studyFormats, o.Export)
	case o.Export == "coco" && o.Output == "":
		return usagef("COCO's format is a folder: -o names one that does not exist")
	}
	return nil
}

const maxWorkers = 1024

// runStudy runs a study to its end, unless it is only looked at, and prints a table of what came of it. With show it is
// shown instead, while it runs.
func runStudy(ctx context.Context, out, errs io.Writer, word string, o studyOptions,
	show func(*tuistudy.Opening) error) error {
	if err := o.Check(); err != nil {
		return err
	}
	if e, ok := published.FindExternal(word); ok && o.DB == "" {
		return printExternal(out, e, o)
	}
	if o.Published {
		return showPublished(ctx, out, word, o, show)
	}
	f, err := findStudy(ctx, word, o.DB)
	if err != nil {
		return err
	}
	looks := o.StatusOnly || o.Export != ""
	st, err := f.open(ctx, errs, looks)
	if err != nil {
		return err
	}
	if o.Restart {
		n, err := st.Restart(ctx, f.name)
		if err != nil {
			return errors.Join(err, st.Close())
		}
		fmt.Fprintf(errs, "bandscope: %d cells of %s begin anew\n", n, sanitize.Text(f.name))
	}
	if show != nil {
		opening := tuistudy.OpenStored(st, f.name)
		if opening.Ready = o.Workers; !looks {
			opening.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
		}
		return show(opening)
	}
	defer st.Close()
	if !looks {
		if err := workStudy(ctx, errs, st, f.name, o.Workers); err != nil {
			return err
		}
	}
	t, err := st.Table(ctx, f.name)
	if err != nil {
		return err
	}
	return errors.Join(writeStudy(ctx, out, t, o), reportFailures(errs, t, looks))
}

func printExternal(out io.Writer, e published.ExternalStudy, o studyOptions) error {
	if !o.Published || o.JSON || o.Export != "" {
		return usagef("%s is no table of runs, and is run by: %s (--published prints what came of it)", e.Name,
			e.Command)
	}
	_, err := fmt.Fprintf(out, "%s: %s\n\n%s\nsource: %s\n\n%s\n\nrun by: %s\n", e.Name, e.Title, e.Table, e.Source,
		e.Note, e.Command)
	return err
}

// showPublished prints or shows what was published of a built-in study.
func showPublished(ctx context.Context, out io.Writer, name string, o studyOptions,
	show func(*tuistudy.Opening) error) error {
	t, ok := published.Results(name)
	d, known := published.Find(name)
	switch {
	case !known:
		return asUsage(didyoumean.NewUnknownError("study", name, published.Names()))
	case !ok:
		return fmt.Errorf("nothing is published of %s yet; without --published it is run", name)
	case show == nil:
		return writeStudy(ctx, out, t, o)
	}
	opening, err := tuistudy.OpenBuiltIn(d)
	if err != nil {
		return err
	}
	return show(opening)
}

// submitStudy submits a study, which with thousands of cells takes a moment and says so. One of the same name that runs
// something else is an error of usage.
func submitStudy(ctx context.Context, errs io.Writer, st *store.Store, d *study.Declaration) error {
	bar := newBar(errs)
	defer bar.Clear()
	if cells, err := d.Cells(); err == nil {
		bar.Show(0, len(cells), "queueing the cells of "+sanitize.Text(d.Name))
	}
	err := worker.Submit(ctx, st, d)
	var other *store.NameTakenError
	if errors.As(err, &other) {
		return asUsage(other)
	}
	return err
}

// workStudy works on a study until nothing is left to be done.
func workStudy(ctx context.Context, errs io.Writer, st *store.Store, name string, workers int) error {
	deferExit(ctx)
	bar := newBar(errs)
	defer bar.Clear()
	p := studyProgress{name: name, bar: bar, errs: errs}
	err := worker.Work(ctx, st, worker.Options{Workers: workers, Study: name, UntilDone: true, Progress: p.show,
		Report: func(text string) { bar.Print("bandscope: " + sanitize.Text(text)) }})
	if ctx.Err() != nil {
		bar.Clear()
		fmt.Fprintf(errs, "bandscope: what was done of %s is kept in %s; the same command goes on\n",
			sanitize.Text(name), sanitize.Text(st.String()))
	}
	return err
}

// studyProgress tells how far a study is, and when it is likely to be done.
type studyProgress struct {
	name      string
	bar       *progressBar
	errs      io.Writer
	began     time.Time
	first     int // cells that were over when it began
	lastShown time.Time
}

// quietInterval is how often the pace is told where no person watches.
const quietInterval = 5 * time.Minute

// show hears how far it is.
func (p *studyProgress) show(s store.Summary) {
	now := time.Now()
	if p.began.IsZero() {
		p.began, p.first, p.lastShown = now, s.Ended(), now
	}
	text := p.name
	if n := s.Cells[study.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	if done := s.Ended() - p.first; done > 0 {
		left := time.Duration(float64(now.Sub(p.began)) / float64(done) * float64(s.Remaining()))
		text += fmt.Sprintf(", %.3g cells a minute, %s left", float64(done)/now.Sub(p.began).Minutes(),
			durationText(left))
	}
	p.bar.Show(s.Ended(), s.Total(), sanitize.Text(text))
	if !isTerminal(p.errs) && now.Sub(p.lastShown) >= quietInterval {
		p.lastShown = now
		fmt.Fprintf(p.errs, "%d/%d %s\n", s.Ended(), s.Total(), sanitize.Text(text))
	}
}

// durationText is a duration in one unit.
func durationText(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 90*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

func workCommand() *cobra.Command {
	var o studyOptions
	c := &cobra.Command{Use: "work --db URL", Short: "Work on the studies of a database, until it is interrupted",
		Args:    args(cobra.NoArgs),
		Example: "  bandscope work --db postgres://host/studies",
		RunE:    func(c *cobra.Command, _ []string) error { return workDatabase(c.Context(), os.Stderr, o) }}
	c.Flags().StringVar(&o.DB, "db", "", "the database: a URL of PostgreSQL, or a file of studies")
	c.Flags().IntVar(&o.Workers, "workers", 0, "cells at once; 0 is one a core")
	return c
}

// workDatabase works on whatever studies a database has until it is interrupted.
func workDatabase(ctx context.Context, errs io.Writer, o studyOptions) error {
	if o.DB == "" {
		return usagef("work needs --db: a URL of PostgreSQL, as in --db postgres://host/studies, or a file of studies")
	}
	if err := o.Check(); err != nil {
		return err
	}
	st, err := store.OpenExisting(ctx, o.DB)
	if err != nil {
		return databaseError(err)
	}
	defer st.Close()
	deferExit(ctx)
	bar := newBar(errs)
	defer bar.Clear()
	paces := map[int64]*studyProgress{}
	return worker.Work(ctx, st, worker.Options{Workers: o.Workers, Report: func(text string) {
		bar.Print("bandscope: " + sanitize.Text(text))
	},
		Progress: func(s store.Summary) {
			if paces[s.ID] == nil {
				paces[s.ID] = &studyProgress{name: s.Name, bar: bar, errs: errs}
			}
			if s.Remaining() > 0 {
				paces[s.ID].show(s)
			}
		}})
}

// studyTarget is what the word of a command names.
type studyTarget struct {
	declared *study.Declaration // to be submitted; nil of a study that stands in its database alone
	name     string
	db       string // where it is kept or is to be; empty is the data folder
}

const maxStudyFile = 1 << 20

// findStudy finds what is meant by a word: a file, which ends in .toml, a study in the database that is named, a
// built-in one, or one in the data folder.
func findStudy(ctx context.Context, word, db string) (studyTarget, error) {
	if strings.HasSuffix(word, ".toml") || strings.ContainsRune(word, filepath.Separator) {
		d, err := readStudy(ctx, word)
		if err != nil {
			return studyTarget{}, err
		}
		return studyTarget{d, d.Name, db}, nil
	}
	built, _ := published.Find(word)
	if db == "" {
		e, err := published.FindOpen(ctx, word)
		if errors.Is(err, didyoumean.ErrUnknown) {
			err = usagef("%w (a file of your own ends in .toml; bandscope list studies)", err)
		}
		return studyTarget{e.BuiltIn, word, ""}, err
	}
	names, err := studiesIn(ctx, db)
	switch {
	case err != nil:
		return studyTarget{}, err
	case slices.Contains(names, word):
		return studyTarget{built, word, db}, nil
	case built == nil:
		return studyTarget{}, asUsage(didyoumean.NewUnknownError("study", word, append(names, published.Names()...)))
	}
	return studyTarget{built, word, db}, nil
}

func readStudy(ctx context.Context, path string) (*study.Declaration, error) {
	file, err := eventlog.OpenRegular(path, maxStudyFile)
	if err != nil {
		return nil, asUsage(err)
	}
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	d, err := study.Parse(ctx, path, text)
	return d, asUsage(err)
}

// studiesIn lists the studies of a database; there are none in one that is not there yet.
func studiesIn(ctx context.Context, db string) (names []string, err error) {
	st, err := store.OpenExisting(ctx, db)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, databaseError(err)
	}
	defer st.Close()
	list, err := st.Studies(ctx)
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names, err
}

// open opens the database and submits what is declared; where it is only looked at, it is there already.
func (f studyTarget) open(ctx context.Context, errs io.Writer, look bool) (*store.Store, error) {
	place, err := f.db, error(nil)
	if place == "" {
		if place, err = store.Default(f.name); err != nil {
			return nil, fmt.Errorf("%w; --db FILE names another place", err)
		}
	}
	if look {
		st, err := store.OpenExisting(ctx, place)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("%s has not been begun in %s: without --look and --export it is run, and --published "+
				"tells what was published of a built-in one", f.name, place)
		}
		return st, databaseError(err)
	}
	st, err := store.Open(ctx, place)
	if err != nil {
		return nil, databaseError(err)
	}
	if f.declared == nil {
		return st, nil
	}
	if err := submitStudy(ctx, errs, st, f.declared); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// databaseError is an error of a database, which is one of usage where it names something that is none of studies.
func databaseError(err error) error {
	var missing *fs.PathError
	switch {
	case errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist):
		return usagef("there is no %s: bandscope study NAME --db makes it", missing.Path)
	case errors.As(err, new(*store.NotStudyDatabaseError)), errors.As(err, new(*store.NameError)):
		return asUsage(err)
	}
	return err
}
