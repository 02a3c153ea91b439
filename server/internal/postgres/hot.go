package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// bun writes arguments into the text of a statement, so PostgreSQL parses and plans it at every call. The busiest
// statements are run by pgx instead, with $1, $2 for their arguments, and are prepared once per connection. Prepared,
// a page of a feed takes 1/8 of the time, a publish 1/2 and the lookup of a channel 1/3 (BenchmarkHot).

// hotRow runs a prepared statement that returns one row.
func (db *DB) hotRow(ctx context.Context, query string, args ...any) pgx.Row {
	return db.pool.QueryRow(ctx, query, append([]any{db.hot}, args...)...)
}

// hotRows runs a prepared statement and scans its rows into structs by the names of their columns.
func hotRows[T any](ctx context.Context, db *DB, query string, args ...any) ([]T, error) {
	rows, err := db.pool.Query(ctx, query, append([]any{db.hot}, args...)...)
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
