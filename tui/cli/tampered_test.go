package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
	"bandscope/sessions/study/worker"
)

// readingTime bounds the work that reading a study takes: a study of four cells takes milliseconds, and a budget of
// 4.6e18 steps never ends.
const readingTime = 10 * time.Second

// A kind of column is given the values that no program writes there: as SQL says them to a file, and to PostgreSQL,
// where they differ.
var (
	whole   = []string{"4600000000000000000", "-4600000000000000000", "0.5", "'none'", "NULL"}
	number  = []string{"1e300", "-1e300", "'none'", "NULL", "'NaN'", "9e999"}
	text    = []string{"'x' || char(27) || ']52;c;eA==' || char(7) || char(155) || '2J'", "NULL"}
	another = map[string]string{"0.5": "'0.5'", "9e999": "'Infinity'",
		text[0]: strings.ReplaceAll(text[0], "char", "chr")}
)

// Which of them may stay in a column: none in most; a text where a person reads what is message, which is shown sanitized;
// a number, or none, where there may be none; anything where nobody who looks reads it.
var (
	none     = []string{}
	message  = text[:1]
	measured = []string{"1e300", "-1e300", "NULL", "9e999", "pg 'NaN'"}
	anything = slices.Concat(whole, number, text)
)

// columns are those of the tables that are read, each with its kind and the values that may stay there.
var columns = []struct {
	table, column string
	values, stay  []string
}{
	{"schema", "version", whole, none}, {"schema", "program", text, message},
	{"study", "name", text, none}, {"study", "title", text, message}, {"study", "declaration", text, none},
	{"study", "runs", text, anything}, {"study", "keep", text, anything},
	{"study", "program", text, message}, {"study", "made", text, none}, {"study", "revision", whole, none},
	{"cell", "number", whole, none}, {"cell", "id", text, none}, {"cell", "problem", text, none},
	{"cell", "method", text, none}, {"cell", "seed", whole, none}, {"cell", "budget", whole, none},
	{"cell", "dim", whole, none}, {"cell", "steps", whole, none}, {"cell", "failures", whole, none},
	{"cell", "error", text, message},
	{"cell", "measures", text, none}, {"cell", "program", text, message}, {"cell", "began", text, none},
	{"cell", "ended", text, none},
	{"cell", "seconds", number, []string{"1e300"}}, {"cell", "revision", whole, whole[:1]},
	{"trace", "study", whole, none}, {"trace", "cell", whole, none}, {"trace", "iteration", whole, none},
	{"trace", "evaluations", whole, none}, {"trace", "seconds", number, measured},
	{"trace", "spent", number, slices.Delete(slices.Clone(measured), 3, 4)}, {"trace", "best", number, measured},
	{"trace", "simple_regret", number, measured},
	{"trace", "cumulative_regret", number, measured}, {"trace", "hypervolume", number, anything},
	{"log", "part", whole, anything}, {"log", "lines", text, text[1:]},
	{"worker", "name", text, message}, {"worker", "host", text, message}, {"worker", "pid", whole, none},
	{"worker", "slots", whole, none}, {"worker", "program", text, message},
	{"worker", "began", text, none}, {"worker", "seen", text, none},
}

// control is what no output holds.
var control = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}]`)

// victim is a study that is done, in a database whose tables take any value.
type victim struct {
	name string // of the database
	db   *sql.DB

	postgres bool
}

func TestTamperedDatabases(t *testing.T) {
	if testing.Short() {
		t.Skip("sessions/study/worker works with databases")
	}
	for _, c := range []struct {
		name string
		open func(t *testing.T) victim
	}{{"file", tamperedFile}, {"postgres", tamperedPostgres}} {
		t.Run(c.name, func(t *testing.T) {
			v := c.open(t)
			for _, c := range columns {
				for _, value := range c.values {
					v.try(t, c.table, c.column, value, slices.Contains(c.stay, value))
				}
			}
			v.tryRows(t)
		})
	}
}

// try gives a value to a column of the first row of a table, and reads the study.
func (v victim) try(t *testing.T, table, column, value string, stays bool) {
	t.Helper()
	text, name := value, "rowid"
	if v.postgres {
		text, name = cmp.Or(another[value], value), "ctid"
		stays = stays || value == "'NaN'" && table == "trace"
	}
	_, err := v.db.Exec(fmt.Sprintf("UPDATE %[1]s SET %[2]s = %[3]s WHERE %[4]s = (SELECT min(%[4]s) FROM %[1]s)",
		table, column, text, name))
	if err != nil && v.postgres { // which keeps to the kinds of its columns
		return
	}
	require.NoError(t, err)
	defer v.restore(t, table)
	subject := fmt.Sprintf("%s.%s = %s", table, column, value)
	if err := v.read(t, subject); stays != (err == nil) {
		t.Errorf("%s: %v", subject, err)
	}
}

// tryRows changes whole rows, as somebody does who knows how they are made.
func (v victim) tryRows(t *testing.T) {
	for _, c := range []struct{ what, table, statement, want string }{
		{"a cell is missing", "cell", "DELETE FROM cell WHERE number = 1", "has 3 cells but declares 4"},
		{"a cell is there twice", "cell", "INSERT INTO cell SELECT * FROM cell WHERE number = 1",
			"has 5 cells but declares 4"},
		{"a trace is longer than its run", "trace",
			"INSERT INTO trace SELECT study, cell, iteration + 3, evaluations + 3, seconds, spent, repeats, best, simple_regret, cumulative_regret, weighted_regret, hypervolume, bayes_regret FROM trace",
			"of 3 steps"},
		{"a trace is shorter than its run", "trace", "DELETE FROM trace WHERE iteration = 3",
			"it has 3 steps but 2 rows of trace"},
		{"a budget with its id", "cell", "UPDATE cell SET budget = 4600000000000000000, id = '" +
			(study.Cell{Problem: "bbob-f1:2", Method: "random", Seed: 1, Budget: 4600000000000000000}).ID() +
			"' WHERE number = 0", "budget must be in [1, 1000000], got 4600000000000000000"},
		{"a raw problem with its id", "cell",
			"UPDATE cell SET problem = 'forrester \x1b[2J', id = '" +
				(study.Cell{Problem: "forrester \x1b[2J", Method: "random", Seed: 1, Budget: 3}).ID() +
				"' WHERE number = 0", "does not belong to this run"},
		{"the log of another problem", "log",
			logFor(t, study.Cell{Problem: "forrester", Method: "random", Seed: 1, Budget: 3}, ""),
			`its problem is "forrester", not "bbob-f1:2"`},
		{"the log of another method", "log", logFor(t,
			study.Cell{Problem: "bbob-f1:2", Method: "gp-ei", Seed: 1, Budget: 3}, ""),
			`its method is "gp-ei", not "random"`},
		{"the log of another parameter", "log",
			logFor(t, study.Cell{Problem: "bbob-f1:2", Method: "random initial=7", Seed: 1, Budget: 3}, ""),
			`its initial is "7", not`},
		{"the log of another seed", "log", logFor(t,
			study.Cell{Problem: "bbob-f1:2", Method: "random", Seed: 2, Budget: 3}, ""), `its seed is "2", not "1"`},
		{"the log of another budget", "log", logFor(t,
			study.Cell{Problem: "bbob-f1:2", Method: "random", Seed: 1, Budget: 4}, ""), `its budget is "4", not "3"`},
		{"the log of another noise", "log", logFor(t,
			study.Cell{Problem: "bbob-f1:2 noise=1", Method: "random", Seed: 1, Budget: 3}, ""),
			`its noise is "1", not "0"`},
		{"a log with an edit", "log", logFor(t, study.Cell{Problem: "bbob-f1:2", Method: "random", Seed: 1, Budget: 3},
			"initial"), `an event of the kind "edited"`},
	} {
		v.exec(t, c.statement)
		if err := v.read(t, c.what); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.what, err, c.want)
		}
		v.restore(t, c.table)
	}
	// which may be endless
	v.exec(t, "ALTER TABLE trace RENAME TO real_trace", "CREATE VIEW trace AS SELECT * FROM real_trace")
	assert.ErrorContains(t, v.read(t, "a view"), "missing tables: 1 of", "a view in place of a table")
}

// logFor is the statement that gives the first cell the log of another one, after whose first step a parameter is
// edited.
func logFor(t *testing.T, c study.Cell, edit string) string {
	t.Helper()
	s, err := c.Session(t.Context())
	require.NoError(t, err)
	_, err = s.Step(t.Context(), nil)
	require.NoError(t, err)
	if edit != "" {
		require.NoError(t, s.Edit(edit, "2"))
	}
	lines, _ := s.Lines(0)
	return "UPDATE log SET lines = '" + strings.ReplaceAll(string(lines), "'", "''") + "' WHERE cell = 0"
}

// made makes the study in a database and runs it.
func made(t *testing.T, name string) {
	t.Helper()
	d := &study.Declaration{Name: "small", Title: "which?", Problems: []string{"bbob-f1:2", "forrester noise=0.1"},
		Methods: []string{"random"}, Seeds: 2, Budget: "3", Keep: study.KeepSessions}
	st, err := store.Open(t.Context(), name)
	require.NoError(t, err)
	defer st.Close()
	require.NoError(t, worker.Submit(t.Context(), st, d))
	require.NoError(t, worker.Work(t.Context(), st, worker.Options{Workers: 2, UntilDone: true}))
	if _, err := st.Heartbeat(t.Context(), store.Process{Name: "w", Host: "h", Place: "p", PID: 1, Slots: 1,
		Program: "v1"}); err != nil {
		t.Fatal(err)
	}
}

// tables are those that are tampered with, with those of their columns that PostgreSQL may take NULL in.
var tables = []string{"schema", "study", "cell", "trace", "log", "worker"}

func tamperedFile(t *testing.T) victim {
	v := victim{name: filepath.Join(t.TempDir(), "small.db")}
	made(t, v.name)
	var err error
	if v.db, err = sql.Open("sqlite", v.name); err != nil {
		t.Fatal(err)
	}
	v.db.SetMaxOpenConns(1)
	t.Cleanup(func() { v.db.Close() })
	statements := []string{"PRAGMA synchronous = OFF", "DROP VIEW result"}
	for _, table := range tables { // without their constraints
		statements = append(statements, "CREATE TABLE kept_"+table+" AS SELECT * FROM "+table, "DROP TABLE "+table,
			"CREATE TABLE "+table+" AS SELECT * FROM kept_"+table)
	}
	v.exec(t, statements...)
	return v
}

func tamperedPostgres(t *testing.T) victim {
	url := os.Getenv("BANDSCOPE_POSTGRES")
	if url == "" {
		t.Skip("BANDSCOPE_POSTGRES names no database")
	}
	v := victim{name: url + "&search_path=test_" + strings.ToLower(rand.Text()), postgres: true}
	made(t, v.name)
	pool, err := pgxpool.New(t.Context(), v.name)
	require.NoError(t, err)
	v.db = stdlib.OpenDBFromPool(pool)
	t.Cleanup(func() { v.db.Close(); pool.Close() })
	statements := []string{"DROP VIEW result"}
	for _, table := range tables {
		statements = append(statements, "CREATE TABLE kept_"+table+" AS SELECT * FROM "+table,
			"DROP TABLE "+table+" CASCADE", "CREATE TABLE "+table+" AS SELECT * FROM kept_"+table)
	}
	v.exec(t, statements...)
	return v
}

func (v victim) exec(t *testing.T, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := v.db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// restore makes a table what it was.
func (v victim) restore(t *testing.T, table string) {
	t.Helper()
	v.exec(t, "DELETE FROM "+table, "INSERT INTO "+table+" SELECT * FROM kept_"+table)
}

// read reads the study in every way there is, and returns the first error. Nothing raw is printed, and nothing takes
// endless work.
func (v victim) read(t *testing.T, subject string) error {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- v.outputs(t, subject) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(readingTime):
		t.Fatalf("%s: reading it does not end", subject)
	}
	return nil
}

func (v victim) outputs(t *testing.T, subject string) error {
	ctx, dir := t.Context(), t.TempDir()
	outputs := []studyOptions{{StatusOnly: true}, {Export: "cells"}, {StatusOnly: true, JSON: true}, {Export: "csv"},
		{Export: "json"}, {Export: "html"}, {Export: "coco", Output: filepath.Join(dir, "coco")}}
	if v.postgres { // whose rows are the same by now, and which takes long to connect to
		outputs = outputs[:2]
	}
	for _, o := range outputs {
		var out, errs bytes.Buffer
		o.DB = v.name
		err := runStudy(ctx, &out, &errs, "small", o, nil)
		if raw := control.FindString(out.String() + errs.String()); raw != "" {
			t.Errorf("%s: %+v prints %q raw", subject, o, raw)
		}
		if err != nil {
			return err
		}
	}
	return v.others(ctx)
}

// others reads what else the screens read: the list of studies, the workers and the sessions that are kept.
func (v victim) others(ctx context.Context) error {
	st, err := store.OpenExisting(ctx, v.name)
	if err != nil {
		return err
	}
	defer st.Close()
	list, err := st.Studies(ctx)
	for _, s := range list {
		err = cmp.Or(err, s.Damaged)
	}
	if err != nil {
		return err
	}
	if _, err := st.Workers(ctx); err != nil {
		return err
	}
	rows, _, err := st.Changes(ctx, "small", -1)
	for _, r := range rows {
		text, wrong := st.Log(ctx, "small", r.Cell)
		if err = cmp.Or(err, wrong); err == nil && len(text) > 0 {
			_, err = r.Cell.Resume(ctx, text)
		}
	}
	return err
}
