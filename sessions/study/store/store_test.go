package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/didyoumean"
	"bandscope/sessions/study"
)

// postgresURL names a PostgreSQL for tests, such as .ci/postgres starts; without one they are of files only.
var postgresURL = os.Getenv("BANDSCOPE_POSTGRES")

// onBoth runs a test on a file that is not there yet, and on PostgreSQL where there is one, in a schema that is not
// there yet.
func onBoth(t *testing.T, test func(t *testing.T, name string)) {
	t.Run("file", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "a study, 50% of it?.db")) })
	t.Run("postgres", func(t *testing.T) {
		if postgresURL == "" {
			t.Skip("BANDSCOPE_POSTGRES names no database")
		}
		test(t, postgresURL+"&search_path=test_"+strings.ToLower(rand.Text()))
	})
}

func open(t testing.TB, name string) *Store {
	t.Helper()
	s, err := Open(t.Context(), name)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func (s *Store) must(t testing.TB, do func(tx *sql.Tx) error) {
	t.Helper()
	require.NoError(t, s.Transact(t.Context(), do))
}

// execs runs statements in the dialect of the database.
func (s *Store) execs(t testing.TB, statements ...string) {
	t.Helper()
	s.must(t, func(tx *sql.Tx) error {
		for _, statement := range statements {
			if _, err := s.exec(t.Context(), tx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

var ours = &study.Declaration{Name: "ours", Title: "what it asks", Problems: []string{"forrester"},
	Methods: []string{"random"}, Seeds: 3, Budget: "4",
	Published: []study.PublishedNumber{{Problem: "forrester", Method: "random", Value: 1, Source: "table 1"}}}

// added puts a study into a database.
func added(t testing.TB, s *Store, d *study.Declaration) []study.Cell {
	t.Helper()
	s.Program = "1.0"
	cells, err := d.Cells()
	if err == nil {
		err = s.Submit(t.Context(), d, cells, map[string]int{"forrester": 1})
	}
	require.NoError(t, err)
	return cells
}

// worked is the work of one job at a time, as a test has it done.
type worked struct {
	river.WorkerDefaults[Job]
	do jobs
}

func (w *worked) Work(ctx context.Context, job *river.Job[Job]) error {
	select {
	case do := <-w.do:
		return do(ctx, job)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// jobs are what is done with the next job that a worker has.
type jobs chan func(ctx context.Context, job *river.Job[Job]) error

// worker is a worker of the first study at one job at a time.
func worker(t testing.TB, s *Store, name string, do jobs) {
	t.Helper()
	workers := river.NewWorkers()
	river.AddWorker(workers, &worked{do: do})
	client, err := river.NewClient(s.driver,
		&river.Config{ID: name, Logger: discardLogger, Workers: workers, JobTimeout: -1,
			FetchCooldown:     time.Millisecond,
			FetchPollInterval: 5 * time.Millisecond,
			Queues:            map[string]river.QueueConfig{QueueFor(1): {MaxWorkers: 1}}})
	if err == nil {
		err = client.Start(t.Context())
	}
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		client.StopAndCancel(ctx)
	})
}

// handOver has a worker hand over a slice of the cell that it has next, and returns the error.
func handOver(t testing.TB, s *Store, end jobs, slice func(r Run) Slice) (r Run, err error) {
	t.Helper()
	ended := make(chan struct{})
	end <- func(ctx context.Context, job *river.Job[Job]) error {
		defer close(ended)
		if r, err = s.Run(ctx, job.Args); err == nil {
			err = s.HandOver(ctx, job, r, slice(r))
		}
		return nil
	}
	<-ended
	return r, err
}

// What is handed over is what is read: numbers to the last bit, those that are not known as NaN, what the run does not
// have as nothing; and only what has changed since.
func TestWhatIsHandedOverIsRead(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		cells := added(t, s, ours)
		rows, first, err := s.Changes(t.Context(), "ours", -1)
		if err != nil || len(rows) != 3 || rows[2].Cell != cells[2] || rows[0].Status != study.Waiting ||
			rows[0].Dim != 1 {
			t.Fatal(rows, err)
		}
		nan, inf := math.NaN(), math.Inf(1)
		trace := study.Trace{Evaluations: []int{1, 3}, Seconds: []float64{0.1, 1e-300}, Spent: []float64{1, 2},
			Best: []float64{nan, -inf}, SimpleRegret: []float64{nan, nan},
			CumulativeRegret: []float64{1.0 / 3, math.MaxFloat64}}
		w := make(jobs)
		worker(t, s, "w", w)
		run, err := handOver(t, s, w, func(r Run) Slice {
			rows, revision, err := s.Changes(t.Context(), "ours", first)
			if err != nil || len(rows) != 1 || rows[0].Cell != cells[0] || rows[0].Status != study.Running ||
				rows[0].Worker != "w" || revision != first {
				t.Errorf("while it runs: %+v, %v", rows, err)
			}
			return Slice{Steps: 2, Trace: trace, Lines: []byte("{}\n"), Seconds: 1.5}
		})
		if want := (Run{Cell: cells[0], keep: study.KeepTraces}); err != nil || !reflect.DeepEqual(run, want) {
			t.Fatalf("%+v, want %+v, %v", run, want, err)
		}
		rows, second, err := s.Changes(t.Context(), "ours", first)
		if err != nil || len(rows) != 1 || second <= first || !equal(rows[0].Trace, trace) || rows[0].Steps != 2 ||
			rows[0].Seconds != 1.5 || rows[0].Began.IsZero() || !rows[0].Ended.IsZero() {
			t.Fatalf("%+v, %v; want %+v", rows, err, trace)
		}
		if rows, _, err := s.Changes(t.Context(), "ours", second); err != nil || len(rows) != 1 ||
			rows[0].Steps != 2 || rows[0].Trace.Evaluations != nil {
			t.Errorf("a cell in hand of which nothing is new: %+v, %v", rows, err)
		}
		if text, err := s.Log(t.Context(), "ours", cells[0]); err != nil || string(text) != "{}\n" {
			t.Errorf("%q, %v", text, err)
		}
		before := trace // what was not known is known now, of both iterations; and there is a third
		trace.SimpleRegret, trace.Evaluations, trace.Seconds, trace.Spent, trace.Best, trace.CumulativeRegret =
			[]float64{5, nan,
				4}, []int{1, 3, 4}, []float64{0.1, 1e-300, 2}, []float64{1, 2, 3},
			[]float64{nan, -inf, 3}, []float64{1.0 / 3, math.MaxFloat64, 7}
		if _, err := handOver(t, s, w, func(Run) Slice {
			return Slice{Over: true, Steps: 3, Before: before, Trace: trace, Lines: []byte("{}\n"), Seconds: 1}
		}); err != nil {
			t.Fatal(err)
		}
		defer func(before int) { maxSingleTraces = before }(maxSingleTraces)
		for _, maxSingleTraces = range []int{maxSingleTraces, 0} {
			table, err := s.Table(t.Context(), "ours")
			if err != nil || !reflect.DeepEqual(table.Declaration, ours) || len(table.Rows) != 3 {
				t.Fatal(table, err)
			}
			if r := table.Rows[0]; !equal(r.Trace, trace) || r.Status != study.Done || r.Seconds != 2.5 ||
				r.Ended.Before(r.Began) || r.Ended.IsZero() || r.Program != "1.0" {
				t.Errorf("%+v, want %+v", r, trace)
			}
			if rows, _, err := s.Changes(t.Context(), "ours", second); err != nil || !equal(rows[0].Trace, trace) {
				t.Errorf("%+v, %v", rows, err)
			}
		}
		if text, err := s.Log(t.Context(), "ours", cells[0]); err != nil || text != nil {
			t.Errorf("%q, %v", text, err)
		}
		if list, err := s.Studies(t.Context()); err != nil || len(list) != 1 || list[0].Remaining() != 2 ||
			list[0].Ended() != 1 || list[0].Total() != 3 || list[0].Created.IsZero() {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

func equal(a, b study.Trace) bool {
	if !reflect.DeepEqual(a.Evaluations, b.Evaluations) {
		return false
	}
	x, y := slicesIn(&a), slicesIn(&b)
	for i := range x {
		if (*x[i] == nil) != (*y[i] == nil) || len(*x[i]) != len(*y[i]) {
			return false
		}
		for k, v := range *x[i] {
			if w := (*y[i])[k]; math.Float64bits(v) != math.Float64bits(w) && !(math.IsNaN(v) && math.IsNaN(w)) {
				return false
			}
		}
	}
	return true
}

// Whoever has a job hands its slice over, once. Nobody does of whom it was taken, unless nobody has taken it up since.
func TestOneHandsOver(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		plan := *ours
		plan.Seeds = 1
		added(t, s, &plan)
		rescue := func() { // as River does with a job whose worker was not heard of
			s.execs(t, "UPDATE river_job SET state = 'available', scheduled_at = {queue-now} WHERE state = 'running'")
		}
		slice := func(steps int, simple float64) Slice {
			tr := study.Trace{}
			for i := range steps {
				tr.Evaluations, tr.SimpleRegret = append(tr.Evaluations, i+1), append(tr.SimpleRegret, simple)
			}
			return Slice{Steps: steps, Trace: tr, Lines: []byte("x\n"), Seconds: 1}
		}
		first := func(want float64, steps int) {
			t.Helper()
			table, err := s.Table(t.Context(), "ours")
			if r := table.Rows[0]; err != nil || r.Steps != steps || r.Trace.SimpleRegret[steps-1] != want {
				t.Errorf("%d steps, %+v, %v; want %d of %g", r.Steps, r.Trace, err, steps, want)
			}
		}
		var early, late, twice error
		ended, do := make(chan struct{}), make(jobs)
		worker(t, s, "first", do)
		do <- func(ctx context.Context, job *river.Job[Job]) error {
			defer close(ended)
			run, _ := s.Run(ctx, job.Args)
			rescue()
			worker(t, s, "second", do)
			if _, err := handOver(t, s, do, func(Run) Slice {
				early = s.HandOver(ctx, job, run, slice(1, 1))
				return slice(1, 2)
			}); err != nil {
				t.Errorf("of who has it now: %v", err)
			}
			late = s.HandOver(ctx, job, run, slice(1, 1))
			return nil
		}
		<-ended
		if first(2, 1); !errors.Is(early, ErrTaken) || !errors.Is(late, ErrTaken) {
			t.Errorf("of who had it before: %v, %v", early, late)
		}
		ended = make(chan struct{})
		do <- func(ctx context.Context, job *river.Job[Job]) error {
			defer close(ended)
			run, _ := s.Run(ctx, job.Args)
			// and nobody takes it up
			s.execs(t, "UPDATE river_job SET state = 'retryable', scheduled_at = {queue+120} WHERE state = 'running'")
			assert.NoError(t, s.HandOver(ctx, job, run, slice(2, 3)), "of one that was rescued too early")
			twice = s.HandOver(ctx, job, run, slice(2, 4))
			return nil
		}
		<-ended
		if first(3, 2); !errors.Is(twice, ErrTaken) {
			t.Errorf("a second time: %v", twice)
		}
		count := 0
		s.must(t, func(tx *sql.Tx) error {
			return tx.QueryRowContext(t.Context(), "SELECT count(*) FROM river_job WHERE state <> 'completed'").
				Scan(&count)
		})
		assert.Equal(t, 1, count, "%d jobs for a cell", count)
	})
}

// What is no database of studies is not touched, and is named with what would be right.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	in := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	other := filepath.Join(dir, "other.db")
	db, err := sql.Open("sqlite", other)
	require.NoError(t, err)
	_, err = db.Exec("CREATE TABLE study (name TEXT)")
	require.NoError(t, err)
	db.Close()
	for _, version := range []string{"0", "7"} {
		s := open(t, filepath.Join(dir, version+".db"))
		s.execs(t, "UPDATE schema SET program = 'v9.9', version = "+version)
		s.Close()
	}
	text, pipe := in("notes.txt", strings.Repeat("no database ", 20)), in("short", "x")
	for _, c := range []struct {
		name string
		into any
		want string
	}{
		{text, new(*NotStudyDatabaseError), "notes.txt is not a file of studies; name a file that does not exist yet, or one that bandscope study made"},
		{pipe, new(*NotStudyDatabaseError), "is not a file of studies"},
		{other, new(*NotStudyDatabaseError), "is not a file of studies"},
		{dir, new(*OpenError), "it is a folder"},
		{filepath.Join(dir, "no", "study.db"), new(*OpenError), "does not exist"},
		{filepath.Join(dir, "7.db"), new(*SchemaVersionError),
			"have version 7, made by bandscope v9.9, but this program reads version 1; use a newer bandscope"},
		{filepath.Join(dir, "0.db"), new(*SchemaVersionError), "use the bandscope that made them"},
		{"postgres://user:secret@127.0.0.1:1/db", new(*OpenError), "cannot open postgres://127.0.0.1/db: "},
		{"postgres://user:secret@host:port/db", new(*OpenError), "cannot open the database of --db: "},
	} {
		for label, open := range map[string]func(context.Context, string) (*Store, error){
			"open": Open, "peek": OpenExisting} {
			s, err := open(t.Context(), c.name)
			if label == "peek" && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil || !errors.As(err, c.into) || !strings.Contains(err.Error(), c.want) ||
				strings.Contains(err.Error(), "secret") {
				t.Errorf("%s %s: %v, want %q", label, c.name, err, c.want)
			}
			if s != nil {
				s.Close()
			}
		}
	}
	if got, err := os.ReadFile(text); err != nil || !strings.HasPrefix(string(got), "no database") {
		t.Errorf("%q, %v", got, err)
	}
	_, err = OpenExisting(t.Context(), filepath.Join(dir, "new.db"))
	assert.ErrorIs(t, err, fs.ErrNotExist, "a file that is not there: %v", err)
	_, err = os.Stat(filepath.Join(dir, "new.db"))
	assert.ErrorIs(t, err, fs.ErrNotExist, "looking makes the file")
}

// An unknown study is named with the nearest that there is.
func TestUnknownStudy(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		added(t, s, ours)
		_, err := s.Table(t.Context(), "hours")
		if !errors.Is(err, didyoumean.ErrUnknown) ||
			!strings.Contains(err.Error(), `no study "hours"; did you mean ours?`) {
			t.Error(err)
		}
		if peeked, err := OpenExisting(t.Context(), name); err != nil {
			t.Error(err)
		} else {
			peeked.Close()
		}
	})
}

// A worker's sign of life keeps its own jobs from being taken for stuck, and those of nobody else; when it is gone,
// what it had is free at once.
func TestSignsOfLife(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		added(t, s, ours)
		hourAgo, authors := "datetime('now', '-1 hour')", `'["x","w"]'`
		if s.pool != nil {
			hourAgo, authors = "now() - interval '1 hour'", "ARRAY['x', 'w']"
		}
		p := Process{Name: "w", Host: "h", Place: "p", PID: 1, Slots: 2, Program: "1.0"}
		statement := `INSERT INTO river_job (id, args, kind, queue, max_attempts, state, attempted_at, attempted_by)
			VALUES (%d, '{"study": 1, "cell": %[1]d}', 'slice', 'study-1', 3, 'running', ` + hourAgo + ", %s)"
		s.execs(t, "DELETE FROM river_job", fmt.Sprintf(statement, 1, authors),
			fmt.Sprintf(statement, 2, strings.ReplaceAll(authors, "w", "v")))
		if _, err := s.Heartbeat(t.Context(), p); err != nil { // it does not know of the job that the queue gave it
			t.Fatal(err)
		}
		lost := true
		s.must(t, func(tx *sql.Tx) error {
			return tx.QueryRowContext(t.Context(), "SELECT attempted_at <= "+hourAgo+" FROM river_job WHERE id = 1").Scan(&lost)
		})
		assert.True(t, lost, "a job that nobody works on is alive")
		if _, err := s.Heartbeat(t.Context(), p, 1, 2); err != nil {
			t.Fatal(err)
		}
		check := func(want string) {
			t.Helper()
			var got string
			table, err := s.Table(t.Context(), "ours")
			require.NoError(t, err)
			s.must(t, func(tx *sql.Tx) error {
				for id := 1; id <= 2; id++ {
					var old bool
					if err := tx.QueryRowContext(t.Context(),
						"SELECT attempted_at <= "+hourAgo+" FROM river_job WHERE id = $1", id).Scan(&old); err != nil {
						return err
					}
					got += fmt.Sprint(table.Rows[id].Status, table.Rows[id].Worker, " ", old, "; ")
				}
				return nil
			})
			assert.Equal(t, want, got)
		}
		check("runningw false; runningv true; ")
		require.NoError(t, s.Leave(t.Context(), "w"))
		check("waiting false; runningv true; ")
		if workers, err := s.Workers(t.Context()); err != nil || len(workers) != 0 {
			t.Errorf("%+v, %v", workers, err)
		}
	})
}

// Whoever opens a database at the same time makes it once.
func TestOpenedAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		errs := make(chan error)
		for range 4 {
			go func() {
				s, err := Open(t.Context(), name)
				if err == nil {
					err = s.Close()
				}
				errs <- err
			}()
		}
		for range 4 {
			assert.NoError(t, <-errs)
		}
		var made int
		s := open(t, name)
		s.must(t, func(tx *sql.Tx) error {
			return tx.QueryRowContext(t.Context(), "SELECT count(*) FROM schema").Scan(&made)
		})
		assert.Equal(t, 1, made, "it was made %d times", made)
	})
}

// When a clock was set back, what the queue has for a time ahead is brought to now; what it has for the next minute
// stays, and what has waited is given out.
func TestQueueTimesAhead(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		p := Process{Name: "w", Host: "h", Place: "p", PID: 1, Slots: 2, Program: "1.0"}
		ahead := func(seconds string) string { return strings.ReplaceAll(s.dialect.queueAhead, "{s}", seconds) }
		insert := func(id int, state, scheduled, attempted string) string {
			return `INSERT INTO river_job (id, args, kind, max_attempts, state, scheduled_at, attempted_at) VALUES (` +
				string(rune('0'+id)) + `, '{}', 'slice', 3, '` + state + `', ` + scheduled + `, ` + attempted + `)`
		}
		s.execs(t, insert(1, "available", ahead("3600"), "NULL"), insert(2, "available", ahead("5"), "NULL"),
			insert(3, "scheduled", ahead("60"), "NULL"),
			insert(4, "retryable", ahead("3600"), "NULL"), insert(5, "running", "{queue-now}", ahead("3600")),
			insert(6, "retryable", "{queue-now}", "NULL"))
		if _, err := s.Heartbeat(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		for id, want := range map[int]string{
			1: "available 0", 2: "available 1", 3: "scheduled 1", 4: "available 0", 5: "running 0", 6: "available 0"} {
			var state string
			var later int
			s.must(t, func(tx *sql.Tx) error {
				return tx.QueryRowContext(t.Context(),
					s.dialect.sql("SELECT state, CASE WHEN scheduled_at > {queue-now} OR attempted_at > {queue-now} THEN 1 ELSE 0 END FROM river_job WHERE id = $1"), id).Scan(&state, &later)
			})
			assert.Equal(t, want, state+" "+string(rune('0'+later)), "job %d", id)
		}
		workers, err := s.Workers(t.Context())
		if err != nil || len(workers) != 1 || workers[0].Name != "w" || workers[0].SinceSeen > 60 ||
			workers[0].Slots != 2 ||
			workers[0].LastSeen.IsZero() {
			t.Errorf("%+v, %v", workers, err)
		}
	})
}

// A study is over where every cell is done or given up; those of another program are neither over nor open.
func TestSummary(t *testing.T) {
	s := Summary{Cells: map[study.Status]int{study.Waiting: 1, study.Running: 2, study.Done: 4, study.Failed: 8,
		study.OtherVersion: 16}}
	if s.Remaining() != 3 || s.Ended() != 12 || s.Total() != 31 {
		t.Errorf("%d open, %d over, %d in all", s.Remaining(), s.Ended(), s.Total())
	}
}
