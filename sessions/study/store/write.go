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

// NameTakenError is the error about another study of the same name.
type NameTakenError struct{ Name, Store string }

// Error says what to do.
func (e *NameTakenError) Error() string {
	return fmt.Sprintf("%s already has another study %q, with other runs; use another name, or another --db",
		e.Store, e.Name)
}

// Submit puts a study with all its cells into the database and the queue, in one transaction; dims has the number of
// variables of each problem. If the same runs are there already under its name, it joins them. If the name has other
// runs, the error is *NameTakenError.
func (s *Store) Submit(ctx context.Context, d *study.Declaration, cells []study.Cell, dims map[string]int) error {
	runs, err := d.ID()
	if err != nil {
		return err
	}
	text, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("cannot write the declaration of %s: %w", d.Name, err)
	}
	err = s.Transact(ctx, func(tx *sql.Tx) error {
		var id int64
		err := tx.QueryRowContext(ctx, s.dialect.sql(`INSERT INTO study (name, title, declaration, runs, keep, program, made)
			VALUES ($1, $2, $3, $4, $5, $6, {now}) ON CONFLICT (name) DO NOTHING RETURNING id`),
			d.Name, d.Title, string(text), runs, string(d.KeepOrDefault()), s.Program).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return s.join(ctx, tx, *d, runs)
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
	if err != nil || s.pool == nil {
		return err
	}
	// without statistics the server would search the new jobs for those of a worker, and its autovacuum comes later
	_, err = s.write.ExecContext(ctx, "ANALYZE river_job, cell")
	return err
}

// join updates the declaration of a study that is there already: the title and the printed numbers may have changed, but
// not the runs; imported runs stay.
func (s *Store) join(ctx context.Context, tx *sql.Tx, d study.Declaration, runs string) error {
	before, err := s.declarationIn(ctx, tx, d.Name)
	if err != nil {
		return err
	}
	d.Imported = before.Imported
	text, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("cannot write the declaration of %s: %w", d.Name, err)
	}
	n, err := s.exec(ctx, tx, "UPDATE study SET title = $1, declaration = $2 WHERE name = $3 AND runs = $4",
		d.Title, string(text), d.Name, runs)
	if err == nil && n == 0 {
		err = &NameTakenError{d.Name, s.name}
	}
	return err
}

// declarationIn is the declaration of a study, in a transaction that writes.
func (s *Store) declarationIn(ctx context.Context, tx *sql.Tx, name string) (*study.Declaration, error) {
	var text string
	err := tx.QueryRowContext(ctx, "SELECT declaration FROM study WHERE name = $1", name).Scan(&text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	return s.declared(name, text)
}

// Import adds the finished run of another program, with so many variables, to a study: a cell whose method is not one of
// this program. The error says that the study has the run already.
func (s *Store) Import(ctx context.Context, name, program string, c study.Cell, dim int, trace study.Trace) error {
	row := study.Row{Cell: c, Dim: dim, Status: study.Done, Steps: c.Budget, Program: program, Trace: trace}
	if err := row.Check(); err != nil {
		return err
	}
	id, _, err := s.find(ctx, name)
	if err != nil {
		return err
	}
	return s.Transact(ctx, func(tx *sql.Tx) error {
		d, err := s.declarationIn(ctx, tx, name)
		if err != nil {
			return err
		}
		for _, other := range d.Imported {
			if other.Problem == c.Problem && other.Method == c.Method && other.Seed == c.Seed {
				return fmt.Errorf("%s already has a run of %s; use another seed or name", name, c)
			}
		}
		d.Imported = append(d.Imported, c)
		text, err := json.Marshal(d)
		if err != nil {
			return fmt.Errorf("cannot write the declaration of %s: %w", name, err)
		}
		if _, err := s.exec(ctx, tx, "UPDATE study SET declaration = $1 WHERE id = $2", string(text), id); err != nil {
			return err
		}
		j := Job{Study: id}
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM cell WHERE study = $1", id).Scan(&j.Cell); err != nil {
			return err
		}
		_, err = s.exec(ctx, tx, `INSERT INTO cell (study, number, id, problem, method, seed, budget, dim, steps, measures,
			program, began, ended) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, {now}, {now})`, id, j.Cell, c.ID(),
			c.Problem, c.Method, int64(c.Seed), c.Budget, dim, c.Budget, columnsFor(trace), program)
		if err == nil {
			err = s.putTrace(ctx, tx, j, study.Trace{}, trace)
		}
		if err == nil {
			err = bumpRevision(ctx, tx, j)
		}
		return err
	})
}

// Restart restarts cells that failed, or that another version of the program started: it deletes their results. It
// returns how many there were.
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

// Run is the state of a cell at the start of a slice.
type Run struct {
	study.Cell
	Own      []study.OwnFile // of the study
	Steps    int             // so far
	Failures int             // before the last step
	Program  string          // that runs it; empty before the first step
	Ended    bool

	Err error // why it cannot be run: another program changed the row

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
	if r.Err == nil {
		r.Own, err = s.ownFiles(ctx, j.Study)
	}
	return r, err
}

// ownFiles are your own problems of a study, which never change; none of a declaration that cannot be read.
func (s *Store) ownFiles(ctx context.Context, id int64) ([]study.OwnFile, error) {
	s.ownMu.Lock()
	defer s.ownMu.Unlock()
	if files, known := s.own[id]; known {
		return files, nil
	}
	var name, text string
	err := s.read.QueryRowContext(ctx, "SELECT name, declaration FROM study WHERE id = $1", id).Scan(&name, &text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	d, err := s.declared(name, text)
	if err != nil {
		return nil, nil
	}
	if s.own == nil {
		s.own = map[int64][]study.OwnFile{}
	}
	s.own[id] = d.Own
	return d.Own, nil
}

// Slice is the result of a worker's slice.
type Slice struct {
	Over    bool        // the run is complete
	Error   string      // of the next step; empty if it did not fail
	Steps   int         // of the run so far
	Before  study.Trace // at the start of the slice
	Trace   study.Trace // of the whole run so far
	Lines   []byte      // added to the session by the slice
	Seconds float64     // duration
}

// HandOver commits the slice of a job that this worker has, in one transaction: its results, the completion of the job,
// and the job of the next slice. The error is ErrTaken if the job is no longer the worker's; the slice is dropped then.
//
// PostgreSQL commits without waiting for its disk, because one cell of a study is written at a time (see nextRevision),
// and the wait follows for many slices at once. If the server crashes in between, the transaction is lost as a whole,
// the wait fails, and the slice must be handed over again.
func (s *Store) HandOver(ctx context.Context, job *river.Job[Job], r Run, slice Slice) error {
	err := s.Transact(ctx, func(tx *sql.Tx) error {
		if s.pool != nil {
			if _, err := tx.ExecContext(ctx, "SET LOCAL synchronous_commit = off"); err != nil {
				return err
			}
		}
		if err := complete(ctx, tx, job); err != nil {
			return err
		}
		if err := s.putTrace(ctx, tx, job.Args, slice.Before, slice.Trace); err != nil {
			return err
		}
		if err := s.putLog(ctx, tx, job.Args, r, slice); err != nil {
			return err
		}
		if !slice.Over {
			if err := s.enqueue(ctx, tx, PriorityContinue, job.Args); err != nil {
				return err
			}
		}
		return s.putCell(ctx, tx, job, r, slice)
	})
	if err == nil && s.pool != nil {
		// a transaction that writes nothing but a message to the log waits for all before it
		_, err = s.write.ExecContext(ctx, "SELECT pg_logical_emit_message(true, 'bandscope', '')")
	}
	return err
}

// putCell writes the progress of a slice with the next revision of the study, if the cell is still at the start of the
// slice. It comes last in the transaction, as bumpRevision does.
func (s *Store) putCell(ctx context.Context, tx *sql.Tx, job *river.Job[Job], r Run, slice Slice) error {
	failures, text := Failures(job.JobRow)
	if slice.Error != "" {
		failures, text = failures+1, slice.Error
	}
	revision, err := nextRevision(ctx, tx, job.Args.Study)
	if err != nil {
		return err
	}
	// ended is in an expression so that the cell is found by its key, and never among all that have not ended
	n, err := s.exec(ctx, tx, `UPDATE cell SET steps = $1, failures = failures + $2, error = CASE WHEN $3 = '' THEN error ELSE $3 END,
		measures = $4, program = $5, began = CASE WHEN began = '' THEN {now-$6} ELSE began END, seconds = seconds + $6,
		ended = CASE WHEN $7 THEN {now} ELSE '' END, revision = $11
		WHERE study = $8 AND number = $9 AND steps = $10 AND program IN ('', $5) AND ended || '' = ''`,
		slice.Steps, failures, text, columnsFor(slice.Trace), s.Program, slice.Seconds, slice.Over, job.Args.Study,
		job.Args.Cell, r.Steps, revision)
	if err == nil && n == 0 {
		err = ErrTaken
	}
	return err
}

// putLog keeps the session of a run that goes on, or of any where the study keeps sessions.
func (s *Store) putLog(ctx context.Context, tx *sql.Tx, j Job, r Run, slice Slice) error {
	statement, args := "DELETE FROM log WHERE study = $1 AND cell = $2", []any{j.Study, j.Cell}
	switch {
	case !slice.Over || r.keep == study.KeepSessions:
		statement = `INSERT INTO log (study, cell, part, lines)
			SELECT $1, $2, coalesce(max(part) + 1, 0), $3 FROM log WHERE study = $1 AND cell = $2`
		args = append(args, string(slice.Lines))
	case r.Steps == 0: // the first slice, which has written none
		return nil
	}
	_, err := tx.ExecContext(ctx, statement, args...)
	return err
}

// putTrace writes the iterations of a trace that are new or have changed, as when the reference point of several
// objectives is known only later.
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

// intoTrace and overTrace insert iterations of a trace, or update existing ones.
var intoTrace, overTrace = func() (into, over string) {
	into, over = "INSERT INTO trace (study, cell, iteration, evaluations",
		" ON CONFLICT (study, cell, iteration) DO UPDATE SET evaluations = excluded.evaluations"
	for _, name := range measures {
		into += ", " + name
		over += fmt.Sprintf(", %s = excluded.%s", name, name)
	}
	return into + ")", over
}()

// bumpRevision gives a cell the next revision of its study. It comes last in a transaction, because it keeps all other
// cells of the study from being written.
func bumpRevision(ctx context.Context, tx *sql.Tx, j Job) error {
	revision, err := nextRevision(ctx, tx, j.Study)
	if err == nil {
		_, err = tx.ExecContext(ctx, "UPDATE cell SET revision = $1 WHERE study = $2 AND number = $3", revision, j.Study,
			j.Cell)
	}
	return err
}

// nextRevision increases the study's revision. Until the transaction ends, no other cell of the study gets a revision,
// so that readers see revisions in order.
func nextRevision(ctx context.Context, tx *sql.Tx, id int64) (revision int64, err error) {
	err = tx.QueryRowContext(ctx, "UPDATE study SET revision = revision + 1 WHERE id = $1 RETURNING revision", id).
		Scan(&revision)
	return revision, err
}
