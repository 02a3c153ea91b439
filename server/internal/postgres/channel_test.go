package postgres_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
)

func TestUpdateChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := must(w.Channel(t.Context(), "vila", "agenda", nil))
	icon, name, unlisted := "https://example.com/i.png", "Outra", core.Unlisted
	got, err := w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Name: &name, Icon: core.Patch[string]{Set: true, Value: &icon}, Visibility: &unlisted},
		&before.UpdatedAt, w.now, &w.subscriber)
	if err != nil || got.Name != name || got.Icon != icon || got.Visibility != unlisted || got.Category != before.Category || got.Following == nil {
		t.Errorf("%+v %v", got, err)
	}
	if !got.UpdatedAt.After(before.UpdatedAt) {
		t.Error("the version does not grow in the same moment")
	}
	if _, err := w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Name: &name}, &before.UpdatedAt, w.now, nil); !core.IsCode(err, core.CodeChanged) {
		t.Error("not as seen:", err)
	}
	unknown := core.NewID()
	if _, err := w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{CategoryID: &unknown}, nil, w.now, nil); !core.IsCode(err, core.CodeInvalid) {
		t.Error("no such category:", err)
	}
	if got, err := w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Icon: core.Patch[string]{Set: true}}, nil, w.now, nil); err != nil || got.Icon != "" || got.Name != name {
		t.Errorf("without icon: %+v %v", got, err)
	}
	if _, err := w.UpdateChannel(t.Context(), unknown, core.ChannelPatch{Name: &name}, nil, w.now, nil); !core.IsCode(err, core.CodeNotFound) {
		t.Error("no such channel:", err)
	}
}

// TestDeleteChannel deletes a channel with all that a channel can have, and finds nothing of it any more.
func TestDeleteChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	in := core.DeviceInput{InstallationID: "i", Kind: "token", Address: "a", Platform: "web", Name: "n"}
	device := must3(w.RegisterDevice(t.Context(), w.subscriber, w.session(t, w.subscriber), in, w.now))
	hook := w.webhook(t, "w")
	must3(w.PublishEvent(t.Context(), hook.ID, w.event("e"), w.notification("by webhook")))
	pushed := w.publish(t, "pushed")
	w.claim(t)
	w.expand(t, pushed.ID, 10)
	w.record(t, pushed, device.ID, core.Accepted, "")
	if _, err := w.RecordFeedEvent(t.Context(), w.subscriber, pushed.ID, core.Opened, w.now); err != nil {
		t.Fatal(err)
	}
	scheduled := w.notification("scheduled")
	at := w.now.Add(time.Hour)
	scheduled.PublishedAt, scheduled.ScheduledAt, scheduled.Visible = nil, &at, false
	must3(w.Publish(t.Context(), scheduled, core.Idempotency{}))
	version := must(w.Channel(t.Context(), "vila", "agenda", nil)).UpdatedAt
	other := version.Add(time.Second)
	if err := w.DeleteChannel(t.Context(), w.channel.ID, &other, w.now); !core.IsCode(err, core.CodeChanged) {
		t.Fatal("not as seen:", err)
	}
	if err := w.DeleteChannel(t.Context(), w.channel.ID, &version, w.now); err != nil {
		t.Fatal(err)
	}
	w.goneChannel(t, hook, pushed)

	late := w.publish(t, "while it was deleted")
	if claimed := w.claim(t); len(claimed) != 1 || claimed[0].ID != late.ID || claimed[0].New {
		t.Errorf("what comes too late is not pushed: %+v", claimed)
	}
	if n, err := delivery.Release(t.Context(), w.db, 10, at); err != nil || n != 0 {
		t.Errorf("%d are published after the end: %v", n, err)
	}
	category := must3(w.Categories(t.Context(), core.Page{Limit: 1}))[0]
	if category.ChannelCount != 0 {
		t.Errorf("the category counts %d", category.ChannelCount)
	}
	publisher := must(w.PublisherBySlug(t.Context(), "vila"))
	again, creation, err := w.CreateChannel(t.Context(), core.NewID(), publisher.ID,
		core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: category.ID, Visibility: core.Public}, w.now, core.Idempotency{})
	if err != nil || creation != core.Created || again.NotificationCount != 0 {
		t.Fatalf("its slug is free: %+v %v", again, err)
	}
	deleted := w.channel
	w.channel = again.ChannelRef
	stays := w.publish(t, "stays")
	w.execute(t, "update dispatches set targeted = 1000000") // one step each
	if err := w.Prune(t.Context(), w.now); err != nil {
		t.Fatal(err)
	}
	w.purged(t, deleted.ID, pushed.ID)
	if _, err := w.Notification(t.Context(), again.ID, stays.ID, nil); err != nil {
		t.Error("what is the new channel's stays:", err)
	}
}

// goneChannel looks for a deleted channel in every way there is.
func (w *world) goneChannel(t *testing.T, hook core.SealedWebhook, pushed core.Notification) {
	t.Helper()
	ctx := t.Context()
	gone := func(what string, err error) {
		t.Helper()
		if !core.IsCode(err, core.CodeNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, _, err := w.ChannelRef(ctx, "vila", "agenda")
	gone("its address", err)
	_, err = w.Channel(ctx, "vila", "agenda", nil)
	gone("the channel", err)
	_, err = w.UpdateChannel(ctx, w.channel.ID, core.ChannelPatch{}, nil, w.now, nil)
	gone("changing it", err)
	gone("deleting it", w.DeleteChannel(ctx, w.channel.ID, nil, w.now))
	_, err = w.Subscribe(ctx, w.subscriber, w.channel.ID, w.now)
	gone("following it", err)
	gone("leaving it", w.Unsubscribe(ctx, w.subscriber, w.channel.ID, w.now))
	_, _, err = w.CreateWebhook(ctx, w.sealed("new"), core.Idempotency{})
	gone("a new webhook", err)
	_, _, err = w.WebhookByAddress(ctx, hook.AddressHash)
	gone("its webhook", err)
	_, err = w.Notification(ctx, w.channel.ID, pushed.ID, nil)
	gone("its notification", err)
	_, err = postgres.NotificationByID(ctx, w.db, pushed.ID)
	gone("the notification to be pushed", err)
	if data, total, err := w.Channels(ctx, core.ChannelFilter{Page: core.Page{Limit: 10}}); err != nil || len(data) != 0 || total != 0 {
		t.Errorf("the list: %+v %d %v", data, total, err)
	}
	if data, total, unread := w.feed(t); len(data) != 0 || total != 0 || unread != 0 {
		t.Errorf("the feed: %+v %d %d", data, total, unread)
	}
	if data, total, err := w.Subscriptions(ctx, w.subscriber, core.Page{Limit: 10}); err != nil || len(data) != 0 || total != 0 {
		t.Errorf("the subscriptions: %+v %d %v", data, total, err)
	}
	if changes := must(w.Changes(ctx, 0, 10, nil)); len(changes) != 0 {
		t.Errorf("the stream: %+v", changes)
	}
}

// purged wants nothing of a channel to be left in any table.
func (w *world) purged(t *testing.T, channelID, notificationID core.ID) {
	t.Helper()
	for _, query := range []string{
		"select count(*) from channels where id = $1",
		"select count(*) from channel_counts where channel_id = $1",
		"select count(*) from notifications where channel_id = $1",
		"select count(*) from dispatches where channel_id = $1",
		"select count(*) from subscriptions where channel_id = $1",
		"select count(*) from webhooks where channel_id = $1",
	} {
		if left := w.count(t, query, channelID); left != 0 {
			t.Errorf("%s: %d", query, left)
		}
	}
	for _, table := range []string{"deliveries", "receipts", "held_pushes", "webhook_events"} {
		if left := w.count(t, "select count(*) from "+table+" where notification_id = $1", notificationID); left != 0 {
			t.Errorf("%s: %d", table, left)
		}
	}
}

// blocked counts those who wait for what another transaction holds.
func (w *world) blocked(t *testing.T) int64 {
	t.Helper()
	return w.count(t, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
}

// TestFollowWhileDeleting follows a channel while it is deleted, the one and the other first: no subscription is left.
func TestFollowWhileDeleting(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		held   string
		follow core.Code // what becomes of following
	}{
		"following first": {"lock table channel_counts in exclusive mode", ""},
		"deleting first":  {"lock table webhooks in exclusive mode", core.CodeNotFound},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			release := w.hold(t, test.held)
			followed, deleted := make(chan error, 1), make(chan error, 1)
			follow := func() {
				_, err := w.Subscribe(context.Background(), w.subscriber, w.channel.ID, w.now)
				followed <- err
			}
			end := func() { deleted <- w.DeleteChannel(context.Background(), w.channel.ID, nil, w.now) }
			first, second := follow, end
			if test.follow != "" {
				first, second = end, follow
			}
			go first()
			w.waiting(t, 1)
			go second()
			for w.blocked(t) < 2 && len(followed)+len(deleted) == 0 {
				runtime.Gosched()
			}
			release()
			if err := <-deleted; err != nil {
				t.Error(err)
			}
			if err := <-followed; test.follow == "" && err != nil || test.follow != "" && !core.IsCode(err, test.follow) {
				t.Errorf("followed: %v, want %q", err, test.follow)
			}
			if n := w.count(t, "select count(*) from subscriptions"); n != 0 {
				t.Errorf("%d subscriptions are left", n)
			}
		})
	}
}

func TestChannelsAreFoundWhateverTheCaseAndAccents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.db.Pool().Exec(t.Context(), "update channels set name = 'Água e Ética' where id = $1", w.channel.ID); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"água", "ÁGUA", "éti", "agua", "Etica", "e\u0301tica a\u0301g"} {
		data, _, err := w.Channels(t.Context(), core.ChannelFilter{Search: search(t, words), Page: core.Page{Limit: 10}})
		if err != nil || len(data) != 1 || data[0].ID != w.channel.ID {
			t.Errorf("%q: %+v %v", words, data, err)
		}
	}
}
