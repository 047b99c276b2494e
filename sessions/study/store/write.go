package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/riverqueue/river"

	"bandscope/sessions/study"
)

// NameTakenError is the error about a study of the same name that is another one.
type NameTakenError struct{ Name, Store string }

// Error says what to do.
func (e *NameTakenError) Error() string {
	return fmt.Sprintf("%s has another study %q already, of other runs: give this one another name, or another --db",
		e.Store, e.Name)
}

// Submit puts a study with all its cells, whose problems have so many variables, into the database and the queue, in
// one transaction. If the same runs are there already under its name, it joins them. The error is *Other where others
// are.
func (s *Store) Submit(ctx context.Context, d *study.Declaration, cells []study.Cell, dims map[string]int) error {
	runs, err := d.ID()
	if err != nil {
		return err
	}
	text, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("the declaration of %s: %w", d.Name, err)
	}
	return s.Transact(ctx, func(tx *sql.Tx) error {
		var id int64
		err := tx.QueryRowContext(ctx, s.dialect.sql(`INSERT INTO study (name, title, declaration, runs, keep, program, made)
			VALUES ($1, $2, $3, $4, $5, $6, {now}) ON CONFLICT (name) DO NOTHING RETURNING id`),
			d.Name, d.Title, string(text), runs, string(d.KeepOrDefault()), s.Program).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			// What it is called and what a paper prints for it may have changed; what it runs has not.
			n, err := s.exec(ctx, tx, "UPDATE study SET title = $1, declaration = $2 WHERE name = $3 AND runs = $4",
				d.Title, string(text), d.Name, runs)
			if err == nil && n == 0 {
				err = &NameTakenError{d.Name, s.name}
			}
			return err
		}
		if err != nil {
			return err
		}
		rows, jobs := make([][]any, len(cells)), make([]Job, len(cells))
		for i, c := range cells {
			rows[i] = []any{id, i, c.ID(), c.Problem, c.Method, int64(c.Seed), c.Budget, dims[c.Problem]}
			jobs[i] = Job{id, int64(i)}
		}
		if err := s.insert(ctx, tx, "INSERT INTO cell (study, number, id, problem, method, seed, budget, dim)", "",
			rows); err != nil {
			return err
		}
		return s.enqueue(ctx, tx, PriorityNew, jobs...)
	})
}

// Restart cellRecord cells begin anew that failed, or that another version of the program began: what came of them is
// dropped. It tells how many there were.
func (s *Store) Restart(ctx context.Context, name string) (n int, err error) {
	id, d, err := s.find(ctx, name)
	if err != nil {
		return 0, err
	}
	rows, _, err := s.changed(ctx, id, d, -1)
	if err != nil {
		return 0, err
	}
	return n, s.Transact(ctx, func(tx *sql.Tx) error {
		for number, r := range rows {
			if r.Status != study.Failed && r.Status != study.OtherVersion {
				continue
			}
			j := Job{id, int64(number)}
			if renewed, err := s.renew(ctx, tx, j); err != nil {
				return err
			} else if !renewed {
				continue
			}
			for _, statement := range []string{
				"DELETE FROM trace WHERE study = $1 AND cell = $2", "DELETE FROM log WHERE study = $1 AND cell = $2",
				`UPDATE cell SET steps = 0, failures = 0, error = '', measures = '', program = '', began = '', ended = '', seconds = 0
					WHERE study = $1 AND number = $2`} {
				if _, err := tx.ExecContext(ctx, statement, id, number); err != nil {
					return err
				}
			}
			if err := bumpRevision(ctx, tx, j); err != nil {
				return err
			}
			n++
		}
		return nil
	})
}

// Run is what a worker begins a slice with.
type Run struct {
	study.Cell
	Steps    int    // so far
	Failures int    // before the last step
	Program  string // that runs it; empty before the first step
	Ended    bool

	Err error // why this cannot be run: the row was changed by another program

	keep study.Keep
}

// Run is a cell as it is now.
func (s *Store) Run(ctx context.Context, j Job) (r Run, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT cell.problem, cell.method, cell.seed, cell.budget, cell.steps, cell.failures, cell.program,
		cell.ended <> '', study.keep FROM cell JOIN study ON study.id = cell.study WHERE cell.study = $1 AND cell.number = $2`, j.Study, j.Cell).
		Scan(&r.Problem, &r.Method, &r.Seed, &r.Budget, &r.Steps, &r.Failures, &r.Program, &r.Ended, &r.keep)
	if err != nil {
		return r, fmt.Errorf("%s: cell %d: %w", s.name, j.Cell, err)
	}
	r.Err = r.check()
	return r, nil
}

// Slice is what a worker hands over.
type Slice struct {
	Over    bool        // nothing is left to be done of the run
	Error   string      // why the next step failed; empty where it did not
	Steps   int         // of the run so far
	Before  study.Trace // as it was when the slice began
	Trace   study.Trace // of the whole run so far
	Lines   []byte      // that the slice added to the session
	Seconds float64     // that it took
}

// HandOver hands over the slice of a job that this worker has, in one transaction: what came of it, that the job is
// done, and the job of the next slice. The error is ErrTaken if the job is no longer the worker's; nothing is kept of
// the slice then.
func (s *Store) HandOver(ctx context.Context, job *river.Job[Job], r Run, slice Slice) error {
	return s.Transact(ctx, func(tx *sql.Tx) error {
		if err := complete(ctx, tx, job); err != nil {
			return err
		}
		if err := s.put(ctx, tx, job, r, slice); err != nil {
			return err
		}
		if !slice.Over {
			if err := s.enqueue(ctx, tx, PriorityContinue, job.Args); err != nil {
				return err
			}
		}
		return bumpRevision(ctx, tx, job.Args)
	})
}

// put writes what came of a slice, which goes on where the cell is.
func (s *Store) put(ctx context.Context, tx *sql.Tx, job *river.Job[Job], r Run, slice Slice) error {
	failures, text := Failures(job.JobRow)
	if slice.Error != "" {
		failures, text = failures+1, slice.Error
	}
	n, err := s.exec(ctx, tx, `UPDATE cell SET steps = $1, failures = failures + $2, error = CASE WHEN $3 = '' THEN error ELSE $3 END,
		measures = $4, program = $5, began = CASE WHEN began = '' THEN {now-$6} ELSE began END, seconds = seconds + $6,
		ended = CASE WHEN $7 THEN {now} ELSE '' END
		WHERE study = $8 AND number = $9 AND steps = $10 AND program IN ('', $5) AND ended = ''`,
		slice.Steps, failures, text, columnsFor(slice.Trace), s.Program, slice.Seconds, slice.Over, job.Args.Study,
		job.Args.Cell, r.Steps)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrTaken
	}
	if err := s.putTrace(ctx, tx, job.Args, slice.Before, slice.Trace); err != nil {
		return err
	}
	statement, args := "DELETE FROM log WHERE study = $1 AND cell = $2", []any{job.Args.Study, job.Args.Cell}
	if !slice.Over || r.keep == study.KeepSessions {
		statement = `INSERT INTO log (study, cell, part, lines)
			SELECT $1, $2, coalesce(max(part) + 1, 0), $3 FROM log WHERE study = $1 AND cell = $2`
		args = append(args, string(slice.Lines))
	}
	_, err = tx.ExecContext(ctx, statement, args...)
	return err
}

// putTrace writes the iterations of a trace that are new, and those that read otherwise by now, as when what several
// objectives are measured by is known only later.
func (s *Store) putTrace(ctx context.Context, tx *sql.Tx, j Job, before, now study.Trace) error {
	var rows [][]any
	old, list := slicesIn(&before), slicesIn(&now)
	for i, evaluations := range now.Evaluations {
		same := i < len(before.Evaluations)
		values := []any{j.Study, j.Cell, i + 1, evaluations}
		for k, slice := range list {
			v := sql.NullFloat64{}
			if i < len(*slice) {
				v = sql.NullFloat64{Float64: (*slice)[i], Valid: !math.IsNaN((*slice)[i])}
			}
			values = append(values, v)
			was := math.NaN()
			if i < len(*old[k]) {
				was = (*old[k])[i]
			}
			same = same && (!v.Valid && math.IsNaN(was) || v.Valid && was == v.Float64)
		}
		if !same {
			rows = append(rows, values)
		}
	}
	return s.insert(ctx, tx, intoTrace, overTrace, rows)
}

// intoTrace and overTrace write iterations of a trace, anew where they are there already.
var intoTrace, overTrace = func() (into, over string) {
	into, over = "INSERT INTO trace (study, cell, iteration, evaluations",
		" ON CONFLICT (study, cell, iteration) DO UPDATE SET evaluations = excluded.evaluations"
	for _, name := range measures {
		into += ", " + name
		over += fmt.Sprintf(", %s = excluded.%s", name, name)
	}
	return into + ")", over
}()

// bumpRevision counts the study's changes one on, and notes it with the cell. It comes last in a transaction: until
// that ends, no other cell of the study is sealed, so that revisions are seen in their order.
func bumpRevision(ctx context.Context, tx *sql.Tx, j Job) error {
	var revision int64
	if err := tx.QueryRowContext(ctx, "UPDATE study SET revision = revision + 1 WHERE id = $1 RETURNING revision",
		j.Study).Scan(&revision); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "UPDATE cell SET revision = $1 WHERE study = $2 AND number = $3", revision, j.Study,
		j.Cell)
	return err
}
