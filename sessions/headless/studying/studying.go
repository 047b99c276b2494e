// Package studying is what the commands study, work and bench do without a screen: a name, a file or flags say which study is meant, it is submitted to a database and
// worked, and what came of it is printed as a table, as JSON or for other programs. What a study is, and how it is kept and run, is the rooms' under sessions/study;
// the screen is above. Arguments go in, text comes out.
package studying

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"bandscope/sessions/headless/command"
	"bandscope/sessions/safe"
	"bandscope/sessions/study"
	"bandscope/sessions/study/engine"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
)

// Options say where a study is, how it is worked and what is told of it.
type Options struct {
	DB      string // a file or a URL of PostgreSQL; empty is the study's own file in the data folder
	Workers int    // cells at once; 0 is one a core

	Look      bool // as far as it has come: nothing is worked
	Again     bool // cells that failed or that another program began are begun anew
	Published bool // what was published of a built-in one
	Plain     bool // without the screen
	JSON      bool

	Export string // a format; empty for none
	Output string // a file or, of COCO's format, a folder
}

// Screened reports whether the screen shows the study, where there is a terminal.
func (o Options) Screened() bool { return !o.Plain && !o.JSON && o.Export == "" }

// Check says what of the options does not go together.
func (o Options) Check() error {
	switch {
	case o.Workers < 0 || o.Workers > maxWorkers:
		return command.Usagef("--workers must be in [0, %d], got %d", maxWorkers, o.Workers)
	case o.Published && o.DB != "":
		return command.Usagef("--db does not go with --published: what is published needs no database")
	case o.Published && o.Look:
		return command.Usagef("--look does not go with --published: nothing is run of what is published")
	case o.Again && (o.Look || o.Published || o.Export != ""):
		return command.Usagef("--again begins cells anew, and goes with none of --look, --published and --export, which work nothing")
	case o.Export == "" && o.Output != "":
		return command.Usagef("-o names the file of --export, which is one of %s", formatNames())
	case o.Export != "" && o.JSON:
		return command.Usagef("--json does not go with --export: --export json writes everything as JSON")
	}
	return o.checkExport()
}

// maxWorkers bounds how many cells one process works on at once.
const maxWorkers = 1024

// Study runs a study to its end, unless it is only looked at, and prints a table of what came of it.
func Study(ctx context.Context, out, errs io.Writer, word string, o Options, w Window) error {
	if err := o.Check(); err != nil {
		return err
	}
	if e, ok := published.FindElsewhere(word); ok && o.DB == "" {
		return elsewhere(out, e, o)
	}
	if o.Published {
		t, err := resultsNamed(word)
		if err != nil {
			return err
		}
		return tell(ctx, out, t, o, w)
	}
	f, err := find(ctx, word, o.DB)
	if err != nil {
		return err
	}
	looks := o.Look || o.Export != ""
	st, err := f.open(ctx, errs, looks)
	if err != nil {
		return err
	}
	defer st.Close()
	if err := o.again(ctx, errs, st, f.name); err != nil {
		return err
	}
	if !looks {
		if err := work(ctx, errs, st, f.name, o.Workers); err != nil {
			return err
		}
	}
	t, err := st.Table(ctx, f.name)
	if err != nil {
		return err
	}
	return errors.Join(tell(ctx, out, t, o, w), told(errs, t, looks))
}

// again begins cells anew where that is asked for.
func (o Options) again(ctx context.Context, errs io.Writer, st *store.Store, name string) error {
	if !o.Again {
		return nil
	}
	n, err := st.Again(ctx, name)
	if err == nil {
		fmt.Fprintf(errs, "bandscope: %d cells of %s begin anew\n", n, safe.Text(name))
	}
	return err
}

// elsewhere tells of a study that another command runs.
func elsewhere(out io.Writer, e published.Elsewhere, o Options) error {
	if !o.Published || o.JSON || o.Export != "" {
		return command.Usagef("%s is no table of runs, and is run by: %s (--published prints what came of it)", e.Name, e.Command)
	}
	_, err := fmt.Fprintf(out, "%s: %s\n\n%s\nsource: %s\n\n%s\n\nrun by: %s\n", e.Name, e.Title, e.Table, e.Source, e.Note, e.Command)
	return err
}

// resultsNamed are what was published of a built-in study.
func resultsNamed(name string) (*study.Table, error) {
	t, ok := published.Results(name)
	if ok {
		return t, nil
	}
	if _, known := published.Find(name); known {
		return nil, fmt.Errorf("nothing is published of %s yet; without --published it is run", name)
	}
	return nil, command.Wrong(unknownStudy(name, published.Names()))
}

// submit submits a study, which with thousands of cells takes a moment and says so. One of the same name that runs something else is an error of usage.
func submit(ctx context.Context, errs io.Writer, st *store.Store, d *study.Declaration) error {
	bar := command.NewBar(errs)
	defer bar.Clear()
	if cells, err := d.Cells(); err == nil {
		bar.Show(0, len(cells), "queueing the cells of "+safe.Text(d.Name))
	}
	err := engine.Submit(ctx, st, d)
	var other *store.Other
	if errors.As(err, &other) {
		return command.Wrong(other)
	}
	return err
}

// work works on a study until nothing is left to be done.
func work(ctx context.Context, errs io.Writer, st *store.Store, name string, workers int) error {
	command.Patient(ctx)
	bar := command.NewBar(errs)
	defer bar.Clear()
	p := pace{name: name, bar: bar, errs: errs}
	err := engine.Work(ctx, st, engine.Options{Workers: workers, Study: name, UntilDone: true, Progress: p.show,
		Tell: func(text string) { bar.Print("bandscope: " + safe.Text(text)) }})
	if ctx.Err() != nil {
		bar.Clear()
		fmt.Fprintf(errs, "bandscope: what was done of %s is kept in %s; the same command goes on\n", safe.Text(name), safe.Text(st.String()))
	}
	return err
}

// pace tells how far a study is, and when it is likely to be done.
type pace struct {
	name  string
	bar   *command.Bar
	errs  io.Writer
	began time.Time
	first int // cells that were over when it began
	told  time.Time
}

// quietly is how often the pace is told where no person watches.
const quietly = 5 * time.Minute

// show hears how far it is.
func (p *pace) show(s store.Summary) {
	now := time.Now()
	if p.began.IsZero() {
		p.began, p.first, p.told = now, s.Over(), now
	}
	text := p.name
	if n := s.Cells[study.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	if done := s.Over() - p.first; done > 0 {
		left := time.Duration(float64(now.Sub(p.began)) / float64(done) * float64(s.Open()))
		text += fmt.Sprintf(", %.3g cells a minute, %s left", float64(done)/now.Sub(p.began).Minutes(), about(left))
	}
	p.bar.Show(s.Over(), s.Total(), safe.Text(text))
	if !command.IsTerminal(p.errs) && now.Sub(p.told) >= quietly {
		p.told = now
		fmt.Fprintf(p.errs, "%d/%d %s\n", s.Over(), s.Total(), safe.Text(text))
	}
}

// about is a duration in one unit.
func about(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 90*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// Work works on whatever studies a database has until it is interrupted.
func Work(ctx context.Context, errs io.Writer, o Options) error {
	if o.DB == "" {
		return command.Usagef("work needs --db: a URL of PostgreSQL, as in --db postgres://host/studies, or a file of studies")
	}
	if err := o.Check(); err != nil {
		return err
	}
	st, err := store.Peek(ctx, o.DB)
	if err != nil {
		return kindly(err)
	}
	defer st.Close()
	command.Patient(ctx)
	bar := command.NewBar(errs)
	defer bar.Clear()
	paces := map[int64]*pace{}
	return engine.Work(ctx, st, engine.Options{Workers: o.Workers, Tell: func(text string) { bar.Print("bandscope: " + safe.Text(text)) },
		Progress: func(s store.Summary) {
			if paces[s.ID] == nil {
				paces[s.ID] = &pace{name: s.Name, bar: bar, errs: errs}
			}
			if s.Open() > 0 {
				paces[s.ID].show(s)
			}
		}})
}
