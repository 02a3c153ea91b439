package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
)

// Tx is a transaction of bun, which River can insert its jobs into.
type Tx struct {
	bun.Tx
	conn bun.Conn
	hot  pgx.QueryExecMode // of hot statements
}

// InTx runs fn in a transaction, which is committed when fn returns nil and rolled back otherwise.
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	return db.inTx(ctx, nil, fn)
}

// inSnapshot runs fn, which only reads, in a transaction that sees the database as at its first statement.
func (db *DB) inSnapshot(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	return db.inTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, fn)
}

func (db *DB) inTx(ctx context.Context, options *sql.TxOptions, fn func(ctx context.Context, tx Tx) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return Error(err)
	}
	defer func() { _ = conn.Close() }() // returns it to the pool
	return Error(conn.RunInTx(ctx, options, func(ctx context.Context, tx bun.Tx) error {
		return fn(ctx, Tx{Tx: tx, conn: conn, hot: db.hot})
	}))
}

// River calls insert with the transaction as River's client takes it, a pgx.Tx: River's driver for database/sql does
// not fit the River version in use.
func (tx Tx) River(insert func(pgx.Tx) error) error {
	return tx.driver(func(conn *pgx.Conn) error { return insert(riverTx{conn}) })
}

// driver calls use with the transaction's connection.
func (tx Tx) driver(use func(*pgx.Conn) error) error {
	return tx.conn.Raw(func(driver any) error {
		conn := driver.(*stdlib.Conn).Conn() //nolint:forcetypeassert // Open has chosen the driver
		if conn.PgConn().TxStatus() != inTransaction {
			return sql.ErrTxDone // rolled back because the context is done
		}
		return use(conn)
	})
}

// inTransaction is the status of a connection that PostgreSQL reports within a transaction that has not failed.
const inTransaction = 'T'

type pgxConn = pgx.Conn

// riverTx is the connection of a transaction as a pgx.Tx, which only bun can commit or roll back.
type riverTx struct{ *pgxConn }

var errNotRivers = errors.New("only bun ends or nests this transaction")

// Commit implements pgx.Tx.
func (riverTx) Commit(context.Context) error { return errNotRivers }

// Rollback implements pgx.Tx.
func (riverTx) Rollback(context.Context) error { return errNotRivers }

// LargeObjects implements pgx.Tx.
func (riverTx) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

// Conn implements pgx.Tx.
func (tx riverTx) Conn() *pgx.Conn { return tx.pgxConn }

// Begin implements pgx.Tx. It does not support savepoints.
func (riverTx) Begin(context.Context) (pgx.Tx, error) { return nil, errNotRivers }

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
