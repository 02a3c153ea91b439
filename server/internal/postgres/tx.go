package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
)

// Tx is a transaction, for bun and for pgx.
type Tx struct {
	bun.IDB
	conn bun.Conn
	pgx  pgx.Tx
	hot  pgx.QueryExecMode // of hot statements
}

// PGX calls use with the transaction as pgx has it, for hot statements and for River. It fails once bun has given up
// the connection, which may be in use elsewhere then.
func (tx Tx) PGX(use func(pgx.Tx) error) error {
	return tx.conn.Raw(func(any) error { return use(tx.pgx) })
}

// InTx runs fn in a transaction, which is committed when fn returns nil and rolled back otherwise.
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	return db.inTx(ctx, pgx.TxOptions{}, fn)
}

// InTxAfter is InTx with a first statement, without arguments, that is sent together with the beginning.
func (db *DB) InTxAfter(ctx context.Context, first string, fn func(ctx context.Context, tx Tx) error) error {
	return db.inTx(ctx, pgx.TxOptions{BeginQuery: "begin; " + first}, fn)
}

// inSnapshot runs fn, which only reads, in a transaction that sees the database as at its first statement.
func (db *DB) inSnapshot(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	return db.inTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, fn)
}

// rollbackTime is how long a rollback may take. It goes on when the context is done.
const rollbackTime = 3 * time.Second

// inTx begins and ends the transaction itself, because bun cannot send a statement with the beginning.
func (db *DB) inTx(ctx context.Context, options pgx.TxOptions, fn func(ctx context.Context, tx Tx) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return Error(err)
	}
	defer func() { _ = conn.Close() }() // returns it to the pool, which closes it if the transaction has not ended
	tx := Tx{IDB: conn, conn: conn, hot: db.hot}
	if db.pooled {
		options.BeginQuery = withLimits(options)
	}
	if tx.pgx, err = begin(ctx, conn, options); err != nil {
		return Error(err)
	}
	defer tx.rollback(ctx)
	if err = fn(ctx, tx); err == nil {
		err = tx.PGX(func(tx pgx.Tx) error { return tx.Commit(ctx) })
	}
	if errors.Is(err, driver.ErrBadConn) && ctx.Err() != nil { // what bun makes of it
		err = ctx.Err()
	}
	return Error(err)
}

// withLimits returns the beginning of a transaction with the limits that its connection does not have, and without the
// compilation that it has, because a pooler does not pass settings on.
func withLimits(o pgx.TxOptions) string {
	query := o.BeginQuery
	if query == "" {
		query = "begin"
		if o.IsoLevel != "" {
			query += " isolation level " + string(o.IsoLevel)
		}
		query += " " + string(o.AccessMode)
	}
	first, rest, _ := strings.Cut(query, ";")
	return fmt.Sprintf("%s; set local lock_timeout = %d; set local statement_timeout = %d; set local jit = off; %s",
		first, lockTimeout.Milliseconds(), statementTimeout.Milliseconds(), rest)
}

func begin(ctx context.Context, conn bun.Conn, options pgx.TxOptions) (tx pgx.Tx, err error) {
	err = conn.Raw(func(driver any) error {
		c := driver.(*stdlib.Conn).Conn() //nolint:forcetypeassert // Open has chosen the driver
		if tx, err = c.BeginTx(ctx, options); err != nil {
			_, _ = c.Exec(ctx, "rollback") // when the statement after "begin" has failed
		}
		return err
	})
	return tx, err
}

// rollback does nothing after a commit.
func (tx Tx) rollback(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
	defer cancel()
	_ = tx.PGX(func(tx pgx.Tx) error { return tx.Rollback(ctx) })
}

// Unlimited lifts the time limit of statements in a transaction that may take long.
func Unlimited(ctx context.Context, tx Tx) error { return limitStatements(ctx, tx, 0) }

// limitStatements sets the time limit of statements until the end of a transaction; zero means none. It is raw because
// no builder changes settings.
func limitStatements(ctx context.Context, tx Tx, limit time.Duration) error {
	_, err := tx.NewRaw("set local statement_timeout = ?", limit.Milliseconds()).Exec(ctx)
	return err
}

// limitLocks sets how long a statement waits for a row until the end of a transaction.
func limitLocks(ctx context.Context, tx Tx, limit time.Duration) error {
	_, err := tx.NewRaw("set local lock_timeout = ?", limit.Milliseconds()).Exec(ctx)
	return err
}

// NextVersion returns the version of a row that changes now: later than before even if the clock is not.
func NextVersion(before, now time.Time) time.Time {
	now = now.Truncate(time.Microsecond) // as stored
	if after := before.Add(time.Microsecond); now.Before(after) {
		return after
	}
	return now
}
