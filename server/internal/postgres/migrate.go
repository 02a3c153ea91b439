package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the advisory lock that lets one node migrate while the others wait. It spells SNMIGR in ASCII.
const migrationLock = 0x53_4e_4d_49_47_52

const (
	// migrationPatience is how long a statement of a migration waits for a lock, because requests that need the table
	// wait behind it. Then the migration is run again.
	migrationPatience = 200 * time.Millisecond
	// migrationPause is between two attempts.
	migrationPause = 500 * time.Millisecond
)

var errMigrating = errors.New("the database is being migrated or restored by somebody else")

// Migrate migrates Sininho's tables and River's. Any number of nodes may call it at once: a lock lets one run at a
// time. url must reach the server itself, not a pooler, because the lock belongs to a session. When it is interrupted
// and called again, it goes on with the migration that was interrupted.
func Migrate(ctx context.Context, url string, log *slog.Logger) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return migrate(ctx, url, files, log)
}

func migrate(ctx context.Context, url string, files fs.FS, log *slog.Logger) (err error) {
	pool, err := migrationPool(ctx, url)
	if err != nil {
		return fmt.Errorf("DATABASE_DIRECT_URL: %w", err)
	}
	defer pool.Close()
	lock, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close(context.WithoutCancel(ctx))) }()
	release, err := waitToMigrate(ctx, lock)
	if err != nil {
		return fmt.Errorf("wait for the migration lock: %w", err)
	}
	defer release()
	if err := migrateOurs(ctx, pool, files, log); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := migrateRiver(ctx, pool, log); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	return nil
}

// migrationPool returns connections for migrations. Each migration has a new one, so what it sets ends with it.
func migrationPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.RuntimeParams["lock_timeout"] = fmt.Sprint(migrationPatience.Milliseconds())
	config.ConnConfig.RuntimeParams["statement_timeout"] = "0" // whatever the role has
	config.AfterRelease = func(*pgx.Conn) bool { return false }
	return pgxpool.NewWithConfig(ctx, config)
}

// waitToMigrate is LockMigrations, repeated while others migrate. It does not wait in a statement: an index that is
// made concurrently waits for all statements, so its node and one that waits would wait for each other.
func waitToMigrate(ctx context.Context, conn *pgx.Conn) (release func(), err error) {
	for {
		release, err := LockMigrations(ctx, conn)
		if !errors.Is(err, errMigrating) {
			return release, err
		}
		if err := pause(ctx, migrationPause); err != nil {
			return nil, err
		}
	}
}

// untilLocked calls run until it fails for another reason than a lock that others hold.
func untilLocked(ctx context.Context, log *slog.Logger, run func() error) error {
	for {
		err := run()
		pg, ok := errors.AsType[*pgconn.PgError](err)
		if !ok || pg.Code != "55P03" && pg.Code != "40P01" { // lock timeout, deadlock
			return err
		}
		log.WarnContext(ctx, "a migration waits for others who use a table", "error", err)
		if err := pause(ctx, migrationPause); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, length time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(length):
		return nil
	}
}

// MigrationTable is the table of the migrations that have been applied.
const MigrationTable = goose.DefaultTablename

// SchemaVersion returns the version of the tables: that of the latest migration, or 0 if there are none.
func SchemaVersion(ctx context.Context, conn *pgx.Conn) (version int64, err error) {
	var there bool
	err = conn.QueryRow(ctx, "select to_regclass($1) is not null", MigrationTable).Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	err = conn.QueryRow(ctx,
		"select coalesce(max(version_id), 0) from "+MigrationTable+" where is_applied").Scan(&version)
	return version, err
}

// KnownSchemaVersion returns the version that Migrate migrates to.
func KnownSchemaVersion() (int64, error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return 0, err
	}
	return goose.NumericComponent(files[len(files)-1]) // Glob sorts
}

// LockMigrations keeps nodes that start from migrating until release is called, or the connection is closed.
func LockMigrations(ctx context.Context, conn *pgx.Conn) (release func(), err error) {
	var free bool
	err = conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", int64(migrationLock)).Scan(&free)
	if err != nil {
		return nil, err
	}
	if !free {
		return nil, errMigrating
	}
	return func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock($1)", int64(migrationLock))
	}, nil
}

func migrateOurs(ctx context.Context, pool *pgxpool.Pool, files fs.FS, log *slog.Logger) (err error) {
	db := stdlib.OpenDBFromPool(pool)
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files)
	if err != nil {
		return err
	}
	return untilLocked(ctx, log, func() error {
		for {
			done, err := provider.UpByOne(ctx)
			if errors.Is(err, goose.ErrNoNextVersion) {
				return nil
			}
			if err != nil {
				return err
			}
			log.InfoContext(ctx, "migrated", "migration", done.Source.Path, "took", done.Duration)
		}
	})
}

func migrateRiver(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	m, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	return untilLocked(ctx, log, func() error {
		_, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil)
		return err
	})
}
