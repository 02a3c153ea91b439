package postgres_test

import (
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// crowd adds people who follow the channel, and returns their ids.
func (w *world) crowd(t *testing.T, n int) (ids []core.ID) {
	t.Helper()
	for range n {
		ids = append(ids, core.NewID())
	}
	w.exec(t, `
		with person as (
			insert into subscribers (id, email, name, locale, timezone)
			select id, id || '@example.com', '', 'pt', 'UTC' from unnest($1::uuid[]) id returning id
		)
		insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
		select id, $2, 'all', $3, 0, $3 from person`, postgres.UUIDs(ids), w.channel.ID, w.now)
	return ids
}

// display reports that notifications were displayed to each of the people, all at once.
func (w *world) display(t *testing.T, people []core.ID, notifications ...core.ID) {
	t.Helper()
	var all sync.WaitGroup
	for _, id := range people {
		all.Go(func() {
			if err := w.RecordDisplayed(t.Context(), id, nil, notifications); err != nil {
				t.Errorf("display to %s: %v", id, err)
			}
		})
	}
	all.Wait()
}

// displayed returns to how many people a notification was displayed, which is the same before and after a fold.
func (w *world) displayed(t *testing.T, n core.Notification) int64 {
	t.Helper()
	before := must(w.DeliverySummary(t.Context(), w.channel.ID, n.ID)).Displayed
	succeed(t, "fold", w.FoldDisplays(t.Context()))
	after := must(w.DeliverySummary(t.Context(), w.channel.ID, n.ID)).Displayed
	equal(t, "people after a fold", after, before)
	equal(t, "rows that are left to fold", w.count(t, "select count(*) from new_displays"), int64(0))
	return after
}

// TestDisplayedToEachPersonOnce reports each display twice before a fold and once after it, and folds several times at
// once.
func TestDisplayedToEachPersonOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := w.crowd(t, 900)
	one, two := w.publish(t, "one"), w.publish(t, "two")
	w.display(t, people[:500], one.ID)
	w.display(t, people[:500], one.ID, two.ID)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { succeed(t, "fold", w.FoldDisplays(t.Context())) })
	}
	all.Wait()
	equal(t, "people who were displayed the first", w.displayed(t, one), 500)
	w.display(t, people[400:600], one.ID)
	equal(t, "people with those who were displayed it later", w.displayed(t, one), 600)
	w.display(t, people, one.ID)
	equal(t, "people when it was displayed to all", w.displayed(t, one), 900)
	equal(t, "people who were displayed the second", w.displayed(t, two), 500)
	equal(t, "people in the rows of the first", w.count(t, `
		select count(distinct person) from displays cross join unnest(people) person where notification_id = $1`,
		one.ID), 900)
}

// TestDisplayedOnlyInTheFeed refuses what is not in the feed of the person, and ignores it beside what is.
func TestDisplayedOnlyInTheFeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	person, stranger := w.crowd(t, 1)[0], w.other(t, "rui")
	n, withdrawn := w.publish(t, "n"), w.publish(t, "withdrawn")
	w.exec(t, "update notifications set visible = false, withdrawn_at = $2 where id = $1", withdrawn.ID, w.now)
	for what, err := range map[string]error{
		"to a stranger":      w.RecordDisplayed(t.Context(), stranger, nil, []core.ID{n.ID}),
		"what was withdrawn": w.RecordDisplayed(t.Context(), person, nil, []core.ID{withdrawn.ID, core.NewID()}),
		"nothing":            w.RecordDisplayed(t.Context(), person, nil, nil),
	} {
		wantCode(t, "display "+what, err, core.CodeNotFound)
	}
	equal(t, "rows of what was refused", w.count(t, "select count(*) from new_displays"), int64(0))
	w.display(t, []core.ID{person}, withdrawn.ID, n.ID)
	equal(t, "people who were displayed what was withdrawn", w.displayed(t, withdrawn), int64(0))
	equal(t, "people who were displayed what is in the feed", w.displayed(t, n), int64(1))
}

// TestDisplaysGoWithTheirNotification deletes one notification before the fold of its displays and one after it.
func TestDisplaysGoWithTheirNotification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := w.crowd(t, 3)
	for _, folds := range []bool{false, true} {
		n, kept := w.publish(t, "n"), w.publish(t, "kept")
		w.display(t, people, n.ID, kept.ID)
		if folds {
			succeed(t, "fold", w.FoldDisplays(t.Context()))
		}
		w.exec(t, "delete from notifications where id = $1", n.ID)
		equal(t, "people who were displayed what is kept", w.displayed(t, kept), int64(3))
		equal(t, "rows of what was deleted", w.count(t, "select count(*) from displays where notification_id = $1", n.ID),
			int64(0))
	}
}

// TestDisplaysOfAPersonWhoLeft keeps the count, with a number that is nobody's from then on.
func TestDisplaysOfAPersonWhoLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := w.crowd(t, 2)
	n := w.publish(t, "n")
	w.display(t, people, n.ID)
	must(w.DeleteSubscriber(t.Context(), people[0], func(*core.SealedWebhook) {}, w.now))
	w.crowd(t, 3)
	equal(t, "people who were displayed it", w.displayed(t, n), int64(2))
	equal(t, "people who are known by a number in it", w.count(t, `
		select count(*) from displays d join subscribers p on p.number = any (d.people)`), int64(1))
}

// TestDisplaysShareTransactions expects one row of all that is displayed within a while.
func TestDisplaysShareTransactions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := w.crowd(t, 100)
	n := w.publish(t, "n")
	w.GatherDisplays(time.Minute / 100)
	w.display(t, people[:1], n.ID)
	w.display(t, people, n.ID)
	if rows := w.count(t, "select count(*) from new_displays"); rows > 3 {
		t.Errorf("rows of 101 displays: got %d, want 3 at most", rows)
	}
	equal(t, "people", w.displayed(t, n), int64(100))
}

// TestDeviceShowsPushes notes once a day that a device shows pushes, and at once when it shows a test or has shown none
// for days.
func TestDeviceShowsPushes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, n := w.devices(t, 1)[0], w.publish(t, "one")
	shown := func() *time.Time { return must(w.Device(t.Context(), w.subscriber, id)).ShownAt }
	before := func(age, unshown string) {
		w.exec(t, "update devices set shown_at = now() - $1::interval, unshown_since = now() - $2::interval", age, unshown)
	}
	display := func(what string, notification core.ID, noted bool) {
		t.Helper()
		was := shown()
		err := w.RecordDisplayed(t.Context(), w.subscriber, &id, []core.ID{notification})
		if known := notification == n.ID; known != (err == nil) {
			t.Errorf("%s: got error %v", what, err)
		}
		is := shown()
		equal(t, what+" is noted", is != nil && (was == nil || is.After(*was)), noted)
	}
	display("the first", n.ID, true)
	display("another on the same day", n.ID, false)
	display("a test", core.NewID(), true)
	before("21 hours", "1 year")
	w.exec(t, "update devices set unshown_since = null")
	display("one on another day", n.ID, true)
	before("1 hour", "0")
	display("one after many that were not shown", n.ID, true)
	equal(t, "since when none was shown", must(w.Device(t.Context(), w.subscriber, id)).UnshownSince, nil)
	succeed(t, "display on an unknown device", w.RecordDisplayed(t.Context(), w.subscriber, nil, []core.ID{n.ID}))
}
