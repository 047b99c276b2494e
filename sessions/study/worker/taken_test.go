package worker

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// execute runs statements.
func execute(t *testing.T, st *store.Store, statements ...string) {
	t.Helper()
	if err := st.Transact(context.Background(), func(tx *sql.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// another is the column attempted_by of a job that the worker "another" has.
func another(database string) string {
	if strings.HasPrefix(database, "postgres:") {
		return "ARRAY['another']"
	}
	return `'["another"]'`
}

// A slice that was given to another worker meanwhile does not count, and the cell goes on there.
func TestSlicesThatAreTaken(t *testing.T) {
	d := &study.Declaration{Name: "taken", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 1,
		Budget: "2"}
	onBoth(t, func(t *testing.T, name string) {
		st := submitted(t, name, d)
		var mu sync.Mutex
		steps := 0
		begin := acting(func(study.Cell) func(context.Context, int) error {
			return func(ctx context.Context, step int) error {
				mu.Lock()
				defer mu.Unlock()
				if steps++; steps > 1 {
					return nil
				}
				// as when another worker takes it
				execute(t, st, "UPDATE river_job SET attempt = attempt + 1, attempted_by = "+another(name))
				return nil
			}
		})
		var texts []string
		ctx, end := context.WithCancel(t.Context())
		if err := Work(ctx, st, Options{Workers: 1, begin: begin, Report: func(s string) {
			texts = append(texts, s)
			end()
		}}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if len(texts) != 1 || !strings.Contains(texts[0], "another worker took this slice") {
			t.Errorf("told %q", texts)
		}
		if r := tableFor(t, st, "taken").Rows[0]; r.Steps != 0 || r.Trace.Evaluations != nil ||
			r.Status != study.Waiting {
			t.Errorf("%+v", r)
		}
		// The other one is heard of no more, and the queue has completed its job: whoever comes next sees to it.
		require.NoError(t, Work(t.Context(), st, Options{Workers: 1, UntilDone: true, begin: begin}))
		if r := tableFor(t, st, "taken").Rows[0]; r.Steps != 2 || r.Status != study.Done || steps != 4 {
			t.Errorf("%+v, %d steps", r, steps)
		}
	})
}

// A slice that takes every worker down with it is given up.
func TestSlicesThatEndTheirWorkers(t *testing.T) {
	d := &study.Declaration{Name: "deadly", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 1,
		Budget: "2"}
	onBoth(t, func(t *testing.T, name string) {
		st := submitted(t, name, d)
		execute(t, st, fmt.Sprint("UPDATE river_job SET attempt = ", maxWorkerDeaths))
		require.NoError(t, Work(t.Context(), st, Options{UntilDone: true}))
		if r := tableFor(t, st, "deadly").Rows[0]; r.Status != study.Failed ||
			!strings.HasPrefix(r.Error, "10 workers ended during this slice") {
			t.Errorf("%+v", r)
		}
	})
}

// A cell of more slices than a slice may have deaths is no cell whose workers end: only how often the present slice was
// begun counts.
func TestCellsOfManySlices(t *testing.T) {
	d := &study.Declaration{Name: "long", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 1,
		Budget: "15"}
	onBoth(t, func(t *testing.T, name string) {
		st := submitted(t, name, d)
		begin := acting(func(study.Cell) func(context.Context, int) error {
			return func(context.Context, int) error { return nil }
		})
		if err := Work(t.Context(), st, Options{Workers: 1, UntilDone: true, begin: begin, sliceOver: every(1)}); err !=
			nil {
			t.Fatal(err)
		}
		if r := tableFor(t, st, "long").Rows[0]; r.Status != study.Done || r.Steps != 15 || r.Error != "" {
			t.Errorf("after 15 slices of one step: %+v", r)
		}
	})
}

// What another program changed so that it cannot be of the cell is not worked: the cell fails at once, or after its
// tries, and says why; the others are done.
func TestDamagedCellsAreNotWorked(t *testing.T) {
	d := &study.Declaration{Name: "damaged", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 3,
		Budget: "2"}
	other, err := study.Cell{Problem: "branin", Method: "random", Seed: 2, Budget: 2}.Session(t.Context())
	require.NoError(t, err)
	lines, _ := other.Lines(0)
	onBoth(t, func(t *testing.T, name string) {
		st := submitted(t, name, d)
		execute(t, st, "UPDATE cell SET budget = 4600000000000000000 WHERE number = 0",
			"UPDATE cell SET steps = 1 WHERE number = 1", // only then it has a session
			"INSERT INTO trace (study, cell, iteration, evaluations) VALUES (1, 1, 1, 1)",
			"INSERT INTO log (study, cell, part, lines) VALUES (1, 1, -1, '"+
				strings.ReplaceAll(string(lines), "'", "''")+"')")
		require.NoError(t, Work(t.Context(), st, Options{UntilDone: true}))
		if err := Work(t.Context(), st, Options{UntilDone: true, Study: "damaged"}); err != nil {
			t.Errorf("work when nothing is left to do: %v", err)
		}
		if _, err := st.Table(t.Context(), "damaged"); !errors.As(err, new(*store.DamagedError)) {
			t.Errorf("read as it is: %v", err)
		}
		execute(t, st, "UPDATE cell SET budget = 2 WHERE number = 0")
		rows := tableFor(t, st, "damaged").Rows
		for number, want := range []struct {
			status   study.Status
			attempts int
			text     string
		}{{study.Failed, 1, "budget must be in [1, 1000000], got 4600000000000000000"},
			{study.Failed, 3, `its problem is "branin", not "forrester"`}, {study.Done, 0, ""}} {
			if r := rows[number]; r.Status != want.status || r.Attempts != want.attempts ||
				!strings.Contains(r.Error, want.text) {
				t.Errorf("cell %d: %s after %d attempts, %q; want %+v", number, r.Status, r.Attempts, r.Error, want)
			}
		}
		execute(t, st, "UPDATE study SET revision = -1")
		if err := Work(t.Context(), st, Options{UntilDone: true, Study: "damaged"}); !errors.As(err,
			new(*store.DamagedError)) {
			t.Errorf("work on a study that is damaged: %v", err)
		}
		var texts []string
		if err := Work(t.Context(), st, Options{UntilDone: true, Report: func(s string) { texts = append(texts, s) }}); err != nil || len(texts) != 1 || !strings.Contains(texts[0], "revision must be in") {
			t.Errorf("work on the others: %v, told %q", err, texts)
		}
	})
}

// fat is a course whose log is long.
type fat struct{ cellRun }

func (f fat) lines() []byte {
	return append(bytes.Repeat([]byte("y"), 1<<20), append([]byte("\n"), f.cellRun.lines()...)...)
}

// While the disk is full nothing is handed over and nothing is lost, and it is told; when there is room the slice
// counts, without being worked again.
func TestAFullDisk(t *testing.T) {
	d := &study.Declaration{Name: "full", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 2,
		Budget: "4", Keep: study.KeepSessions}
	st := submitted(t, t.TempDir()+"/study.db", d)
	pragma := func(statement string) {
		execute(t, st, statement)
	}
	pragma("PRAGMA max_page_count = 1") // is raised to what there is
	var mu sync.Mutex
	steps, results := 0, []string{}
	count := acting(func(study.Cell) func(context.Context, int) error {
		return func(context.Context, int) error {
			mu.Lock()
			defer mu.Unlock()
			steps++
			return nil
		}
	})
	begin := func(ctx context.Context, c store.Run, log []byte) (cellRun, error) {
		run, err := count(ctx, c, log)
		return fat{run}, err
	}
	if err := Work(t.Context(), st, Options{Workers: 2, UntilDone: true, begin: begin, sliceOver: every(2),
		Report: func(s string) {
			results = append(results, s)
			pragma("PRAGMA max_page_count = 1000000")
		}}); err != nil {
		t.Fatal(err)
	}
	if len(results) == 0 || !strings.Contains(results[0], "cannot write a slice yet") ||
		!strings.Contains(results[0], "full") {
		t.Errorf("told %q", results)
	}
	for _, r := range tableFor(t, st, "full").Rows {
		if text, err := st.Log(t.Context(), "full", r.Cell); r.Status != study.Done || r.Steps != 4 || err != nil ||
			len(text) < 2<<20 {
			t.Errorf("%+v, a log of %d, %v", r, len(text), err)
		}
	}
	assert.Equal(t, 8, steps, "%d steps for 8", steps)
}

// A database that ends its connections in the midst of a slice costs nothing: the slice is handed over when it answers
// again.
func TestConnectionsThatEnd(t *testing.T) {
	if postgresURL == "" {
		t.Skip("BANDSCOPE_POSTGRES names no database")
	}
	name := freshURL(t)
	_, schema, _ := strings.Cut(name, "search_path=")
	d := &study.Declaration{Name: "cut", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 4,
		Budget: "4"}
	st := submitted(t, name+"&application_name="+schema, d)
	other := open(t, postgresURL)
	var mu sync.Mutex
	steps := 0
	begin := acting(func(study.Cell) func(context.Context, int) error {
		return func(ctx context.Context, step int) error {
			mu.Lock()
			defer mu.Unlock()
			if steps++; steps%5 != 0 {
				return nil
			}
			execute(t, other, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '"+schema+"'")
			return nil
		}
	})
	if err := Work(t.Context(), st, Options{Workers: 2, UntilDone: true, begin: begin, sliceOver: every(2),
		beat: 100 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	for _, r := range tableFor(t, st, "cut").Rows {
		if r.Status != study.Done || r.Steps != 4 || r.Attempts != 0 {
			t.Errorf("%+v", r)
		}
	}
	assert.Equal(t, 16, steps, "%d steps for 16", steps)
}
