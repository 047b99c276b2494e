// Package studying is what the commands study and work do without a screen: a file is read, the study submitted to a database and worked, and what came of it printed as a table. What
// a study is, and how it is kept and run, is the rooms' under sessions/study; the screen is above. Arguments go in, text comes out.
package studying

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"bandscope/functions/digits"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/log"
	"bandscope/sessions/safe"
	"bandscope/sessions/study"
	"bandscope/sessions/study/engine"
	"bandscope/sessions/study/store"
)

// Options say where a study is and how it is worked.
type Options struct {
	DB      string // a file or a URL of PostgreSQL; empty is the study's own file in the data folder
	Workers int    // cells at once; 0 is one a core
	Plain   bool
}

// Study runs a study to its end and prints a table of what came of it.
func Study(ctx context.Context, out, errs io.Writer, path string, o Options) error {
	file, err := log.OpenRegular(path, 1<<20)
	if err != nil {
		return command.Wrong(err)
	}
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	d, err := study.Parse(path, text)
	if err != nil {
		return command.Wrong(err)
	}
	if o.DB == "" {
		if o.DB, err = store.Default(d.Name); err != nil {
			return err
		}
	}
	st, err := store.Open(ctx, o.DB)
	if err != nil {
		return err
	}
	defer st.Close()
	if err := engine.Submit(ctx, st, d); err != nil {
		return err
	}
	command.Patient(ctx)
	bar := command.NewBar(errs)
	err = engine.Work(ctx, st, engine.Options{Workers: o.Workers, Study: d.Name, UntilDone: true, Tell: func(text string) { bar.Print("bandscope: " + safe.Text(text)) },
		Progress: func(s store.Summary) { bar.Show(s.Over(), s.Total(), d.Name) }})
	bar.Clear()
	if err != nil {
		return err
	}
	t, err := st.Table(ctx, d.Name)
	if err != nil {
		return err
	}
	return table(out, t)
}

// table prints a cell a line.
func table(out io.Writer, t *study.Table) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "problem\tmethod\tseed\tstatus\tsteps\tvalue")
	for _, r := range t.Rows {
		value := ""
		if v := r.Trace.Of(study.MeasureOf(t.Declaration, r.Problem)); len(v) > 0 {
			value = digits.Of(v[len(v)-1])
		}
		if r.Error != "" {
			value = safe.Text(r.Error)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d/%d\t%s\n", safe.Text(r.Problem), safe.Text(r.Method), r.Seed, r.Status, r.Steps, r.Budget, value)
	}
	return w.Flush()
}

// Work works on whatever studies a database has until it is interrupted.
func Work(ctx context.Context, errs io.Writer, o Options) error {
	if o.DB == "" {
		return command.Usagef("work needs --db: a URL of PostgreSQL, or a file of studies")
	}
	st, err := store.Peek(ctx, o.DB)
	if errors.Is(err, os.ErrNotExist) {
		return command.Wrong(err)
	}
	if err != nil {
		return err
	}
	defer st.Close()
	command.Patient(ctx)
	return engine.Work(ctx, st, engine.Options{Workers: o.Workers, Tell: func(text string) { fmt.Fprintln(errs, "bandscope: "+safe.Text(text)) }})
}
