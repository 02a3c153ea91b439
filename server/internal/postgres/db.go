package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/metrics"
)

// DB is a pool of connections that bun and River share. It is safe for concurrent use.
type DB struct {
	*bun.DB
	pool     *pgxpool.Pool
	patience time.Duration
	pooled   bool
	hot      pgx.QueryExecMode // of hot statements
	listed   *gatherer[listedKey, listedChannel]
	replicas *replicas // nil: none
}

// Config configures the connections to a database.
type Config struct {
	URL string
	// ReplicaURLs are the URLs of hot standbys of the database, from which pages may be read.
	ReplicaURLs []string
	Connections int32 // at most, to each server
	// Patience is how long a statement waits for a connection when all are in use; then it fails with CodeUnavailable.
	// Zero is without limit.
	Patience time.Duration
	// PingAfter is how long a connection is idle before it is tried when it is used again. Zero is a second.
	PingAfter time.Duration
	// Metrics counts what is read from replicas; nil: nothing is counted.
	Metrics *metrics.Replicas
	// Pooled means that connections go through a pooler such as PgBouncer, so no statement can be prepared, and no
	// connection has settings of its own.
	Pooled bool
	Log    *slog.Logger // required with replicas

	tracer pgx.QueryTracer // of all statements, in tests
}

// lockTimeout limits how long a statement waits for another transaction, for example a repeated request for the first
// one with its idempotency key.
const lockTimeout = 5 * time.Second

// statementTimeout limits the cost of one request.
const statementTimeout = 10 * time.Second

// Open connects to the database.
func Open(ctx context.Context, c Config) (*DB, error) {
	pc, err := c.pool(c.URL)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: %w", err)
	}
	db, err := c.open(ctx, pc)
	if err != nil {
		return nil, err
	}
	if err := db.pool.Ping(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connect to the database: %w", explainPooler(err)), db.Close())
	}
	if len(c.ReplicaURLs) == 0 {
		return db, nil
	}
	if db.replicas, err = openReplicas(ctx, c, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// pool configures the connections to one server.
func (c Config) pool(url string) (*pgxpool.Config, error) {
	pc, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	pc.MaxConns = c.Connections
	pc.ConnConfig.Tracer = c.tracer
	pc.ConnConfig.ConnectTimeout = 5 * time.Second
	pc.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool {
		return p.IdleDuration > cmp.Or(c.PingAfter, time.Second)
	}
	// Statements of bun hold their arguments, so preparing them would only fill the cache.
	pc.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	pc.ConnConfig.RuntimeParams["application_name"] = "sininho"
	pc.ConnConfig.RuntimeParams["timezone"] = "UTC"
	if !c.Pooled {
		pc.ConnConfig.RuntimeParams["lock_timeout"] = fmt.Sprint(lockTimeout.Milliseconds())
		pc.ConnConfig.RuntimeParams["statement_timeout"] = fmt.Sprint(statementTimeout.Milliseconds())
		// A prepared statement is planned once for each connection. PostgreSQL would plan some of them at every call,
		// which takes longer than to run them, because it does not know how long their lists are.
		pc.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
		// Compiling a statement takes longer than any of them runs.
		pc.ConnConfig.RuntimeParams["jit"] = "off"
		// A node that loses its network in the middle of a transaction gives its locks up within seconds.
		pc.ConnConfig.RuntimeParams["tcp_keepalives_idle"] = "5"
		pc.ConnConfig.RuntimeParams["tcp_keepalives_interval"] = "2"
		pc.ConnConfig.RuntimeParams["tcp_keepalives_count"] = "3"
	}
	return pc, nil
}

// open returns the database of one server, without connecting yet.
func (c Config) open(ctx context.Context, pc *pgxpool.Config) (*DB, error) {
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, err
	}
	hot := pgx.QueryExecModeCacheStatement
	if c.Pooled {
		hot = pgx.QueryExecModeExec
	}
	connections := sql.OpenDB(patient{stdlib.GetPoolConnector(pool), c.Patience})
	connections.SetMaxIdleConns(0) // the pool keeps them
	db := &DB{DB: bun.NewDB(connections, pgdialect.New()), pool: pool, patience: c.Patience, hot: hot,
		pooled: c.Pooled}
	db.listed = newGatherer(db.readListed)
	return db, nil
}

// patient limits how long bun waits for a connection.
type patient struct {
	driver.Connector
	patience time.Duration
}

// Connect implements driver.Connector.
func (p patient) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, cancel := withPatience(ctx, p.patience)
	defer cancel()
	return p.Connector.Connect(ctx)
}

// acquire waits for a connection of the pool, which the caller must release.
func (db *DB) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	ctx, cancel := withPatience(ctx, db.patience)
	defer cancel()
	return db.pool.Acquire(ctx)
}

func withPatience(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	if patience == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, patience)
}

// Close closes all connections.
func (db *DB) Close() (err error) {
	if db.replicas != nil {
		err = db.replicas.close()
	}
	err = errors.Join(err, db.DB.Close())
	db.pool.Close()
	return err
}

// Pool returns the pool itself, for River.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// Size returns how many connections the pool has at most.
func (db *DB) Size() int { return int(db.pool.Config().MaxConns) }

// Pooled reports whether connections go through a pooler, by which PostgreSQL cannot notify.
func (db *DB) Pooled() bool { return db.pooled }

// explainPooler adds advice to the error of a pooler that refuses the settings of a connection.
func explainPooler(err error) error {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == "08P01" { // protocol violation
		return fmt.Errorf("%w: if DATABASE_URL leads to a pooler, set DATABASE_DIRECT_URL to the database itself", err)
	}
	return err
}

// Ping reports whether the database responds.
func (db *DB) Ping(ctx context.Context) error { return Error(db.pool.Ping(ctx)) }
