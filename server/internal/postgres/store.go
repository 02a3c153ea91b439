package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
)

// Store keeps everything. Its methods are safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool     // for River and what must share its transactions
	db   *bun.DB           // over the same pool
	hot  pgx.QueryExecMode // of the busiest statements
}

// Config says where the database is and how many connections may be used.
type Config struct {
	URL         string
	Connections int32
	// Pooled says that a pooler stands between, with which nothing can be prepared.
	Pooled bool
}

// lockTimeout bounds how long a statement waits for another's transaction: a repeated request waits that long for the
// first one with its idempotency key.
const lockTimeout = 5 * time.Second

// statementTimeout bounds what one request can cost.
const statementTimeout = 10 * time.Second

// Open connects to the database.
func Open(ctx context.Context, c Config) (*Store, error) {
	pc, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: %w", err)
	}
	pc.MaxConns = c.Connections
	pc.ConnConfig.ConnectTimeout = 5 * time.Second
	// bun writes its arguments into the statement, so there is nothing to prepare. The busiest statements are sent by pgx
	// and prepared once a connection: planning them anew would cost more than running them.
	pc.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	hot := pgx.QueryExecModeCacheStatement
	if c.Pooled {
		hot = pgx.QueryExecModeExec
	}
	pc.ConnConfig.RuntimeParams["application_name"] = "sininho"
	pc.ConnConfig.RuntimeParams["lock_timeout"] = fmt.Sprint(lockTimeout.Milliseconds())
	pc.ConnConfig.RuntimeParams["statement_timeout"] = fmt.Sprint(statementTimeout.Milliseconds())
	pc.ConnConfig.RuntimeParams["timezone"] = "UTC"
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	return &Store{pool: pool, db: bun.NewDB(stdlib.OpenDBFromPool(pool), pgdialect.New()), hot: hot}, nil
}

// Close ends all connections.
func (s *Store) Close() error {
	err := s.db.Close()
	s.pool.Close()
	return err
}

// Pool is the pool beneath, for River.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return mapError(s.pool.Ping(ctx)) }

// txWithJobs runs fn in one transaction of both bun and pgx, on one connection: River inserts jobs by pgx.
func (s *Store) txWithJobs(ctx context.Context, fn func(ctx context.Context, tx bun.IDB, jobs pgx.Tx) error) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return mapError(err)
	}
	defer func() { _ = conn.Close() }() // gives it back
	var beneath *pgx.Conn
	err = conn.Raw(func(driver any) error {
		beneath = driver.(*stdlib.Conn).Conn() //nolint:forcetypeassert // Open has chosen the driver
		return nil
	})
	if err != nil {
		return mapError(err)
	}
	return mapError(pgx.BeginFunc(ctx, beneath, func(tx pgx.Tx) error { return fn(ctx, conn, tx) }))
}

// tx runs fn in a transaction.
func (s *Store) tx(ctx context.Context, fn func(ctx context.Context, tx bun.Tx) error) error {
	return mapError(s.db.RunInTx(ctx, nil, fn))
}
