package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bandscope/functions/naming"
	"bandscope/sessions/study"
)

// postgresURL names a PostgreSQL for tests, such as .ci/postgres starts; without one they are of files only.
var postgresURL = os.Getenv("BANDSCOPE_POSTGRES")

// onBoth runs a test on a file that is not there yet, and on PostgreSQL where there is one, in a schema that is not there yet.
func onBoth(t *testing.T, test func(t *testing.T, name string)) {
	t.Run("file", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "a study, 50% of it?.db")) })
	t.Run("postgres", func(t *testing.T) {
		if postgresURL == "" {
			t.Skip("BANDSCOPE_POSTGRES names no database")
		}
		test(t, postgresURL+"&search_path=test_"+strings.ToLower(rand.Text()))
	})
}

func open(t testing.TB, name string) *Store {
	t.Helper()
	s, err := Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func (s *Store) must(t testing.TB, do func(tx Tx) error) {
	t.Helper()
	if err := s.Transact(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

var ours = &study.Declaration{Name: "ours", Title: "what it asks", Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 3, Budget: "4",
	Printed: []study.Printed{{Problem: "forrester", Method: "random", Value: 1, Where: "table 1"}}}

// added puts a study into a database, whose cells have the jobs 1, 2, 3.
func added(t testing.TB, s *Store, d *study.Declaration) []study.Cell {
	t.Helper()
	cells, err := d.Cells()
	if err != nil {
		t.Fatal(err)
	}
	s.must(t, func(tx Tx) error {
		id, fresh, err := s.Add(t.Context(), tx, d, "1.0")
		if err != nil || !fresh {
			t.Fatal(fresh, err)
		}
		var list []NewCell
		for i, c := range cells {
			list = append(list, NewCell{c, 1, int64(i + 1)})
		}
		return AddCells(t.Context(), tx, id, list)
	})
	return cells
}

// turn is the first turn at a cell of the first study.
func turn(cell int64) Turn {
	return Turn{Study: 1, Cell: cell, Job: cell + 1, Attempt: 1, Worker: "w", Program: "1.0"}
}

// What is handed over is what is read: numbers to the last bit, those that are not known as NaN, what the run does not have as nothing; and only what has changed since.
func TestWhatIsHandedOverIsRead(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		cells := added(t, s, ours)
		rows, first, err := s.Changes(t.Context(), "ours", -1)
		if err != nil || len(rows) != 3 || rows[2].Cell != cells[2] || rows[0].Status != study.Waiting || rows[0].Dim != 1 {
			t.Fatal(rows, err)
		}
		var claimed Claimed
		s.must(t, func(tx Tx) (err error) { claimed, err = Claim(t.Context(), tx, turn(1)); return err })
		if want := (Claimed{Cell: cells[1], Study: "ours", Keep: study.Traces, Claims: 1}); claimed != want {
			t.Fatalf("%+v, want %+v", claimed, want)
		}
		rows, second, err := s.Changes(t.Context(), "ours", first)
		if err != nil || len(rows) != 1 || rows[0].Cell != cells[1] || rows[0].Status != study.Running || rows[0].Worker != "w" || rows[0].Began.IsZero() || second <= first {
			t.Fatal(rows, err)
		}
		nan, inf := math.NaN(), math.Inf(1)
		trace := study.Trace{Evaluations: []int{1, 3}, Seconds: []float64{0.1, 1e-300}, Spent: []float64{1, 2}, Best: []float64{nan, -inf}, Simple: []float64{nan, nan}, Cumulative: []float64{1.0 / 3, math.MaxFloat64}}
		s.must(t, func(tx Tx) error {
			return Put(t.Context(), tx, turn(1), study.Traces, Slice{Status: study.Waiting, Steps: 2, Trace: trace, Lines: []byte("{}\n"), Seconds: 1.5, Next: 9})
		})
		rows, third, err := s.Changes(t.Context(), "ours", second)
		if err != nil || len(rows) != 1 || third <= second || !equal(rows[0].Trace, trace) || rows[0].Steps != 2 || rows[0].Seconds != 1.5 || rows[0].Worker != "" || !rows[0].Ended.IsZero() {
			t.Fatalf("%+v, %v; want %+v", rows, err, trace)
		}
		if text, err := s.Log(t.Context(), "ours", cells[1]); err != nil || string(text) != "{}\n" {
			t.Errorf("%q, %v", text, err)
		}
		before := trace // what was not known is known now, of both iterations; and there is a third
		trace.Simple, trace.Evaluations, trace.Seconds, trace.Spent, trace.Best, trace.Cumulative = []float64{5, nan, 4}, []int{1, 3, 4}, []float64{0.1, 1e-300, 2}, []float64{1, 2, 3},
			[]float64{nan, -inf, 3}, []float64{1.0 / 3, math.MaxFloat64, 7}
		next := Turn{Study: 1, Cell: 1, Part: 1, Job: 9, Attempt: 1, Worker: "v", Program: "1.0"}
		s.must(t, func(tx Tx) (err error) { _, err = Claim(t.Context(), tx, next); return err })
		s.must(t, func(tx Tx) error {
			return Put(t.Context(), tx, next, study.Traces, Slice{Status: study.Done, Steps: 3, Before: before, Trace: trace, Lines: []byte("{}\n"), Seconds: 1})
		})
		defer func(before int) { singly = before }(singly)
		for _, singly = range []int{singly, 0} {
			table, err := s.Table(t.Context(), "ours")
			if err != nil || !reflect.DeepEqual(table.Declaration, ours) || len(table.Rows) != 3 {
				t.Fatal(table, err)
			}
			if r := table.Rows[1]; !equal(r.Trace, trace) || r.Status != study.Done || r.Seconds != 2.5 || r.Ended.Before(r.Began) || r.Ended.IsZero() || r.Program != "1.0" {
				t.Errorf("%+v, want %+v", r, trace)
			}
		}
		if rows, _, err := s.Changes(t.Context(), "ours", third); err != nil || len(rows) != 1 || !equal(rows[0].Trace, trace) {
			t.Errorf("%+v, %v", rows, err)
		}
		if text, err := s.Log(t.Context(), "ours", cells[1]); err != nil || text != nil {
			t.Errorf("%q, %v", text, err)
		}
		if list, err := s.Studies(t.Context()); err != nil || len(list) != 1 || list[0].Open() != 2 || list[0].Over() != 1 || list[0].Total() != 3 || list[0].Made.IsZero() {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

func equal(a, b study.Trace) bool {
	if !reflect.DeepEqual(a.Evaluations, b.Evaluations) {
		return false
	}
	x, y := slicesIn(&a), slicesIn(&b)
	for i := range x {
		if (*x[i] == nil) != (*y[i] == nil) || len(*x[i]) != len(*y[i]) {
			return false
		}
		for k, v := range *x[i] {
			if w := (*y[i])[k]; math.Float64bits(v) != math.Float64bits(w) && !(math.IsNaN(v) && math.IsNaN(w)) {
				return false
			}
		}
	}
	return true
}

// Whoever has claimed a slice last hands it over; nobody else does, and nobody twice.
func TestOneHandsOver(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		added(t, s, ours)
		first, second := turn(0), turn(0)
		second.Attempt, second.Worker = 2, "v"
		claim := func(at Turn) error {
			return s.Transact(t.Context(), func(tx Tx) error { _, err := Claim(t.Context(), tx, at); return err })
		}
		put := func(at Turn, status study.Status, next int64) error {
			return s.Transact(t.Context(), func(tx Tx) error {
				tr := study.Trace{Evaluations: []int{1}, Simple: []float64{float64(at.Attempt)}}
				return Put(t.Context(), tx, at, study.Traces, Slice{Status: status, Steps: 1, Trace: tr, Lines: []byte("x\n"), Next: next})
			})
		}
		for i, c := range []struct {
			do   func() error
			want error
		}{
			{func() error { return put(first, study.Waiting, 5) }, ErrTaken}, // before it is claimed
			{func() error { return claim(first) }, nil},
			{func() error { return claim(first) }, ErrTaken}, // the same attempt again
			{func() error { return claim(second) }, nil},     // the queue gave it to another
			{func() error { return claim(first) }, ErrTaken},
			{func() error { return put(first, study.Waiting, 5) }, ErrTaken}, // too late
			{func() error { return put(second, study.Waiting, 5) }, nil},
			{func() error { return put(second, study.Waiting, 5) }, ErrTaken}, // twice
			{func() error { return claim(second) }, ErrTaken},                 // of a slice that is over
		} {
			if err := c.do(); !errors.Is(err, c.want) {
				t.Errorf("%d: %v, want %v", i, err, c.want)
			}
		}
		table, err := s.Table(t.Context(), "ours")
		if r := table.Rows[0]; err != nil || r.Trace.Simple[0] != 2 || r.Steps != 1 || r.Status != study.Waiting {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// What is no database of studies is not touched, and is named with what would be right.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	in := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other := filepath.Join(dir, "other.db")
	db, err := sql.Open("sqlite", other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE study (name TEXT)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, version := range []string{"0", "7"} {
		s := open(t, filepath.Join(dir, version+".db"))
		s.must(t, func(tx Tx) error {
			_, err := tx.Exec(t.Context(), "UPDATE schema SET program = 'v9.9', version = "+version)
			return err
		})
		s.Close()
	}
	text, pipe := in("notes.txt", strings.Repeat("no database ", 20)), in("short", "x")
	for _, c := range []struct {
		name string
		into any
		want string
	}{
		{text, new(*NotStudies), "notes.txt is no file of studies: name a file that does not exist yet, or one that study made"},
		{pipe, new(*NotStudies), "is no file of studies"},
		{other, new(*NotStudies), "is no file of studies"},
		{dir, new(*Unreachable), "it is a folder"},
		{filepath.Join(dir, "no", "study.db"), new(*Unreachable), "there is no folder"},
		{filepath.Join(dir, "7.db"), new(*OtherSchema), "are of version 7, made by bandscope v9.9, and this program knows version 1: a newer bandscope is needed"},
		{filepath.Join(dir, "0.db"), new(*OtherSchema), "it is read by the bandscope that made it"},
		{"postgres://user:secret@127.0.0.1:1/db", new(*Unreachable), "postgres://127.0.0.1/db cannot be reached"},
		{"postgres://user:secret@host:port/db", new(*Unreachable), "cannot be reached"},
	} {
		for what, open := range map[string]func(context.Context, string) (*Store, error){"open": Open, "peek": Peek} {
			s, err := open(t.Context(), c.name)
			if what == "peek" && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil || !errors.As(err, c.into) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s %s: %v, want %q", what, c.name, err, c.want)
			}
			if s != nil {
				s.Close()
			}
		}
	}
	if got, err := os.ReadFile(text); err != nil || !strings.HasPrefix(string(got), "no database") {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Peek(t.Context(), filepath.Join(dir, "new.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "new.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("looking makes the file")
	}
}

// An unknown study is named with the nearest that there is.
func TestUnknownStudy(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		added(t, s, ours)
		_, err := s.Table(t.Context(), "hours")
		if !errors.Is(err, naming.ErrUnknown) || !strings.Contains(err.Error(), `no study "hours"; did you mean ours?`) {
			t.Error(err)
		}
		if peeked, err := Peek(t.Context(), name); err != nil {
			t.Error(err)
		} else {
			peeked.Close()
		}
	})
}

// A worker's sign of life keeps its own jobs from being taken for stuck, and those of nobody else; when it is gone, what it had is free at once.
func TestSignsOfLife(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		added(t, s, ours)
		hourAgo, by := "datetime('now', '-1 hour')", `'["x","w"]'`
		if s.pool != nil {
			hourAgo, by = "now() - interval '1 hour'", "ARRAY['x', 'w']"
		}
		p := Process{Name: "w", Host: "h", Place: "p", PID: 1, Slots: 2, Program: "1.0"}
		s.must(t, func(tx Tx) error {
			for _, statement := range []string{
				"INSERT INTO river_job (id, args, kind, max_attempts, state, attempted_at, attempted_by) VALUES (1, '{}', 'cell', 3, 'running', " + hourAgo + ", " + by + ")",
				"INSERT INTO river_job (id, args, kind, max_attempts, state, attempted_at, attempted_by) VALUES (2, '{}', 'cell', 3, 'running', " + hourAgo + ", " + strings.ReplaceAll(by, "w", "v") + ")",
				"UPDATE cell SET status = 'running', worker = 'w' WHERE number = 0", "UPDATE cell SET status = 'running', worker = 'v' WHERE number = 1",
			} {
				if _, err := tx.Exec(t.Context(), statement); err != nil {
					return err
				}
			}
			return Beat(t.Context(), tx, p)
		})
		check := func(want string) {
			t.Helper()
			var got string
			s.must(t, func(tx Tx) error {
				for id := 1; id <= 2; id++ {
					var state, cell string
					var old bool
					if err := tx.QueryRow(t.Context(), "SELECT river_job.state, cell.status, river_job.attempted_at <= "+hourAgo+" FROM river_job JOIN cell ON cell.job = river_job.id WHERE river_job.id = $1", id).
						Scan(&state, &cell, &old); err != nil {
						return err
					}
					got += fmt.Sprint(state, " ", cell, " ", old, "; ")
				}
				return nil
			})
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		check("running running false; running running true; ")
		s.must(t, func(tx Tx) error { return Leave(t.Context(), tx, "w") })
		check("available waiting false; running running true; ")
		if workers, err := s.Workers(t.Context()); err != nil || len(workers) != 0 {
			t.Errorf("%+v, %v", workers, err)
		}
	})
}

// Whoever opens a database at the same time makes it once.
func TestOpenedAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		errs := make(chan error)
		for range 4 {
			go func() {
				s, err := Open(t.Context(), name)
				if err == nil {
					err = s.Close()
				}
				errs <- err
			}()
		}
		for range 4 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		var made int
		s := open(t, name)
		s.must(t, func(tx Tx) error { return tx.QueryRow(t.Context(), "SELECT count(*) FROM schema").Scan(&made) })
		if made != 1 {
			t.Errorf("it was made %d times", made)
		}
	})
}

// When a clock was set back, what the queue has for a time ahead is brought to now; what it has for the next minute stays, and what has waited is given out.
func TestQueueTimesAhead(t *testing.T) {
	onBoth(t, func(t *testing.T, name string) {
		s := open(t, name)
		p := Process{Name: "w", Host: "h", Place: "p", PID: 1, Slots: 2, Program: "1.0"}
		ahead := func(seconds string) string { return strings.ReplaceAll(s.dialect.queueAhead, "{s}", seconds) }
		insert := func(id int, state, scheduled, attempted string) string {
			return `INSERT INTO river_job (id, args, kind, max_attempts, state, scheduled_at, attempted_at) VALUES (` + string(rune('0'+id)) + `, '{}', 'cell', 3, '` + state + `', ` + scheduled + `, ` + attempted + `)`
		}
		s.must(t, func(tx Tx) error {
			for _, statement := range []string{insert(1, "available", ahead("3600"), "NULL"), insert(2, "available", ahead("5"), "NULL"), insert(3, "scheduled", ahead("60"), "NULL"),
				insert(4, "retryable", ahead("3600"), "NULL"), insert(5, "running", "{queue-now}", ahead("3600")), insert(6, "retryable", "{queue-now}", "NULL")} {
				if _, err := tx.Exec(t.Context(), statement); err != nil {
					return err
				}
			}
			return Beat(t.Context(), tx, p)
		})
		for id, want := range map[int]string{1: "available 0", 2: "available 1", 3: "scheduled 1", 4: "available 0", 5: "running 0", 6: "available 0"} {
			var state string
			var later int
			s.must(t, func(tx Tx) error {
				return tx.QueryRow(t.Context(), "SELECT state, CASE WHEN scheduled_at > {queue-now} OR attempted_at > {queue-now} THEN 1 ELSE 0 END FROM river_job WHERE id = $1", id).Scan(&state, &later)
			})
			if got := state + " " + string(rune('0'+later)); got != want {
				t.Errorf("job %d: %s, want %s", id, got, want)
			}
		}
		workers, err := s.Workers(t.Context())
		if err != nil || len(workers) != 1 || workers[0].Name != "w" || workers[0].Ago > 60 || workers[0].Slots != 2 || workers[0].Seen.IsZero() {
			t.Errorf("%+v, %v", workers, err)
		}
	})
}

// A study is over where every cell is done or given up; those of another program are neither over nor open.
func TestSummary(t *testing.T) {
	s := Summary{Cells: map[study.Status]int{study.Waiting: 1, study.Running: 2, study.Done: 4, study.Failed: 8, study.Foreign: 16}}
	if s.Open() != 3 || s.Over() != 12 || s.Total() != 31 {
		t.Errorf("%d open, %d over, %d in all", s.Open(), s.Over(), s.Total())
	}
}
