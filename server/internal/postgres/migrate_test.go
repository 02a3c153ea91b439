package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
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

// TestMigrateDeliveries migrates a database in which an earlier version is in the middle of dispatches.
func TestMigrateDeliveries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	devices := w.devices(t, 6)
	n := w.publish(t, "t")
	earlier := must(goose.NewProvider(goose.DialectPostgres, w.db.DB.DB, os.DirFS("migrations")))
	must(earlier.DownTo(t.Context(), 15))
	w.exec(t, "delete from river_job")
	w.exec(t, "update dispatches set targeted = 6")
	for i, outcome := range []string{"accepted", "failed invalid", "failed of-old"} {
		w.exec(t, `insert into deliveries (notification_id, device_id, outcome, cause, at)
			values ($1, $2, split_part($3, ' ', 1), nullif(split_part($3, ' ', 2), ''), now())`, n.ID, devices[i], outcome)
	}
	w.exec(t, "insert into held_pushes (notification_id, device_id, until) values ($1, $2, now())", n.ID, devices[3])
	w.exec(t, `insert into river_job (kind, queue, max_attempts, args) values
		('send', 'send', 9, jsonb_build_object('notificationId', $1::uuid, 'devices',
			encode(uuid_send($2) || uuid_send($3), 'base64'))),
		('summary', 'send', 9, jsonb_build_object('over', now(), 'devices', jsonb_build_array(jsonb_build_object(
			'id', $4::uuid, 'notifications', encode(uuid_send($1), 'base64'))))),
		('revision', 'send', 9, jsonb_build_object('notificationId', $1::uuid, 'devices', encode(uuid_send($2), 'base64')))`,
		n.ID, devices[0], devices[4], devices[5])
	if err := postgres.Migrate(t.Context(), w.url, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatalf("migrate: %v", err)
	}
	for i, want := range []string{"accepted", "failed invalid", "failed of-old", "", "", ""} {
		got := scan[string](t, w, `select coalesce(string_agg(concat_ws(' ', outcome, cause), ','), '') from deliveries
			where notification_id = $1 and device_id = $2`, n.ID, devices[i])
		equal(t, fmt.Sprintf("outcome of device %d", i), got, want)
	}
	letter := `select substr(outcomes, array_position(devices, $1), 1) from delivery_batches`
	for i, want := range map[int]string{3: "-", 4: ".", 5: "-"} {
		equal(t, fmt.Sprintf("letter of device %d", i), scan[string](t, w, letter, devices[i]), want)
	}
	for _, i := range []int{3, 5} {
		equal(t, fmt.Sprintf("place at which device %d is held", i), w.count(t, `
			select count(*) from held_pushes h join delivery_batches b using (notification_id, first)
			where h.device_id = $1 and b.devices[h.place + 1] = h.device_id`, devices[i]), 1)
	}
	for kind, want := range map[string]string{
		"send":   fmt.Sprintf(`{"first": 0, "notificationId": "%s"}`, n.ID),
		"revise": fmt.Sprintf(`{"first": 0, "notificationId": "%s"}`, n.ID),
	} {
		got := scan[string](t, w, "select string_agg(args::text, ',') from river_job where kind = $1", kind)
		equal(t, "arguments of jobs of kind "+kind, got, want)
	}
	equal(t, "jobs of other kinds", w.count(t, "select count(*) from river_job where kind not in ('send', 'revise')"), 0)
}

// TestMigrateReceipts migrates receipts of an earlier version, which say that a notification is read even where the
// subscription says the same.
func TestMigrateReceipts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	behind := w.publish(t, "read, and all after it")
	again := w.publish(t, "marked as unread")
	must(w.UpdateReceipt(t.Context(), w.subscriber, behind.ID, core.ReceiptPatch{Read: new(true)}, w.now))
	succeed(t, "read all", w.ReadAll(t.Context(), w.subscriber, nil, w.now))
	must(w.UpdateReceipt(t.Context(), w.subscriber, again.ID, core.ReceiptPatch{Read: new(false)}, w.now))
	w.publish(t, "not read")
	ahead := w.publish(t, "read alone")
	must(w.UpdateReceipt(t.Context(), w.subscriber, ahead.ID, core.ReceiptPatch{Read: new(true)}, w.now))
	before, _, _ := w.feed(t)
	earlier := must(goose.NewProvider(goose.DialectPostgres, w.db.DB.DB, os.DirFS("migrations")))
	must(earlier.DownTo(t.Context(), 16))
	equal(t, "receipts that say read, in the earlier version", w.count(t, "select count(*) from receipts where read"), 2)
	succeed(t, "migrate", postgres.Migrate(t.Context(), w.url, slog.New(slog.DiscardHandler)))
	equal(t, "receipts that say read", w.count(t, "select count(*) from receipts where read"), 1)
	equal(t, "receipts that say unread", w.count(t, "select count(*) from receipts where not read"), 1)
	after, _, unread := w.feed(t)
	equal(t, "unread notifications", unread, 2)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("feed (-before +after):\n%s", diff)
	}
}

// TestMigrateAccessTokens migrates tokens from before access tokens had an expiry and scopes.
func TestMigrateAccessTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	earlier := must(goose.NewProvider(goose.DialectPostgres, w.db.DB.DB, os.DirFS("migrations")))
	must(earlier.DownTo(t.Context(), 18))
	id, person := core.NewID(), w.subscriber
	w.exec(t, `insert into access_tokens (id, subscriber_id, name, hint, secret_hash, created_at)
		values ($1, $2, 'old', 'hint', $3, now())`, id, person, id[:])
	succeed(t, "migrate", postgres.Migrate(t.Context(), w.url, slog.New(slog.DiscardHandler)))
	token := must(w.AccessTokenBySecret(t.Context(), id[:], time.Now()))
	equal(t, "scopes of a token from before", token.Scopes, allScopes)
	if token.ExpiresAt == nil || time.Until(*token.ExpiresAt) > 90*24*time.Hour {
		t.Errorf("expiry of a token from before: got %v, want one within 90 days", token.ExpiresAt)
	}
}
