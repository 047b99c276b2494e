package engine

import (
	"context"
	"path/filepath"
	"testing"

	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// small is a study of a few short cells.
func small() *study.Declaration {
	return &study.Declaration{Name: "small", Problems: []string{"forrester", "ackley:2 noise=0.1"}, Methods: []string{"random", "gp-ei"}, Seeds: 2, Budget: "6"}
}

// database opens an empty database: a file.
func fileStore(t testing.TB) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "study.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func TestStudyIsRun(t *testing.T) {
	st := fileStore(t)
	if err := Submit(t.Context(), st, small()); err != nil {
		t.Fatal(err)
	}
	if err := Work(t.Context(), st, Options{Study: "small", UntilDone: true, Tell: func(s string) { t.Log(s) }}); err != nil {
		t.Fatal(err)
	}
	table, err := st.Table(context.Background(), "small")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table.Rows {
		t.Logf("%v %s %d %v", r.Cell, r.Status, r.Steps, r.Trace.Simple)
	}
}
