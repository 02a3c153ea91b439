package delivery_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
)

// batch has a new notification, a scheduled one, one whose external id exists, and another new one.
func (w *steps) batch(existing string) []core.Notification {
	all := make([]core.Notification, 4)
	for i := range all {
		all[i] = w.notification(fmt.Sprint("batch ", i))
	}
	all[1].ScheduledAt, all[1].PublishedAt, all[1].Visible = new(w.now.Add(time.Hour)), nil, false
	all[1].ExternalID, all[2].ExternalID = "scheduled", existing
	return all
}

func TestPublishBatch(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	first := w.notification("first")
	first.ExternalID = "e"
	if _, _, err := w.Publish(t.Context(), first, core.Idempotency{}); err != nil {
		t.Fatalf("publish: %v", err)
	}
	all, key := w.batch("e"), core.Idempotency{Caller: "key:1", Route: "POST /batch", Key: "k", BodyHash: []byte{1}}
	want := []core.Published{{ID: all[0].ID}, {ID: all[1].ID}, {ID: first.ID, Existing: true}, {ID: all[3].ID}}
	for _, creation := range []core.Creation{core.Created, core.Replayed} {
		published, got, err := w.PublishBatch(t.Context(), all, key)
		if err != nil {
			t.Fatalf("publish a batch: %v", err)
		}
		check.Equal(t, "creation", got, creation)
		check.Equal(t, "results", fmt.Sprint(published), fmt.Sprint(want))
	}
	check.Equal(t, "published notifications by number", scan[string](t, w,
		"select string_agg(title, ', ' order by ordinal) from notifications where ordinal is not null"),
		"first, batch 0, batch 3")
	check.Equal(t, "published notifications by position", scan[string](t, w,
		"select string_agg(title, ', ' order by position) from notifications where position is not null"),
		"first, batch 0, batch 3")
	check.Equal(t, "scheduled notifications", scan[string](t, w,
		"select title from notifications where published_at is null and not visible and scheduled_at is not null"),
		"batch 1")
	check.Equal(t, "visible notifications of the channel", scan[int](t, w, "select visible from channel_heads"), 3)
	check.Equal(t, "dispatches to nobody", scan[int](t, w, "select count(*) from dispatches"), 0)

	key.BodyHash = []byte{2}
	if _, _, err := w.PublishBatch(t.Context(), all[:1], key); !core.IsCode(err, core.CodeInvalid) {
		t.Errorf("another batch with the key: got %v, want CodeInvalid", err)
	}
	w.now = w.now.Add(2 * time.Hour)
	if _, err := w.Release(t.Context()); err != nil {
		t.Fatalf("release: %v", err)
	}
	check.Equal(t, "number of the scheduled one when it is due",
		scan[int](t, w, "select ordinal from notifications where external_id = 'scheduled'"), 4)
}

// TestABatchOfDifferentFields gives each notification of a batch one field that none of the others has.
func TestABatchOfDifferentFields(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	set := []func(n *core.Notification){
		func(*core.Notification) {},
		func(n *core.Notification) { n.Image = "https://example.com/image" },
		func(n *core.Notification) { n.Icon = "https://example.com/icon" },
		func(n *core.Notification) { n.Link = "https://example.com/link" },
		func(n *core.Notification) { n.ExternalID = "external" },
		func(n *core.Notification) { n.Data = map[string]string{"name": "value"} },
		func(n *core.Notification) { n.ExpiresAt = new(w.now.Add(time.Hour)) },
		func(n *core.Notification) { n.Importance = core.Important },
		func(*core.Notification) {},
	}
	all := make([]core.Notification, len(set))
	for i := range all {
		all[i] = w.notification(fmt.Sprint(i))
		set[i](&all[i])
	}
	if _, _, err := w.PublishBatch(t.Context(), all, core.Idempotency{}); err != nil {
		t.Fatalf("publish a batch: %v", err)
	}
	store := postgres.NewStore(w.DB)
	for _, want := range all {
		got, err := store.Notification(t.Context(), want.Channel.ID, want.ID, nil)
		if err != nil {
			t.Fatalf("read notification %s: %v", want.Title, err)
		}
		fields := func(n core.Notification) string {
			expires := "never"
			if n.ExpiresAt != nil {
				expires = n.ExpiresAt.UTC().String()
			}
			return fmt.Sprint(n.Title, n.Image, n.Icon, n.Link, n.ExternalID, n.Data, expires, n.Importance)
		}
		check.Equal(t, "fields of notification "+want.Title, fields(got), fields(want))
	}
}

// TestABatchIsStoredWholeOrNotAtAll has a notification that PostgreSQL refuses.
func TestABatchIsStoredWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	all := w.batch("")
	all[3].ID = all[0].ID
	key := core.Idempotency{Caller: "key:1", Route: "POST /batch", Key: "k", BodyHash: []byte{1}}
	if _, _, err := w.PublishBatch(t.Context(), all, key); err == nil {
		t.Error("batch with the same id twice: got no error, want one")
	}
	check.Equal(t, "notifications", scan[int](t, w, "select count(*) from notifications"), 0)
	check.Equal(t, "counted notifications", scan[int](t, w, "select count(*) from channel_heads"), 0)
	check.Equal(t, "keys", scan[int](t, w, "select count(*) from idempotency_keys"), 0)
}

// TestPurgedChannel publishes to a channel that was deleted and purged after it had been looked up.
func TestPurgedChannel(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	n := w.notification("too late")
	n.Channel.ID = core.NewID()
	scheduled := n
	scheduled.ScheduledAt, scheduled.PublishedAt, scheduled.Visible = new(w.now.Add(time.Hour)), nil, false
	key := core.Idempotency{Caller: "key:1", Route: "POST /notifications", Key: "k", BodyHash: []byte{1}}
	for name, publish := range map[string]func() error{
		"publish":           func() error { _, _, err := w.Publish(t.Context(), n, core.Idempotency{}); return err },
		"publish with key":  func() error { _, _, err := w.Publish(t.Context(), n, key); return err },
		"publish scheduled": func() error { _, _, err := w.Publish(t.Context(), scheduled, core.Idempotency{}); return err },
		"publish a batch": func() error {
			_, _, err := w.PublishBatch(t.Context(), []core.Notification{w.notification("in time"), n}, key)
			return err
		},
	} {
		if err := publish(); !core.IsCode(err, core.CodeNotFound) {
			t.Errorf("%s: got %v, want CodeNotFound", name, err)
		}
	}
	check.Equal(t, "notifications", scan[int](t, w, "select count(*) from notifications"), 0)
	check.Equal(t, "keys", scan[int](t, w, "select count(*) from idempotency_keys"), 0)
}
