package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"bandscope/sessions/study"
)

// ErrTaken is the error of committing a slice that is no longer its worker's: it was given to another one meanwhile, or
// has been committed.
var ErrTaken = errors.New("the slice is no longer this worker's")

// Job is the next slice of a cell. A cell has at most one job that is not completed: queued, running or given up; its
// state is the cell's.
type Job struct {
	Study int64 `json:"study" river:"unique"`
	Cell  int64 `json:"cell" river:"unique"` // its number
}

// Kind names the jobs in the queue.
func (Job) Kind() string { return "slice" }

// QueueFor is the queue of a study's jobs.
func QueueFor(id int64) string { return fmt.Sprintf("study-%d", id) }

// Jobs that continue a cell come before those that start one, so that cells finish early.
const (
	PriorityContinue = 1
	PriorityNew      = 2
)

// notCompleted are the states in which there is at most one job of a cell.
var notCompleted = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending,
	rivertype.JobStateRetryable,
	rivertype.JobStateRunning, rivertype.JobStateScheduled, rivertype.JobStateCancelled, rivertype.JobStateDiscarded}

// options are the options of a queued job. River's attempts also count rescues from dead workers, of which there may be
// many; the worker cancels a job that fails for good.
func (j Job) options(priority int) *river.InsertOpts {
	return &river.InsertOpts{Queue: QueueFor(j.Study), Priority: priority, MaxAttempts: 10_000,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: notCompleted}}
}

// enqueue queues the cells that are not in the queue.
func (s *Store) enqueue(ctx context.Context, tx *sql.Tx, priority int, jobs ...Job) error {
	for chunk := range slices.Chunk(jobs, enqueuedAtOnce) {
		list := make([]river.InsertManyParams, len(chunk))
		for i, j := range chunk {
			list[i] = river.InsertManyParams{Args: j, InsertOpts: j.options(priority)}
		}
		if _, err := s.queue.InsertManyFastTx(ctx, tx, list); err != nil {
			return fmt.Errorf("cannot queue the cells: %w", err)
		}
	}
	return nil
}

// enqueuedAtOnce bounds the memory of a statement that queues jobs; a study may have a million.
const enqueuedAtOnce = 10_000

// renew replaces the job of a cell by a new one. It reports false if a worker has it.
func (s *Store) renew(ctx context.Context, tx *sql.Tx, j Job) (bool, error) {
	found, err := s.queue.InsertTx(ctx, tx, j, j.options(PriorityNew))
	if err != nil || !found.UniqueSkippedAsDuplicate {
		return err == nil, err
	}
	if _, err := s.queue.JobDeleteTx(ctx, tx, found.Job.ID); err != nil {
		if errors.Is(err, rivertype.ErrJobRunning) {
			err = nil
		}
		return false, err
	}
	return true, s.enqueue(ctx, tx, PriorityNew, j)
}

// Requeue queues the cells of a study that have not ended and are not in the queue. River completes a job by its id
// when its worker returns, also if it has given it to another one meanwhile, which may die.
func (s *Store) Requeue(ctx context.Context, id int64) error {
	var lost []Job
	err := s.each(ctx, s.read, riverStatements.lost, []any{id, QueueFor(id)}, func(scan func(...any) error) error {
		j := Job{Study: id}
		err := scan(&j.Cell)
		lost = append(lost, j)
		return err
	})
	if err != nil || len(lost) == 0 {
		return err
	}
	return s.Transact(ctx, func(tx *sql.Tx) error { return s.enqueue(ctx, tx, PriorityContinue, lost...) })
}

// complete completes the job of a slice that is committed in the same transaction. A job that was rescued although its
// worker is alive, because the machine slept or its clock was set forward, and that no worker has taken since, is
// dropped; the slice counts.
func complete(ctx context.Context, tx *sql.Tx, job *river.Job[Job]) error {
	completed, err := river.JobCompleteTx[riverdriver.Driver[*sql.Tx]](ctx, tx, job)
	if err == nil {
		return checkAttempt(completed.JobRow, job)
	}
	if !errors.Is(err, river.ErrNotFound) {
		return err
	}
	dropped, err := river.ClientFromContext[*sql.Tx](ctx).JobDeleteTx(ctx, tx, job.ID)
	if errors.Is(err, river.ErrNotFound) || errors.Is(err, rivertype.ErrJobRunning) {
		return ErrTaken
	}
	if err != nil {
		return err
	}
	return checkAttempt(dropped, job)
}

// checkAttempt is ErrTaken if a job was given to another worker since, which increases its attempts.
func checkAttempt(now *rivertype.JobRow, job *river.Job[Job]) error {
	if now.Attempt != job.Attempt {
		return ErrTaken
	}
	return nil
}

// Failures is the number of failed attempts at a job, without those of workers that died, and the last error.
func Failures(job *rivertype.JobRow) (n int, last string) {
	for _, e := range job.Errors {
		if e.Error != rescued {
			n, last = n+1, strings.TrimPrefix(e.Error, cancelled)
		}
	}
	return n, last
}

// Texts of River: the error of an attempt that was rescued, and the prefix of the error with which a worker cancels.
const (
	rescued   = "Stuck job rescued by JobRescuer"
	cancelled = "JobCancelError: "
)

// Conditions on jobs: touched ones have been started or given up.
const (
	touched = "(attempted_at IS NOT NULL OR finalized_at IS NOT NULL)"
	all     = "true"
)

// jobsPage is how many jobs are read at once; River's maximum unless a test changes it.
var jobsPage = 10_000

// jobs are those in some states, of one study or of all (0).
func (s *Store) jobs(ctx context.Context, tx *sql.Tx, id int64, which string,
	states ...rivertype.JobState) (map[Job]*rivertype.JobRow, error) {
	list := river.NewJobListParams().First(jobsPage).Kinds(Job{}.Kind()).States(states...).Where(which)
	if id != 0 {
		list = list.Queues(QueueFor(id))
	}
	found := map[Job]*rivertype.JobRow{}
	for page := list; ; {
		result, err := s.queue.JobListTx(ctx, tx, page)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		for _, row := range result.Jobs {
			var j Job
			if err := json.Unmarshal(row.EncodedArgs, &j); err != nil {
				return nil, s.damaged(fmt.Errorf("job %d: %w", row.ID, err))
			}
			found[j] = row
		}
		if len(result.Jobs) < jobsPage {
			return found, nil
		}
		page = list.After(result.LastCursor) // not page.After: JobListTx adds the cursor of its page to the conditions
	}
}

// workerFor is the worker of a job, or the last one.
func workerFor(job *rivertype.JobRow) string {
	if len(job.AttemptedBy) == 0 {
		return ""
	}
	return job.AttemptedBy[len(job.AttemptedBy)-1]
}

// statusOf is the status of a cell that has not ended, by its job, nil if none was started. A cell is foreign if
// another program has started it and has no workers now.
func (s *Store) statusOf(job *rivertype.JobRow, program string, working map[string]bool) study.Status {
	switch {
	case job != nil && job.State == rivertype.JobStateRunning:
		return study.Running
	case job != nil && job.FinalizedAt != nil:
		return study.Failed
	case program != "" && program != s.Program && !working[program]:
		return study.OtherVersion
	}
	return study.Waiting
}

// working are the programs with workers.
func (s *Store) working(ctx context.Context, tx *sql.Tx) (map[string]bool, error) {
	programs := map[string]bool{}
	return programs, s.each(ctx, tx, "SELECT DISTINCT program FROM worker WHERE seen > {silent}", nil,
		func(scan func(...any) error) error {
			var program string
			err := scan(&program)
			programs[program] = true
			return err
		})
}
