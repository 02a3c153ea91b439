package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// anonymous makes an anonymous subscriber with a session.
func (w *world) anonymous(t *testing.T) core.Caller {
	t.Helper()
	s := core.Session{ID: core.NewID(), SubscriberID: core.NewID(), Anonymous: true, CreatedAt: w.now, SeenAt: w.now}
	if err := w.CreateAnonymous(t.Context(), core.Portuguese, s, s.ID[:]); err != nil {
		t.Fatalf("create an anonymous subscriber: %v", err)
	}
	return core.Caller{Kind: core.CallerSubscriber, SubscriberID: s.SubscriberID, SessionID: s.ID, Anonymous: true}
}

// savingOf returns what saves an anonymous subscriber in an account, with a new session.
func (w *world) savingOf(anonymous core.Caller, account core.ID) core.Saving {
	id := core.NewID()
	return core.Saving{AnonymousID: anonymous.SubscriberID, Hash: id[:],
		Session: core.Session{ID: id, SubscriberID: account, CreatedAt: w.now, SeenAt: w.now}}
}

func (w *world) save(t *testing.T, anonymous core.Caller, account core.ID) core.Saving {
	t.Helper()
	in := w.savingOf(anonymous, account)
	ended, err := w.SaveAnonymous(t.Context(), in, w.now)
	if err != nil {
		t.Fatalf("save in the account: %v", err)
	}
	if len(ended) != 1 || ended[0] != anonymous.SessionID {
		t.Errorf("ended sessions: got %v, want %v", ended, anonymous.SessionID)
	}
	return in
}

// TestSavingMovesEverything saves an anonymous subscriber in an account that has nothing yet.
func TestSavingMovesEverything(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	who := w.anonymous(t)
	must(w.Subscribe(t.Context(), who.SubscriberID, w.channel.ID, w.now))
	important := core.BellImportant
	must(w.UpdateSubscription(t.Context(), who.SubscriberID, w.channel.ID, core.SubscriptionPatch{Bell: &important}))
	in := core.Registration{InstallationID: "i", Platform: "web", Name: "x",
		Push: core.PushAddress{Kind: core.KindFCM, Address: "t"}}
	device := must3(w.RegisterDevice(t.Context(), who, in, w.now))
	read, archived, unread := w.publish(t, "read"), w.publish(t, "archived"), w.publish(t, "unread")
	must(w.RecordOpened(t.Context(), who.SubscriberID, read.ID, w.now))
	must(w.UpdateReceipt(t.Context(), who.SubscriberID, archived.ID, core.ReceiptPatch{Archived: new(true)}, w.now))
	postponed := w.publish(t, "postponed")
	until := core.Patch[time.Time]{Set: true, Value: new(w.now.Add(time.Hour))}
	must(w.UpdateReceipt(t.Context(), who.SubscriberID, postponed.ID, core.ReceiptPatch{SnoozedUntil: until}, w.now))
	lisbon, quiet := "Atlantic/Azores", core.Patch[core.QuietHours]{Set: true, Value: &core.QuietHours{Start: 60, End: 120}}
	must(w.UpdateSubscriber(t.Context(), who.SubscriberID, core.SubscriberPatch{Timezone: &lisbon, QuietHours: quiet},
		nil, w.now))

	saving := w.savingOf(who, w.subscriber)
	saving.New = true
	must(w.SaveAnonymous(t.Context(), saving, w.now))

	data, total, left, err := readFeed(t.Context(), w, w.subscriber, core.FeedFilter{Page: core.Page{Limit: 10}})
	succeed(t, "read the feed", err)
	equal(t, "feed and unread", [2]int64{total, left}, [2]int64{2, 1})
	equal(t, "unread one", [2]any{data[0].ID, data[0].ReadAt == nil}, [2]any{unread.ID, true})
	equal(t, "opened once more", must(w.RecordOpened(t.Context(), w.subscriber, read.ID, w.now)), false)
	n := must(w.FeedNotification(t.Context(), w.subscriber, postponed.ID))
	equal(t, "until when it is postponed", n.SnoozedUntil.UTC(), *until.Value)
	followed := must(w.Subscriptions(t.Context(), w.subscriber, core.Page{Limit: 10}))
	equal(t, "bell", followed.Data[0].Bell, core.BellImportant)
	devices, _, err := w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10})
	equal(t, "device", [2]any{devices[0].ID, err}, [2]any{device.ID, nil})
	session := must(w.SessionBySecret(t.Context(), saving.Hash))
	equal(t, "device of the session", *session.DeviceID, device.ID)
	account := must(w.Subscriber(t.Context(), w.subscriber))
	equal(t, "preferences", [2]any{account.Timezone, *account.QuietHours}, [2]any{lisbon, *quiet.Value})
	equal(t, "followers", w.followerCount(t), 1)
	equal(t, "anonymous subscribers", scan[int](t, w, "select count(*) from subscribers where anonymous"), 0)
	succeed(t, "sign out", w.EndSession(t.Context(), w.subscriber, session.ID, w.now))
	_, left, _ = w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10})
	equal(t, "devices after signing out", left, 0)
}

func (w *world) followerCount(t *testing.T) int {
	t.Helper()
	return scan[int](t, w, "select coalesce(sum(subscribers), 0)::int from channel_counts where channel_id = $1",
		w.channel.ID)
}

// TestSavingWhatBothFollow has both follow the same channel with different bells.
func TestSavingWhatBothFollow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ account, anonymous, want core.Bell }{
		{core.BellAll, core.BellNone, core.BellAll},
		{core.BellNone, core.BellImportant, core.BellImportant},
		{core.BellImportant, core.BellAll, core.BellAll},
	} {
		w := newWorld(t)
		who := w.anonymous(t)
		for person, bell := range map[core.ID]core.Bell{w.subscriber: c.account, who.SubscriberID: c.anonymous} {
			must(w.Subscribe(t.Context(), person, w.channel.ID, w.now))
			must(w.UpdateSubscription(t.Context(), person, w.channel.ID, core.SubscriptionPatch{Bell: &bell}))
		}
		equal(t, "followers before", w.followerCount(t), 2)
		w.save(t, who, w.subscriber)
		followed := must(w.Subscriptions(t.Context(), w.subscriber, core.Page{Limit: 10}))
		equal(t, "subscriptions", len(followed.Data), 1)
		equal(t, fmt.Sprintf("bell of %s and %s", c.account, c.anonymous), followed.Data[0].Bell, c.want)
		equal(t, "followers after", w.followerCount(t), 1)
	}
}

// TestSavingKeepsWhatWasRead lets both read, unread and archive at random. What either has read is read, and what was
// there before the following without an account began counts only if it was read then.
func TestSavingKeepsWhatWasRead(t *testing.T) {
	t.Parallel()
	for seed := range uint64(24) {
		w := newWorld(t)
		dice := rand.New(rand.NewPCG(seed, 1))
		who := w.anonymous(t)
		var published []core.Notification
		followed, touched := map[core.ID]time.Time{}, map[core.ID]bool{}
		follow := func(person core.ID) {
			if _, ok := followed[person]; !ok {
				w.now = w.now.Add(time.Second)
				followed[person] = w.now
				must(w.Subscribe(t.Context(), person, w.channel.ID, w.now))
			}
		}
		for range 30 {
			person := []core.ID{w.subscriber, who.SubscriberID}[dice.IntN(2)]
			_, follows := followed[person]
			switch what := dice.IntN(8); {
			case what < 3 || len(published) == 0:
				published = append(published, w.publish(t, fmt.Sprint(len(published))))
			case !follows:
				if what == 7 {
					follow(person)
				}
			case what == 3:
				succeed(t, "read all", w.ReadAll(t.Context(), person, &w.channel.ID, w.now))
			default:
				n := published[dice.IntN(len(published))]
				patch := core.ReceiptPatch{Read: new(dice.IntN(3) > 0)}
				if what == 7 {
					patch = core.ReceiptPatch{Archived: new(dice.IntN(2) == 0)}
				} else if person == who.SubscriberID {
					touched[n.ID] = true
				}
				must(w.UpdateReceipt(t.Context(), person, n.ID, patch, w.now))
			}
		}
		follow(w.subscriber)
		follow(who.SubscriberID)
		ours, theirs := w.states(t, w.subscriber), w.states(t, who.SubscriberID)
		want := map[core.ID][2]bool{}
		unread := int64(0)
		for _, n := range published {
			isTheirs := theirs[n.ID][0] && (n.PublishedAt.After(followed[who.SubscriberID]) || touched[n.ID])
			state := [2]bool{ours[n.ID][0] || isTheirs, ours[n.ID][1] || theirs[n.ID][1]}
			if want[n.ID] = state; !state[0] && !state[1] {
				unread++
			}
		}
		w.save(t, who, w.subscriber)
		got := w.states(t, w.subscriber)
		for i, n := range published {
			equal(t, fmt.Sprintf("seed %d: read and archived of notification %d of %d (with the account %v, without %v)", seed,
				i, len(published), ours[n.ID], theirs[n.ID]), got[n.ID], want[n.ID])
		}
		data := must(w.Subscriptions(t.Context(), w.subscriber, core.Page{Limit: 10})).Data
		equal(t, fmt.Sprintf("seed %d: unread count", seed), data[0].UnreadCount, unread)
	}
}

// states returns whether a person has read and archived each notification.
func (w *world) states(t *testing.T, person core.ID) map[core.ID][2]bool {
	t.Helper()
	all := map[core.ID][2]bool{}
	for _, archived := range []bool{false, true} {
		data := must4(readFeed(t.Context(), w, person,
			core.FeedFilter{Page: core.Page{Limit: 100}, ArchivedOnly: archived}))
		for _, n := range data {
			all[n.ID] = [2]bool{n.ReadAt != nil, archived}
		}
	}
	return all
}

// TestSavingWhatBothPostponed expects it to be back at the earlier time, also where one of them has archived it.
func TestSavingWhatBothPostponed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	who := w.anonymous(t)
	soon, late := w.now.Add(time.Hour), w.now.Add(2*time.Hour)
	snooze := func(at time.Time) core.ReceiptPatch {
		return core.ReceiptPatch{SnoozedUntil: core.Patch[time.Time]{Set: true, Value: &at}}
	}
	for _, person := range []core.ID{w.subscriber, who.SubscriberID} {
		must(w.Subscribe(t.Context(), person, w.channel.ID, w.now))
	}
	cases := []struct{ account, anonymous core.ReceiptPatch }{
		{snooze(late), snooze(soon)}, {snooze(soon), snooze(late)},
		{core.ReceiptPatch{Archived: new(true)}, snooze(soon)}, {snooze(soon), core.ReceiptPatch{Read: new(true)}},
	}
	ids := make([]core.ID, len(cases))
	for i, c := range cases {
		ids[i] = w.publish(t, fmt.Sprint(i)).ID
		must(w.UpdateReceipt(t.Context(), w.subscriber, ids[i], c.account, w.now))
		must(w.UpdateReceipt(t.Context(), who.SubscriberID, ids[i], c.anonymous, w.now))
	}
	w.save(t, who, w.subscriber)
	for i, id := range ids {
		n := must(w.FeedNotification(t.Context(), w.subscriber, id))
		equal(t, fmt.Sprintf("when notification %d is back, and whether it is archived", i),
			[2]any{n.SnoozedUntil.UTC(), n.ArchivedAt == nil}, [2]any{soon.UTC(), true})
	}
}

// TestSavingAtOnce saves an anonymous subscriber in several accounts at once, deletes them, and lets them follow
// meanwhile. One of them has everything, and nobody is counted twice.
func TestSavingAtOnce(t *testing.T) {
	t.Parallel()
	for range 8 {
		w := newWorld(t)
		who := w.anonymous(t)
		must(w.Subscribe(t.Context(), who.SubscriberID, w.channel.ID, w.now))
		accounts := []core.ID{w.subscriber, w.subscriber, w.other(t, "bia"), w.other(t, "rui")}
		var all sync.WaitGroup
		var mu sync.Mutex
		done := 0
		finish := func(err error) {
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				done++
			} else if !core.IsCode(err, core.CodeNotFound) {
				t.Errorf("at once: got %v, want success or %s", err, core.CodeNotFound)
			}
		}
		for _, account := range accounts {
			all.Go(func() {
				_, err := w.SaveAnonymous(t.Context(), w.savingOf(who, account), w.now)
				finish(err)
			})
		}
		all.Go(func() {
			_, err := w.DeleteSubscriber(t.Context(), who.SubscriberID, nil, w.now)
			finish(err)
		})
		all.Go(func() {
			_, err := w.Subscribe(t.Context(), who.SubscriberID, w.channel.ID, w.now)
			if err != nil && !core.IsCode(err, core.CodeNotFound) {
				t.Errorf("follow meanwhile: %v", err)
			}
		})
		all.Wait()
		equal(t, "how many succeeded", done, 1)
		subscriptions := scan[int](t, w, "select count(*) from subscriptions")
		equal(t, "followers", w.followerCount(t), subscriptions)
		equal(t, "anonymous subscribers", scan[int](t, w, "select count(*) from subscribers where anonymous"), 0)
	}
}

// TestSavingIntoADeletedAccount deletes the account meanwhile. The anonymous subscriber is as before, or everything is
// gone with the account.
func TestSavingIntoADeletedAccount(t *testing.T) {
	t.Parallel()
	for range 8 {
		w := newWorld(t)
		who := w.anonymous(t)
		must(w.Subscribe(t.Context(), who.SubscriberID, w.channel.ID, w.now))
		var all sync.WaitGroup
		var saved error
		all.Go(func() { _, saved = w.SaveAnonymous(t.Context(), w.savingOf(who, w.subscriber), w.now) })
		all.Go(func() { must(w.DeleteSubscriber(t.Context(), w.subscriber, nil, w.now)) })
		all.Wait()
		remains := 0
		if saved != nil {
			remains = 1
		}
		equal(t, "subscribers", scan[int](t, w, "select count(*) from subscribers"), remains)
		equal(t, "followers", w.followerCount(t), remains)
	}
}

// TestSavingMoreThanThereMayBe expects everything to stay as it was.
func TestSavingMoreThanThereMayBe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	who := w.anonymous(t)
	must(w.Subscribe(t.Context(), who.SubscriberID, w.channel.ID, w.now))
	w.Caps = core.DefaultCaps()
	w.Caps[core.CapSubscriptions] = 0
	_, err := w.SaveAnonymous(t.Context(), w.savingOf(who, w.subscriber), w.now)
	if !core.IsCode(err, core.CodeInvalid) {
		t.Errorf("save more than there may be: got %v, want %s", err, core.CodeInvalid)
	}
	equal(t, "channels without an account", scan[int](t, w,
		"select count(*) from subscriptions where subscriber_id = $1", who.SubscriberID), 1)
	if _, err := w.SaveAnonymous(t.Context(), w.savingOf(core.Caller{SubscriberID: w.subscriber}, w.subscriber),
		w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("save an account: got %v, want %s", err, core.CodeNotFound)
	}
}

// TestNoAnonymousMembers makes a channel private that somebody follows without an account.
func TestNoAnonymousMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	who := w.anonymous(t)
	for _, person := range []core.ID{w.subscriber, who.SubscriberID} {
		must(w.Subscribe(t.Context(), person, w.channel.ID, w.now))
	}
	private := core.Private
	must(w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Visibility: &private}, nil, w.now, nil))
	members, _, err := w.ChannelMembers(t.Context(), w.channel.ID, core.MemberJoined, core.Page{Limit: 10})
	succeed(t, "list the members", err)
	equal(t, "members", len(members), 1)
	equal(t, "followers", w.followerCount(t), 1)
}
