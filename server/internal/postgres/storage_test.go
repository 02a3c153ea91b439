package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// counted returns how much the publisher stores, and checks that it is what a count of all rows says.
func (w *world) counted(t *testing.T, when string) int64 {
	t.Helper()
	all := w.count(t, `
		select coalesce(sum(bytes), 0)::bigint from (
			select notification_bytes(title, body, image, icon, link, external_id, data) as bytes from notifications
			union all select channel_bytes(c) from channels c
			union all select webhook_bytes(w) from webhooks w
			union all select draft_bytes(d) from drafts d
			union all select webhook_event_bytes(event_id, payload, headers, detail) from webhook_events
			union all select event_delivery_bytes(payload) from event_deliveries
			union all select 1024 + (select coalesce(sum(octet_length(content)), 0) from picture_forms
				where picture_id = p.id) from pictures p where publisher_id is not null) v`)
	for range 2 { // before and after the changes are added
		used := must(w.Storage(t.Context(), w.publisherID(t)))
		equal(t, when+": bytes that are counted, of those that are stored", used.Used, all)
		succeed(t, "count", w.CountStorage(t.Context()))
	}
	equal(t, when+": changes that are not counted", w.count(t, "select count(*) from storage_changes"), int64(0))
	return all
}

func (w *world) publisherID(t *testing.T) (id core.ID) {
	t.Helper()
	must(0, w.db.Pool().QueryRow(t.Context(), "select id from publishers").Scan(&id))
	return id
}

// TestStorageIsCounted stores, changes and deletes everything that counts. What is counted always is what is there.
func TestStorageIsCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.counted(t, "a channel")
	n := w.notification("Título")
	n.Body, n.Data, n.ExternalID = strings.Repeat("é", 5_000), map[string]string{"ã": "1", "b": "2"}, "x"
	n.Image, n.Link = "https://example.com/a.png", "https://example.com"
	key := core.Idempotency{Caller: "c", Route: "r", Key: "k", BodyHash: []byte("h")}
	must3(w.Publish(t.Context(), n, key))
	repeated := n
	repeated.ID = core.NewID()
	must3(w.Publish(t.Context(), repeated, key))
	again := w.notification("Título")
	again.ExternalID = "x"
	must3(w.Publish(t.Context(), again, core.Idempotency{}))
	published := w.counted(t, "published and repeated")
	if published < 10_000 {
		t.Errorf(
			"bytes of 5,000 letters of two bytes: got %d, want more than 10,000",
			published,
		)
	}
	scheduled := w.notification("depois")
	scheduled.PublishedAt, scheduled.Visible, scheduled.ScheduledAt = nil, false, new(w.now.AddDate(0, 0, 1))
	must3(w.Publish(t.Context(), scheduled, core.Idempotency{}))
	var batch []core.Notification
	for i := range 100 {
		batch = append(batch, w.notification(fmt.Sprint(i)))
	}
	must3(
		w.PublishBatch(t.Context(), batch, core.Idempotency{Caller: "c", Route: "b", Key: "k", BodyHash: []byte("h")}),
	)
	w.counted(t, "scheduled and a batch")
	w.change(t, n.ID, func(n *core.Notification) { n.Body, n.Data = "curto", nil })
	w.change(t, n.ID, func(n *core.Notification) { n.Visible = false })
	if got := w.counted(t, "corrected"); got >= published+100*2048 {
		t.Errorf("bytes after a correction: got %d, want fewer", got)
	}

	of := core.DraftOwner{ChannelID: w.channel.ID}
	for _, name := range []string{"a", "b", "c"} {
		d := core.Draft{DraftOwner: of, ID: core.NewID(), Name: name, CreatedAt: w.now, UpdatedAt: w.now}
		must3(w.CreateDraft(t.Context(), d, core.Idempotency{}))
		must(w.UpdateDraft(t.Context(), of, d.ID, w.now, func(d *core.Draft) error {
			d.Content.Body = strings.Repeat("é", 5_000)
			return nil
		}))
		if name == "a" {
			succeed(t, "delete a template", w.DeleteDraft(t.Context(), of, d.ID, nil))
		}
	}
	w.counted(t, "templates")
	hook := w.webhook(t, "hook").ID
	w.execute(t, `update webhooks set template = '{"title": "{{ x }}"}'`)
	for i := range 3 {
		e := core.ReceivedEvent{ID: fmt.Sprint(i % 2), Outcome: core.OutcomeRefused, Detail: "é", ReceivedAt: w.now,
			Payload: []byte(strings.Repeat("x", 1_000*(i+1))), Headers: map[string]string{"a": "b"}}
		must3(w.KeepEvent(t.Context(), hook, e))
	}
	must3(
		w.PublishEvent(t.Context(), hook, core.ReceivedEvent{ID: "p", Outcome: core.OutcomePublished, ReceivedAt: w.now,
			Payload: []byte("{}")}, w.notification("evento")),
	)
	w.execute(t, `
		insert into event_endpoints (id, publisher_id, url, name, events, secret_sealed, created_at, updated_at)
		select gen_random_uuid(), id, 'https://example.com', 'x', '{}', '', now(), now() from publishers`)
	w.execute(t, `
		insert into event_deliveries (id, endpoint_id, subject, type, payload, status, created_at)
		select gen_random_uuid(), id, id, 'test', repeat('é', n), 
			case n % 2 when 0 then 'pending' else 'delivered' end, now()
		from event_endpoints, generate_series(1, 30) n`)
	w.counted(t, "webhook events and event deliveries")

	w.execute(t, "update webhook_events set received_at = received_at - interval '1 year' where event_id = '1'")
	w.execute(t, "update event_deliveries set created_at = now() - interval '1 year' where status = 'delivered'")
	w.execute(t, "update idempotency_keys set created_at = now() - interval '1 year'")
	w.Retention.Count = 50
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	w.counted(t, "pruned")
	w.execute(t, "delete from event_endpoints")
	w.execute(t, "delete from webhooks")
	w.counted(t, "webhook and endpoint deleted")
	succeed(t, "delete the channel", w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now))
	if got := must(w.Storage(t.Context(), w.publisherID(t))).Used; got == 0 {
		t.Error("bytes of a deleted channel before it is purged: got 0, want more")
	}
	succeed(t, "purge", w.CountStorage(t.Context()))
	equal(t, "bytes when everything is deleted", w.counted(t, "deleted"), int64(0))
}
