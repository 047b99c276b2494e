package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river/rivertype"

	"bandscope/sessions/study"
)

// Process is a process with workers, as it registers itself.
type Process struct {
	Name    string // by which the queue knows it
	Host    string
	Place   string // where process ids mean the same: the host and its space of them
	PID     int
	Slots   int
	Program string
}

// Worker is a process that works on cells.
type Worker struct {
	Name      string
	Host      string
	PID       int
	Slots     int // cells at once
	Program   string
	Began     time.Time
	LastSeen  time.Time    // by the database's clock; live workers report every ten seconds
	SinceSeen float64      // seconds since then, by the same clock
	Cells     []study.Cell // that it works on
}

// Fleet is what a process knows of all that are alive. The first of them by its name does what one has to do for all.
type Fleet struct {
	Size  int
	First bool
}

// Heartbeat records that a process is alive, and so are the jobs that it works on. Others that the queue has given it are
// not: the answer was lost with a connection, and the queue rescues them. The first of the fleet sets times of
// the queue that are ahead of the clock to now, releases jobs that have waited long enough, and removes processes from
// the list that were not seen for an hour; the queue rescues their jobs.
func (s *Store) Heartbeat(ctx context.Context, p Process, jobs ...int64) (fleet Fleet, err error) {
	err = s.Transact(ctx, func(tx *sql.Tx) error {
		_, err := s.exec(ctx, tx, `INSERT INTO worker (name, host, place, pid, slots, program, began, seen)
			VALUES ($1, $2, $3, $4, $5, $6, {now}, {now}) ON CONFLICT (name) DO UPDATE SET seen = {now}, slots = excluded.slots`,
			p.Name, p.Host, p.Place, p.PID, p.Slots, p.Program)
		if err == nil && len(jobs) > 0 {
			ids := strings.Trim(strings.ReplaceAll(fmt.Sprint(jobs), " ", ", "), "[]")
			_, err = s.exec(ctx, tx, riverStatements.alive+" AND id IN ("+ids+")", p.Name)
		}
		var first string
		if err == nil {
			err = tx.QueryRowContext(ctx, s.dialect.sql(
				"SELECT count(*), coalesce(min(name), '') FROM worker WHERE seen > {silent} AND seen <= {now}")).
				Scan(&fleet.Size, &first)
		}
		fleet.First = first == p.Name
		if !fleet.First {
			return err
		}
		for _, statement := range []string{riverStatements.begunAhead, riverStatements.queuedAhead, riverStatements.due,
			"DELETE FROM worker WHERE seen < {forgotten}"} {
			if err == nil {
				_, err = s.exec(ctx, tx, statement)
			}
		}
		return err
	})
	if err != nil {
		return fleet, fmt.Errorf("cannot record that this worker is alive: %w", err)
	}
	return fleet, nil
}

// Neighbours are the other processes of a place, by their ids.
func (s *Store) Neighbours(ctx context.Context, p Process) (names map[string]int, err error) {
	names = map[string]int{}
	err = s.each(ctx, s.read, "SELECT name, pid FROM worker WHERE place = $1 AND name <> $2", []any{p.Place, p.Name},
		func(scan func(...any) error) error {
			var name string
			var pid int
			err := scan(&name, &pid)
			if err == nil {
				err = checkWorker(Worker{Name: name, PID: pid})
			}
			names[name] = pid
			return err
		})
	return names, err
}

// Leave removes a process that has ended or died. The next worker takes its jobs.
func (s *Store) Leave(ctx context.Context, worker string) error {
	return s.Transact(ctx, func(tx *sql.Tx) error {
		_, err := s.exec(ctx, tx, riverStatements.dead, worker)
		if err == nil {
			_, err = s.exec(ctx, tx, "DELETE FROM worker WHERE name = $1", worker)
		}
		return err
	})
}

// Workers lists the processes with workers, and those that disappeared lately.
func (s *Store) Workers(ctx context.Context) (list []Worker, err error) {
	err = s.each(ctx, s.read, "SELECT name, host, pid, slots, program, began, seen, {now} FROM worker ORDER BY name",
		nil, func(scan func(...any) error) error {
			var w Worker
			var began, seen, now string
			err := scan(&w.Name, &w.Host, &w.PID, &w.Slots, &w.Program, &began, &seen, &now)
			if err != nil {
				return err
			}
			var moment time.Time
			for _, t := range []struct {
				into   *time.Time
				column string
				text   string
			}{{&w.Began, "began", began}, {&w.LastSeen, "seen", seen}, {&moment, "now", now}} {
				*t.into, err = timeIn(t.column, t.text)
				if err != nil {
					return err
				}
			}
			w.SinceSeen = max(moment.Sub(w.LastSeen).Seconds(), 0)
			list = append(list, w)
			return checkWorker(w)
		})
	if err != nil || len(list) == 0 {
		return list, err
	}
	running, err := s.runningCells(ctx)
	for i := range list {
		list[i].Cells = running[list[i].Name]
	}
	return list, err
}

// runningCells are the running cells, by the worker.
func (s *Store) runningCells(ctx context.Context) (map[string][]study.Cell, error) {
	cells := map[string][]study.Cell{}
	return cells, s.readTx(ctx, func(tx *sql.Tx) error {
		running, err := s.jobs(ctx, tx, 0, all, rivertype.JobStateRunning)
		if err != nil || len(running) == 0 {
			return err
		}
		var numbers []string
		for j := range running {
			numbers = append(numbers, fmt.Sprintf("(%d, %d)", j.Study, j.Cell))
		}
		statement := "SELECT study, number, problem, method, seed, budget FROM cell WHERE (study, number) IN (VALUES " +
			strings.Join(numbers, ", ") + ") ORDER BY study, number"
		return s.each(ctx, tx, statement, nil, func(scan func(...any) error) error {
			var j Job
			var c study.Cell
			err := scan(&j.Study, &j.Cell, &c.Problem, &c.Method, &c.Seed, &c.Budget)
			name := workerFor(running[j])
			cells[name] = append(cells[name], c)
			return cmp.Or(err, (&study.Row{Cell: c, Status: study.Running}).Check())
		})
	})
}
