// Package engine runs studies to their end, whatever happens. The queue is River's (github.com/riverqueue/river), in the same database as the results: one file of SQLite, or
// PostgreSQL where several machines work. What a cell is, and what comes of it, is told elsewhere (study, store).
//
// A cell is worked in slices of at most a minute, or one step where that takes longer. A slice reads the session so far, steps it, and hands over in one transaction what it has done: lines of the log,
// iterations of the trace, how far the cell is, the job of the next slice, and that its own is done. So a worker that dies costs at most the slice in hand, a cell may go on elsewhere, and nothing counts
// twice: a slice is handed over only by the worker that claimed it last.
//
// A worker that is alive says so every ten seconds. River takes jobs whose worker was not heard of for a minute and a half; processes of the same machine that have ended are seen at once. Durations are taken by the
// monotonic clock. Where the database's clock is set forward, or the machine slept, River may give out slices anew that are in hand; whoever hands over first counts. Where it is set back, the queue's times are brought to now.
package engine

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"bandscope/sessions"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// ErrOther is the error of Submit where the database has another study of that name.
type ErrOther = store.Other

// job is one slice of a cell.
type job struct {
	Study int64 `json:"study"`
	Cell  int64 `json:"cell"` // its number
	Part  int   `json:"part"` // the slice, from 0
}

// Kind names the jobs in the queue.
func (job) Kind() string { return "cell" }

// queueOf is the queue of a study's jobs.
func queueOf(id int64) string { return fmt.Sprintf("study-%d", id) }

// Of two jobs that may be begun the one that goes on with a cell comes first, so that cells are ended rather than begun.
const (
	goesOn = 1
	begins = 2
)

// options are what a job is queued with. It is unique by what it does, in whatever state it is. River's attempts count rescues from dead workers, of which there may be many;
// what fails is counted here.
func (j job) options(priority int) *river.InsertOpts {
	return &river.InsertOpts{Queue: queueOf(j.Study), Priority: priority, MaxAttempts: 10_000, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// database is one of the two that a study is kept in, with what River needs of it.
type database[T any] struct {
	driver   riverdriver.Driver[T]
	transact func(ctx context.Context, do func(tx T) error) error
	wrap     func(tx T) store.Tx
	poll     time.Duration // how often the queue is asked
}

// inFile asks often, since nobody is told of a new job there; a question takes a fraction of a millisecond.
func inFile(st *store.Store) database[*sql.Tx] {
	return database[*sql.Tx]{riversqlite.New(st.File()), func(ctx context.Context, do func(*sql.Tx) error) error {
		tx, err := st.File().BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err := do(tx); err != nil {
			tx.Rollback()
			return err
		}
		return tx.Commit()
	}, store.SQLite, 100 * time.Millisecond}
}

func onPostgres(st *store.Store) database[pgx.Tx] {
	return database[pgx.Tx]{riverpgxv5.New(st.Pool()), func(ctx context.Context, do func(pgx.Tx) error) error {
		return pgx.BeginFunc(ctx, st.Pool(), do)
	}, store.Postgres, time.Second}
}

// Submit puts a study with all its cells into the database, in one transaction. If the same runs are there already under its name, it joins them; cells that have no job, whatever
// became of it, get one. Another study of that name is an error, *store.Other.
func Submit(ctx context.Context, st *store.Store, d *study.Declaration) error {
	if st.Pool() != nil {
		return submit(ctx, st, onPostgres(st), d)
	}
	return submit(ctx, st, inFile(st), d)
}

func submit[T any](ctx context.Context, st *store.Store, db database[T], d *study.Declaration) error {
	cells, err := withDimensions(ctx, d)
	if err != nil {
		return err
	}
	client, err := river.NewClient(db.driver, &river.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	var joined int64
	err = db.transact(ctx, func(t T) error {
		tx := db.wrap(t)
		id, fresh, err := st.Add(ctx, tx, d, Program())
		if err != nil {
			return err
		}
		if !fresh {
			joined = id
			return nil
		}
		jobs := make([]river.InsertManyParams, len(cells))
		for i := range cells {
			j := job{Study: id, Cell: int64(i)}
			jobs[i] = river.InsertManyParams{Args: j, InsertOpts: j.options(begins)}
		}
		inserted, err := client.InsertManyTx(ctx, t, jobs)
		if err != nil {
			return fmt.Errorf("queueing the cells: %w", err)
		}
		for i := range cells {
			cells[i].Job = inserted[i].Job.ID
		}
		return store.AddCells(ctx, tx, id, cells)
	})
	if err != nil {
		return fmt.Errorf("submitting %s to %s: %w", d.Name, st, err)
	}
	if joined != 0 {
		return requeue(ctx, st, db, client, joined)
	}
	return nil
}

// withDimensions are the cells of a study with the dimensions of their problems.
func withDimensions(ctx context.Context, d *study.Declaration) ([]store.NewCell, error) {
	if err := d.Check(ctx); err != nil {
		return nil, err
	}
	cells, err := d.Cells()
	if err != nil {
		return nil, err
	}
	list := make([]store.NewCell, len(cells))
	dims := map[string]int{}
	for i, c := range cells {
		if _, ok := dims[c.Problem]; !ok {
			cfg, err := c.Config()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c, err)
			}
			p, err := cfg.FindProblem()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c, err)
			}
			dims[c.Problem] = p.Dim()
		}
		list[i] = store.NewCell{Cell: c, Dim: dims[c.Problem]}
	}
	return list, nil
}

// requeue gives jobs to the cells of a study that have none.
func requeue[T any](ctx context.Context, st *store.Store, db database[T], client *river.Client[T], id int64) error {
	lost, err := st.Lost(ctx, id)
	if err != nil {
		return err
	}
	for _, turn := range lost {
		err := queue(ctx, db, client, turn, goesOn, func(tx store.Tx, job int64) (bool, error) { return store.Requeue(ctx, tx, turn, job) })
		if err != nil {
			return err
		}
	}
	return nil
}

// errMoved undoes a transaction about a cell that has moved on.
var errMoved = errors.New("the cell has moved on")

// queue queues a job for the slice after a turn at a cell, which take gives to the cell unless that has moved on.
func queue[T any](ctx context.Context, db database[T], client *river.Client[T], turn store.Turn, priority int, take func(tx store.Tx, job int64) (bool, error)) error {
	err := db.transact(ctx, func(t T) error {
		j := job{turn.Study, turn.Cell, turn.Part + 1}
		inserted, err := client.InsertTx(ctx, t, j, j.options(priority))
		if err != nil {
			return err
		}
		taken, err := take(db.wrap(t), inserted.Job.ID)
		if err == nil && !taken {
			err = errMoved
		}
		return err
	})
	if err != nil && !errors.Is(err, errMoved) {
		return fmt.Errorf("queueing a cell anew: %w", err)
	}
	return nil
}

// Again has cells begin anew that failed, or that another version of the program began: what came of them is dropped. It tells how many there were.
func Again(ctx context.Context, st *store.Store, name string) (int, error) {
	if st.Pool() != nil {
		return beginAnew(ctx, st, onPostgres(st), name)
	}
	return beginAnew(ctx, st, inFile(st), name)
}

func beginAnew[T any](ctx context.Context, st *store.Store, db database[T], name string) (n int, err error) {
	client, err := river.NewClient(db.driver, &river.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return 0, err
	}
	list, err := st.Ended(ctx, name, Program())
	if err != nil {
		return 0, err
	}
	for _, turn := range list {
		err := queue(ctx, db, client, turn, begins, func(tx store.Tx, job int64) (bool, error) {
			anew, err := store.Anew(ctx, tx, turn, job)
			if anew {
				n++
			}
			return anew, err
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// Program is the version of this program that cells belong to: that of its module, and where that does not say which code it is, the beginning of the hash of the executable.
var Program = sync.OnceValue(func() string {
	version := sessions.ProgramVersion()
	if version != "devel" && !strings.HasSuffix(version, "+dirty") {
		return version
	}
	path, err := os.Executable()
	if err != nil {
		return version
	}
	file, err := os.Open(path)
	if err != nil {
		return version
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return version
	}
	return version + "-" + hex.EncodeToString(hash.Sum(nil)[:4])
})

// complete tells the queue that a slice's job is done, within the transaction that hands the slice over. A job that the queue has given up meanwhile, or given to
// somebody who has not begun it yet, does not keep the slice from counting: whoever takes that job up finds that it is done.
func complete[T any](ctx context.Context, t T, rj *river.Job[job]) error {
	_, err := river.JobCompleteTx[riverdriver.Driver[T]](ctx, t, rj)
	if errors.Is(err, river.ErrNotFound) {
		return nil
	}
	return err
}
