package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5"
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

// Migrate migrates Sininho's tables and River's. Any number of nodes may call it at once: a lock lets one run at a
// time. url must reach the server itself, not a pooler, because the lock belongs to a session.
func Migrate(ctx context.Context, url string, log *slog.Logger) (err error) {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return fmt.Errorf("DATABASE_DIRECT_URL: %w", err)
	}
	defer pool.Close()
	db := stdlib.OpenDBFromPool(pool)
	defer func() { err = errors.Join(err, db.Close()) }()
	lock, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if _, err := lock.ExecContext(ctx, "select pg_advisory_lock($1)", int64(migrationLock)); err != nil {
		return fmt.Errorf("wait for the migration lock: %w", err)
	}
	defer func() {
		_, e := lock.ExecContext(context.WithoutCancel(ctx), "select pg_advisory_unlock($1)", int64(migrationLock))
		err = errors.Join(err, e)
	}()
	if err := migrateOurs(ctx, db, log); err != nil {
		return err
	}
	return migrateRiver(ctx, pool)
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
		return nil, errors.New("the database is being migrated or restored by somebody else")
	}
	return func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock($1)", int64(migrationLock))
	}, nil
}

func migrateOurs(ctx context.Context, db *sql.DB, log *slog.Logger) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files)
	if err != nil {
		return err
	}
	done, err := provider.Up(ctx)
	for _, m := range done {
		log.InfoContext(ctx, "migrated", "migration", m.Source.Path, "took", m.Duration)
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

func migrateRiver(ctx context.Context, pool *pgxpool.Pool) error {
	m, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	return nil
}
