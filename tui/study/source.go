package study

import (
	"context"
	"errors"
	"fmt"
	"io"

	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
	"bandscope/sessions/study/worker"
)

// Source is where a study is read from: a database (*store.Store), or a table that stands.
type Source interface {
	Declaration(ctx context.Context, name string) (*study.Declaration, error)
	Changes(ctx context.Context, name string, after int64) (rows []study.Row, revision int64, err error)
	Workers(ctx context.Context) ([]store.Worker, error)
	Log(ctx context.Context, name string, c study.Cell) ([]byte, error)
}

// Opening is a study as it is opened.
type Opening struct {
	Name   string
	Source Source
	Closer io.Closer // of the source, when the study is left for another; nil where there is nothing to close
	Where  string    // in words: a file, a server, published results

	Work Work // nil where it is only looked at
	// has cells begin anew that failed or are another version's; nil where that cannot be
	Again func(ctx context.Context) (cells int, err error)
	// where there is no database of it yet: makes one; nil otherwise
	Begin func(ctx context.Context) (*Opening, error)
	// how many work at it in this program from the start; 0 looks on
	Workers int
	// how many there are when work begins by a key; 0 is as many as there are cores
	Ready int
}

// Work works at a study with so many workers until it is done or the context ends, when what is in hand is handed over.
// It tells what goes wrong and is tried again.
type Work func(ctx context.Context, workers int, tell func(string)) error

// Close closes the source of a study that nobody looks at.
func (o *Opening) Close() error {
	if o.Closer == nil {
		return nil
	}
	return o.Closer.Close()
}

// OpenStored is the opening of a study in a database, which is closed with it.
func OpenStored(st *store.Store, name string) *Opening {
	return &Opening{Name: name, Source: st, Closer: st, Where: "in " + st.String(),
		Work: func(ctx context.Context, workers int, tell func(string)) error {
			return worker.Work(ctx, st, worker.Options{Workers: workers, Study: name, UntilDone: true, Report: tell})
		}, Again: func(ctx context.Context) (int, error) { return st.Restart(ctx, name) }}
}

// Find opens the study of a name: its database in the data folder, else what was published of it, else what is
// declared.
func Find(ctx context.Context, name string) (*Opening, error) {
	e, err := published.FindOpen(ctx, name)
	if err != nil {
		return nil, err
	}
	if e.Path != "" {
		st, err := store.OpenExisting(ctx, e.Path)
		if err != nil {
			return nil, err
		}
		return OpenStored(st, name), nil
	}
	return OpenBuiltIn(e.BuiltIn)
}

// OpenBuiltIn is the opening of a study that is built in: of the results that were published, where there are any.
func OpenBuiltIn(d *study.Declaration) (*Opening, error) {
	o, err := OpenNew(d)
	if t, ok := published.Results(d.Name); ok {
		o, err = OpenTable(t, "published results"), nil
	}
	if err != nil {
		return nil, err
	}
	o.Begin = func(ctx context.Context) (*Opening, error) { return begin(ctx, d) }
	return o, nil
}

// begin makes a database for a study in the data folder.
func begin(ctx context.Context, d *study.Declaration) (*Opening, error) {
	path, err := store.Default(d.Name)
	if err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := worker.Submit(ctx, st, d); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return OpenStored(st, d.Name), nil
}

// staticSource is a table that stands: nobody works at it.
type staticSource struct{ table *study.Table }

// NewStaticSource is a source of a table that nobody works at, such as published results.
func NewStaticSource(t *study.Table) Source { return staticSource{t} }

func (s staticSource) Declaration(context.Context, string) (*study.Declaration, error) {
	return s.table.Declaration, nil
}

func (s staticSource) Changes(_ context.Context, _ string, after int64) ([]study.Row, int64, error) {
	if after > 0 {
		return nil, after, nil
	}
	return s.table.Rows, 1, nil
}

func (staticSource) Workers(context.Context) ([]store.Worker, error) { return nil, nil }

func (staticSource) Log(context.Context, string, study.Cell) ([]byte, error) { return nil, nil }

// OpenTable is the opening of a table that stands.
func OpenTable(t *study.Table, where string) *Opening {
	return &Opening{Name: t.Declaration.Name, Source: NewStaticSource(t), Where: where}
}

// OpenNew is the opening of a study of which no cell has begun anywhere.
func OpenNew(d *study.Declaration) (*Opening, error) {
	cells, err := d.Cells()
	if err != nil {
		return nil, fmt.Errorf("the study %s: %w", d.Name, err)
	}
	t := &study.Table{Declaration: d}
	for _, c := range cells {
		t.Rows = append(t.Rows, study.Row{Cell: c, Status: study.Waiting})
	}
	return OpenTable(t, "not begun"), nil
}
