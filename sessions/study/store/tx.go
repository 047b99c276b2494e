package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Tx is a transaction in either database. Statements have their parameters as $1, $2, and what the databases say differently in braces.
type Tx interface {
	// Exec runs a statement, and tells how many rows it has changed.
	Exec(ctx context.Context, statement string, args ...any) (int64, error)
	// ExecEach runs a statement for each of many rows of parameters.
	ExecEach(ctx context.Context, statement string, rows [][]any) error
	// QueryRow asks for one row. Its error is sql.ErrNoRows if there is none.
	QueryRow(ctx context.Context, statement string, args ...any) Row
}

// Row is what a transaction is answered.
type Row interface{ Scan(to ...any) error }

// SQLite is a transaction of database/sql as one of the store's.
func SQLite(tx *sql.Tx) Tx { return sqlTx{tx} }

// Postgres is a transaction of pgx as one of the store's.
func Postgres(tx pgx.Tx) Tx { return pgxTx{tx} }

type sqlTx struct{ *sql.Tx }

func (t sqlTx) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := t.ExecContext(ctx, sqlite.sql(statement), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (t sqlTx) ExecEach(ctx context.Context, statement string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	prepared, err := t.PrepareContext(ctx, sqlite.sql(statement))
	if err != nil {
		return err
	}
	defer prepared.Close()
	for _, args := range rows {
		if _, err := prepared.ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

func (t sqlTx) QueryRow(ctx context.Context, statement string, args ...any) Row {
	return t.QueryRowContext(ctx, sqlite.sql(statement), args...)
}

type pgxTx struct{ pgx.Tx }

func (t pgxTx) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	tag, err := t.Tx.Exec(ctx, postgres.sql(statement), args...)
	return tag.RowsAffected(), err
}

func (t pgxTx) ExecEach(ctx context.Context, statement string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	for _, args := range rows {
		batch.Queue(postgres.sql(statement), args...)
	}
	return t.SendBatch(ctx, batch).Close()
}

func (t pgxTx) QueryRow(ctx context.Context, statement string, args ...any) Row {
	return pgxRow{t.Tx.QueryRow(ctx, postgres.sql(statement), args...)}
}

type pgxRow struct{ pgx.Row }

func (r pgxRow) Scan(to ...any) error {
	err := r.Row.Scan(to...)
	if errors.Is(err, pgx.ErrNoRows) {
		return sql.ErrNoRows
	}
	return err
}

// Transact does something in one transaction: all of it, or where it fails nothing.
func (s *Store) Transact(ctx context.Context, do func(Tx) error) error {
	if s.pool != nil {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return do(pgxTx{tx}) })
	}
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	if err := do(sqlTx{tx}); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}
