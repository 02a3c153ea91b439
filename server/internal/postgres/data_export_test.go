package postgres_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

func TestExport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(t, w.subscriber)
	w.fill(t, w.other(t, "rui"))
	const many = 120 // more than a page
	for i := range many {
		n := w.publish(t, fmt.Sprint(i))
		must(
			w.UpdateReceipt(t.Context(), w.subscriber, n.ID,
				core.ReceiptPatch{Read: new(i > 0), Archived: new(true)}, w.now),
		)
	}
	e := must(w.Export(t.Context(), w.subscriber, w.now))
	if got := e.Subscriber.Email; got != "ana@example.com" {
		t.Errorf("exported address: got %q", got)
	}
	if got := e.Onboarding.Step; got != "interests" {
		t.Errorf("exported step: got %q, want interests", got)
	}
	receipts := read(t, e.Receipts)
	lengths := map[string]int{
		"subscriptions": len(e.Subscriptions), "receipts": len(receipts), "devices": len(e.Devices),
		"sessions": len(e.Sessions), "access tokens": len(e.AccessTokens), "publishers": len(e.Publishers),
		"invitations": len(e.Invitations),
	}
	want := map[string]int{"subscriptions": 1, "receipts": many + 1, "devices": 1, "sessions": 1, "access tokens": 3,
		"publishers": 2, "invitations": 1}
	if diff := cmp.Diff(want, lengths); diff != "" {
		t.Fatalf("lengths of the exported lists (-want +got):\n%s", diff)
	}
	if got := e.Subscriptions[0].Channel.Slug; got != "agenda" {
		t.Errorf("channel of the exported subscription: got %q, want agenda", got)
	}
	if p := e.Publishers[1]; p.Slug != "vila" || p.Role != core.RoleEditor || p.ChannelCount != 1 {
		t.Errorf("exported publisher: got %+v, want vila as editor with one channel", p)
	}
	for i, want := range []struct {
		read, archived, opened bool
	}{{true, false, true}, {false, true, false}, {true, true, false}} {
		r := receipts[i]
		if got := r.ReadAt != nil; got != want.read {
			t.Errorf("receipt %d is read: got %t, want %t", i, got, want.read)
		}
		if got := r.ArchivedAt != nil; got != want.archived {
			t.Errorf("receipt %d is archived: got %t, want %t", i, got, want.archived)
		}
		if got := r.OpenedAt != nil; got != want.opened {
			t.Errorf("receipt %d is opened: got %t, want %t", i, got, want.opened)
		}
	}
	if _, err := w.Export(t.Context(), core.NewID(), w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("export of no subscriber: got %v, want CodeNotFound", err)
	}
}

// TestExportOfAnUnfollowedChannel expects what is kept of it, and nothing once it is followed again.
func TestExportOfAnUnfollowedChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []core.ID{w.subscriber, w.other(t, "rui")} {
		must(w.Subscribe(t.Context(), id, w.channel.ID, w.now))
		must(w.UpdateSubscription(t.Context(), id, w.channel.ID,
			core.SubscriptionPatch{Bell: new(core.BellImportant)}))
	}
	former := func() []core.FormerSubscription {
		t.Helper()
		return read(t, must(w.Export(t.Context(), w.subscriber, w.now)).FormerSubscriptions)
	}
	equal(t, "former subscriptions while the channel is followed", len(former()), 0)
	ended := w.now.Add(time.Hour)
	if err := w.Unsubscribe(t.Context(), w.subscriber, w.channel.ID, ended); err != nil {
		t.Fatalf("unfollow: %v", err)
	}
	got := former()
	if len(got) != 1 {
		t.Fatalf("former subscriptions: got %+v, want one", got)
	}
	equal(t, "channel", got[0].Channel.Slug, "agenda")
	equal(t, "bell", got[0].Bell, core.BellImportant)
	equal(t, "read at", got[0].ReadAt.UTC(), w.now.UTC())
	equal(t, "unfollowed at", got[0].UnfollowedAt.UTC(), ended.UTC())
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, ended))
	equal(t, "former subscriptions once the channel is followed again", len(former()), 0)
}

// TestExportOfManyEntries expects each entry of several pages once, in the order of the ids.
func TestExportOfManyEntries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const many = 2500
	w.execute(t, `insert into audit_log (id, action, actor_kind, actor_id, object_name)
		select gen_random_uuid(), 'updateMe', 'person', $1, '' from generate_series(1, $2)`, w.subscriber, many)
	e := must(w.Export(t.Context(), w.subscriber, w.now))
	entries := read(t, e.AuditLog)
	equal(t, "exported entries", len(entries), many)
	for i := 1; i < len(entries); i++ {
		if bytes.Compare(entries[i-1].ID[:], entries[i].ID[:]) >= 0 {
			t.Fatalf("entry %d: got id %s after %s, want a later one", i, entries[i].ID, entries[i-1].ID)
		}
	}
}
