package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"bandscope/sessions/study"
)

// ErrTaken is the error of a turn that is no longer its worker's: the slice was given to somebody else meanwhile, or has been handed over.
var ErrTaken = errors.New("the slice is no longer this worker's")

// Other is the error about a study of the same name that is another one.
type Other struct{ Name, Store string }

// Error says what to do.
func (e *Other) Error() string {
	return fmt.Sprintf("%s has another study %q already, of other runs: give this one another name, or another --db", e.Store, e.Name)
}

// ForeignCell is the error of a turn at a run that another version of the program began.
type ForeignCell struct {
	Cell    study.Cell
	Program string
}

// Error says which.
func (e *ForeignCell) Error() string {
	return fmt.Sprintf("%s was begun by bandscope %s, which alone goes on with it", e.Cell, e.Program)
}

// Add puts a study into the database, if it is not there yet; fresh says whether it was not, and its cells are to be added. Another one of the same name is an error,
// *Other.
func (s *Store) Add(ctx context.Context, tx Tx, d *study.Declaration, program string) (id int64, fresh bool, err error) {
	runs, err := d.ID()
	if err != nil {
		return 0, false, err
	}
	text, err := json.Marshal(d)
	if err != nil {
		return 0, false, fmt.Errorf("the declaration of %s: %w", d.Name, err)
	}
	err = tx.QueryRow(ctx, `INSERT INTO study (name, title, declaration, runs, keep, program, made) VALUES ($1, $2, $3, $4, $5, $6, {now})
		ON CONFLICT (name) DO NOTHING RETURNING id`, d.Name, d.Title, string(text), runs, string(d.Keeps()), program).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		// What it is called and what a paper prints for it may have changed; what it runs has not.
		err = tx.QueryRow(ctx, "UPDATE study SET title = $1, declaration = $2 WHERE name = $3 AND runs = $4 RETURNING id", d.Title, string(text), d.Name, runs).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return 0, false, &Other{d.Name, s.name}
		}
		return id, false, err
	}
	return id, true, err
}

// NewCell is a cell to be added, with the variables of its problem and the job that it is worked by first.
type NewCell struct {
	study.Cell
	Dim int
	Job int64
}

// AddCells adds the cells of a study, in the order of Cells.
func AddCells(ctx context.Context, tx Tx, id int64, cells []NewCell) error {
	rows := make([][]any, len(cells))
	for i, c := range cells {
		rows[i] = []any{id, i, c.ID(), c.Problem, c.Method, int64(c.Seed), c.Budget, c.Dim, c.Job}
	}
	return tx.ExecEach(ctx, "INSERT INTO cell (study, number, id, problem, method, seed, budget, dim, job) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", rows)
}

// Turn is a worker's turn at a slice of a run.
type Turn struct {
	Study, Cell int64
	Part        int    // of the run, from 0
	Job         int64  // of the queue
	Attempt     int    // at that job, from 1
	Worker      string // its name
	Program     string
}

// Claimed is what a worker begins a slice with.
type Claimed struct {
	study.Cell
	Study    string
	Keep     study.Keep
	Attempts int // that failed
	Claims   int // how often this slice was begun, this time among them

	Wrong error // why this cannot be run: the row was changed by another program
}

// Claim gives a slice to a worker: from then on nobody can hand it over who had it before. The error is ErrTaken if it is not to be had, and *ForeignCell if the run is another
// program's; that is noted.
func Claim(ctx context.Context, tx Tx, t Turn) (Claimed, error) {
	var c Claimed
	n, err := tx.Exec(ctx, `UPDATE cell SET status = 'running', worker = $1, attempt = $2, claims = claims + 1, program = $3, began = CASE WHEN began = '' THEN {now} ELSE began END
		WHERE study = $4 AND number = $5 AND part = $6 AND job = $7 AND attempt < $2 AND status IN ('waiting', 'running', 'foreign') AND program IN ('', $3)`,
		t.Worker, t.Attempt, t.Program, t.Study, t.Cell, t.Part, t.Job)
	if err != nil {
		return c, err
	}
	var program string
	err = tx.QueryRow(ctx, `SELECT cell.problem, cell.method, cell.seed, cell.budget, cell.attempts, cell.claims, cell.program, study.name, study.keep
		FROM cell JOIN study ON study.id = cell.study WHERE cell.study = $1 AND cell.number = $2 AND cell.part = $3 AND cell.job = $4`, t.Study, t.Cell, t.Part, t.Job).
		Scan(&c.Problem, &c.Method, &c.Seed, &c.Budget, &c.Attempts, &c.Claims, &program, &c.Study, &c.Keep)
	switch {
	case errors.Is(err, sql.ErrNoRows), err == nil && n == 0 && (program == t.Program || program == ""):
		return c, ErrTaken
	case err != nil:
		return c, err
	case n > 0:
		c.Wrong = c.check()
		return c, seal(ctx, tx, t)
	}
	n, err = tx.Exec(ctx, "UPDATE cell SET status = 'foreign', worker = '' WHERE study = $1 AND number = $2 AND status <> 'foreign'", t.Study, t.Cell)
	if err == nil && n > 0 {
		err = seal(ctx, tx, t)
	}
	if err != nil {
		return c, err
	}
	return c, &ForeignCell{c.Cell, program}
}

// Slice is what a worker hands over.
type Slice struct {
	Status  study.Status // that the run has now
	Error   string       // why it failed; empty where it did not, which an earlier attempt may have
	Steps   int          // of the run so far; AsBefore where nothing was done
	Before  study.Trace  // as it was when the slice began
	Trace   study.Trace  // of the whole run so far
	Lines   []byte       // that the slice added to the session
	Seconds float64      // that it took
	Next    int64        // the job of the next slice; 0 where there is none
}

// AsBefore are the steps of a slice that has not come to do anything.
const AsBefore = -1

// Put hands a slice over, all but what the queue knows of it. The error is ErrTaken if the slice is no longer the worker's; nothing is to be kept of it then.
func Put(ctx context.Context, tx Tx, t Turn, keep study.Keep, s Slice) error {
	failed := 0
	if s.Error != "" {
		failed = 1
	}
	n, err := tx.Exec(ctx, `UPDATE cell SET status = $1, steps = CASE WHEN $2 < 0 THEN steps ELSE $2 END, attempts = attempts + $3, error = CASE WHEN $4 = '' THEN error ELSE $4 END, measures = CASE WHEN $2 < 0 THEN measures ELSE $5 END, seconds = seconds + $6,
		worker = '', part = part + 1, claims = 0, job = $7, attempt = 0, ended = CASE WHEN $1 IN ('done', 'failed') THEN {now} ELSE '' END
		WHERE study = $8 AND number = $9 AND part = $10 AND job = $11 AND attempt = $12 AND worker = $13 AND status = 'running'`,
		string(s.Status), s.Steps, failed, s.Error, columnsOf(s.Trace), s.Seconds, s.Next, t.Study, t.Cell, t.Part, t.Job, t.Attempt, t.Worker)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrTaken
	}
	if err := putTrace(ctx, tx, t, s.Before, s.Trace); err != nil {
		return err
	}
	if len(s.Lines) > 0 {
		if _, err := tx.Exec(ctx, "INSERT INTO log (study, cell, part, lines) VALUES ($1, $2, $3, $4)", t.Study, t.Cell, t.Part, string(s.Lines)); err != nil {
			return err
		}
	}
	if s.Status == study.Done && keep != study.Sessions {
		if _, err := tx.Exec(ctx, "DELETE FROM log WHERE study = $1 AND cell = $2", t.Study, t.Cell); err != nil {
			return err
		}
	}
	return seal(ctx, tx, t)
}

// putTrace writes the iterations of a trace that are new, and those that read otherwise by now, as when what several objectives are measured by is known only later.
func putTrace(ctx context.Context, tx Tx, t Turn, before, now study.Trace) error {
	var rows [][]any
	old, list := slicesIn(&before), slicesIn(&now)
	for i, evaluations := range now.Evaluations {
		same := i < len(before.Evaluations)
		values := []any{t.Study, t.Cell, i + 1, evaluations}
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
	return tx.ExecEach(ctx, putIteration, rows)
}

// putIteration writes an iteration of a trace, anew where it is there already.
var putIteration = func() string {
	columns, values, changes := "study, cell, iteration, evaluations", "$1, $2, $3, $4", "evaluations = excluded.evaluations"
	for i, name := range measures {
		columns += ", " + name
		values += fmt.Sprintf(", $%d", 5+i)
		changes += fmt.Sprintf(", %s = excluded.%s", name, name)
	}
	return fmt.Sprintf("INSERT INTO trace (%s) VALUES (%s) ON CONFLICT (study, cell, iteration) DO UPDATE SET %s", columns, values, changes)
}()

// seal counts the study's changes one on, and notes it with the cell. It comes last in a transaction: until that ends, no other cell of the study is sealed, so that
// revisions are seen in their order.
func seal(ctx context.Context, tx Tx, t Turn) error {
	var revision int64
	if err := tx.QueryRow(ctx, "UPDATE study SET revision = revision + 1 WHERE id = $1 RETURNING revision", t.Study).Scan(&revision); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE cell SET revision = $1 WHERE study = $2 AND number = $3", revision, t.Study, t.Cell)
	return err
}
