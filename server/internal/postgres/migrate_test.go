package postgres_test

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/eventually"
	"github.com/sininho/sininho/server/internal/pgtest"
	"github.com/sininho/sininho/server/internal/postgres"
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
}

// TestMigratePending migrates a database in which an earlier version had not placed its latest notifications yet.
func TestMigratePending(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	placed := w.publish(t, "placed")
	corrected := w.publish(t, "corrected")
	fresh := w.publish(t, "fresh")
	earlier := must(goose.NewProvider(goose.DialectPostgres, w.db.DB.DB, os.DirFS("migrations")))
	must(earlier.DownTo(t.Context(), 13))
	w.exec(t, "update notifications set pending = true where title <> 'placed'")
	w.exec(t, "update notifications set position = null, stream_position = null, ordinal = null where id = $1", fresh.ID)
	w.exec(t, "delete from dispatches where notification_id = $1", fresh.ID)
	if err := postgres.Migrate(t.Context(), w.url, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatalf("migrate: %v", err)
	}
	want := []string{"1 notification placed", "2 notification corrected", "4 corrected corrected", "5 notification fresh"}
	if got := w.changes(t, 0, 10); !slices.Equal(got, want) {
		t.Errorf("changes: got %q, want %q", got, want)
	}
	if _, total, unread := w.feed(t); total != 3 || unread != 3 {
		t.Errorf("feed: got total %d and unread %d, want 3 and 3", total, unread)
	}
	for kind, id := range map[string]core.ID{"expand": fresh.ID, "revise": corrected.ID} {
		if n := w.count(t, "select count(*) from river_job where kind = $1", kind); n != 1 {
			t.Errorf("jobs of kind %s for %s: got %d, want 1", kind, id, n)
		}
	}
	if n := w.count(t, "select count(*) from dispatches where notification_id = $1", fresh.ID); n != 1 {
		t.Errorf("dispatches of the fresh notification: got %d, want 1", n)
	}
	if n := w.count(t, "select count(*) from dispatches where notification_id = $1", placed.ID); n != 1 {
		t.Errorf("dispatches of the placed notification: got %d, want 1", n)
	}
}

// TestMigrateBesideAnEarlierVersion migrates while a node of the version before publishes: the migration waits for it,
// and places what it has published.
func TestMigrateBesideAnEarlierVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	earlier := must(goose.NewProvider(goose.DialectPostgres, w.db.DB.DB, os.DirFS("migrations")))
	must(earlier.DownTo(t.Context(), 13))
	tx := must(w.db.Pool().Begin(t.Context()))
	_, err := tx.Exec(t.Context(), `
		insert into notifications (id, channel_id, title, body, importance, visible, pending, published_at)
		values ($1, $2, 'late', '', 'normal', true, true, now())`, core.NewID(), w.channel.ID)
	succeed(t, "publish", err)
	migrated := make(chan error)
	go func() { migrated <- postgres.Migrate(t.Context(), w.url, slog.New(slog.DiscardHandler)) }()
	eventually.True(t, "the migration to wait", func() bool {
		return w.count(t, `select count(*) from pg_locks l join pg_database d on d.oid = l.database
			where d.datname = current_database() and not l.granted and l.mode = 'AccessExclusiveLock'`) > 0
	})
	succeed(t, "commit the publish", tx.Commit(t.Context()))
	succeed(t, "migrate", <-migrated)
	if got, want := w.changes(t, 0, 10), []string{"1 notification late"}; !slices.Equal(got, want) {
		t.Errorf("changes: got %q, want %q", got, want)
	}
}
