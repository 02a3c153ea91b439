package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// withNext returns the migrations, followed by the first of those in testdata/next.
func withNext(count int) fs.FS {
	all := fstest.MapFS{}
	for _, name := range must(fs.Glob(postgres.Migrations, "migrations/*.sql")) {
		all[path.Base(name)] = &fstest.MapFile{Data: must(fs.ReadFile(postgres.Migrations, name))}
	}
	known := must(postgres.KnownSchemaVersion())
	for i, name := range must(filepath.Glob("testdata/next/*.sql"))[:count] {
		place := fmt.Sprintf("%05d_%s", known+int64(i)+1, filepath.Base(name))
		all[place] = &fstest.MapFile{Data: must(os.ReadFile(name))}
	}
	return all
}

const nextMigrations = 3

func migrateNext(ctx context.Context, url string, count int) error {
	return postgres.MigrateFiles(ctx, url, withNext(count), slog.New(slog.DiscardHandler))
}

// newOldWorld returns a world in which as many notifications were published before the next version.
func newOldWorld(t *testing.T, notifications int) *world {
	t.Helper()
	w := newWorld(t)
	w.exec(t, `
		insert into notifications (id, channel_id, title, body, importance, visible, scheduled_at)
		select lpad(to_hex(i), 32, '0')::uuid, $1, 'Old', '', 'important', false, now() + interval '1 year'
		from generate_series(1, $2::int) i`, w.channel.ID, notifications)
	return w
}

// start runs a statement in a transaction of its own that is open until end is called.
func (w *world) start(t *testing.T, sql string) (end func()) {
	t.Helper()
	conn := must(pgx.Connect(t.Context(), w.url))
	tx := must(conn.BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead}))
	_, err := tx.Exec(t.Context(), sql)
	succeed(t, sql, err)
	end = sync.OnceFunc(func() { _ = conn.Close(context.Background()) })
	t.Cleanup(end)
	return end
}

func (w *world) checkNext(t *testing.T) {
	t.Helper()
	equal(t, "notifications without what the batches write", scan[int](t, w,
		"select count(*) from notifications where mood is null or title = 'Old' and mood <> 'stirred'"), 0)
	equal(t, "valid indexes", scan[int](t, w,
		"select count(*) from pg_index where indexrelid = 'notifications_mood_idx'::regclass and indisvalid"), 1)
	equal(t, "validated constraints", scan[int](t, w,
		"select count(*) from pg_constraint where conname = 'notifications_mood_check' and convalidated"), 1)
}

// TestMigrateNextByManyNodes runs migrations of each kind on four nodes at once. An index that is made concurrently
// waits for the statements of all others, so the others must not wait for it in a statement.
func TestMigrateNextByManyNodes(t *testing.T) {
	t.Parallel()
	w := newOldWorld(t, 2500)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := migrateNext(t.Context(), w.url, nextMigrations); err != nil {
				t.Errorf("migrate at once with three others: %v", err)
			}
		})
	}
	wg.Wait()
	w.checkNext(t)
}

// TestMigrateBesideTheOldProgram publishes and changes what was published while the next version migrates.
func TestMigrateBesideTheOldProgram(t *testing.T) {
	t.Parallel()
	w := newOldWorld(t, 5000)
	migrated := make(chan error, 1)
	go func() { migrated <- migrateNext(t.Context(), w.url, nextMigrations) }()
	for published := 1; ; published++ {
		w.publish(t, "New")
		w.exec(t, "update notifications set body = 'changed' where id = lpad(to_hex($1::int), 32, '0')::uuid",
			5000-published%2500)
		select {
		case err := <-migrated:
			succeed(t, "migrate", err)
			w.publish(t, "New")
			w.checkNext(t)
			equal(t, "new notifications", scan[int](t, w,
				"select count(*) from notifications where title = 'New' and mood = 'calm'"), published+1)
			return
		default:
		}
	}
}

// TestMigrateWaitsForAReader expects a migration that changes a table to wait for somebody who reads it, as a backup
// does, and nobody who publishes to wait for the migration.
func TestMigrateWaitsForAReader(t *testing.T) {
	t.Parallel()
	w := newOldWorld(t, 1)
	end := w.start(t, "select count(*) from notifications")
	said := &said{}
	migrated := make(chan error, 1)
	go func() {
		migrated <- postgres.MigrateFiles(t.Context(), w.url, withNext(nextMigrations), slog.New(said))
	}()
	for range 3 {
		before := said.times()
		eventually.True(t, "the migration to give up waiting for the lock", func() bool { return said.times() > before })
		w.publish(t, "New")
	}
	end()
	succeed(t, "migrate", <-migrated)
	w.checkNext(t)
}

// said counts the warnings that were logged.
type said struct {
	slog.Handler
	mu    sync.Mutex
	count int
}

func (s *said) Enabled(context.Context, slog.Level) bool { return true }

func (s *said) Handle(_ context.Context, r slog.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Level == slog.LevelWarn {
		s.count++
	}
	return nil
}

func (s *said) times() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// TestMigrateInterruptedBetweenBatches expects a rewrite to keep what it has done, and to do the rest when it is run
// again.
func TestMigrateInterruptedBetweenBatches(t *testing.T) {
	t.Parallel()
	w := newOldWorld(t, 2500)
	succeed(t, "migrate up to the rewrite", migrateNext(t.Context(), w.url, 1))
	end := w.start(t, "select from notifications where id = lpad(to_hex(1500), 32, '0')::uuid for update")
	ctx, cancel := context.WithCancel(t.Context())
	migrated := make(chan error, 1)
	go func() { migrated <- migrateNext(ctx, w.url, nextMigrations) }()
	eventually.True(t, "the first batch", func() bool {
		return scan[int](t, w, "select count(*) from notifications where mood is not null") == 1000
	})
	cancel()
	if err := <-migrated; err == nil {
		t.Error("an interrupted migration: got no error, want one")
	}
	end()
	equal(t, "version after the interruption", scan[int64](t, w,
		"select max(version_id) from "+postgres.MigrationTable), must(postgres.KnownSchemaVersion())+1)
	succeed(t, "migrate again", migrateNext(t.Context(), w.url, nextMigrations))
	w.checkNext(t)
}

// TestMigrateInterruptedInAnIndex expects an index that was interrupted, which stays behind invalid, to be made again.
func TestMigrateInterruptedInAnIndex(t *testing.T) {
	t.Parallel()
	w := newOldWorld(t, 1)
	succeed(t, "migrate up to the index", migrateNext(t.Context(), w.url, nextMigrations-1))
	end := w.start(t, "select count(*) from channels") // the index waits for every transaction
	ctx, cancel := context.WithCancel(t.Context())
	migrated := make(chan error, 1)
	go func() { migrated <- migrateNext(ctx, w.url, nextMigrations) }()
	const invalid = `select exists (select from pg_index i join pg_class c on c.oid = i.indexrelid
		where c.relname = 'notifications_mood_idx' and not i.indisvalid)`
	eventually.True(t, "the index to be under way", func() bool { return scan[bool](t, w, invalid) })
	w.publish(t, "New")
	cancel()
	if err := <-migrated; !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted index: got %v, want that the context was canceled", err)
	}
	equal(t, "an invalid index after the interruption", scan[bool](t, w, invalid), true)
	end()
	succeed(t, "migrate again", migrateNext(t.Context(), w.url, nextMigrations))
	w.checkNext(t)
}

// TestMigrationsKeepTheirSettingsToThemselves expects what a migration sets to end with it.
func TestMigrationsKeepTheirSettingsToThemselves(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	files["00001_a.sql"] = &fstest.MapFile{Data: []byte("-- +goose NO TRANSACTION\n-- +goose Up\nset lock_timeout = 0;\n")}
	files["00002_b.sql"] = &fstest.MapFile{Data: []byte(
		"-- +goose Up\ncreate table patience as select current_setting('lock_timeout') as lock_timeout;\n")}
	url := pgtest.EmptyURL(t)
	succeed(t, "migrate", postgres.MigrateFiles(t.Context(), url, files, slog.New(slog.DiscardHandler)))
	conn := must(pgx.Connect(t.Context(), url))
	defer conn.Close(context.Background()) // after its last statement
	var got string
	succeed(t, "read the setting", conn.QueryRow(t.Context(), "select lock_timeout from patience").Scan(&got))
	equal(t, "lock_timeout of the second migration", got, "200ms")
}
