package postgres_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

func TestUpdateChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := must(w.Channel(t.Context(), "vila", "agenda", nil))
	icon := "https://example.com/i.png"
	name := "Outra"
	unlisted := core.Unlisted
	change := core.ChannelPatch{Name: &name, Icon: core.Patch[string]{Set: true, Value: &icon}, Visibility: &unlisted}
	got, err := w.UpdateChannel(t.Context(), w.channel.ID, change, &before.UpdatedAt, w.now, &w.subscriber)
	succeed(t, "change the channel", err)
	equal(t, "name", got.Name, name)
	equal(t, "icon", got.Icon, icon)
	equal(t, "visibility", got.Visibility, unlisted)
	equal(t, "category", got.Category, before.Category)
	equal(t, "whether the reader follows it", got.Following, new(false))
	if !got.UpdatedAt.After(before.UpdatedAt) {
		t.Errorf("version after a change at once: got %s, want later than %s", got.UpdatedAt, before.UpdatedAt)
	}

	_, err = w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Name: &name}, &before.UpdatedAt, w.now, nil)
	wantCode(t, "change an old version", err, core.CodeChanged)
	unknown := core.NewID()
	_, err = w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{CategoryID: &unknown}, nil, w.now, nil)
	wantCode(t, "change to an unknown category", err, core.CodeInvalid)
	_, err = w.UpdateChannel(t.Context(), unknown, core.ChannelPatch{Name: &name}, nil, w.now, nil)
	wantCode(t, "change an unknown channel", err, core.CodeNotFound)

	noIcon := core.ChannelPatch{Icon: core.Patch[string]{Set: true}}
	got, err = w.UpdateChannel(t.Context(), w.channel.ID, noIcon, nil, w.now, nil)
	succeed(t, "remove the icon", err)
	equal(t, "icon after its removal", got.Icon, "")
	equal(t, "name after the removal of the icon", got.Name, name)
}

// TestListedChannels finds what everyone can find, and the latest change of it.
func TestListedChannels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := must(w.Channel(t.Context(), "vila", "agenda", nil))
	listed := func() (found []core.ListedChannel) { return must(w.ListedChannels(t.Context(), 10)) }
	publisher := must(w.Publisher(t.Context(), before.Publisher.ID))
	equal(t, "listed channels", listed(), []core.ListedChannel{{PublisherSlug: "vila", Slug: "agenda",
		ChangedAt: before.UpdatedAt, PublisherChangedAt: publisher.UpdatedAt}})

	w.now = w.now.Add(time.Hour)
	w.publish(t, "later")
	equal(t, "latest change after a publication", listed()[0].ChangedAt.Equal(w.now), true)

	for column, hidden := range map[string]string{"visibility": "'unlisted'", "demonstration": "true"} {
		w.exec(t, "update channels set "+column+" = "+hidden+" where id = $1", w.channel.ID)
		equal(t, "channels when "+column+" hides it", len(listed()), 0)
		w.exec(t, "update channels set visibility = 'public', demonstration = false where id = $1", w.channel.ID)
	}
	suspension := core.Suspension{Reason: "Fraude", At: w.now}
	_, _, err := w.Suspend(t.Context(), core.SuspendablePublisher, publisher.ID, suspension)
	succeed(t, "suspend the publisher", err)
	equal(t, "channels of a suspended publisher", len(listed()), 0)
	must(w.Unsuspend(t.Context(), core.SuspendablePublisher, publisher.ID))
	equal(t, "channels after the suspension", len(listed()), 1)
	succeed(t, "delete the channel", w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now))
	equal(t, "channels after the deletion", len(listed()), 0)
}

// TestDeleteChannel deletes a channel with everything that a channel can have, and finds nothing of it.
func TestDeleteChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook, pushed := w.fillChannel(t)
	scheduled := w.notification("scheduled")
	at := w.now.Add(time.Hour)
	scheduled.PublishedAt = nil
	scheduled.ScheduledAt = &at
	scheduled.Visible = false
	must3(w.Publish(t.Context(), scheduled, core.Idempotency{}))
	version := must(w.Channel(t.Context(), "vila", "agenda", nil)).UpdatedAt
	other := version.Add(time.Second)
	err := w.DeleteChannel(t.Context(), w.channel.ID, &other, w.now)
	wantCode(t, "delete another version", err, core.CodeChanged)
	succeed(t, "delete the channel", w.DeleteChannel(t.Context(), w.channel.ID, &version, w.now))
	w.goneChannel(t, hook, pushed)

	_, _, err = w.Publish(t.Context(), w.notification("while it was deleted"), core.Idempotency{})
	wantCode(t, "publish while it is deleted", err, core.CodeNotFound)
	w.now = at
	released, err := w.Release(t.Context())
	succeed(t, "release scheduled notifications", err)
	equal(t, "scheduled notifications of the deleted channel that were released", released, 0)
	category := must3(w.Categories(t.Context(), core.Page{Limit: 1}))[0]
	equal(t, "channels of the category", category.ChannelCount, 0)

	deleted, again := w.channel, w.sameChannel(t, category.ID)
	w.channel = again
	stays := w.publish(t, "stays")
	w.execute(t, "update dispatches set targeted = 1000000") // one step each
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	w.purged(t, deleted.ID, pushed.ID)
	_, err = w.Notification(t.Context(), again.ID, stays.ID, nil)
	wantCode(t, "read a notification of the new channel", err, "")
}

// fillChannel gives the channel a subscriber with a device, a webhook with an event and an opened notification.
func (w *world) fillChannel(t *testing.T) (hook core.SealedWebhook, pushed core.Notification) {
	t.Helper()
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	in := core.Registration{InstallationID: "i",
		Push: core.PushAddress{Kind: core.KindFCM, Address: "a"}, Platform: "web", Name: "n"}
	device := must3(w.RegisterDevice(t.Context(), w.caller(t, w.subscriber), in, w.now))
	hook = w.webhook(t, "w")
	must3(w.PublishEvent(t.Context(), hook.ID, w.event("e"), w.notification("by webhook")))
	pushed = w.publish(t, "pushed")
	w.find(t, pushed.ID, 10)
	w.record(t, pushed, device.ID, core.Accepted, "")
	_, err := w.RecordOpened(t.Context(), w.subscriber, pushed.ID, w.now)
	succeed(t, "open the notification", err)
	return hook, pushed
}

// sameChannel creates a channel at the address of a deleted one.
func (w *world) sameChannel(t *testing.T, category core.ID) core.ChannelRef {
	t.Helper()
	publisher := must(w.PublisherBySlug(t.Context(), "vila"))
	in := core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: category, Visibility: core.Public}
	c, creation, err := w.CreateChannel(t.Context(), core.NewID(), publisher.ID, in, w.now, core.Idempotency{})
	succeed(t, "create a channel at the address of a deleted one", err)
	equal(t, "creation of the new channel", creation, core.Created)
	equal(t, "notifications of the new channel", c.NotificationCount, 0)
	return c.ChannelRef
}

// goneChannel looks for a deleted channel in every way there is.
func (w *world) goneChannel(t *testing.T, hook core.SealedWebhook, pushed core.Notification) {
	t.Helper()
	ctx := t.Context()
	gone := func(what string, err error) {
		t.Helper()
		wantCode(t, what, err, core.CodeNotFound)
	}
	_, _, err := w.ChannelRef(ctx, "vila", "agenda")
	gone("find it by its address", err)
	_, err = w.Channel(ctx, "vila", "agenda", nil)
	gone("read it", err)
	_, err = w.UpdateChannel(ctx, w.channel.ID, core.ChannelPatch{}, nil, w.now, nil)
	gone("change it", err)
	gone("delete it", w.DeleteChannel(ctx, w.channel.ID, nil, w.now))
	_, err = w.Subscribe(ctx, w.subscriber, w.channel.ID, w.now)
	gone("follow it", err)
	gone("unfollow it", w.Unsubscribe(ctx, w.subscriber, w.channel.ID, w.now))
	_, _, err = w.CreateWebhook(ctx, w.sealed("new"), core.Idempotency{})
	gone("create a webhook", err)
	_, _, err = w.WebhookByAddress(ctx, hook.AddressHash)
	gone("find its webhook", err)
	_, err = w.Notification(ctx, w.channel.ID, pushed.ID, nil)
	gone("read its notification", err)
	_, err = postgres.NotificationByID(ctx, w.db, pushed.ID)
	gone("read the notification to push", err)

	channels, total, err := w.Channels(ctx, core.ChannelFilter{Page: core.Page{Limit: 10}})
	succeed(t, "list channels", err)
	equal(t, "listed channels", len(channels), 0)
	equal(t, "total of the channels", total, 0)
	feed, total, unread := w.feed(t)
	equal(t, "notifications in the feed", len(feed), 0)
	equal(t, "total of the feed", total, 0)
	equal(t, "unread notifications in the feed", unread, 0)
	subscriptions, err := w.Subscriptions(ctx, w.subscriber, core.Page{Limit: 10})
	succeed(t, "list subscriptions", err)
	equal(t, "listed subscriptions", len(subscriptions.Data), 0)
	equal(t, "total of the subscriptions", subscriptions.Total, 0)
	equal(t, "changes on the stream", len(must(w.Changes(ctx, 0, 10, 1<<20, []core.ID{w.channel.ID}))), 0)
	equal(t, "changes of its notification", len(must(w.ChangesOf(ctx, 0, []core.ID{pushed.ID}))), 0)
}

// purged wants no row of a channel in any table.
func (w *world) purged(t *testing.T, channelID, notificationID core.ID) {
	t.Helper()
	for _, query := range []string{
		"select count(*) from channels where id = $1",
		"select count(*) from channel_counts where channel_id = $1",
		"select count(*) from channel_days where channel_id = $1",
		"select count(*) from channel_words where channel_id = $1",
		"select count(*) from notifications where channel_id = $1",
		"select count(*) from dispatches where channel_id = $1",
		"select count(*) from subscriptions where channel_id = $1",
		"select count(*) from webhooks where channel_id = $1",
	} {
		equal(t, query, w.count(t, query, channelID), 0)
	}
	for _, table := range []string{"delivery_batches", "receipts", "held_pushes", "webhook_events"} {
		left := w.count(t, "select count(*) from "+table+" where notification_id = $1", notificationID)
		equal(t, "rows left in "+table, left, 0)
	}
}

// blocked counts the statements that wait for another transaction.
func (w *world) blocked(t *testing.T) int64 {
	t.Helper()
	return w.count(t, `
		select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
}

// TestFollowWhileDeleting follows a channel while it is deleted, in either order, and wants no subscription to be left.
func TestFollowWhileDeleting(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		held   string
		follow core.Code // the result of following
	}{
		"following first": {"insert into channel_counts select id, generate_series(0, 7), 0 from channels", ""},
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
			first, then := follow, end
			if test.follow != "" {
				first, then = end, follow
			}
			go first()
			w.waiting(t, 1)
			go then()
			for w.blocked(t) < 2 && len(followed)+len(deleted) == 0 {
				runtime.Gosched()
			}
			release()
			wantCode(t, "delete the channel", <-deleted, "")
			wantCode(t, "follow the channel", <-followed, test.follow)
			equal(t, "subscriptions that are left", w.count(t, "select count(*) from subscriptions"), 0)
		})
	}
}

func TestSearchIgnoresCaseAndAccents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.execute(t, "update channels set name = 'Água e Ética' where id = $1", w.channel.ID)
	for _, words := range []string{"água", "ÁGUA", "éti", "agua", "Etica", "e\u0301tica a\u0301g"} {
		equal(t, "channels found by "+words, w.found(t, words), []string{"vila/agenda"})
	}
}
