package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

// Version is the schema that this program writes and reads.
const Version = 1

// application marks the file as one of this program, as SQLite's application_id: "bsst".
const application = 0x62737374

// tables are what is kept beside the queue's own. Whoever reads SQL, pandas or DuckDB may rely on them; their version stands in the table schema. Times are texts, RFC 3339 in UTC by the database's clock, empty where there
// is none yet; numbers that are not known are NULL. In PostgreSQL they stand in the schema bandscope unless the URL says another search_path.
//
//	schema  version of the tables; the program that made them, when
//	study   id; name; title; declaration, as JSON; runs, the key of what it runs; keep, "traces" or "sessions"; the program that began it; when it was made;
//	        revision, which grows with every change of a cell
//	cell    a run: study, number (from 0, in the declaration's order), id (the key of the run); problem, method, seed, budget (iterations), dim (variables);
//	        status (waiting, running, done, failed, foreign); steps (iterations so far); attempts that failed, and the error of the last; measures, the columns of
//	        trace that the run has; program that began it; worker that works on it; began, ended; seconds over all slices; revision, that of the study at the last
//	        change. Of the engine: part (slices handed over), job (of the queue) and the attempt at it, claims (how often the slice was begun)
//	trace   an iteration of a run: study, cell (its number), iteration (from 1); evaluations so far; seconds to suggest; cost spent so far; best observation, simple_regret, cumulative_regret,
//	        weighted_regret, hypervolume, bayes_regret
//	log     the session of a run in parts, lines of JSON each: study, cell, part (from 0). Of runs that have ended only where the study keeps sessions
//	worker  a process that works: name; host, place (the host and its space of process ids), pid; slots, how many cells at once; program; began; seen last
//	result  a view: study's name, cell and trace in one, a row an iteration
//
// {id} is a number that the database gives, {real} a number of double precision.
const tables = `
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
  status   TEXT NOT NULL DEFAULT 'waiting',
  steps    BIGINT NOT NULL DEFAULT 0,
  attempts BIGINT NOT NULL DEFAULT 0,
  error    TEXT NOT NULL DEFAULT '',
  measures TEXT NOT NULL DEFAULT '',
  program  TEXT NOT NULL DEFAULT '',
  worker   TEXT NOT NULL DEFAULT '',
  began    TEXT NOT NULL DEFAULT '',
  ended    TEXT NOT NULL DEFAULT '',
  seconds  {real} NOT NULL DEFAULT 0,
  part     BIGINT NOT NULL DEFAULT 0,
  job      BIGINT NOT NULL DEFAULT 0,
  attempt  BIGINT NOT NULL DEFAULT 0,
  claims   BIGINT NOT NULL DEFAULT 0,
  revision BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (study, number),
  UNIQUE (study, id)
);
CREATE INDEX cell_revision ON cell (study, revision);
CREATE INDEX cell_status ON cell (study, status);
CREATE TABLE trace (
  study             BIGINT NOT NULL,
  cell              BIGINT NOT NULL,
  iteration         BIGINT NOT NULL,
  evaluations       BIGINT NOT NULL,
  seconds           {real},
  spent             {real},
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
CREATE VIEW result AS
  SELECT study.name AS study, cell.number AS cell, cell.problem, cell.method, cell.seed, cell.budget, cell.dim, cell.status,
         trace.iteration, trace.evaluations, trace.seconds, trace.spent, trace.best, trace.simple_regret, trace.cumulative_regret,
         trace.weighted_regret, trace.hypervolume, trace.bayes_regret
  FROM study JOIN cell ON cell.study = study.id JOIN trace ON trace.study = cell.study AND trace.cell = cell.number;
`

// dialect is what the two databases say differently.
type dialect struct {
	id, real, packed string             // of the tables
	now              string             // the database's time as text, RFC 3339 in UTC, to milliseconds
	silent           string             // so long ago that a worker that was not seen since is not alive, as now
	queueNow         string             // the same as the queue keeps times
	queueAhead       string             // so many seconds after that, {s}
	lastBy           string             // who took a job of the queue last
	moment           sql.IsolationLevel // in which all that is read is of one moment
}

var sqlite = dialect{
	id: "INTEGER PRIMARY KEY", real: "REAL", packed: " WITHOUT ROWID",
	now:      "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
	silent:   "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 seconds')",
	queueNow: "datetime('now', 'subsec')", queueAhead: "datetime('now', 'subsec', '+{s} seconds')",
	lastBy: "json_extract(attempted_by, '$[#-1]')",
}

var postgres = dialect{
	id: "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", real: "DOUBLE PRECISION",
	now:      `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
	silent:   `to_char((clock_timestamp() - interval '90 seconds') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
	queueNow: "clock_timestamp()", queueAhead: "clock_timestamp() + interval '{s} seconds'",
	lastBy: "attempted_by[array_upper(attempted_by, 1)]", moment: sql.LevelRepeatableRead,
}

// sql writes a statement in the dialect.
func (d dialect) sql(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return strings.NewReplacer("{id}", d.id, "{real}", d.real, "{packed}", d.packed, "{now}", d.now, "{silent}", d.silent, "{queue-now}", d.queueNow,
		"{queue+15}", strings.ReplaceAll(d.queueAhead, "{s}", "15"), "{queue+120}", strings.ReplaceAll(d.queueAhead, "{s}", "120"), "{last-by}", d.lastBy).Replace(text)
}

// layout is how times are kept, as {now} writes them.
const layout = "2006-01-02T15:04:05.000Z"

// make makes the tables in a database that has none of them.
func (s *Store) make(ctx context.Context, program string) error {
	if s.pool != nil {
		return s.makePostgres(ctx, program)
	}
	return s.makeSQLite(ctx, program)
}

func (s *Store) makeSQLite(ctx context.Context, program string) error {
	return s.Transact(ctx, func(tx Tx) error { // the file is locked by whoever makes it, and the next one finds it made
		found, err := s.made(ctx, tx)
		if err != nil || found {
			return err
		}
		var others int
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM sqlite_master").Scan(&others); err != nil {
			return err
		}
		if others > 0 {
			return &NotStudies{s.name}
		}
		m, err := rivermigrate.New(riversqlite.New(s.write), &rivermigrate.Config{Logger: quiet})
		if err != nil {
			return err
		}
		//lint:ignore SA1019 it is deprecated for migrations of PostgreSQL that are no one transaction; those of SQLite are, and whoever is interrupted leaves nothing
		if _, err := m.MigrateTx(ctx, tx.(sqlTx).Tx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("making the queue's tables: %w", err)
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf("PRAGMA application_id = %d", application)); err != nil {
			return err
		}
		return s.own(ctx, tx, program)
	})
}

// makePostgres makes the tables in a schema of PostgreSQL, one at a time. The queue's migrations are no one transaction: a value that is added to an enumeration can be
// used only after it is committed. Whoever is interrupted among them leaves some, and the next one goes on.
func (s *Store) makePostgres(ctx context.Context, program string) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", application); err != nil {
		return err
	}
	defer conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", application)
	if _, err := conn.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+pgx.Identifier{s.schema}.Sanitize()); err != nil {
		return err
	}
	m, err := rivermigrate.New(riverpgxv5.New(s.pool), &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return err
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("making the queue's tables: %w", err)
	}
	return s.Transact(ctx, func(tx Tx) error {
		found, err := s.made(ctx, tx)
		if err != nil || found {
			return err
		}
		return s.own(ctx, tx, program)
	})
}

// own makes the tables that are not the queue's.
func (s *Store) own(ctx context.Context, tx Tx, program string) error {
	for statement := range strings.SplitSeq(s.dialect.sql(tables), ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := tx.Exec(ctx, statement); err != nil {
			return fmt.Errorf("making the tables: %w", err)
		}
	}
	_, err := tx.Exec(ctx, "INSERT INTO schema (version, program, made) VALUES ($1, $2, {now})", Version, program)
	return err
}

// made reports whether the tables are there, and an error if they are of another schema, or no tables: a view may be endless, and a trigger do anything.
func (s *Store) made(ctx context.Context, tx Tx) (bool, error) {
	tables := "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
	triggers := "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"
	if s.pool != nil {
		tables = "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()"
		triggers = `SELECT count(*) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
			WHERE nspname = current_schema() AND NOT tgisinternal AND relname IN ('` + strings.Join(ownTables, "', '") + "')"
	}
	there := func(names ...string) (n int, err error) {
		err = tx.QueryRow(ctx, "SELECT count(*) FROM ("+tables+") AS t WHERE name IN ('"+strings.Join(names, "', '")+"')").Scan(&n)
		return n, err
	}
	if n, err := there("schema"); err != nil || n == 0 {
		return false, err
	}
	var version int
	var program string
	err := tx.QueryRow(ctx, "SELECT version, program FROM schema ORDER BY version DESC LIMIT 1").Scan(&version, &program)
	switch {
	case err != nil:
		return false, errors.Join(&NotStudies{s.name}, err)
	case version != Version:
		return false, &OtherSchema{s.name, version, program}
	}
	n, err := there(ownTables...)
	if err != nil {
		return false, err
	}
	if n != len(ownTables) {
		return false, s.damaged(fmt.Errorf("the tables are %s, and %d of them are missing", strings.Join(ownTables, ", "), len(ownTables)-n))
	}
	if err := tx.QueryRow(ctx, triggers).Scan(&n); err != nil {
		return false, err
	}
	if n > 0 {
		return false, s.damaged(fmt.Errorf("it has %d triggers, which run when something is written", n))
	}
	return true, nil
}
