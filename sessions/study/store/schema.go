package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/rivermigrate"

	"bandscope/sessions"
)

// Version is the schema that this program writes and reads.
const Version = 1

// applicationID marks the file as one of this program, as SQLite's application_id: "bsst".
const applicationID = 0x62737374

// tablesSQL are the tables of declarations and results; the state of the work is in the queue, River's tables beside
// these. Readers with SQL, pandas or DuckDB may rely on them; their version is in the table schema. Times are texts,
// RFC 3339 in UTC by the database's clock, empty if there is none yet; unknown numbers are NULL. In PostgreSQL they are
// in the schema bandscope unless the URL says another search_path.
//
//	schema  version of the tables; the program that made them, when
//	study   id; name; title; declaration, as JSON; runs, the key of its cells; keep, "traces" or "sessions"; the program
//	        that submitted it; when it was made; revision, which grows with every change of a cell
//	cell    a run: study, number (from 0, in the declaration's order), id (the key of the run); problem, method, seed, budget
//	        (iterations), dim (variables); steps (iterations so far); failures before the last step, and the error of the last;
//	        measures, the columns of trace that the run has; program that runs it; began; ended, when all was done; seconds
//	        over all slices; revision, that of the study at the last change
//	trace   an iteration of a run: study, cell (its number), iteration (from 1); evaluations so far; seconds to suggest; cost
//	        spent so far; repeats, evaluations so far of points that were evaluated before; best observation, simple_regret, cumulative_regret, weighted_regret, hypervolume, bayes_regret
//	log     the session of a run in parts, lines of JSON each: study, cell, part (from 0). Of runs that have ended only where
//	        the study keeps sessions
//	worker  a process that works: name; host, place (the host and its space of process ids), pid; slots, how many cells at
//	        once; program; began; seen last
//	result  a view: study's name, cell and trace in one, a row an iteration
//
// {id} is a number that the database gives, {real} a number of double precision.
const tablesSQL = `
CREATE TABLE schema (version BIGINT NOT NULL, program TEXT NOT NULL, made TEXT NOT NULL);
CREATE TABLE study (
  id          {id},
  name        TEXT NOT NULL UNIQUE,
  title       TEXT NOT NULL,
  declaration TEXT NOT NULL,
  runs        TEXT NOT NULL,
  keep        TEXT NOT NULL,
  program     TEXT NOT NULL,
  made        TEXT NOT NULL,
  revision    BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE cell (
  study    BIGINT NOT NULL REFERENCES study (id),
  number   BIGINT NOT NULL,
  id       TEXT NOT NULL,
  problem  TEXT NOT NULL,
  method   TEXT NOT NULL,
  seed     BIGINT NOT NULL,
  budget   BIGINT NOT NULL,
  dim      BIGINT NOT NULL,
  steps    BIGINT NOT NULL DEFAULT 0,
  failures BIGINT NOT NULL DEFAULT 0,
  error    TEXT NOT NULL DEFAULT '',
  measures TEXT NOT NULL DEFAULT '',
  program  TEXT NOT NULL DEFAULT '',
  began    TEXT NOT NULL DEFAULT '',
  ended    TEXT NOT NULL DEFAULT '',
  seconds  {real} NOT NULL DEFAULT 0,
  revision BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (study, number),
  UNIQUE (study, id)
);
CREATE INDEX cell_revision ON cell (study, revision);
CREATE TABLE trace (
  study             BIGINT NOT NULL,
  cell              BIGINT NOT NULL,
  iteration         BIGINT NOT NULL,
  evaluations       BIGINT NOT NULL,
  seconds           {real},
  spent             {real},
  repeats           {real},
  best              {real},
  simple_regret     {real},
  cumulative_regret {real},
  weighted_regret   {real},
  hypervolume       {real},
  bayes_regret      {real},
  PRIMARY KEY (study, cell, iteration)
){packed};
CREATE TABLE log (
  study BIGINT NOT NULL,
  cell  BIGINT NOT NULL,
  part  BIGINT NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (study, cell, part)
);
CREATE TABLE worker (
  name    TEXT PRIMARY KEY,
  host    TEXT NOT NULL,
  place   TEXT NOT NULL,
  pid     BIGINT NOT NULL,
  slots   BIGINT NOT NULL,
  program TEXT NOT NULL,
  began   TEXT NOT NULL,
  seen    TEXT NOT NULL
);
`

// viewsSQL makes the views and indexes.
const viewsSQL = `
CREATE INDEX cell_ended ON cell (study, ended, program);
CREATE VIEW result AS
  SELECT study.name AS study, cell.number AS cell, cell.problem, cell.method, cell.seed, cell.budget, cell.dim, cell.ended,
         trace.iteration, trace.evaluations, trace.seconds, trace.spent, trace.repeats, trace.best, trace.simple_regret, trace.cumulative_regret,
         trace.weighted_regret, trace.hypervolume, trace.bayes_regret
  FROM study JOIN cell ON cell.study = study.id JOIN trace ON trace.study = cell.study AND trace.cell = cell.number;
`

// dialect has the SQL that differs between the two databases.
type dialect struct {
	id, real, packed string // of the tables
	now              string // the database's time as text, RFC 3339 in UTC, to milliseconds
	before           string // the same so many seconds before, {s}

	queueNow          string             // the database's time as the queue keeps times
	queueAhead        string             // so many seconds after that, {s}
	lastBy            string             // who took a job of the queue last
	snapshotIsolation sql.IsolationLevel // for a consistent snapshot
}

var sqlite = dialect{
	id: "INTEGER PRIMARY KEY", real: "REAL", packed: " WITHOUT ROWID",
	now:      "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
	before:   "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', (-{s}) || ' seconds')",
	queueNow: "datetime('now', 'subsec')", queueAhead: "datetime('now', 'subsec', '+{s} seconds')",
	lastBy: "json_extract(attempted_by, '$[#-1]')",
}

var postgres = dialect{
	id: "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", real: "DOUBLE PRECISION",
	now: `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
	before: "to_char((clock_timestamp() - make_interval(secs => {s})) AT TIME ZONE 'UTC'," +
		` 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
	queueNow: "clock_timestamp()", queueAhead: "clock_timestamp() + interval '{s} seconds'",
	lastBy: "attempted_by[array_upper(attempted_by, 1)]", snapshotIsolation: sql.LevelRepeatableRead,
}

// sql writes a statement in the dialect.
func (d dialect) sql(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	valueAt := func(text, seconds string) string { return strings.ReplaceAll(text, "{s}", seconds) }
	return strings.NewReplacer("{id}", d.id, "{real}", d.real, "{packed}", d.packed, "{now}", d.now,
		"{silent}", valueAt(d.before, "90"), "{forgotten}", valueAt(d.before, "3600"), "{now-$6}", valueAt(d.before, "$6"), "{queue-now}", d.queueNow,
		"{queue+15}", valueAt(d.queueAhead, "15"), "{queue+120}", valueAt(d.queueAhead, "120"), "{last-by}", d.lastBy).
		Replace(text)
}

// timeLayout is how times are kept, as {now} writes them.
const timeLayout = "2006-01-02T15:04:05.000Z"

// make makes the tables in a database that has none of them.
func (s *Store) make(ctx context.Context) error {
	if s.pool != nil {
		return s.makePostgres(ctx)
	}
	return s.makeSQLite(ctx)
}

func (s *Store) makeSQLite(ctx context.Context) error {
	return s.Transact(ctx, func(tx *sql.Tx) error {
		// the file is locked while the tables are made, and the next process finds them
		version, err := s.schemaVersion(ctx, tx)
		if err != nil || version > 0 {
			return err
		}
		var others int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&others); err != nil {
			return err
		}
		if others > 0 {
			return &NotStudyDatabaseError{s.name}
		}
		m, err := rivermigrate.New(s.driver, &rivermigrate.Config{Logger: discardLogger})
		if err != nil {
			return err
		}
		//lint:ignore SA1019 it is deprecated for migrations of PostgreSQL that are no single transaction; those of SQLite are, and leave nothing when interrupted
		if _, err := m.MigrateTx(ctx, tx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("cannot make the tables of the queue: %w", err)
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			return err
		}
		return s.createTables(ctx, tx)
	})
}

// makePostgres makes the tables in a schema of PostgreSQL, one process at a time. The queue's migrations are no single
// transaction: a value that is added to an enumeration can be used only after it is committed. If they are interrupted,
// the next process continues them.
func (s *Store) makePostgres(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", applicationID); err != nil {
		return err
	}
	defer conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", applicationID)
	if _, err := conn.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+pgx.Identifier{s.schema}.Sanitize()); err != nil {
		return err
	}
	m, err := rivermigrate.New(s.driver, &rivermigrate.Config{Logger: discardLogger})
	if err != nil {
		return err
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("cannot make the tables of the queue: %w", err)
	}
	return s.Transact(ctx, func(tx *sql.Tx) error {
		version, err := s.schemaVersion(ctx, tx)
		if err != nil || version > 0 {
			return err
		}
		return s.createTables(ctx, tx)
	})
}

// createTables makes the tables that are not the queue's.
func (s *Store) createTables(ctx context.Context, tx *sql.Tx) error {
	if err := s.run(ctx, tx, tablesSQL+viewsSQL); err != nil {
		return err
	}
	_, err := s.exec(ctx, tx, "INSERT INTO schema (version, program, made) VALUES ($1, $2, {now})", Version,
		sessions.ProgramVersion())
	return err
}

// run runs many statements.
func (s *Store) run(ctx context.Context, tx *sql.Tx, statements string) error {
	for statement := range strings.SplitSeq(statements, ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := s.exec(ctx, tx, statement); err != nil {
			return fmt.Errorf("cannot make the tables: %w", err)
		}
	}
	return nil
}

// schemaVersion is the version of the tables, 0 if there are none, and an error if they are of another schema, or if
// there are views in their place or triggers: a view may be endless, and a trigger can do anything.
func (s *Store) schemaVersion(ctx context.Context, tx *sql.Tx) (version int, err error) {
	tables := "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
	triggers := "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"
	if s.pool != nil {
		tables = "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()"
		triggers = `SELECT count(*) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
			WHERE nspname = current_schema() AND NOT tgisinternal AND relname IN ('` + strings.Join(ownTables, "', '") + "')"
	}
	there := func(names ...string) (n int, err error) {
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM ("+tables+") AS t WHERE name IN ('"+
			strings.Join(names, "', '")+"')").Scan(&n)
		return n, err
	}
	if n, err := there("schema"); err != nil || n == 0 {
		return 0, err
	}
	var program string
	err = tx.QueryRowContext(ctx, "SELECT version, program FROM schema ORDER BY version DESC LIMIT 1").
		Scan(&version, &program)
	switch {
	case err != nil:
		return 0, errors.Join(&NotStudyDatabaseError{s.name}, err)
	case version < 1 || version > Version:
		return 0, &SchemaVersionError{s.name, version, program}
	}
	n, err := there(ownTables...)
	if err != nil {
		return 0, err
	}
	if n != len(ownTables) {
		return 0, s.damaged(fmt.Errorf("missing tables: %d of %s", len(ownTables)-n, strings.Join(ownTables, ", ")))
	}
	if err := tx.QueryRowContext(ctx, triggers).Scan(&n); err != nil {
		return 0, err
	}
	if n > 0 {
		return 0, s.damaged(fmt.Errorf("it has %d triggers, which run when data are written", n))
	}
	return version, nil
}
