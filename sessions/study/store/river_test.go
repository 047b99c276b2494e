package store

import (
	"context"
	"database/sql"
	"io"
	"strings"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
)

// River's table is the one that the statements of rescue.go are about. When this fails, read the migrations that are
// new and each of those statements, and then renew what is expected here.
func TestRiverTables(t *testing.T) {
	const columns = "args,attempt,attempted_at,attempted_by,created_at,errors,finalized_at,id,kind,max_attempts,metadata,priority,queue,scheduled_at,state,tags,unique_key,unique_states"
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		m, err := rivermigrate.New(s.driver, &rivermigrate.Config{Logger: discardLogger})
		require.NoError(t, err)
		versions := m.AllVersions()
		if last := versions[len(versions)-1]; last.Version != 6 {
			t.Errorf("River's schema is of version %d", last.Version)
		}
		statement := "SELECT name FROM pragma_table_info('river_job') ORDER BY name"
		if s.pool != nil {
			statement = "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'river_job' ORDER BY 1"
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
		require.NoError(t, err)
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
			require.NoError(t, err)
			if r := table.Rows[0]; r.Status == study.Failed {
				if r.Attempts != 1 || r.Error != io.ErrUnexpectedEOF.Error() || r.Ended.IsZero() || r.Worker != "" {
					t.Errorf("cancelled it is %+v", r)
				}
				break
			}
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
			assert.Equal(t, len(cells), len(jobs), "%d jobs of %d cells", len(jobs), len(cells))
			return err
		}); err != nil {
			t.Fatal(err)
		}
	})
}
