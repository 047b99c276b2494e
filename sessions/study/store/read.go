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

	"bandscope/functions/naming"
	"bandscope/sessions/study"
)

// Summary is a study as a list tells it.
type Summary struct {
	ID      int64
	Name    string
	Title   string
	Program string // that began it
	Made    time.Time
	Cells   map[study.Status]int // how many there are of each status

	Damaged error // *Damaged where the rows of this study cannot be what a program wrote; nothing else of it counts then
}

// Total is how many cells there are.
func (s Summary) Total() (n int) {
	for _, count := range s.Cells {
		n += count
	}
	return n
}

// Over is how many cells have ended, done or given up.
func (s Summary) Over() int { return s.Cells[study.Done] + s.Cells[study.Failed] }

// Open is how many cells are not over: neither done nor given up. Those of another program count apart, in Cells.
func (s Summary) Open() int { return s.Cells[study.Waiting] + s.Cells[study.Running] }

// Worker is a process that works on cells.
type Worker struct {
	Name    string
	Host    string
	PID     int
	Slots   int // cells at once
	Program string
	Began   time.Time
	Seen    time.Time    // last, by the database's clock; one that is alive is seen every ten seconds
	Ago     float64      // seconds since then, by the same clock
	Cells   []study.Cell // that it works on
}

// Studies lists the studies, the first that was made first.
func (s *Store) Studies(ctx context.Context) ([]Summary, error) {
	var list []Summary
	err := s.each(ctx, "SELECT id, name, title, program, made, revision FROM study ORDER BY id", nil, func(scan func(...any) error) error {
		one := Summary{Cells: map[study.Status]int{}}
		var made string
		var revision int64
		err := scan(&one.ID, &one.Name, &one.Title, &one.Program, &made, &revision)
		if err == nil {
			one.Made, err = timeIn("made", made)
			one.Damaged = s.damaged(cmp.Or(err, checkSummary(one, revision)))
			list = append(list, one)
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, "SELECT study, status, count(*) FROM cell GROUP BY study, status", nil, func(scan func(...any) error) error {
		var id int64
		var status study.Status
		var n int
		err := scan(&id, &status, &n)
		if i := slices.IndexFunc(list, func(one Summary) bool { return one.ID == id }); i >= 0 {
			list[i].Cells[status] = n
			if wrong := checkCount(status, list[i].Total()); wrong != nil {
				list[i].Damaged = s.damaged(fmt.Errorf("the study %q: %w", list[i].Name, wrong))
			}
		}
		return err
	})
	return list, err
}

// each asks the database, and has every row scanned.
func (s *Store) each(ctx context.Context, statement string, args []any, row func(scan func(...any) error) error) error {
	rows, err := s.read.QueryContext(ctx, s.dialect.sql(statement), args...)
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

// find is the id and the declaration of a study. The error is naming.ErrUnknown if there is none of that name.
func (s *Store) find(ctx context.Context, name string) (int64, *study.Declaration, error) {
	id, revision, text, known := int64(0), int64(0), "", []string(nil)
	err := s.each(ctx, "SELECT id, declaration, revision FROM study WHERE name = $1", []any{name}, func(scan func(...any) error) error {
		known = []string{name}
		return scan(&id, &text, &revision)
	})
	if err == nil && known == nil {
		err = s.each(ctx, "SELECT name FROM study ORDER BY id", nil, func(scan func(...any) error) error {
			known = append(known, "")
			return scan(&known[len(known)-1])
		})
		err = cmp.Or(err, fmt.Errorf("%s: %w", s.name, naming.Unknown("study", name, known)))
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

// Declaration is a study as it was declared. The error is naming.ErrUnknown if there is none of that name.
func (s *Store) Declaration(ctx context.Context, name string) (*study.Declaration, error) {
	_, d, err := s.find(ctx, name)
	return d, err
}

// Table is a study with all that came of it so far.
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

// Changes are the cells of a study that changed after a revision, −1 for all, with their whole traces, in the order of Cells; and the revision that the next call goes on
// from. What is read is one moment of the study.
func (s *Store) Changes(ctx context.Context, name string, after int64) (rows []study.Row, revision int64, err error) {
	id, d, err := s.find(ctx, name)
	if err != nil {
		return nil, after, err
	}
	return s.changed(ctx, id, d, after)
}

func (s *Store) changed(ctx context.Context, id int64, d *study.Declaration, after int64) (rows []study.Row, revision int64, err error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{Isolation: s.dialect.moment, ReadOnly: true})
	if err != nil {
		return nil, after, fmt.Errorf("%s: %w", s.name, err)
	}
	defer tx.Rollback()
	revision = after
	list := []has{}
	const cells = `SELECT number, id, problem, method, seed, budget, dim, status, steps, attempts, error, measures, program, worker, began, ended, seconds, revision
		FROM cell WHERE study = $1 AND revision > $2 ORDER BY number`
	err = eachOf(ctx, tx, cells, []any{id, after}, func(scan func(...any) error) error {
		var r study.Row
		var one has
		var changed int64
		var began, ended string
		err := scan(&one.cell, &one.id, &r.Problem, &r.Method, &r.Seed, &r.Budget, &r.Dim, &r.Status, &r.Steps, &r.Attempts, &r.Error, &one.columns, &r.Program, &r.Worker,
			&began, &ended, &r.Seconds, &changed)
		if err != nil {
			return err
		}
		if r.Began, err = timeIn("began", began); err == nil {
			r.Ended, err = timeIn("ended", ended)
		}
		if err == nil && len(rows) == study.MaxCells {
			err = fmt.Errorf("the study has more than %d cells", study.MaxCells)
		}
		revision, rows, list = max(revision, changed), append(rows, r), append(list, one)
		return err
	})
	if err == nil && after < 0 {
		err = checkNumbers(list, d)
	}
	if err == nil {
		err = traces(ctx, tx, id, rows, list)
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

// has is the number of a cell, its id, and which columns of the trace it has.
type has struct {
	cell    int64
	id      string
	columns string
}

// singly is up to how many cells have their traces asked for one by one, and not the whole study's.
var singly = 200

// traces reads the traces of some cells of a study, in the order of their numbers.
func traces(ctx context.Context, tx *sql.Tx, id int64, rows []study.Row, list []has) error {
	const iterations = `SELECT cell, iteration, evaluations, seconds, spent, best, simple_regret, cumulative_regret, weighted_regret, hypervolume, bayes_regret FROM trace WHERE study = $1`
	var cell, before int64 = 0, -1
	var iteration, evaluations int
	var values [8]any // scanned fastest
	var trace *study.Trace
	var into []*[]float64
	to := []any{&cell, &iteration, &evaluations}
	for i := range measures {
		to = append(to, &values[i])
	}
	next := 0
	take := func(scan func(...any) error) error {
		if err := scan(to...); err != nil {
			return err
		}
		if cell != before {
			for before = cell; next < len(list) && list[next].cell < cell; {
				next++
			}
			if trace, into = nil, nil; next < len(list) && list[next].cell == cell {
				trace = &rows[next].Trace
				into = slicesOf(trace, list[next].columns)
			}
		}
		if trace == nil { // of a cell that has not changed
			return nil
		}
		trace.Evaluations = append(trace.Evaluations, evaluations)
		if n := len(trace.Evaluations); iteration != n || n > rows[next].Steps {
			return fmt.Errorf("cell %d: iteration %d stands as row %d of its trace, of %d steps", cell, iteration, n, rows[next].Steps)
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
				return fmt.Errorf("cell %d: %s of iteration %d is no number", cell, measures[i], iteration)
			}
			*slice = append(*slice, v)
		}
		return nil
	}
	if len(list) > singly {
		return eachOf(ctx, tx, iterations+" ORDER BY cell, iteration", []any{id}, take)
	}
	for i, one := range list {
		if rows[i].Steps == 0 {
			continue
		}
		if err := eachOf(ctx, tx, iterations+" AND cell = $2 ORDER BY iteration", []any{id, one.cell}, take); err != nil {
			return err
		}
	}
	return nil
}

// eachOf is each within a transaction.
func eachOf(ctx context.Context, tx *sql.Tx, statement string, args []any, row func(scan func(...any) error) error) error {
	rows, err := tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// measures are the columns of numbers in trace that a run may lack, in the order of slicesIn.
var measures = []string{"seconds", "spent", "best", "simple_regret", "cumulative_regret", "weighted_regret", "hypervolume", "bayes_regret"}

// slicesIn are the numbers of a trace, as measures names them.
func slicesIn(t *study.Trace) []*[]float64 {
	return []*[]float64{&t.Seconds, &t.Spent, &t.Best, &t.Simple, &t.Cumulative, &t.Weighted, &t.Hypervolume, &t.Bayes}
}

// slicesOf are the slices of a trace that a run has by the names of its columns; nil in place of the others.
func slicesOf(t *study.Trace, columns string) []*[]float64 {
	list := slicesIn(t)
	has := strings.Split(columns, ",")
	for i, name := range measures {
		if !slices.Contains(has, name) {
			list[i] = nil
		}
	}
	return list
}

// columnsOf names the columns of a trace that a run has.
func columnsOf(t study.Trace) string {
	var has []string
	for i, slice := range slicesIn(&t) {
		if *slice != nil {
			has = append(has, measures[i])
		}
	}
	return strings.Join(has, ",")
}

// Workers lists the processes that work, or have worked lately and were not heard to end.
func (s *Store) Workers(ctx context.Context) ([]Worker, error) {
	var list []Worker
	err := s.each(ctx, "SELECT name, host, pid, slots, program, began, seen, {now} FROM worker ORDER BY name", nil, func(scan func(...any) error) error {
		var w Worker
		var began, seen, now string
		err := scan(&w.Name, &w.Host, &w.PID, &w.Slots, &w.Program, &began, &seen, &now)
		if err != nil {
			return err
		}
		var at time.Time
		for _, t := range []struct {
			into   *time.Time
			column string
			text   string
		}{{&w.Began, "began", began}, {&w.Seen, "seen", seen}, {&at, "now", now}} {
			if *t.into, err = timeIn(t.column, t.text); err != nil {
				return err
			}
		}
		w.Ago = max(at.Sub(w.Seen).Seconds(), 0)
		list = append(list, w)
		return checkWorker(w)
	})
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, "SELECT worker, problem, method, seed, budget FROM cell WHERE status = 'running' ORDER BY study, number", nil, func(scan func(...any) error) error {
		var name string
		var c study.Cell
		err := scan(&name, &c.Problem, &c.Method, &c.Seed, &c.Budget)
		if err == nil {
			err = (&study.Row{Cell: c, Status: study.Running}).Check()
		}
		if i := slices.IndexFunc(list, func(w Worker) bool { return w.Name == name }); i >= 0 {
			list[i].Cells = append(list[i].Cells, c)
		}
		return err
	})
	return list, err
}

// Log is the session of a run as far as it is kept, as its file would be; nil where nothing is.
func (s *Store) Log(ctx context.Context, name string, c study.Cell) ([]byte, error) {
	id, _, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	var text []byte
	err = s.each(ctx, "SELECT log.lines FROM log JOIN cell ON cell.study = log.study AND cell.number = log.cell WHERE cell.study = $1 AND cell.id = $2 ORDER BY log.part",
		[]any{id, c.ID()}, func(scan func(...any) error) error {
			var part []byte
			err := scan(&part)
			text = append(text, part...)
			return err
		})
	return text, err
}

// LogOf is Log by the numbers of the study and the cell.
func (s *Store) LogOf(ctx context.Context, id, cell int64) (text []byte, err error) {
	err = s.each(ctx, "SELECT lines FROM log WHERE study = $1 AND cell = $2 ORDER BY part", []any{id, cell}, func(scan func(...any) error) error {
		var part []byte
		err := scan(&part)
		text = append(text, part...)
		return err
	})
	return text, err
}
