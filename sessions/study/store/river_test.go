package store

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/rand"
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivermigrate"

	"bandscope/sessions/study"
)

// River's table is the one that the statements of rescue.go are about. When this fails, read the migrations that are
// new and each of those statements, and then renew what is expected here.
func TestRiverTables(t *testing.T) {
	const columns = "args,attempt,attempted_at,attempted_by,created_at,errors,finalized_at,id,kind,max_attempts,metadata,priority,queue,scheduled_at,state,tags,unique_key,unique_states"
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		m, err := rivermigrate.New(s.driver, &rivermigrate.Config{Logger: discardLogger})
		if err != nil {
			t.Fatal(err)
		}
		versions := m.AllVersions()
		if last := versions[len(versions)-1]; last.Version != 6 {
			t.Errorf("River's schema is of version %d", last.Version)
		}
		statement := "SELECT name FROM pragma_table_info('river_job') ORDER BY name"
		if s.pool != nil {
			statement = "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() " +
				"AND table_name = 'river_job' ORDER BY 1"
		}
		var got []string
		if err := s.each(t.Context(), s.read, statement, nil, func(scan func(...any) error) error {
			got = append(got, "")
			return scan(&got[len(got)-1])
		}); err != nil || strings.Join(got, ",") != columns {
			t.Errorf("river_job has the columns %s, %v", got, err)
		}
	})
}

// What River takes from a worker that it takes for dead is no failure of the cell; what a worker cancels is, and its
// text is the error's.
func TestFailures(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		added(t, s, ours)
		do, ended := make(jobs), make(chan struct{})
		hourAgo := strings.ReplaceAll(s.dialect.queueAhead, "{s}", "-3600")
		if s.pool == nil {
			hourAgo = "datetime('now', '-1 hour')"
		}
		// whose worker is gone
		s.execs(t, `UPDATE river_job SET state = 'running', attempt = 1, attempted_at = `+hourAgo+` WHERE id = 1`)
		workers := river.NewWorkers()
		river.AddWorker(workers, &worked{do: do})
		client, err := river.NewClient(s.driver,
			&river.Config{ID: "w", Logger: discardLogger, Workers: workers, JobTimeout: -1, RescueStuckJobsAfter: 1e9,
				Queues: map[string]river.QueueConfig{QueueFor(2): {MaxWorkers: 1}}})
		if err == nil {
			err = client.Start(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		defer client.StopAndCancel(context.Background())
		for n := 0; n == 0; {
			s.must(t, func(tx *sql.Tx) error {
				return tx.QueryRowContext(t.Context(),
					"SELECT count(*) FROM river_job WHERE id = 1 AND state <> 'running'").Scan(&n)
			})
		}
		s.execs(t, "UPDATE river_job SET state = 'available', scheduled_at = {queue-now} WHERE id = 1",
			"UPDATE river_job SET priority = 3 WHERE id > 1")
		worker(t, s, "v", do)
		do <- func(_ context.Context, job *river.Job[Job]) error {
			defer close(ended)
			if n, text := Failures(job.JobRow); job.ID != 1 || len(job.Errors) != 1 || n != 0 || text != "" {
				t.Errorf("job %d, rescued, has %d failures, %q: %v", job.ID, n, text, job.Errors)
			}
			return river.JobCancel(io.ErrUnexpectedEOF)
		}
		<-ended
		for {
			table, err := s.Table(t.Context(), "ours")
			if err != nil {
				t.Fatal(err)
			}
			if r := table.Rows[0]; r.Status == study.Failed {
				if r.Attempts != 1 || r.Error != io.ErrUnexpectedEOF.Error() || r.Ended.IsZero() || r.Worker != "" {
					t.Errorf("cancelled it is %+v", r)
				}
				break
			}
		}
	})
}

// fixture is what the version before wrote: a database with a cell that is done, one that failed, one that was handed
// over in part, one whose worker died, and one that was not begun.
func fixture(t *testing.T, name string) []byte {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A database of version 1 is brought to this version when it is opened: results stay, what is not over is queued anew,
// and what failed has failed.
func TestUpgrade(t *testing.T) {
	t.Run("file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "old.db")
		if err := os.WriteFile(path, fixture(t, "v1.db.gz"), 0o600); err != nil {
			t.Fatal(err)
		}
		upgraded(t, path)
	})
	t.Run("postgres", func(t *testing.T) {
		if postgresURL == "" {
			t.Skip("BANDSCOPE_POSTGRES names no database")
		}
		schema := "test_" + strings.ToLower(rand.Text())
		conn, err := pgx.Connect(t.Context(), postgresURL)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		text := strings.ReplaceAll(string(fixture(t, "v1.sql.gz")), "CREATE SCHEMA old", "CREATE SCHEMA "+schema)
		if _, err := conn.PgConn().Exec(t.Context(), strings.ReplaceAll(text, "old.", schema+".")).ReadAll(); err !=
			nil {
			t.Fatal(err)
		}
		upgraded(t, postgresURL+"&search_path="+schema)
	})
}

func upgraded(t *testing.T, name string) {
	errs := make(chan error)
	for range 3 { // at once
		go func() {
			s, err := OpenExisting(t.Context(), name)
			if err == nil {
				err = s.Close()
			}
			errs <- err
		}()
	}
	for range 3 {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, name)
	s.Program = "1.0"
	table, err := s.Table(t.Context(), "old")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []study.Row{
		{Status: study.Done, Steps: 4, Program: "1.0"},
		{Status: study.Failed, Attempts: 3, Error: "it fails", Program: "1.0"},
		{Status: study.Waiting, Steps: 3, Program: "1.0"}, {Status: study.Waiting}, {Status: study.Waiting}} {
		r := table.Rows[i]
		if r.Status != want.Status || r.Steps != want.Steps || r.Attempts != want.Attempts || r.Error != want.Error ||
			r.Program != want.Program || r.Worker != "" || len(r.Trace.SimpleRegret) != want.Steps {
			t.Errorf("cell %d: %+v, want %+v", i, r, want)
		}
	}
	var begun []int64
	do := make(jobs)
	worker(t, s, "w", do)
	for range 3 {
		run, err := handOver(t, s, do, func(r Run) Slice {
			return Slice{Over: true, Steps: 4, Before: table.Rows[r.Seed-1].Trace, Trace: table.Rows[0].Trace}
		})
		if err != nil {
			t.Fatal(err)
		}
		begun = append(begun, int64(run.Seed))
	}
	if list, err := s.Studies(t.Context()); err != nil || list[0].Cells[study.Done] != 4 ||
		list[0].Cells[study.Failed] != 1 || list[0].Remaining() != 0 {
		t.Errorf("%+v, %v; begun %v", list, err, begun)
	}
	if slices.Sort(begun); !slices.Equal(begun, []int64{3, 4, 5}) {
		t.Errorf("begun are %v", begun)
	}
	if n, err := s.Restart(t.Context(), "old"); n != 1 || err != nil {
		t.Errorf("%d begin anew, %v", n, err)
	}
}

// A database of version 2 has no repeats in its traces; it gets the column when it is opened.
func TestUpgradeFrom2(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		s.execs(t, "DROP VIEW result", "ALTER TABLE trace DROP COLUMN repeats",
			"CREATE VIEW result AS SELECT study FROM trace", "UPDATE schema SET version = 2")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, name)
		version, rows := 0, 0
		s.must(t, func(tx *sql.Tx) error {
			err := tx.QueryRowContext(t.Context(), "SELECT version FROM schema").Scan(&version)
			return cmp.Or(err, tx.QueryRowContext(t.Context(), "SELECT count(repeats) FROM result").Scan(&rows))
		})
		if version != Version || rows != 0 {
			t.Errorf("the version is %d, with %d repeats", version, rows)
		}
	})
}

// Jobs are read in pages, of which there may be more than two: River's list keeps the cursor of a page that was read.
func TestPagesOfJobs(t *testing.T) {
	defer func(before int) { jobsPage = before }(jobsPage)
	jobsPage = 2
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		d := *ours
		d.Seeds = 7
		cells := added(t, s, &d)
		if err := s.readTx(t.Context(), func(tx *sql.Tx) error {
			jobs, err := s.jobs(t.Context(), tx, 1, all, notCompleted...)
			if len(jobs) != len(cells) {
				t.Errorf("%d jobs of %d cells", len(jobs), len(cells))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	})
}
