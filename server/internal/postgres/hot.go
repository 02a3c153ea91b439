package postgres

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
)

// bun writes arguments into the text of a statement, so PostgreSQL parses and plans it at every call. The busiest
// statements are run by pgx instead, with $1, $2 for their arguments, and are prepared once per connection. Prepared,
// a page of a feed takes 1/8 of the time, a publish 1/2 and the lookup of a channel 1/3 (BenchmarkHot).

// querier runs statements: *DB each on some connection, Tx in its transaction.
type querier interface {
	bun.IDB
	// query runs a prepared statement and hands over its rows, which scan closes.
	query(ctx context.Context, sql string, args []any, scan func(pgx.Rows) error) error
}

// Hot runs a prepared statement and scans its rows into structs by the names of their columns.
func Hot[T any](ctx context.Context, db querier, sql string, args ...any) (list []T, err error) {
	err = db.query(ctx, sql, args, func(rows pgx.Rows) (err error) {
		list, err = pgx.CollectRows(rows, pgx.RowToStructByName[T])
		return err
	})
	return list, err
}

func (db *DB) query(ctx context.Context, sql string, args []any, scan func(pgx.Rows) error) error {
	conn, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	rows, err := conn.Query(ctx, sql, append([]any{db.hot}, args...)...)
	if err != nil {
		return err
	}
	return scan(rows)
}

func (tx Tx) query(ctx context.Context, sql string, args []any, scan func(pgx.Rows) error) error {
	return tx.PGX(func(inner pgx.Tx) error {
		rows, err := inner.Query(ctx, sql, append([]any{tx.hot}, args...)...)
		if err != nil {
			return err
		}
		return scan(rows)
	})
}

// hotRow returns the row of a prepared statement, which runs when it is scanned.
func (db *DB) hotRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return rowFunc(func(into ...any) error {
		conn, err := db.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		return conn.QueryRow(ctx, sql, append([]any{db.hot}, args...)...).Scan(into...)
	})
}

// rowFunc is a row that is read when it is scanned.
type rowFunc func(into ...any) error

// Scan implements pgx.Row.
func (r rowFunc) Scan(into ...any) error { return r(into...) }

// step is a statement of a pipeline, and what reads its rows; nil: nothing does.
type step struct {
	sql  string
	args []any
	read func(pgx.Rows) error
}

// run runs statements in one round trip. Each sees what those before it have done. Outside a transaction, they are one.
func run(ctx context.Context, conn *pgx.Conn, mode pgx.QueryExecMode, steps []step) (err error) {
	var batch pgx.Batch
	for _, s := range steps {
		if mode == pgx.QueryExecModeCacheStatement {
			if _, err := conn.Prepare(ctx, s.sql, s.sql); err != nil {
				return err
			}
		}
		batch.Queue(s.sql, s.args...)
	}
	results := conn.SendBatch(ctx, &batch)
	defer func() { err = cmp.Or(err, results.Close()) }()
	for _, s := range steps {
		rows, err := results.Query()
		if err == nil && s.read != nil {
			err = s.read(rows)
		}
		rows.Close()
		if err := cmp.Or(err, rows.Err()); err != nil {
			return err
		}
	}
	return nil
}
