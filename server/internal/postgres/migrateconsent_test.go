package postgres_test

import (
	"log/slog"
	"os"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// TestMigrateEventEndpoints confirms the endpoints of an earlier version that have accepted an event, and no other.
func TestMigrateEventEndpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	works, failed, idle := must3(w.endpoint(t, "works", core.Idempotency{})),
		must3(w.endpoint(t, "failed", core.Idempotency{})), must3(w.endpoint(t, "idle", core.Idempotency{}))
	w.attempt(t, w.addEvents(t, works.ID, 2, core.EventTest)[0], core.EventAttempt{Status: 200})
	w.attempt(t, w.addEvents(t, failed.ID, 1, core.EventTest)[0], core.EventAttempt{Status: 500})
	w.migrateFrom(t, 20)
	for id, want := range map[core.ID]bool{works.ID: true, failed.ID: false, idle.ID: false} {
		e := must(w.EventEndpoint(t.Context(), works.PublisherID, id))
		equal(t, "confirmed state of the endpoint "+e.Name, e.Confirmed(), want)
		equal(t, "time of the confirmation of the endpoint "+e.Name, e.ConfirmedAt != nil, want)
	}
}

// TestMigrateSignedBodies recognizes bodies of GitHub that an earlier version has published, even more than once.
func TestMigrateSignedBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sealed := w.sealed("github")
	sealed.Signing = core.SigningGitHub
	hook := must3(w.CreateWebhook(t.Context(), sealed, core.Idempotency{}))
	other := w.webhook(t, "of another sender")
	for _, id := range []string{"e1", "e2"} {
		must3(w.PublishEvent(t.Context(), hook.ID, w.event(id), w.notification(id)))
		must3(w.PublishEvent(t.Context(), other.ID, w.event(id), w.notification(id)))
	}
	w.migrateFrom(t, 20)
	again := w.event("e3")
	again.BodyHash = core.HashSecret(string(again.Payload)) // the same hash
	_, creation, err := w.PublishEvent(t.Context(), hook.ID, again, w.notification("again"))
	succeed(t, "publish the body again", err)
	equal(t, "creation of a body that was published before the migration", creation, core.Replayed)
	equal(t, "events with a hash", w.count(t, "select count(*) from webhook_events where body_hash is not null"), 1)
}

// migrateFrom takes the database back to an earlier version, and migrates it.
func (w *world) migrateFrom(t *testing.T, version int64) {
	t.Helper()
	earlier := must(goose.NewProvider(goose.DialectPostgres, w.db.DB.DB, os.DirFS("migrations")))
	must(earlier.DownTo(t.Context(), version))
	succeed(t, "migrate", postgres.Migrate(t.Context(), w.url, slog.New(slog.DiscardHandler)))
}
