package postgres_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

func TestMigrateByManyNodes(t *testing.T) {
	t.Parallel()
	url := pgtest.EmptyURL(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := postgres.Migrate(context.Background(), url, slog.New(slog.DiscardHandler)); err != nil {
				t.Errorf("migrate at once with three others: %v", err)
			}
		})
	}
	wg.Wait()
	conn := must(pgx.Connect(t.Context(), url))
	defer conn.Close(context.Background()) // after its last statement
	equal(t, "version of the schema", must(postgres.SchemaVersion(t.Context(), conn)), must(postgres.KnownSchemaVersion()))
}

// TestMigrateWaits expects a node that starts to wait for somebody who migrates or restores the database, and nobody
// else to begin meanwhile.
func TestMigrateWaits(t *testing.T) {
	t.Parallel()
	url := pgtest.EmptyURL(t)
	conn := must(pgx.Connect(t.Context(), url))
	defer conn.Close(context.Background()) // after its last statement
	release := must(postgres.LockMigrations(t.Context(), conn))
	migrated := make(chan error)
	go func() { migrated <- postgres.Migrate(t.Context(), url, slog.New(slog.DiscardHandler)) }()
	eventually.True(t, "the node to wait", func() bool {
		var waits bool
		succeed(t, "look for the wait", conn.QueryRow(t.Context(), `
			select exists (select from pg_stat_activity where datname = current_database()
			and state = 'idle' and query like '%pg_try_advisory_lock%')`).Scan(&waits))
		return waits
	})
	other := must(pgx.Connect(t.Context(), url))
	defer other.Close(context.Background()) // after its last statement
	if _, err := postgres.LockMigrations(t.Context(), other); err == nil {
		t.Error("lock the migrations while they are locked: got no error, want one")
	}
	equal(t, "version of the schema while the node waits", must(postgres.SchemaVersion(t.Context(), conn)), 0)
	release()
	succeed(t, "migrate", <-migrated)
	equal(t, "version of the schema", must(postgres.SchemaVersion(t.Context(), conn)), must(postgres.KnownSchemaVersion()))
}

// TestMigrateAfterANewerVersion expects a node to start on a database that a newer version has migrated, as when that
// is replaced by the version before again.
func TestMigrateAfterANewerVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	newer := must(postgres.KnownSchemaVersion()) + 1
	w.exec(t, "insert into "+postgres.MigrationTable+" (version_id, is_applied) values ($1, true)", newer)
	succeed(t, "migrate", postgres.Migrate(t.Context(), w.url, slog.New(slog.DiscardHandler)))
	conn := must(pgx.Connect(t.Context(), w.url))
	defer conn.Close(context.Background()) // after its last statement
	equal(t, "version of the schema", must(postgres.SchemaVersion(t.Context(), conn)), newer)
}
