package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Process is a process that works, as it presents itself.
type Process struct {
	Name    string
	Host    string
	Place   string // where process ids mean the same: the host and its space of them
	PID     int
	Slots   int
	Program string
}

// Beat tells that a process is alive, and that the jobs it works on are: the queue takes one for stuck by how long ago it was begun, and a step may take longer than that. Times of
// the queue that lie ahead, after a clock was set back, are brought to now, so that nothing waits for the clock to come there again; none of what this program
// queues is to wait longer than a minute. What has waited long enough is given out, as the one worker does that leads the others, which may have died.
func Beat(ctx context.Context, tx Tx, p Process) error {
	for _, do := range []struct {
		statement string
		args      []any
	}{
		{`INSERT INTO worker (name, host, place, pid, slots, program, began, seen) VALUES ($1, $2, $3, $4, $5, $6, {now}, {now})
			ON CONFLICT (name) DO UPDATE SET seen = {now}, slots = excluded.slots`, []any{p.Name, p.Host, p.Place, p.PID, p.Slots, p.Program}},
		{"UPDATE river_job SET attempted_at = {queue-now} WHERE state = 'running' AND id IN (SELECT job FROM cell WHERE worker = $1 AND status = 'running')", []any{p.Name}},
		{"UPDATE river_job SET attempted_at = {queue-now} WHERE state = 'running' AND attempted_at > {queue+15}", nil},
		{"UPDATE river_job SET scheduled_at = {queue-now} WHERE state = 'available' AND scheduled_at > {queue+15}", nil},
		{"UPDATE river_job SET state = 'available', scheduled_at = {queue-now} WHERE state IN ('scheduled', 'retryable') AND (scheduled_at <= {queue-now} OR scheduled_at > {queue+120})", nil},
	} {
		if _, err := tx.Exec(ctx, do.statement, do.args...); err != nil {
			return fmt.Errorf("telling that this worker is alive: %w", err)
		}
	}
	return nil
}

// Neighbours are the other processes of a place, by their ids.
func (s *Store) Neighbours(ctx context.Context, p Process) (names map[string]int, err error) {
	names = map[string]int{}
	err = s.each(ctx, "SELECT name, pid FROM worker WHERE place = $1 AND name <> $2", []any{p.Place, p.Name}, func(scan func(...any) error) error {
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

// Leave takes a process away that has ended, with its leave or without. What it had begun goes to whoever asks next.
func Leave(ctx context.Context, tx Tx, worker string) error {
	if _, err := tx.Exec(ctx, "UPDATE river_job SET state = 'available', scheduled_at = {queue-now} WHERE state = 'running' AND {last-by} = $1", worker); err != nil {
		return err
	}
	for {
		var t Turn
		err := tx.QueryRow(ctx, "SELECT study, number FROM cell WHERE worker = $1 AND status = 'running' ORDER BY study, number LIMIT 1", worker).Scan(&t.Study, &t.Cell)
		if errors.Is(err, sql.ErrNoRows) {
			break
		}
		if err == nil {
			_, err = tx.Exec(ctx, "UPDATE cell SET status = 'waiting', worker = '' WHERE study = $1 AND number = $2", t.Study, t.Cell)
		}
		if err == nil {
			err = seal(ctx, tx, t)
		}
		if err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, "DELETE FROM worker WHERE name = $1", worker)
	return err
}

// Drop takes processes of other places off the list that were not seen for so long. Their jobs are the queue's to rescue.
func (s *Store) Drop(ctx context.Context, unseen time.Duration) error {
	workers, err := s.Workers(ctx)
	if err != nil {
		return err
	}
	for _, w := range workers {
		if w.Ago < unseen.Seconds() {
			continue
		}
		if err := s.Transact(ctx, func(tx Tx) error {
			_, err := tx.Exec(ctx, "DELETE FROM worker WHERE name = $1", w.Name)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// Lost are cells that are to be worked, have no job in the queue that would do it, and are in no living worker's hands.
func (s *Store) Lost(ctx context.Context, id int64) (list []Turn, err error) {
	err = s.each(ctx, `SELECT number, part FROM cell WHERE study = $1 AND status IN ('waiting', 'running', 'foreign')
		AND job NOT IN (SELECT id FROM river_job WHERE state IN ('available', 'running', 'retryable', 'scheduled', 'pending'))
		AND worker NOT IN (SELECT name FROM worker WHERE seen > {silent}) ORDER BY number`, []any{id},
		func(scan func(...any) error) error {
			t := Turn{Study: id}
			if err := scan(&t.Cell, &t.Part); err != nil {
				return err
			}
			list = append(list, t)
			return checkTurn(t)
		})
	return list, err
}

// Requeue gives a cell another job for its next slice, which is counted one on. It reports false where the cell has moved on meanwhile.
func Requeue(ctx context.Context, tx Tx, t Turn, job int64) (bool, error) {
	n, err := tx.Exec(ctx, "UPDATE cell SET status = 'waiting', worker = '', part = part + 1, job = $1, attempt = 0 WHERE study = $2 AND number = $3 AND part = $4",
		job, t.Study, t.Cell, t.Part)
	if err != nil || n == 0 {
		return false, err
	}
	return true, seal(ctx, tx, t)
}

// Ended are cells of a study that failed, or were begun by another program than this and are not done.
func (s *Store) Ended(ctx context.Context, name, program string) (list []Turn, err error) {
	id, _, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, `SELECT number, part, job FROM cell WHERE study = $1 AND (status = 'failed' OR status IN ('waiting', 'foreign') AND program NOT IN ('', $2)) ORDER BY number`,
		[]any{id, program}, func(scan func(...any) error) error {
			t := Turn{Study: id}
			if err := scan(&t.Cell, &t.Part, &t.Job); err != nil {
				return err
			}
			list = append(list, t)
			return checkTurn(t)
		})
	return list, err
}

// Anew has a cell begin anew by a job, with nothing of what came of it. It reports false where the cell has moved on meanwhile.
func Anew(ctx context.Context, tx Tx, t Turn, job int64) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE cell SET status = 'waiting', steps = 0, attempts = 0, error = '', measures = '', program = '', worker = '', began = '', ended = '', seconds = 0, part = part + 1,
		job = $1, attempt = 0, claims = 0 WHERE study = $2 AND number = $3 AND part = $4 AND status IN ('failed', 'waiting', 'foreign')`, job, t.Study, t.Cell, t.Part)
	if err != nil || n == 0 {
		return false, err
	}
	for _, statement := range []string{"DELETE FROM trace WHERE study = $1 AND cell = $2", "DELETE FROM log WHERE study = $1 AND cell = $2"} {
		if _, err := tx.Exec(ctx, statement, t.Study, t.Cell); err != nil {
			return false, err
		}
	}
	return true, seal(ctx, tx, t)
}
