package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// warned returns how many devices belong to those who are warned now.
func (w *world) warned(t *testing.T) (devices int) {
	t.Helper()
	succeed(t, "warn", w.WarnAnonymous(t.Context(), w.now, func(_ context.Context, _ postgres.Tx, d []core.Device) error {
		devices += len(d)
		return nil
	}))
	return devices
}

// remains reports whether there is a subscriber after pruning.
func (w *world) remains(t *testing.T, id core.ID) bool {
	t.Helper()
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	return scan[bool](t, w, "select exists (select from subscribers where id = $1)", id)
}

// TestUnusedAnonymousSubscribers lets time pass in which nobody uses one. They are warned once a week before, and
// deleted after that, unless somebody uses them.
func TestUnusedAnonymousSubscribers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	who, other := w.anonymous(t), w.anonymous(t)
	for _, c := range []core.Caller{who, other} {
		must(w.Subscribe(t.Context(), c.SubscriberID, w.channel.ID, w.now))
		in := core.Registration{InstallationID: "i", Platform: "web", Name: "x",
			Push: core.PushAddress{Kind: core.KindFCM, Address: c.SubscriberID.String()}}
		must3(w.RegisterDevice(t.Context(), c, in, w.now))
	}
	account := w.session(t, w.subscriber)
	pass := func(d time.Duration) { w.now = w.now.Add(d) }

	pass(core.AnonymousKept - core.AnonymousWarning)
	equal(t, "devices warned on the last day of use", w.warned(t), 0)
	pass(time.Hour)
	equal(t, "devices warned", w.warned(t), 2)
	equal(t, "devices warned again", w.warned(t), 0)
	succeed(t, "use one", w.TouchSession(t.Context(), other.SessionID, core.Client{}, w.now))
	pass(core.AnonymousWarning - time.Hour)
	equal(t, "whether one remains that was warned less than a week ago", w.remains(t, who.SubscriberID), true)
	pass(time.Hour)
	equal(t, "whether one remains after a week", w.remains(t, who.SubscriberID), false)
	equal(t, "whether one remains that was used", w.remains(t, other.SubscriberID), true)
	equal(t, "followers", w.followerCount(t), 1)
	equal(t, "whether the account remains", w.remains(t, w.subscriber), true)
	equal(t, "its session, which has expired", scan[int](t, w, "select count(*) from sessions where id = $1", account), 0)

	pass(core.AnonymousKept - core.AnonymousWarning)
	equal(t, "devices warned after the last use", w.warned(t), 0) // they are stale
	pass(core.AnonymousWarning)
	equal(t, "whether the other remains", w.remains(t, other.SubscriberID), false)
	equal(t, "followers in the end", w.followerCount(t), 0)
}

// TestUnwarnedAnonymousSubscribersStay prunes after a server was off for months: nobody is deleted without a word.
func TestUnwarnedAnonymousSubscribersStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	who := w.anonymous(t)
	must(w.Subscribe(t.Context(), who.SubscriberID, w.channel.ID, w.now))
	w.now = w.now.Add(2 * core.AnonymousKept)
	w.warned(t)
	equal(t, "whether one remains that was warned just now", w.remains(t, who.SubscriberID), true)
	w.now = w.now.Add(core.AnonymousWarning)
	equal(t, "whether one remains after a week", w.remains(t, who.SubscriberID), false)
}

func TestEmptyAnonymousSubscribers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	who := w.anonymous(t)
	w.now = w.now.Add(core.EmptyAnonymousKept - time.Minute)
	equal(t, "whether one remains that follows nothing", w.remains(t, who.SubscriberID), true)
	succeed(t, "use one", w.TouchSession(t.Context(), who.SessionID, core.Client{}, w.now))
	w.now = w.now.Add(time.Hour)
	equal(t, "whether one remains that is used", w.remains(t, who.SubscriberID), true)
	w.now = w.now.Add(core.EmptyAnonymousKept)
	equal(t, "whether one remains after a day", w.remains(t, who.SubscriberID), false)
}
