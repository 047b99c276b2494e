package studypage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
	"bandscope/sessions/study/worker"
	"bandscope/tui/rights"
)

// Source is where a study is read from: a database (*store.Store), or a table that does not change.
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
	Closer io.Closer // of the source, when another study replaces this one; nil if there is nothing to close
	Where  string    // in words: a file, a server, published results

	Work Work // nil where it is read-only
	// restarts cells that failed or belong to another version; nil where that is not possible
	Again func(ctx context.Context) (cells int, err error)
	// makes the database in a folder of studies, if there is none yet; nil otherwise
	Begin func(ctx context.Context, folder string) (*Opening, error)
	// how many workers this program starts at once; 0 starts none
	Workers int
	// how many workers a key starts; 0 is one per core
	Ready int
}

// Work runs a study with so many workers until it is done or the context ends, and saves the progress of running cells.
// Slices are computations of the person, by their rights. It passes errors that it retries to tell.
type Work func(ctx context.Context, r rights.Rights, workers int, tell func(string)) error

// sharedSlice is how long a slice lasts, at most, where people share the places of computations.
const sharedSlice = 2 * time.Second

// Close closes the source of a study that is no longer shown.
func (o *Opening) Close() error {
	if o.Closer == nil {
		return nil
	}
	return o.Closer.Close()
}

// OpenStored is the opening of a study in a database, which is closed with it; the evaluators are for your own problems,
// nil for none.
func OpenStored(st *store.Store, name string, evaluators worker.Evaluators) *Opening {
	return &Opening{Name: name, Source: st, Closer: st, Where: "in " + st.String(),
		Work: func(ctx context.Context, r rights.Rights, workers int, tell func(string)) error {
			o := worker.Options{Workers: workers, Study: name, UntilDone: true, Report: tell, Evaluators: evaluators,
				Compute: r.Compute}
			if r.Computing != nil {
				o.Slice = sharedSlice
			}
			return worker.Work(ctx, st, o)
		}, Again: func(ctx context.Context) (int, error) { return st.Restart(ctx, name) }}
}

// Find opens the study of a name: its database in a folder, else its published results, else its declaration.
func Find(ctx context.Context, folder, name string) (*Opening, error) {
	e, err := published.FindOpen(ctx, folder, name)
	if err != nil {
		return nil, err
	}
	if e.Path != "" {
		st, err := store.OpenExisting(ctx, e.Path)
		if err != nil {
			return nil, err
		}
		return OpenStored(st, name, nil), nil
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
	o.Begin = func(ctx context.Context, folder string) (*Opening, error) { return begin(ctx, folder, d) }
	return o, nil
}

// begin makes a database for a study in a folder.
func begin(ctx context.Context, folder string, d *study.Declaration) (*Opening, error) {
	path, err := store.PathIn(folder, d.Name)
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
	return OpenStored(st, d.Name, nil), nil
}

// staticSource is a table that does not change.
type staticSource struct{ table *study.Table }

// NewStaticSource is a source of a table that does not change, such as published results.
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

// OpenTable is the opening of a table that does not change.
func OpenTable(t *study.Table, where string) *Opening {
	return &Opening{Name: t.Declaration.Name, Source: NewStaticSource(t), Where: where}
}

// OpenNew is the opening of a study of which no cell has started.
func OpenNew(d *study.Declaration) (*Opening, error) {
	cells, err := d.Cells()
	if err != nil {
		return nil, fmt.Errorf("the study %s: %w", d.Name, err)
	}
	t := &study.Table{Declaration: d}
	for _, c := range cells {
		t.Rows = append(t.Rows, study.Row{Cell: c, Status: study.Waiting})
	}
	return OpenTable(t, "not started"), nil
}
