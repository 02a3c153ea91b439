package core_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// until is the patch that postpones a notification until then.
func until(at time.Time) core.ReceiptPatch {
	return core.ReceiptPatch{SnoozedUntil: core.Patch[time.Time]{Set: true, Value: &at}}
}

// takenBack is the patch that takes a postponement back.
var takenBack = core.ReceiptPatch{SnoozedUntil: core.Patch[time.Time]{Set: true}}

// TestSnooze postpones a notification, takes that back, and lets its time come.
func TestSnooze(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, id := w.stranger, w.stranger.SubscriberID
	made(w.subscriptions.Follow(t.Context(), id, w.channel.ID))
	n := w.publish(core.PublishInput{Title: "um"})
	w.publish(core.PublishInput{Title: "dois"})
	counts := func(what string, f core.FeedFilter, total, unread int64) {
		t.Helper()
		f.Limit = 10
		p, err := w.feed.List(t.Context(), c, f)
		core.Succeed(t, "list the feed", err)
		check.Equal(t, what, []int64{p.Total, p.Unread}, []int64{total, unread})
	}
	mark := func(p core.ReceiptPatch) core.Notification {
		t.Helper()
		n, err := w.feed.Update(t.Context(), c, n.ID, p)
		core.Succeed(t, "update", err)
		return n
	}
	mark(core.ReceiptPatch{Archived: new(true)})
	w.said = nil
	at := now.Add(time.Hour)
	got := mark(until(at))
	check.Equal(t, "when it comes back", got.SnoozedUntil, &at)
	check.Equal(t, "whether what is postponed is archived", got.ArchivedAt, nil)
	counts("feed without what is postponed, and unread", core.FeedFilter{}, 1, 1)
	counts("unread without it", core.FeedFilter{UnreadOnly: true}, 1, 1)
	counts("archived without it", core.FeedFilter{ArchivedOnly: true}, 0, 1)
	counts("postponed", core.FeedFilter{SnoozedOnly: true}, 1, 1)
	mark(takenBack)
	counts("feed with what was taken back", core.FeedFilter{}, 2, 2)
	by := "read by " + id.String() + " with " + c.SessionID.String() + ", notification " + n.ID.String()
	check.Equal(t, "announcements", w.said, []string{by + ", archived true until 13:00, is read false",
		by + ", archived false, is read false"})

	for _, archived := range []bool{true, false} {
		mark(until(at))
		check.Equal(t, "postponement after archiving or restoring", mark(core.ReceiptPatch{Archived: &archived}).SnoozedUntil, nil)
	}
	mark(core.ReceiptPatch{Read: new(true)})
	mark(until(at))
	check.Equal(t, "what is back too early", w.ReturnSnoozed(at.Add(-1)), nil)
	check.Equal(t, "what is back", w.ReturnSnoozed(at),
		[]core.Returned{{SubscriberID: id, NotificationID: n.ID, InFeed: true, Bell: core.BellAll}})
	check.Equal(t, "what is back again", w.ReturnSnoozed(at), nil)
	counts("feed with what is back, unread", core.FeedFilter{}, 2, 2)
}

// TestSnoozeFaults tries times at which no notification can come back.
func TestSnoozeFaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made(w.subscriptions.Follow(t.Context(), w.stranger.SubscriberID, w.channel.ID))
	expires := now.Add(time.Hour)
	n := w.publish(core.PublishInput{Title: "um", ExpiresAt: &expires})
	other := w.publish(core.PublishInput{Title: "dois"})
	for name, c := range map[string]struct {
		patch core.ReceiptPatch
		want  []string
	}{
		"now":                   {until(now), []string{"#/snoozedUntil"}},
		"past":                  {until(now.Add(-time.Second)), []string{"#/snoozedUntil"}},
		"when it expires":       {until(expires), []string{"#/snoozedUntil"}},
		"before it expires":     {until(expires.Add(-time.Second)), nil},
		"too far":               {until(now.Add(core.SnoozedAtMost + 1)), []string{"#/snoozedUntil"}},
		"with a mark as read":   {core.ReceiptPatch{Read: new(true), SnoozedUntil: takenBack.SnoozedUntil}, []string{"#/snoozedUntil"}},
		"with an archiving":     {core.ReceiptPatch{Archived: new(false), SnoozedUntil: takenBack.SnoozedUntil}, []string{"#/snoozedUntil"}},
		"what was not put away": {takenBack, nil},
	} {
		_, err := w.feed.Update(t.Context(), w.stranger, n.ID, c.patch)
		check.Equal(t, "faults of "+name, pointers(fieldsOf(err)), c.want)
	}
	_, err := w.feed.Update(t.Context(), w.stranger, other.ID, until(now.Add(core.SnoozedAtMost)))
	core.CheckCode(t, "postpone as far as possible", err, "")
	_, err = w.feed.Update(t.Context(), w.owner, n.ID, until(now.Add(time.Minute)))
	core.CheckCode(t, "postpone without following", err, core.CodeNotFound)
	_, err = w.feed.Update(t.Context(), w.owner, n.ID, takenBack)
	core.CheckCode(t, "take back without following", err, core.CodeNotFound)
}

// TestSnoozedAtMost expects what is postponed to be bounded, and its time to be changed at the bound.
func TestSnoozedAtMost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Caps[core.CapSnoozed] = 1
	made(w.subscriptions.Follow(t.Context(), w.stranger.SubscriberID, w.channel.ID))
	one, two := w.publish(core.PublishInput{Title: "um"}), w.publish(core.PublishInput{Title: "dois"})
	made(w.feed.Update(t.Context(), w.stranger, one.ID, until(now.Add(time.Hour))))
	made(w.feed.Update(t.Context(), w.stranger, one.ID, until(now.Add(2*time.Hour))))
	_, err := w.feed.Update(t.Context(), w.stranger, two.ID, until(now.Add(time.Hour)))
	core.CheckCode(t, "postpone one too many", err, core.CodeInvalid)
	made(w.feed.Update(t.Context(), w.stranger, one.ID, takenBack))
	made(w.feed.Update(t.Context(), w.stranger, two.ID, until(now.Add(time.Hour))))
}

// TestWhatReturnedRings expects a person's own wish to count more than a bell for what is important, and less than
// silence.
func TestWhatReturnedRings(t *testing.T) {
	t.Parallel()
	before, after := now.Add(-time.Second), now.Add(time.Second)
	for name, c := range map[string]struct {
		core.Returned
		want bool
	}{
		"all":       {core.Returned{InFeed: true, Bell: core.BellAll}, true},
		"important": {core.Returned{InFeed: true, Bell: core.BellImportant}, true},
		"silent":    {core.Returned{InFeed: true, Bell: core.BellNone}, false},
		"muted":     {core.Returned{InFeed: true, Bell: core.BellAll, MutedUntil: &after}, false},
		"was muted": {core.Returned{InFeed: true, Bell: core.BellAll, MutedUntil: &before}, true},
		"gone":      {core.Returned{Bell: core.BellAll}, false},
	} {
		check.Equal(t, "whether it rings: "+name, c.Rings(now), c.want)
	}
}

// TestReturnPush expects one push, urgent, which rings again, and is attempted for a day or until the notification
// expires.
func TestReturnPush(t *testing.T) {
	t.Parallel()
	at, expires := now.Add(48*time.Hour), now.Add(50*time.Hour)
	n := core.Notification{ID: core.NewID(), Title: "um", PublishedAt: new(now)}
	p := core.NewReturn([]core.Notification{n}, at, core.Portuguese)
	check.Equal(t, "push", []any{p.ID, p.Title, p.High, p.Again, p.Expires},
		[]any{n.ID.String(), "um", true, true, at.Add(core.PushLife)})
	n.ExpiresAt = &expires
	check.Equal(t, "expiry", core.NewReturn([]core.Notification{n}, at, core.Portuguese).Expires, expires)
	both := core.NewReturn([]core.Notification{n, n}, at, core.English)
	check.Equal(t, "title of two", both.Title, "2 new notifications")
}
