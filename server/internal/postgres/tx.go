package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
)

// Tx is a transaction, for bun and for pgx.
type Tx struct {
	bun.IDB
	// PGX is for hot statements and for River, which needs it.
	PGX pgx.Tx
	hot pgx.QueryExecMode // of hot statements
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
	var tx pgx.Tx
	err = conn.Raw(func(driver any) (err error) {
		c := driver.(*stdlib.Conn).Conn() //nolint:forcetypeassert // Open has chosen the driver
		tx, err = c.BeginTx(ctx, options)
		return err
	})
	if err != nil {
		return Error(err)
	}
	defer func() { // nothing after a commit
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
		defer cancel()
		_ = tx.Rollback(ctx)
	}()
	if err := fn(ctx, Tx{IDB: conn, PGX: tx, hot: db.hot}); err != nil {
		return Error(err)
	}
	return Error(tx.Commit(ctx))
}

// Unlimited lifts the time limit of statements in a transaction that may take long.
func Unlimited(ctx context.Context, tx Tx) error { return limitStatements(ctx, tx, 0) }

// limitStatements sets the time limit of statements until the end of a transaction; zero means none. It is raw because
// no builder changes settings.
func limitStatements(ctx context.Context, tx Tx, limit time.Duration) error {
	_, err := tx.NewRaw("set local statement_timeout = ?", limit.Milliseconds()).Exec(ctx)
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
