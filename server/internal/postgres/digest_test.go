package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

func (w *world) setBell(t *testing.T, person core.ID, bell core.Bell) {
	t.Helper()
	must(w.Subscribe(t.Context(), person, w.channel.ID, w.now))
	must(w.UpdateSubscription(t.Context(), person, w.channel.ID, core.SubscriptionPatch{Bell: &bell}))
}

// take returns the digests that are told at a time.
func (w *world) take(t *testing.T, at time.Time) (told []core.Digest) {
	t.Helper()
	w.tx(t, func(ctx context.Context, tx postgres.Tx) (err error) {
		told, _, err = postgres.TakeDigests(ctx, tx, 10, at)
		return err
	})
	return told
}

// TestDigestOncePerDay expects a digest at 18 o'clock of each day, over the days on which clocks change and those on
// which no server was there, from where the last one ended.
func TestDigestOncePerDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lisbon := core.Timezone("Europe/Lisbon")
	w.setBell(t, w.subscriber, core.BellDigest)
	const form = "2006-01-02 15:04"
	at := func(s string) time.Time { return must(time.ParseInLocation(form, s, lisbon)) }
	since := at("2027-03-26 18:00")
	w.exec(t, "update digests set told_at = $1", since)
	for _, c := range []struct {
		now  string
		told bool
	}{
		{"2027-03-27 12:00", false}, // it is planned
		{"2027-03-27 17:59", false},
		{"2027-03-27 18:00", true},
		{"2027-03-27 18:00", false},
		{"2027-03-28 17:59", false},
		{"2027-03-28 18:00", true}, // an hour less after the one before
		{"2027-03-29 22:00", true}, // as soon as a server is there
		{"2027-03-30 17:59", false},
		{"2027-04-02 09:00", false}, // three days are missed
		{"2027-04-02 18:00", true},
		{"2027-10-30 19:00", false},
		{"2027-10-31 17:59", false},
		{"2027-10-31 18:00", true}, // an hour more
		{"2027-10-31 23:00", false},
	} {
		told := w.take(t, at(c.now))
		equal(t, "digests at "+c.now, len(told), map[bool]int{true: 1}[c.told])
		if c.told {
			equal(t, "who is told, and since when", [2]string{told[0].SubscriberID.String(), told[0].Since.In(lisbon).Format(form)},
				[2]string{w.subscriber.String(), since.In(lisbon).Format(form)})
			since = told[0].Until
		}
	}
}

// TestDigestHoursChange expects a change of the hour to hold from the next digest on, and one that no channel wants any
// more to end.
func TestDigestHoursChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setBell(t, w.subscriber, core.BellDigest)
	noon := time.Now().UTC().AddDate(0, 0, 2).Truncate(24 * time.Hour).Add(12 * time.Hour)
	set := func(hour core.TimeOfDay, timezone string, now time.Time) {
		t.Helper()
		patch := core.SubscriberPatch{DigestAt: new(hour * 60), Timezone: &timezone}
		must(w.UpdateSubscriber(t.Context(), w.subscriber, patch, nil, now))
	}
	told := func(at time.Time, want int) {
		t.Helper()
		equal(t, "digests at "+at.Format(time.DateTime), len(w.take(t, at)), want)
	}
	set(18, "UTC", noon)
	equal(t, "the hour", must(w.Subscriber(t.Context(), w.subscriber)).DigestAt, 18*60)
	told(noon, 0)
	set(15, "UTC", noon)
	told(noon, 0)
	told(noon.Add(3*time.Hour), 1)
	set(17, "UTC", noon.Add(4*time.Hour))
	told(noon.Add(4*time.Hour), 0)
	told(noon.Add(5*time.Hour), 0) // today's has been told
	set(17, "Atlantic/Cape_Verde", noon.Add(6*time.Hour))
	told(noon.Add(6*time.Hour), 0)
	told(noon.Add((24+5)*time.Hour), 0)
	told(noon.Add((24+6)*time.Hour), 1)
	w.setBell(t, w.subscriber, core.BellNone)
	told(noon.Add((48+6)*time.Hour), 0)
	equal(t, "digests of people who want none", scan[int](t, w, "select count(*) from digests"), 0)
}

// TestDigestBeginsForWhoeverFollows expects a digest of those who get the bell by default, again, or in an account.
func TestDigestBeginsForWhoeverFollows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	digests := func(what string, want int) {
		t.Helper()
		equal(t, "digests "+what, scan[int](t, w, "select count(*) from digests"), want)
	}
	patch := core.SubscriberPatch{BellDefault: new(core.BellDigest)}
	must(w.UpdateSubscriber(t.Context(), w.subscriber, patch, nil, w.now))
	digests("before following", 0)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	digests("by default", 1)
	succeed(t, "unfollow", w.Unsubscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	w.take(t, w.now)
	digests("after unfollowing", 0)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	digests("after following again", 1)
	w.exec(t, "delete from digests")
	who := w.anonymous(t)
	w.setBell(t, who.SubscriberID, core.BellDigest)
	patch = core.SubscriberPatch{DigestAt: new(core.TimeOfDay(60))}
	must(w.UpdateSubscriber(t.Context(), who.SubscriberID, patch, nil, w.now))
	saving := w.savingOf(who, w.subscriber)
	saving.New = true
	must(w.SaveAnonymous(t.Context(), saving, w.now))
	digests("in the account", 1)
	equal(t, "hour in the account", must(w.Subscriber(t.Context(), w.subscriber)).DigestAt, 60)
}

// TestDigestThatBeginsWhileOneEnds sets the bell while another transaction has seen that no channel has it.
func TestDigestThatBeginsWhileOneEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setBell(t, w.subscriber, core.BellDigest)
	w.setBell(t, w.subscriber, core.BellNone)
	var setting sync.WaitGroup
	w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
		if _, taken, err := postgres.TakeDigests(ctx, tx, 10, w.now); err != nil || taken != 1 {
			return fmt.Errorf("took %d digests: %w", taken, err)
		}
		setting.Go(func() { w.setBell(t, w.subscriber, core.BellDigest) })
		w.waiting(t, 1)
		return nil
	})
	setting.Wait()
	equal(t, "digests", scan[int](t, w, "select count(*) from digests"), 1)
}

// TestDigestsOfManyNodes expects transactions at the same time to take each digest once.
func TestDigestsOfManyNodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const people = 40
	for i := range people {
		p := core.Profile{Subject: fmt.Sprint("p", i), Email: fmt.Sprintf("p%d@example.com", i), Name: "P", Locale: "pt"}
		w.setBell(t, must(w.SignIn(t.Context(), p, core.SignUp{Open: true}, w.now)).ID, core.BellDigest)
	}
	w.exec(t, "update digests set due_at = $1", w.now)
	var mu sync.Mutex
	var nodes sync.WaitGroup
	told := map[core.ID]int{}
	for range 4 {
		nodes.Go(func() {
			eventually.True(t, "all told", func() bool {
				for _, d := range w.take(t, w.now) {
					mu.Lock()
					told[d.SubscriberID]++
					mu.Unlock()
				}
				mu.Lock()
				defer mu.Unlock()
				return len(told) == people
			})
		})
	}
	nodes.Wait()
	for id, n := range told {
		equal(t, "digests of "+id.String(), n, 1)
	}
}

// TestCame counts what a digest tells of several channels, in both directions of read marks.
func TestCame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setBell(t, w.subscriber, core.BellDigest)
	before := w.publish(t, "before")
	since := w.now
	read, again, snoozed := w.publish(t, "read"), w.publish(t, "again"), w.publish(t, "snoozed")
	w.publish(t, "unread")
	must(w.UpdateReceipt(t.Context(), w.subscriber, read.ID, core.ReceiptPatch{Read: new(true)}, w.now))
	must(w.UpdateReceipt(t.Context(), w.subscriber, before.ID, core.ReceiptPatch{Read: new(false)}, w.now))
	must(w.UpdateReceipt(t.Context(), w.subscriber, again.ID, core.ReceiptPatch{Read: new(false)}, w.now))
	until := core.Patch[time.Time]{Set: true, Value: new(w.now.Add(time.Hour))}
	must(w.UpdateReceipt(t.Context(), w.subscriber, snoozed.ID, core.ReceiptPatch{SnoozedUntil: until}, w.now))
	w.publish(t, "important")
	w.exec(t, "update notifications set importance = 'important' where title = 'important'")
	digest := core.Digest{SubscriberID: w.subscriber, Since: since, Until: w.now}
	w.publish(t, "after")
	came := func(what string, want ...core.Came) {
		t.Helper()
		got := must(postgres.Came(t.Context(), w.db, []core.Digest{{Until: w.now}, digest}, w.now))
		equal(t, what, fmt.Sprint(got), fmt.Sprint([][]core.Came{nil, want}))
	}
	came("what came", core.Came{Channel: "Agenda", Count: 2})
	w.exec(t, "update channels set suspended = true")
	came("what came of a suspended channel")
}
