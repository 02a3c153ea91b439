package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// bun writes arguments into the text of a statement, so PostgreSQL parses and plans it at every call. The busiest
// statements are run by pgx instead, with $1, $2 for their arguments, and are prepared once per connection. Prepared,
// a page of a feed takes 1/8 of the time, a publish 1/2 and the lookup of a channel 1/3 (BenchmarkHot).

// hotRow runs a prepared statement that returns one row.
func (db *DB) hotRow(ctx context.Context, query string, args ...any) pgx.Row {
	conn, err := db.acquire(ctx)
	if err != nil {
		return failedRow{err}
	}
	return releasedRow{conn.QueryRow(ctx, query, append([]any{db.hot}, args...)...), conn}
}

// failedRow is the row of a statement that did not run.
type failedRow struct{ err error }

// Scan implements pgx.Row.
func (r failedRow) Scan(...any) error { return r.err }

// releasedRow gives its connection back when it has been scanned.
type releasedRow struct {
	pgx.Row
	conn *pgxpool.Conn
}

// Scan implements pgx.Row.
func (r releasedRow) Scan(into ...any) error {
	defer r.conn.Release()
	return r.Row.Scan(into...)
}

// hotRows runs a prepared statement and scans its rows into structs by the names of their columns.
func hotRows[T any](ctx context.Context, db *DB, query string, args ...any) ([]T, error) {
	conn, err := db.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	rows, err := conn.Query(ctx, query, append([]any{db.hot}, args...)...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}

// Hot runs a prepared statement in a transaction and scans its rows into structs by the names of their columns.
func Hot[T any](ctx context.Context, tx Tx, query string, args ...any) (list []T, err error) {
	err = tx.PGX(func(inner pgx.Tx) error {
		rows, err := inner.Query(ctx, query, append([]any{tx.hot}, args...)...)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByName[T])
		return err
	})
	return list, err
}
