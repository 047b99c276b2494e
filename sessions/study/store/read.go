package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river/rivertype"

	"bandscope/functions/didyoumean"
	"bandscope/sessions/study"
)

// Summary is the entry of a study in a list.
type Summary struct {
	ID      int64
	Name    string
	Title   string
	Program string // that started it
	Created time.Time
	Cells   map[study.Status]int // how many there are of each status

	// *DamagedError if no program can have written the rows of this study; the other fields do not count then
	Damaged error
}

// Total is the number of cells.
func (s Summary) Total() (n int) {
	for _, count := range s.Cells {
		n += count
	}
	return n
}

// Ended is the number of cells that are done or have failed.
func (s Summary) Ended() int { return s.Cells[study.Done] + s.Cells[study.Failed] }

// Remaining is the number of cells that wait or run. Those of another program are not among them.
func (s Summary) Remaining() int { return s.Cells[study.Waiting] + s.Cells[study.Running] }

// Studies lists the studies, the oldest first.
func (s *Store) Studies(ctx context.Context) ([]Summary, error) {
	list, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	return list, s.readTx(ctx, func(tx *sql.Tx) error { return s.count(ctx, tx, list, 0) })
}

// list lists the studies without their cells.
func (s *Store) list(ctx context.Context) (list []Summary, err error) {
	err = s.each(ctx, s.read, "SELECT id, name, title, program, made, revision FROM study ORDER BY id", nil,
		func(scan func(...any) error) error {
			summary := Summary{Cells: map[study.Status]int{}}
			var made string
			var revision int64
			err := scan(&summary.ID, &summary.Name, &summary.Title, &summary.Program, &made, &revision)
			if err == nil {
				summary.Created, err = timeIn("made", made)
				summary.Damaged = s.damaged(cmp.Or(err, checkSummary(summary, revision)))
				list = append(list, summary)
				return nil
			}
			return err
		})
	return list, err
}

// count counts the cells of studies; with an id only those of that study that have not ended, without reading the others.
func (s *Store) count(ctx context.Context, tx *sql.Tx, list []Summary, id int64) error {
	which, args := "", []any(nil)
	if id != 0 {
		which, args = "study = $1 AND ended = '' AND ", []any{id}
	}
	owners := map[int64]*Summary{}
	for i := range list {
		owners[list[i].ID] = &list[i]
	}
	err := s.each(ctx, tx,
		"SELECT study, ended <> '', count(*) FROM cell WHERE "+which+"true GROUP BY study, ended <> ''", args,
		func(scan func(...any) error) error {
			var id int64
			var ended bool
			var n int
			err := scan(&id, &ended, &n)
			summary := owners[id]
			if summary == nil {
				return err
			}
			summary.Cells[map[bool]study.Status{true: study.Done, false: study.Waiting}[ended]] = n
			if summary.Total() >
				study.MaxCells {
				summary.Damaged = s.damaged(fmt.Errorf("the study %q has more than %d cells", summary.Name, study.MaxCells))
			}
			return err
		})
	if err != nil {
		return err
	}
	working, err := s.working(ctx, tx)
	if err != nil {
		return err
	}
	begun, err := s.jobs(ctx, tx, id, touched, rivertype.JobStateRunning, rivertype.JobStateCancelled,
		rivertype.JobStateDiscarded)
	if err != nil {
		return err
	}
	move := func(j Job, status study.Status) {
		if summary := owners[j.Study]; summary != nil {
			summary.Cells[study.Waiting]--
			summary.Cells[status]++
		}
	}
	for j, job := range begun {
		move(j, s.statusOf(job, "", working))
	}
	return s.each(ctx, tx, "SELECT study, number, program FROM cell WHERE "+which+"ended = '' AND program <> ''", args,
		func(scan func(...any) error) error {
			var j Job
			var program string
			err := scan(&j.Study, &j.Cell, &program)
			if begun[j] == nil && s.statusOf(nil, program, working) == study.OtherVersion {
				move(j, study.OtherVersion)
			}
			return err
		})
}

// querier is the database, or a transaction in it.
type querier interface {
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
}

// each runs a query, and calls row for every row. An error of row becomes *DamagedError.
func (s *Store) each(ctx context.Context, from querier, statement string, args []any,
	row func(scan func(...any) error) error) error {
	rows, err := from.QueryContext(ctx, s.dialect.sql(statement), args...)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return s.damaged(err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

// find is the id and the declaration of a study. The error is didyoumean.ErrUnknown if there is none of that name.
func (s *Store) find(ctx context.Context, name string) (int64, *study.Declaration, error) {
	id := int64(0)
	revision := int64(0)
	text := ""
	known := []string(nil)
	err := s.each(ctx, s.read, "SELECT id, declaration, revision FROM study WHERE name = $1", []any{name},
		func(scan func(...any) error) error {
			known = []string{name}
			return scan(&id, &text, &revision)
		})
	if err == nil && known == nil {
		err = s.each(ctx, s.read, "SELECT name FROM study ORDER BY id", nil, func(scan func(...any) error) error {
			known = append(known, "")
			return scan(&known[len(known)-1])
		})
		err = cmp.Or(err, fmt.Errorf("%s: %w", s.name, didyoumean.NewUnknownError("study", name, known)))
	}
	if err != nil {
		return 0, nil, err
	}
	if err := checkSummary(Summary{Name: name}, revision); err != nil {
		return 0, nil, s.damaged(err)
	}
	d, err := s.declared(name, text)
	return id, d, err
}

// Declaration is the declaration of a study. The error is didyoumean.ErrUnknown if there is none of that name.
func (s *Store) Declaration(ctx context.Context, name string) (*study.Declaration, error) {
	_, d, err := s.find(ctx, name)
	return d, err
}

// Table is a study with all its results so far.
func (s *Store) Table(ctx context.Context, name string) (*study.Table, error) {
	id, d, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	rows, _, err := s.changed(ctx, id, d, -1)
	if err != nil {
		return nil, err
	}
	return &study.Table{Declaration: d, Rows: rows}, nil
}

// Changes are the cells of a study that changed after a revision, −1 for all, with their whole traces, in the order of
// Cells; and the revision for the next call. Those that have started and have not ended are always among them, without
// their traces if these have not changed. It reads a consistent snapshot.
func (s *Store) Changes(ctx context.Context, name string, after int64) (rows []study.Row, revision int64, err error) {
	id, d, err := s.find(ctx, name)
	if err != nil {
		return nil, after, err
	}
	return s.changed(ctx, id, d, after)
}

func (s *Store) changed(ctx context.Context, id int64, d *study.Declaration, after int64) (rows []study.Row,
	revision int64, err error) {
	list := []cellRecord{}
	err = s.readTx(ctx, func(tx *sql.Tx) error {
		jobs, err := s.jobs(ctx, tx, id, touched, notCompleted...)
		if err == nil {
			rows, list, revision, err = s.cells(ctx, tx, id, after, jobs)
		}
		if err == nil && after < 0 {
			err = s.damaged(checkNumbers(list, d))
		}
		if err == nil {
			err = s.traces(ctx, tx, id, rows, list)
		}
		return err
	})
	if err != nil {
		return nil, after, err
	}
	for i := range rows {
		if err == nil {
			err = checkCell(&rows[i], list[i])
		}
	}
	if err != nil {
		return nil, after, s.damaged(fmt.Errorf("the study %q: %w", d.Name, err))
	}
	return rows, revision, nil
}

// cells reads the cells of a study that changed after a revision or are running, without their traces.
func (s *Store) cells(ctx context.Context, tx *sql.Tx, id, after int64,
	jobs map[Job]*rivertype.JobRow) (rows []study.Row, list []cellRecord, revision int64, err error) {
	working, err := s.working(ctx, tx)
	if err != nil {
		return nil, nil, after, err
	}
	statement := `SELECT number, id, problem, method, seed, budget, dim, steps, failures, error, measures, program, began, ended, seconds, revision
		FROM cell WHERE study = $1 AND (revision > $2 OR ended = '' AND program <> ''`
	if len(jobs) > 0 && after >= 0 {
		var numbers []string
		for j := range jobs {
			numbers = append(numbers, fmt.Sprint(j.Cell))
		}
		statement += " OR number IN (" + strings.Join(numbers, ", ") + ")"
	}
	revision = after
	err = s.each(ctx, tx, statement+") ORDER BY number", []any{id, after}, func(scan func(...any) error) error {
		var r study.Row
		var record cellRecord
		var changed int64
		var began, ended string
		err := scan(&record.cell, &record.id, &r.Problem, &r.Method, &r.Seed, &r.Budget, &r.Dim, &r.Steps, &r.Attempts,
			&r.Error, &record.columns, &r.Program,
			&began, &ended, &r.Seconds, &changed)
		if err != nil {
			return err
		}
		r.Began, err = timeIn("began", began)
		if err == nil {
			r.Ended, err = timeIn("ended", ended)
		}
		if err == nil && len(rows) == study.MaxCells {
			err = fmt.Errorf("the study has more than %d cells", study.MaxCells)
		}
		r.Status = study.Done
		if ended == "" {
			s.setQueueStatus(&r, jobs[Job{id, record.cell}], working)
		}
		record.read = changed > after
		revision = max(revision, changed)
		rows = append(rows, r)
		list = append(list, record)
		return err
	})
	return rows, list, revision, err
}

// setQueueStatus sets the fields of a cell that has not ended from its job in the queue, which may be nil.
func (s *Store) setQueueStatus(r *study.Row, job *rivertype.JobRow, working map[string]bool) {
	r.Status = s.statusOf(job, r.Program, working)
	if job == nil {
		return
	}
	if n, text := Failures(job); n > 0 {
		r.Attempts, r.Error = r.Attempts+n, text
	}
	switch r.Status {
	case study.Running:
		r.Worker = workerFor(job)
	case study.Failed:
		r.Ended = job.FinalizedAt.UTC().Truncate(time.Millisecond)
	}
}

// cellRecord is the number of a cell, its id, the columns of its trace, and whether the trace is read.
type cellRecord struct {
	cell    int64
	id      string
	columns string
	read    bool
}

// maxSingleTraces is up to how many cells have their traces read one by one, and not with the whole study's.
var maxSingleTraces = 200

// traces reads the traces of some cells of a study, in the order of their numbers.
func (s *Store) traces(ctx context.Context, tx *sql.Tx, id int64, rows []study.Row, list []cellRecord) error {
	const iterations = `SELECT cell, iteration, evaluations, seconds, spent, repeats, best, simple_regret, cumulative_regret, weighted_regret, hypervolume, bayes_regret FROM trace WHERE study = $1`
	var cell, before int64 = 0, -1
	var iteration, evaluations int
	var values [9]any // scanned fastest
	var trace *study.Trace
	var into []*[]float64
	end := []any{&cell, &iteration, &evaluations}
	for i := range measures {
		end = append(end, &values[i])
	}
	next := 0
	take := func(scan func(...any) error) error {
		if err := scan(end...); err != nil {
			return err
		}
		if cell != before {
			for before = cell; next < len(list) && list[next].cell < cell; {
				next++
			}
			trace, into = nil, nil
			if next < len(list) && list[next].cell == cell && list[next].read {
				trace = &rows[next].Trace
				into = slicesFor(trace, list[next].columns)
			}
		}
		if trace == nil { // of a cell that has not changed
			return nil
		}
		trace.Evaluations = append(trace.Evaluations, evaluations)
		if n := len(trace.Evaluations); iteration != n || n > rows[next].Steps {
			return fmt.Errorf("cell %d: iteration %d is row %d of its trace of %d steps", cell, iteration, n,
				rows[next].Steps)
		}
		for i, slice := range into {
			if slice == nil {
				continue
			}
			v, ok := values[i].(float64)
			switch {
			case values[i] == nil:
				v = math.NaN()
			case !ok:
				return fmt.Errorf("cell %d: %s of iteration %d is not a number", cell, measures[i], iteration)
			}
			*slice = append(*slice, v)
		}
		return nil
	}
	if len(list) > maxSingleTraces {
		return s.each(ctx, tx, iterations+" ORDER BY cell, iteration", []any{id}, take)
	}
	for i, single := range list {
		if rows[i].Steps == 0 || !single.read {
			continue
		}
		if err := s.each(ctx, tx, iterations+" AND cell = $2 ORDER BY iteration", []any{id, single.cell}, take); err !=
			nil {
			return err
		}
	}
	return nil
}

// measures are the columns of numbers in trace that a run may not have, in the order of slicesIn.
var measures = []string{"seconds", "spent", "repeats", "best", "simple_regret", "cumulative_regret", "weighted_regret",
	"hypervolume", "bayes_regret"}

// slicesIn are the numbers of a trace, as measures names them.
func slicesIn(t *study.Trace) []*[]float64 {
	return []*[]float64{&t.Seconds, &t.Spent, &t.Repeats, &t.Best, &t.SimpleRegret, &t.CumulativeRegret, &t.WeightedRegret,
		&t.Hypervolume, &t.BayesRegret}
}

// slicesFor are the slices of a trace that a run has by the names of its columns; nil in place of the others.
func slicesFor(t *study.Trace, columns string) []*[]float64 {
	list := slicesIn(t)
	has := strings.Split(columns, ",")
	for i, name := range measures {
		if !slices.Contains(has, name) {
			list[i] = nil
		}
	}
	return list
}

// columnsFor names the columns of a trace that a run has.
func columnsFor(t study.Trace) string {
	var has []string
	for i, slice := range slicesIn(&t) {
		if *slice != nil {
			has = append(has, measures[i])
		}
	}
	return strings.Join(has, ",")
}

// Log is the stored session of a run so far, as its file would be; nil if none is stored.
func (s *Store) Log(ctx context.Context, name string, c study.Cell) ([]byte, error) {
	id, _, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	j := Job{Study: id, Cell: -1}
	err = s.each(ctx, s.read, "SELECT number FROM cell WHERE study = $1 AND id = $2", []any{id, c.ID()},
		func(scan func(...any) error) error {
			return scan(&j.Cell)
		})
	if err != nil {
		return nil, err
	}
	return s.LogByJob(ctx, j)
}

// LogByJob is Log by the numbers of the study and the cell.
func (s *Store) LogByJob(ctx context.Context, j Job) (text []byte, err error) {
	err = s.each(ctx, s.read, "SELECT lines FROM log WHERE study = $1 AND cell = $2 ORDER BY part",
		[]any{j.Study, j.Cell}, func(scan func(...any) error) error {
			var part []byte
			err := scan(&part)
			text = append(text, part...)
			return err
		})
	return text, err
}
