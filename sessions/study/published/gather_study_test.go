//go:build study

package published

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bandscope/sessions/study"
	"bandscope/sessions/study/out"
	"bandscope/sessions/study/store"
)

var (
	gathered = flag.String("study", "", "the built-in study whose results are gathered")
	sources  = flag.String("from", "", "what holds cells of it, with commas between: databases of studies, or their exports as JSON; of a cell in several the last counts")
	points   = flag.Int("points", 60, "how many iterations of a run are kept")
)

// TestGather writes the results of a built-in study from where its cells were run. What stands in the file of results, and nowhere else, is kept.
func TestGather(t *testing.T) {
	if *gathered == "" {
		t.Skip("no -study is named")
	}
	d, ok := Find(*gathered)
	if !ok {
		t.Fatalf("no built-in study %q; there are %s", *gathered, strings.Join(Names(), ", "))
	}
	var rows []study.Row
	if before, ok := Results(*gathered); ok {
		rows = before.Rows
	}
	for from := range strings.SplitSeq(*sources, ",") {
		if strings.HasSuffix(from, ".json") {
			rows = append(rows, exported(t, from)...)
		} else {
			rows = append(rows, worked(t, from)...)
		}
	}
	all, err := over(d, slices.DeleteFunc(rows, func(r study.Row) bool { return r.Status != study.Done && r.Status != study.Failed }))
	if err != nil {
		t.Fatal(err)
	}
	ran := &study.Table{Declaration: d}
	for _, r := range all.Rows {
		if r.Status != study.Waiting {
			ran.Rows = append(ran.Rows, r)
		}
	}
	var text bytes.Buffer
	packed, err := gzip.NewWriterLevel(&text, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.JSON(packed, out.Thinned(ran, *points, 6)); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("results", *gathered+".json.gz"), text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d cells, %d bytes", len(ran.Rows), len(all.Rows), text.Len())
}

// exported are the rows of a study in a file.
func exported(t *testing.T, name string) []study.Row {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := out.Read(f)
	if err != nil {
		t.Fatal(name, err)
	}
	return table.Rows
}

// worked are the rows of all studies of a database.
func worked(t *testing.T, db string) (rows []study.Row) {
	t.Helper()
	ctx := context.Background()
	st, err := store.Open(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	all, err := st.Studies(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		table, err := st.Table(ctx, s.Name)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, table.Rows...)
	}
	return rows
}
