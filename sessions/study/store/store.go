// Package store keeps studies in a database: one file of SQLite that needs no server, or PostgreSQL for several
// machines. Its tables (see the constant tablesSQL, on which readers with SQL, pandas or DuckDB may rely) have the
// declarations and the results. River's tables (river_…), beside these, have the jobs that are queued, running or given
// up; the package uses them through River's client, and through the few statements of rescue.go. Package worker runs
// the cells. The input is a path or a URL and declarations; the output is tables and rows of package study.
package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	sqlitedriver "modernc.org/sqlite"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
)

// Store is a database of studies. Its methods may be called from several goroutines, and several processes may have it
// open.
type Store struct {
	// Program is the version of the program that runs cells here; Program() unless a test changes it.
	Program string

	name    string // for messages, without a password
	dialect dialect
	read    *sql.DB
	write   *sql.DB     // of SQLite, one connection: the file has one writer at a time
	path    string      // of SQLite, absolute
	opened  fs.FileInfo // which file it was when it was opened
	driver  riverdriver.Driver[*sql.Tx]
	queue   *river.Client[*sql.Tx] // to queue and list jobs, not to work them
	pool    *pgxpool.Pool          // of PostgreSQL
	schema  string                 // of PostgreSQL

	ownMu sync.Mutex
	own   map[int64][]study.OwnFile // of the studies whose cells were run
}

// NotStudyDatabaseError is the error about a database or a file that is not one of studies.
type NotStudyDatabaseError struct{ Name string }

// Error names the database.
func (e *NotStudyDatabaseError) Error() string {
	return sanitize.Redact(e.Name) + " is not a file of studies; name a file that does not exist yet, or one that bandscope study made"
}

// SchemaVersionError is the error about a database whose tables are of another version.
type SchemaVersionError struct {
	Name    string
	Got     int
	Program string // that made it
}

// Error gives both versions, and says which program to use.
func (e *SchemaVersionError) Error() string {
	advice := "use a newer bandscope"
	if e.Got < Version {
		advice = "use the bandscope that made them"
	}
	return fmt.Sprintf("the tables of %s have version %d, made by bandscope %s, but this program reads version %d; %s",
		e.Name, e.Got, e.Program, Version, advice)
}

// OpenError is the error about a database that cannot be opened.
type OpenError struct {
	Name string
	Err  error
}

// Error names the database and the reason.
func (e *OpenError) Error() string {
	return sanitize.Redact(fmt.Sprintf("cannot open %s: %v", e.Name, e.Err))
}

// Unwrap is the reason.
func (e *OpenError) Unwrap() error { return e.Err }

// discardLogger drops the queue's messages about its migrations.
var discardLogger = slog.New(slog.DiscardHandler)

// maxReaders is how many connections read a file at once.
const maxReaders = 4

// PathIn is the path for a study of that name in a folder of studies, which it makes.
func PathIn(dir, name string) (string, error) {
	if dir == "" {
		return "", errors.New("there is no folder for studies because HOME is not set; set HOME")
	}
	if err := eventlog.MakeDir(dir, 0o700); err != nil {
		return "", fmt.Errorf("cannot make the folder of studies: %w", err)
	}
	return filepath.Join(dir, filepath.Base(name)+".db"), nil
}

// Open opens a database, a file or a URL of PostgreSQL, and makes it if it does not exist. The errors are *NameError,
// *OpenError, *NotStudyDatabaseError, *SchemaVersionError and *DamagedError.
func Open(ctx context.Context, name string) (*Store, error) {
	s, err := connect(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := retryBusy(ctx, maxTries, func() error { return s.make(ctx) }); err != nil {
		return nil, errors.Join(s.openError(err), s.Close())
	}
	return s.checkSchema(ctx)
}

// checkSchema checks the version of the tables, and keeps the identity of the open file.
func (s *Store) checkSchema(ctx context.Context) (*Store, error) {
	version := 0
	err := retryBusy(ctx, maxTries, func() error {
		return s.readTx(ctx, func(tx *sql.Tx) (err error) {
			version, err = s.schemaVersion(ctx, tx)
			return err
		})
	})
	if err == nil && version == 0 {
		err = &NotStudyDatabaseError{s.name}
	}
	if err != nil {
		return nil, errors.Join(s.openError(err), s.Close())
	}
	return s.rememberFile()
}

// OpenExisting opens a database that exists. The error is fs.ErrNotExist for a file that does not, else as Open's.
func OpenExisting(ctx context.Context, name string) (*Store, error) {
	if remote, err := connection(name); err != nil {
		return nil, err
	} else if remote == "" {
		if _, err := os.Stat(name); err != nil {
			return nil, err
		}
	}
	s, err := connect(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.checkSchema(ctx)
}

// retryBusy calls do again, at most so many times, while the file is busy. Changing the journal mode of a file fails at
// once, without the usual wait for a lock, if another process changes it or has the file open.
func retryBusy(ctx context.Context, tries int, do func() error) error {
	for try := 0; ; try++ {
		err := do()
		if !isBusy(err) || try == tries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(retry):
		}
	}
}

// isBusy reports whether an error is that a file is locked.
func isBusy(err error) bool {
	var sqlite *sqlitedriver.Error
	return errors.As(err, &sqlite) && sqlite.Code()&0xff == busy
}

// busy is SQLite's code for a file that is locked, and retry how long to wait then, so often.
const (
	busy     = 5
	retry    = 20 * time.Millisecond
	maxTries = 250
)

// openError wraps an error of opening for the user.
func (s *Store) openError(err error) error {
	if errors.As(err, new(*NotStudyDatabaseError)) || errors.As(err, new(*SchemaVersionError)) ||
		errors.As(err, new(*DamagedError)) ||
		errors.Is(err, context.Canceled) {
		return err
	}
	return &OpenError{s.name, err}
}

func connect(ctx context.Context, name string) (*Store, error) {
	remote, err := connection(name)
	var s *Store
	switch {
	case err != nil:
		return nil, err
	case remote != "":
		s, err = connectPostgres(ctx, remote)
	default:
		s, err = connectSQLite(name)
	}
	if err != nil {
		return nil, err
	}
	s.Program = Program()
	s.queue, err = river.NewClient(s.driver, &river.Config{Logger: discardLogger})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// connectSQLite opens a file. Its journal is a write-ahead log, so that readers do not wait for writers. A process that
// is killed loses no committed slice, and a power cut at most the last moments, which are computed again.
func connectSQLite(name string) (*Store, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if err := checkHead(name); err != nil {
		return nil, err
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return nil, &OpenError{name, fmt.Errorf("the folder %s does not exist", filepath.Dir(path))}
	}
	const journal = "_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&"
	write, err := openFile(path, 1, journal+"_txlock=immediate")
	if err != nil {
		return nil, &OpenError{name, err}
	}
	read, err := openFile(path, maxReaders, journal+"_pragma=query_only(1)")
	if err != nil {
		return nil, &OpenError{name, errors.Join(err, write.Close())}
	}
	return &Store{name: sanitize.Redact(name), dialect: sqlite, path: path, read: read, write: write,
		driver: riversqlite.New(write)}, nil
}

// openFile opens a file of SQLite by its absolute path, with so many connections and the settings of the query.
func openFile(path string, conns int, query string) (*sql.DB, error) {
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: query}
	db, err := sql.Open("sqlite", u.String())
	if err == nil {
		db.SetMaxOpenConns(conns)
		db.SetMaxIdleConns(conns)
	}
	return db, err
}

// checkHead checks the beginning of a file, if it exists and is not empty, before SQLite does, which would make a
// journal beside it. The application's id may still be in that journal.
func checkHead(name string) error {
	file, err := eventlog.OpenRegular(name, math.MaxInt64)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return &OpenError{name, err}
	}
	defer file.Close()
	head := make([]byte, 100)
	switch n, err := io.ReadFull(file, head); {
	case n == 0 && errors.Is(err, io.EOF):
		return nil
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return &OpenError{name, err}
	}
	if id := binary.BigEndian.Uint32(head[68:]); !bytes.HasPrefix(head, []byte("SQLite format 3\x00")) || id != 0 &&
		id != applicationID {
		return &NotStudyDatabaseError{name}
	}
	return nil
}

// connectPostgres connects to a database.
func connectPostgres(ctx context.Context, name string) (*Store, error) {
	config, err := poolConfig(name)
	if err != nil {
		return nil, err
	}
	position, shown := config.ConnConfig, displayName(config)
	if position.ConnectTimeout == 0 {
		position.ConnectTimeout = 10 * time.Second
	}
	path := cmp.Or(position.RuntimeParams["search_path"], "bandscope")
	position.RuntimeParams["search_path"] = path
	schema, _, _ := strings.Cut(path, ",")
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, &OpenError{shown, err}
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, &OpenError{shown, err}
	}
	db := stdlib.OpenDBFromPool(pool)
	return &Store{name: shown, dialect: postgres, read: db, write: db, driver: riverdatabasesql.New(db), pool: pool,
		schema: strings.TrimSpace(schema)}, nil
}

// String names the database, without a password.
func (s *Store) String() string { return s.name }

// Driver is the driver of the queue on this database.
func (s *Store) Driver() riverdriver.Driver[*sql.Tx] { return s.driver }

// Close releases the database.
func (s *Store) Close() error {
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.pool != nil {
		s.pool.Close()
	}
	return err
}

// Transact calls do in one transaction, which it rolls back on an error.
func (s *Store) Transact(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// readTx calls do in a transaction that reads a consistent snapshot.
func (s *Store) readTx(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{Isolation: s.dialect.snapshotIsolation, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	defer tx.Rollback()
	return do(tx)
}

// exec runs a statement in the dialect of the database, and returns how many rows it has changed.
func (s *Store) exec(ctx context.Context, tx *sql.Tx, statement string, args ...any) (int64, error) {
	result, err := tx.ExecContext(ctx, s.dialect.sql(statement), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// insert inserts many rows, in statements of as many as fit into the parameters of any database.
func (s *Store) insert(ctx context.Context, tx *sql.Tx, into, conflict string, rows [][]any) error {
	for chunk := range slices.Chunk(rows, 1000) {
		var tuples []string
		var args []any
		for _, row := range chunk {
			values := make([]string, len(row))
			for i := range row {
				args = append(args, row[i])
				values[i] = fmt.Sprint("$", len(args))
			}
			tuples = append(tuples, "("+strings.Join(values, ", ")+")")
		}
		if _, err := tx.ExecContext(ctx, into+" VALUES "+strings.Join(tuples, ", ")+conflict, args...); err != nil {
			return err
		}
	}
	return nil
}

// Program is the version of this program that cells belong to: that of its module and, if that does not identify the
// code, the beginning of the hash of the executable.
var Program = sync.OnceValue(func() string {
	version := sessions.ProgramVersion()
	if version != "devel" && !strings.HasSuffix(version, "+dirty") {
		return version
	}
	path, err := os.Executable()
	if err != nil {
		return version
	}
	file, err := os.Open(path)
	if err != nil {
		return version
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return version
	}
	return version + "-" + hex.EncodeToString(hash.Sum(nil)[:4])
})
