package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions/foreign"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
)

// studyImportOptions say which run is compared with which problem of a study, and under which name.
type studyImportOptions struct {
	DB      string
	Problem string // empty for the only one
	Method  string
	Seed    uint64
	Study   string // of several in one storage
}

func studyImportCommand() *cobra.Command {
	var o studyImportOptions
	c := &cobra.Command{Use: "import NAME SOURCE",
		Short: "Add the run of another program to a study, for comparison", Args: args(cobra.ExactArgs(2)),
		Long:    "Add the run of another program to a study that you started. SOURCE is a file as for bandscope import; its variables\nand objectives have the names of the problem's. The run counts as one seed of the method PROGRAM:NAME, which marks it\nas foreign. Use the seeds of the study for several runs.",
		Example: "  bandscope study import tuning optuna.db --problem gbm --method tpe --seed 1",
		RunE: func(c *cobra.Command, a []string) error {
			return importToStudy(c.Context(), os.Stdout, a[0], a[1], o)
		}}
	f := c.Flags()
	f.StringVar(&o.DB, "db", "", "database of the study (default: its file in the data folder)")
	f.StringVar(&o.Problem, "problem", "", "problem of the study, if it has several")
	f.StringVar(&o.Method, "method", "", "name of the method that made the run, such as tpe")
	f.Uint64Var(&o.Seed, "seed", 1, "seed under which the run counts")
	f.StringVar(&o.Study, "study", "", "study of a storage that has several")
	c.MarkFlagFilename("db", "db")
	return c
}

// importToStudy adds a run to a study.
func importToStudy(ctx context.Context, out io.Writer, name, source string, o studyImportOptions) error {
	if o.Method == "" || strings.ContainsAny(o.Method, " \t\n=:\"'") || len(o.Method) > 60 {
		return usagef("name the method that made the run in one word of at most 60 bytes, such as --method tpe")
	}
	r, err := foreign.Read(ctx, source, foreign.Options{Study: o.Study})
	if err != nil {
		return asUsage(err)
	}
	st, err := openStudyToImport(ctx, name, o.DB)
	if err != nil {
		return err
	}
	defer st.Close()
	d, err := st.Declaration(ctx, name)
	if err != nil {
		return asUsage(err)
	}
	problem, err := problemToImport(d, o.Problem)
	if err != nil {
		return err
	}
	program, _, _ := strings.Cut(r.Program, " ")
	c := study.Cell{Problem: problem, Method: program + ":" + o.Method, Seed: o.Seed, Budget: len(r.Trials)}
	with := c
	with.Method = d.Methods[0] // which supports the problem
	s, err := with.Session(ctx, d.Own...)
	if err != nil {
		return asUsage(err)
	}
	defer s.Close()
	notices, err := r.RecordIn(ctx, s)
	if err != nil {
		return asUsage(fmt.Errorf("%s: %w", source, err))
	}
	state := s.State()
	c.Budget = len(state.Iterations)
	if err := st.Import(ctx, name, r.Program, c, state.Problem.Dim(), study.TraceFor(state)); err != nil {
		return asUsage(err)
	}
	lines := []string{fmt.Sprintf("%s of %s: %s of %s", sanitize.Text(c.String()), sanitize.Text(name),
		numfmt.Count(c.Budget, "evaluation"), sanitize.Text(r.Program))}
	has := 1
	for _, other := range d.Imported {
		if other.Method == c.Method {
			has++
		}
	}
	if all := len(d.Problems) * d.Seeds; has < all {
		notices = append(notices, fmt.Sprintf("%s has runs in %d of %s; ranks and tests of all methods count only these",
			c.Method, has, numfmt.Count(all, "block")))
	}
	for _, notice := range notices {
		lines = append(lines, sanitize.Text(notice))
	}
	return printLines(out, lines...)
}

// openStudyToImport opens the database of a study that has started.
func openStudyToImport(ctx context.Context, name, db string) (*store.Store, error) {
	if db == "" {
		e, err := published.FindOpen(ctx, library.DefaultStudiesDir(), name)
		if err != nil {
			return nil, asUsage(err)
		}
		db = e.Path
		if db == "" {
			return nil, usagef("%s has not started; start it with bandscope study %s", name, name)
		}
	}
	st, err := store.OpenExisting(ctx, db)
	return st, databaseError(err)
}

// problemToImport is the problem as the cells of the study have it.
func problemToImport(d *study.Declaration, text string) (string, error) {
	cells, err := d.Cells()
	if err != nil {
		return "", err
	}
	var known []string
	for i := 0; i < len(cells); i += len(d.Methods) * d.Seeds {
		known = append(known, cells[i].Problem)
	}
	if text == "" && len(known) == 1 {
		return known[0], nil
	}
	if text == "" {
		return "", usagef("the study has several problems: add --problem with one of %s", strings.Join(known, ", "))
	}
	p := study.PublishedNumber{Problem: text}
	p, err = p.Resolve(cells, d.Own...)
	if err != nil {
		return "", asUsage(errors.Join(err, fmt.Errorf("the problems are %s", strings.Join(known, ", "))))
	}
	return p.Problem, nil
}
