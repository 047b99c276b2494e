package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
	"bandscope/sessions/study/worker"
	"bandscope/tui"
	"bandscope/tui/studypage"
)

// studyOptions say where a study is kept, how it runs, and which results to print.
type studyOptions struct {
	DB      string // a file or a URL of PostgreSQL; empty is the study's own file in the data folder
	Workers int    // cells in parallel; 0 is one per core

	StatusOnly bool // print the current state without running cells
	Restart    bool // restart cells that failed or that another version of the program started
	Published  bool // print the published results of a built-in study
	Plain      bool // without the screen
	JSON       bool
	Exec       studyExec

	AllowExec []string // programs that may be started as methods

	Export string // a format; empty for none
	Output string // a file or, of COCO's format, a folder
}

func studyCommand() *cobra.Command {
	var o studyOptions
	var short shortStudy
	var screen tui.Options
	c := &cobra.Command{Use: "study [NAME|FILE.toml] | study -f FUNCTION -o METHOD,METHOD",
		Short: "Run methods on problems over seeds, and watch the results",
		Args:  args(cobra.MaximumNArgs(1)), ValidArgsFunction: studyArgs,
		Long: "Run a study: methods on problems over seeds. A study is a TOML file, a built-in one (bandscope list studies), or\none that you started before. If it is interrupted, the same command continues it.\n\n" +
			"On a terminal, the screen shows the results as they come. Without a terminal, or with --plain, a table is printed\nat the end.\n\n" +
			"With -f or --problem, and -o, compare methods on one problem over seeds, in a table and a plot. The runs are kept too.",
		Example: "  bandscope study -f branin -o gp-ei,random --seeds 10\n  bandscope study --problem gbm.toml --exec 'python gbm.py' -o gp-ei,random\n" +
			"  bandscope study small.toml\n  bandscope study nadigatla-5.1 --published\n" +
			"  bandscope study small.toml --db postgres://host/studies\n" +
			"  bandscope study tuning.toml --exec 'gbm.toml=python gbm.py'\n" +
			"  bandscope work --db postgres://host/studies    # on other machines\n" +
			"  bandscope study small --look --json\n  bandscope study small --export html --output small.html",
		RunE: func(c *cobra.Command, a []string) error {
			if checkUnset(c, "") != nil || c.Flags().Changed("seeds") {
				short.JSON = o.JSON
				short.Exec = o.Exec
				return short.run(c, a)
			}
			var show func(*studypage.Opening) error
			if !o.Plain && !o.JSON && o.Export == "" && onTerminal() {
				show = func(opening *studypage.Opening) error {
					screen.Studies = opening == nil
					if opening != nil {
						screen.Opened = opening
					}
					return explore(c.Context(), screen, settingsFor(library.DefaultConfig()), execOptions{}, nil)
				}
			}
			switch {
			case len(a) == 1:
				return runStudy(c.Context(), os.Stdout, os.Stderr, a[0], o, show)
			case c.Flags().Changed("db") || c.Flags().Changed("export") || c.Flags().Changed("published") ||
				c.Flags().Changed("look"):
				return usagef("which study? Name one; bandscope list studies lists them")
			case show != nil:
				return show(nil)
			}
			return listKind(c.Context(), os.Stdout, "studies", "", "", o.JSON)
		}}
	f := c.Flags()
	f.StringVar(&o.DB, "db", "", "database: a file, or a PostgreSQL URL for several machines (default: a file in the data folder)")
	f.IntVar(&o.Workers, "workers", 0, "number of cells to run in parallel; 0 is one per core")
	allowExecFlag(c, &o.AllowExec)
	f.BoolVar(&o.StatusOnly, "look", false, "print the current results without running cells")
	f.BoolVar(&o.Restart, "again", false, "restart the cells that failed, or that another version of the program started")
	f.BoolVar(&o.Published, "published", false, "print the stored results of a built-in study without running cells")
	f.BoolVar(&o.Plain, "plain", false, "do not open the screen")
	f.BoolVar(&o.JSON, "json", false, "do not open the screen; print one JSON object per problem and method")
	o.Exec.Flags(f)
	short.flags(c)
	f.StringVar(&o.Export, "export", "", "export the current results as one of "+studyFormats)
	f.StringVar(&o.Output, "output", "",
		"file to write instead of standard output (for coco: a folder); it must not exist")
	c.MarkFlagFilename("output")
	c.MarkFlagFilename("db", "db")
	completeFlag(c, "export", choices(strings.Split(studyFormats, ", ")...))
	screenFlags(c, &screen)
	c.AddCommand(studyImportCommand())
	return c
}

// studyArgs completes the names of studies, and TOML files.
func studyArgs(c *cobra.Command, a []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(a) == 0 && strings.ContainsAny(typed, "./") {
		return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return completeArgs(studyWords)(c, a, typed)
}

const studyFormats = "csv, cells, json, html, coco"

// Check reports options that contradict each other.
func (o studyOptions) Check() error {
	switch {
	case o.Workers < 0 || o.Workers > maxWorkers:
		return usagef("--workers must be in [0, %d], got %d", maxWorkers, o.Workers)
	case o.AllowExec != nil && allowAll(o.AllowExec) != nil:
		return allowAll(o.AllowExec)
	case o.Published && o.DB != "":
		return usagef("--db cannot be used with --published: stored results need no database")
	case o.Published && o.StatusOnly:
		return usagef("--look cannot be used with --published, which runs no cells anyway")
	case o.Restart && (o.StatusOnly || o.Published || o.Export != ""):
		return usagef("--again cannot be used with --look, --published or --export, which run no cells")
	case o.Export == "" && o.Output != "":
		return usagef("--output needs --export FORMAT, one of %s", studyFormats)
	case o.Export != "" && o.JSON:
		return usagef("--json cannot be used with --export: --export json writes everything as JSON")
	case o.Export != "" && !slices.Contains(strings.Split(studyFormats, ", "), o.Export):
		return usagef("--export must be one of %s, got %q", studyFormats, o.Export)
	case o.Export == "coco" && o.Output == "":
		return usagef("--export coco writes a folder: name a new one with --output")
	}
	return nil
}

const maxWorkers = 1024

// runStudy runs a study to its end, unless the options only ask for its current state, and prints a table of its
// results. If show is not nil, it opens the screen instead.
func runStudy(ctx context.Context, out, errs io.Writer, word string, o studyOptions,
	show func(*studypage.Opening) error) error {
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
	if err := f.needsFlags(); err != nil && !looks {
		return err
	}
	st, err := f.open(ctx, errs, looks)
	if err != nil {
		return err
	}
	if o.Restart {
		n, err := st.Restart(ctx, f.name)
		if err != nil {
			return errors.Join(err, st.Close())
		}
		fmt.Fprintf(errs, "bandscope: restarting %s of %s\n", numfmt.Count(n, "cell"), sanitize.Text(f.name))
	}
	evaluators, end, err := o.Exec.openFor(ctx, st, f.name, looks)
	if err != nil {
		return errors.Join(err, st.Close())
	}
	defer end()
	if show != nil {
		opening := studypage.OpenStored(st, f.name, evaluators)
		opening.Ready = o.Workers
		if !looks {
			opening.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
		}
		return show(opening)
	}
	defer st.Close()
	if !looks {
		if err := workStudy(ctx, errs, st, f.name, o.Workers, evaluators); err != nil {
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
		return usagef("%s is not a study of runs: run it with %s, or add --published to print its results", e.Name,
			e.Command)
	}
	_, err := fmt.Fprintf(out, "%s: %s\n\n%s\nsource: %s\n\n%s\n\nrun it with: %s\n"+
		"", e.Name, e.Title, e.Table, e.Source,
		e.Note, e.Command)
	return err
}

// showPublished prints or shows the stored results of a built-in study.
func showPublished(ctx context.Context, out io.Writer, name string, o studyOptions,
	show func(*studypage.Opening) error) error {
	t, ok := published.Results(name)
	d, known := published.Find(name)
	switch {
	case !known:
		return asUsage(didyoumean.NewUnknownError("study", name, published.Names()))
	case !ok:
		return fmt.Errorf("there are no stored results of %s; leave out --published to run it", name)
	case show == nil:
		return writeStudy(ctx, out, t, o)
	}
	opening, err := studypage.OpenBuiltIn(d)
	if err != nil {
		return err
	}
	return show(opening)
}

// submitStudy submits a study, and shows its progress because thousands of cells take a moment. A different study with
// the same name is an error of usage.
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

// workStudy runs the cells of a study until all are done.
func workStudy(ctx context.Context, errs io.Writer, st *store.Store, name string, workers int,
	evaluators worker.Evaluators) error {
	deferExit(ctx)
	bar := newBar(errs)
	defer bar.Clear()
	p := studyProgress{name: name, bar: bar, errs: errs}
	err := worker.Work(ctx, st, worker.Options{Workers: workers, Study: name, UntilDone: true, Progress: p.show,
		Evaluators: evaluators, Report: func(text string) { bar.Print("bandscope: " + sanitize.Text(text)) }})
	if ctx.Err() != nil {
		bar.Clear()
		fmt.Fprintf(errs, "bandscope: the finished cells of %s are kept in %s; the same command continues\n",
			sanitize.Text(name), sanitize.Text(st.String()))
	}
	return err
}

// studyProgress shows how many cells of a study are done, and estimates the time that is left.
type studyProgress struct {
	name      string
	bar       *progressBar
	errs      io.Writer
	began     time.Time
	first     int // cells that had ended before it started
	lastShown time.Time
}

// quietInterval is the time between two lines of progress if the output is not a terminal.
const quietInterval = 5 * time.Minute

// show shows the progress.
func (p *studyProgress) show(s store.Summary) {
	now := time.Now()
	if p.began.IsZero() {
		p.began = now
		p.first = s.Ended()
		p.lastShown = now
	}
	text := p.name
	if n := s.Cells[study.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	if done := s.Ended() - p.first; done > 0 {
		left := time.Duration(float64(now.Sub(p.began)) / float64(done) * float64(s.Remaining()))
		text += fmt.Sprintf(", %.3g cells per minute, %s left", float64(done)/now.Sub(p.began).Minutes(),
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
	c := &cobra.Command{Use: "work --db URL", Short: "Run the studies of a database until you interrupt it",
		Long: "Run the cells of all studies in a database until you interrupt it. Several machines can work on one PostgreSQL\ndatabase.",
		Args: args(cobra.NoArgs),
		Example: "  bandscope work --db postgres://host/studies\n" +
			"  bandscope work --db postgres://host/studies --exec 'gbm.toml=python gbm.py'",
		RunE: func(c *cobra.Command, _ []string) error { return workDatabase(c.Context(), os.Stderr, o) }}
	c.Flags().StringVar(&o.DB, "db", "", "database: a PostgreSQL URL, or a file of studies")
	c.Flags().IntVar(&o.Workers, "workers", 0, "number of cells to run in parallel; 0 is one per core")
	allowExecFlag(c, &o.AllowExec)
	o.Exec.Flags(c.Flags())
	return c
}

// workDatabase runs the cells of all studies in a database until ctx ends.
func workDatabase(ctx context.Context, errs io.Writer, o studyOptions) error {
	if o.DB == "" {
		return usagef("work needs a database: --db with a PostgreSQL URL such as postgres://host/studies, or a file of studies")
	}
	if err := o.Check(); err != nil {
		return err
	}
	list, err := o.Exec.commands(nil, false)
	if err != nil {
		return err
	}
	evaluators, end := o.Exec.evaluators(list)
	defer end()
	st, err := store.OpenExisting(ctx, o.DB)
	if err != nil {
		return databaseError(err)
	}
	defer st.Close()
	deferExit(ctx)
	bar := newBar(errs)
	defer bar.Clear()
	paces := map[int64]*studyProgress{}
	return worker.Work(ctx, st, worker.Options{Workers: o.Workers, Evaluators: evaluators, Report: func(text string) {
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
