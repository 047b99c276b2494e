package studying

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/sessions/headless"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/headless/look"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
)

// Window is what is above: the screen, and what it draws.
type Window struct {
	Flags  func(c *cobra.Command)                                           // adds the flags of the screen
	Show   func(c *cobra.Command, o Opened) error                           // shows a study; Close closes it
	List   func(c *cobra.Command) error                                     // shows the studies that there are
	HTML   func(ctx context.Context, w io.Writer, t *study.Table) error     // writes a report page
	Curves func(results []Result, costBudget float64, logarithm bool) error // draws those of a benchmark
}

// Opened is a study to be shown.
type Opened struct {
	Name    string
	Store   *store.Store // nil of what is published
	Table   *study.Table // of what is published
	Look    bool         // nothing is worked
	Workers int          // cells at once; 0 is one a core
}

// Commands are study, work and bench.
func Commands(w Window) []*cobra.Command {
	return []*cobra.Command{studyCommand(w), workCommand(), benchCommand(w)}
}

func studyCommand(w Window) *cobra.Command {
	var o Options
	c := &cobra.Command{Use: "study [NAME|FILE.toml]", Short: "Run a table of methods on problems over seeds to its end, whatever happens, and watch it grow", Args: command.Args(cobra.MaximumNArgs(1)), ValidArgsFunction: studyWords,
		Long: "A study is a file in TOML, one that is built in (list studies), or one that was begun before. Interrupted, the same command goes on where it was.\n" +
			"On a terminal it is shown while it grows; without one, or with --plain, a table is printed when it is done.",
		Example: "  bandscope study small.toml\n  bandscope study nadigatla-5.1 --published\n  bandscope study small.toml --db postgres://host/studies    # and on other machines: bandscope work --db postgres://host/studies\n" +
			"  bandscope study small --look --json\n  bandscope study small --export html -o small.html",
		RunE: func(c *cobra.Command, a []string) error {
			screened := o.Screened() && w.Show != nil && command.OnTerminal()
			switch {
			case len(a) == 1 && screened:
				return show(c, a[0], o, w)
			case len(a) == 1:
				return Study(c.Context(), os.Stdout, os.Stderr, a[0], o, w)
			case c.Flags().Changed("db") || c.Flags().Changed("export") || c.Flags().Changed("published") || c.Flags().Changed("look"):
				return command.Usagef("which study? bandscope list studies lists them")
			case screened:
				return w.List(c)
			}
			return look.List(c.Context(), os.Stdout, "studies", "", "", o.JSON)
		}}
	f := c.Flags()
	f.StringVar(&o.DB, "db", "", "where it is kept: a file, or a URL of PostgreSQL where several machines work; by default a file in the data folder")
	f.IntVar(&o.Workers, "workers", 0, "cells at once; 0 is one a core")
	f.BoolVar(&o.Look, "look", false, "only look how far it is: nothing is worked")
	f.BoolVar(&o.Again, "again", false, "begin cells anew that failed, or that another version of the program began")
	f.BoolVar(&o.Published, "published", false, "what came of a built-in study when it was run for this program; nothing is worked")
	f.BoolVar(&o.Plain, "plain", false, "without the screen")
	f.BoolVar(&o.JSON, "json", false, "without the screen, one JSON object a problem and method")
	f.StringVar(&o.Export, "export", "", "write what there is of it: "+formatNames())
	f.StringVarP(&o.Output, "output", "o", "", "file to export to, which must not exist, in place of standard output; of coco a folder")
	c.MarkFlagFilename("output")
	c.MarkFlagFilename("db", "db")
	headless.Offer(c, "export", headless.These(formats...))
	w.Flags(c)
	return c
}

// studyWords are what a shell offers for a study: those with a name, and files in TOML.
func studyWords(c *cobra.Command, a []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(a) == 0 && strings.ContainsAny(typed, "./") {
		return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return headless.Offered(headless.StudyWords)(c, a, typed)
}

// show shows a study on the screen.
func show(c *cobra.Command, word string, o Options, w Window) error {
	if err := o.Check(); err != nil {
		return err
	}
	if e, ok := published.FindElsewhere(word); ok && o.DB == "" {
		return elsewhere(os.Stdout, e, o)
	}
	if o.Published {
		t, err := resultsNamed(word)
		if err != nil {
			return err
		}
		return w.Show(c, Opened{Name: word, Table: t, Look: true})
	}
	f, err := find(c.Context(), word, o.DB)
	if err != nil {
		return err
	}
	st, err := f.open(c.Context(), os.Stderr, o.Look)
	if err != nil {
		return err
	}
	if err := o.again(c.Context(), os.Stderr, st, f.name); err != nil {
		return errors.Join(err, st.Close())
	}
	return w.Show(c, Opened{Name: f.name, Store: st, Look: o.Look, Workers: o.Workers})
}

func workCommand() *cobra.Command {
	var o Options
	c := &cobra.Command{Use: "work --db URL", Short: "Work on the studies of a database, until it is interrupted", Args: command.Args(cobra.NoArgs),
		Example: "  bandscope work --db postgres://host/studies",
		RunE:    func(c *cobra.Command, _ []string) error { return Work(c.Context(), os.Stderr, o) }}
	c.Flags().StringVar(&o.DB, "db", "", "the database: a URL of PostgreSQL, or a file of studies")
	c.Flags().IntVar(&o.Workers, "workers", 0, "cells at once; 0 is one a core")
	return c
}

func benchCommand(w Window) *cobra.Command {
	var o BenchOptions
	c := &cobra.Command{Use: "bench", Short: "Run methods (-o a,b,c) over seeds, and compare them in a table and a plot", Args: command.Args(cobra.NoArgs),
		Long: "It is the short form of a study of one problem, which is kept: interrupted, the same command goes on where it was, and asked for again it is there at once.",
		RunE: func(c *cobra.Command, _ []string) error {
			for _, name := range []string{"seed", "import", "problem"} {
				if c.Flags().Changed(name) {
					return command.Usagef("--%s does not go with bench, which runs test functions with the seeds from 1 on from their own start", name)
				}
			}
			results, known, err := Bench(c.Context(), os.Stdout, os.Stderr, o)
			if err != nil || o.JSON {
				return err
			}
			return w.Curves(results, o.CostBudget, known)
		}}
	o.Flags(c)
	c.Flags().IntVar(&o.Seeds, "seeds", 10, "how many")
	c.Flags().BoolVar(&o.JSON, "json", false, "one JSON object a method")
	return c
}

// formats are what a study can be exported as.
var formats = []string{"csv", "cells", "json", "html", "coco"}

func formatNames() string { return strings.Join(formats, ", ") }

// checkExport says what is wrong with what is to be exported.
func (o Options) checkExport() error {
	switch {
	case o.Export == "":
		return nil
	case !slices.Contains(formats, o.Export):
		return command.Usagef("--export must be one of %s, got %q", formatNames(), o.Export)
	case o.Export == "coco" && o.Output == "":
		return command.Usagef("COCO's format is a folder: -o names one that does not exist")
	}
	return nil
}
