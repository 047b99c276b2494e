//go:build study

package published

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

var (
	gathered = flag.String("study", "", "the built-in study whose results are gathered")
	sources  = flag.String("from", "", "what holds cells of it, with commas between: databases of studies, or their exports as JSON; of a cell in several the last counts")
	judged   = flag.Bool("judged", false, "judge whole sessions in the databases also by the priors of other cells of the study, whose methods do not know them")
	points   = flag.Int("points", 60, "how many iterations of a run are kept")
)

// TestGather writes the results of a built-in study from where its cells were run. What stands in the file of results,
// and nowhere else, is kept.
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
			if *judged {
				rows = append(rows, judgedAnew(t, d, from)...)
			}
		}
	}
	all, err := mergeRows(d, slices.DeleteFunc(rows, func(r study.Row) bool {
		return r.Status != study.Done && r.Status != study.Failed
	}))
	require.NoError(t, err)
	ran := &study.Table{Declaration: d}
	for _, r := range all.Rows {
		if r.Status != study.Waiting {
			ran.Rows = append(ran.Rows, r)
		}
	}
	var text bytes.Buffer
	packed, err := gzip.NewWriterLevel(&text, gzip.BestCompression)
	require.NoError(t, err)
	require.NoError(t, JSON(packed, thinned(ran, *points, 6)))
	require.NoError(t, packed.Close())
	require.NoError(t, os.WriteFile(filepath.Join("results", *gathered+".json.gz"), text.Bytes(), 0o644))
	t.Logf("%d of %d cells, %d bytes", len(ran.Rows), len(all.Rows), text.Len())
}

// exported are the rows of a study in a file.
func exported(t *testing.T, name string) []study.Row {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	table, err := Read(f)
	require.NoError(t, err, name)
	return table.Rows
}

// judgedAnew are rows of cells of the study that were not run: they differ from one whose session is in the database by
// parameters that their method does not use, so that their runs are the same, evaluation by evaluation, and only what
// their results are judged by is not.
func judgedAnew(t *testing.T, d *study.Declaration, db string) (rows []study.Row) {
	t.Helper()
	cells, err := d.Cells()
	require.NoError(t, err)
	st, err := store.Open(t.Context(), db)
	require.NoError(t, err)
	defer st.Close()
	all, err := st.Studies(t.Context())
	require.NoError(t, err)
	for _, s := range all {
		table, err := st.Table(t.Context(), s.Name)
		require.NoError(t, err)
		for _, r := range table.Rows {
			if r.Status != study.Done || table.Declaration.KeepOrDefault() != study.KeepSessions {
				continue
			}
			log, err := st.Log(t.Context(), s.Name, r.Cell)
			require.NoError(t, err)
			for _, c := range cells {
				if c != r.Cell && sameRun(t, c, r.Cell) {
					row := r
					row.Cell, row.Trace = c, judgedBy(t, c, log)
					rows = append(rows, row)
				}
			}
		}
	}
	return rows
}

// sameRun reports whether two cells differ at most by what their method is only judged by.
func sameRun(t *testing.T, a, b study.Cell) bool {
	t.Helper()
	if a.Method != b.Method || a.Seed != b.Seed || a.Budget != b.Budget {
		return false
	}
	config, err := a.Config()
	two, wrong := b.Config()
	spec, unknown := registry.Find(config.Optimizer)
	require.NoError(t, errors.Join(err, wrong, unknown))
	for _, p := range spec.ScoringParams {
		delete(config.Params, p.Key)
		delete(two.Params, p.Key)
	}
	return reflect.DeepEqual(config, two)
}

// judgedBy is the trace of a session whose results are judged as those of another cell are.
func judgedBy(t *testing.T, c study.Cell, log []byte) study.Trace {
	t.Helper()
	other, err := c.Session(t.Context())
	require.NoError(t, err)
	defer other.Close()
	s, err := sessions.Read(t.Context(), bytes.NewReader(log))
	require.NoError(t, err)
	defer s.Close()
	st := other.State()
	for _, p := range st.Spec.ScoringParams {
		if text := st.Params.Text(p.Key); text != s.State().Params.Text(p.Key) {
			require.NoError(t, s.Edit(p.Key, text))
		}
	}
	return study.TraceFor(s.State())
}

// TestJudgedAnew: a run that is judged by another prior is the run under that prior.
func TestJudgedAnew(t *testing.T) {
	d, err := study.Parse(t.Context(), "judged.toml", []byte(`name = "judged"
problems = ["branin4-currin4 prior=top scalarization=tchebyshev", "branin4-currin4 prior=mid scalarization=linear", "branin4-currin4 prior=mid scalarization=linear noise=0.1"]
methods = ["parego", "smsego", "ehvi", "moead-ego", "pesmo", "random", "mobo-rs-ts"]
seeds = 1
budget = "14"
`))
	require.NoError(t, err)
	cells, err := d.Cells()
	require.NoError(t, err)
	run := func(c study.Cell) (*sessions.Session, study.Trace) {
		s, err := c.Session(t.Context())
		for err == nil && s.State().StopReason() == "" {
			_, err = s.Step(t.Context(), nil)
		}
		require.NoError(t, err)
		trace := study.TraceFor(s.State())
		trace.Seconds = nil
		return s, trace
	}
	for i, a := range cells[:7] {
		b := cells[7+i]
		if same, knows := sameRun(t, a, b), strings.HasPrefix(a.Method, "mobo"); same == knows ||
			sameRun(t, a, cells[14+i]) || i > 0 && sameRun(t, a, cells[0]) {
			t.Errorf("%s: same runs %v", a, same)
		} else if knows {
			continue
		}
		s, single := run(a)
		other, two := run(b)
		text, _ := s.Lines(0)
		got := judgedBy(t, b, text)
		got.Seconds = nil
		if !reflect.DeepEqual(got, two) || reflect.DeepEqual(single.BayesRegret, two.BayesRegret) {
			t.Errorf("%s: judged anew %v\nrun %v\nfirst %v", a, got.BayesRegret, two.BayesRegret, single.BayesRegret)
		}
		s.Close()
		other.Close()
	}
}

// worked are the rows of all studies of a database.
func worked(t *testing.T, db string) (rows []study.Row) {
	t.Helper()
	ctx := context.Background()
	st, err := store.Open(ctx, db)
	require.NoError(t, err)
	defer st.Close()
	all, err := st.Studies(ctx)
	require.NoError(t, err)
	for _, s := range all {
		table, err := st.Table(ctx, s.Name)
		require.NoError(t, err)
		rows = append(rows, table.Rows...)
	}
	return rows
}
