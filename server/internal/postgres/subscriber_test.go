package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func (w *world) count(t *testing.T, query string, args ...any) (n int64) {
	t.Helper()
	if err := w.db.Pool().QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *world) execute(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := w.db.Pool().Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// hold runs a statement in a transaction that ends when it is released.
func (w *world) hold(t *testing.T, query string, args ...any) (release func()) {
	t.Helper()
	tx, err := w.db.Pool().Begin(t.Context())
	if err == nil {
		_, err = tx.Exec(t.Context(), query, args...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// waiting waits until so many wait for what another transaction holds.
func (w *world) waiting(t *testing.T, want int64) {
	t.Helper()
	for w.count(t, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") < want {
		runtime.Gosched()
	}
}

func TestUpdateSubscriber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := must(w.Subscriber(t.Context(), w.subscriber))
	if before.BellDefault != core.BellAll || before.QuietHours != nil || !before.UpdatedAt.Equal(w.now) {
		t.Errorf("%+v", before)
	}
	quiet := core.QuietHours{Start: 22*60 + 30, End: 7 * 60}
	in := core.SubscriberPatch{Name: new("Ana Maria"), Timezone: new("Atlantic/Azores"), BellDefault: new(core.BellImportant),
		QuietHours: core.Patch[core.QuietHours]{Set: true, Value: &quiet}}
	after := must(w.UpdateSubscriber(t.Context(), w.subscriber, in, &before.UpdatedAt, w.now)) // at the same moment
	if !after.UpdatedAt.After(before.UpdatedAt) || after.Name != "Ana Maria" || after.Locale != "pt" || after.Timezone != "Atlantic/Azores" ||
		after.BellDefault != core.BellImportant || *after.QuietHours != quiet {
		t.Errorf("%+v", after)
	}
	if _, err := w.UpdateSubscriber(t.Context(), w.subscriber, in, &before.UpdatedAt, w.now); !core.IsCode(err, core.CodeChanged) {
		t.Errorf("what was changed since: %v", err)
	}
	if sub := must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now)); sub.Bell != core.BellImportant {
		t.Errorf("the bell of what is followed from now on: %s", sub.Bell)
	}
	again := must(w.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "en"}, core.SignUp{Open: true}, w.now.Add(time.Hour)))
	if again.Name != "Ana Maria" || again.Locale != "pt" || !again.UpdatedAt.Equal(after.UpdatedAt) {
		t.Errorf("signing in again changes %+v", again)
	}
	again = must(w.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana.maria@example.com"}, core.SignUp{Open: true}, w.now.Add(time.Hour)))
	if again.Name != "Ana Maria" || again.Email != "ana.maria@example.com" || !again.UpdatedAt.Equal(w.now.Add(time.Hour)) {
		t.Errorf("another address: %+v", again)
	}
	none := core.SubscriberPatch{QuietHours: core.Patch[core.QuietHours]{Set: true}}
	if s := must(w.UpdateSubscriber(t.Context(), w.subscriber, none, nil, w.now)); s.QuietHours != nil || s.Name != "Ana Maria" {
		t.Errorf("%+v", s)
	}
}

func TestOnboardingIsAVersionOfTheProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	version := func() time.Time { return must(w.Subscriber(t.Context(), w.subscriber)).UpdatedAt }
	begun := version()
	must(w.SaveOnboarding(t.Context(), w.subscriber, "channels", nil, w.now))
	if !version().Equal(begun) {
		t.Error("a step that the profile does not show changes it")
	}
	must(w.SaveOnboarding(t.Context(), w.subscriber, core.OnboardingDone, nil, w.now))
	done := version()
	must(w.SaveOnboarding(t.Context(), w.subscriber, core.OnboardingDone, nil, w.now.Add(time.Hour)))
	if !done.After(begun) || !version().Equal(done) {
		t.Errorf("%s, %s, %s", begun, done, version())
	}
}

func TestOfTwoWhoChangeTheSameVersionOneWins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seen := must(w.Subscriber(t.Context(), w.subscriber)).UpdatedAt
	const editors = 10
	var all sync.WaitGroup
	var won atomic.Int32
	release := w.hold(t, "select from subscribers for update")
	for i := range editors {
		all.Go(func() {
			_, err := w.UpdateSubscriber(context.Background(), w.subscriber, core.SubscriberPatch{Name: new(fmt.Sprint(i))}, &seen, w.now)
			if err == nil {
				won.Add(1)
			} else if !core.IsCode(err, core.CodeChanged) {
				t.Error(err)
			}
		})
	}
	w.waiting(t, editors)
	release()
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d won", won.Load())
	}
}

// fill keeps something of every sort of the subscriber.
func (w *world) fill(t *testing.T, subscriberID core.ID) (ended []core.ID) {
	t.Helper()
	session, token := w.session(t, subscriberID), w.token(t, subscriberID, nil)
	in := core.DeviceInput{InstallationID: "i" + subscriberID.String(), Kind: "token", Address: "t" + subscriberID.String(), Platform: "web", Name: "Chrome"}
	d := must3(w.RegisterDevice(t.Context(), subscriberID, session, in, w.now))
	must(w.Subscribe(t.Context(), subscriberID, w.channel.ID, w.now))
	n := w.publish(t, "Olá")
	if _, err := w.RecordFeedEvent(t.Context(), subscriberID, n.ID, core.Opened, w.now); err != nil {
		t.Fatal(err)
	}
	caller := core.Caller{Kind: core.CallerSubscriber, SubscriberID: subscriberID}
	id := core.NewID()
	kept := core.AccessToken{ID: id, SubscriberID: subscriberID, Name: "kept", CreatedAt: w.now}
	must3(w.CreateAccessToken(t.Context(), kept, id[:], core.Idempotency{Caller: caller.Identity(), Key: "k", Route: "POST /x", BodyHash: []byte{1}}))
	signIn, _, err := w.signIns().Begin(t.Context(), core.DeviceSignInInput{ClientName: "sininho"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.signIns().Answer(t.Context(), caller, signIn.UserCode, true); err != nil {
		t.Fatal(err)
	}
	revoked := w.token(t, subscriberID, nil)
	if err := w.RevokeAccessToken(t.Context(), subscriberID, revoked.ID, w.now); err != nil {
		t.Fatal(err)
	}
	w.execute(t, "insert into held_pushes (notification_id, device_id, until) values ($1, $2, $3)", n.ID, d.ID, w.now)
	w.join(t, "vila", subscriberID, core.RoleEditor)
	return []core.ID{session, token.ID, id}
}

func (w *world) join(t *testing.T, publisher string, subscriberID core.ID, role core.Role) {
	t.Helper()
	w.execute(t, "insert into publisher_members (publisher_id, subscriber_id, role) select id, $2, $3 from publishers where slug = $1", publisher, subscriberID, string(role))
}

// traces counts the rows of every table that hold the subscriber's id, in whatever column.
func (w *world) traces(t *testing.T, subscriberID core.ID) map[string]int64 {
	t.Helper()
	rows, err := w.db.Pool().Query(t.Context(), "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'")
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	out := map[string]int64{}
	for _, name := range tables {
		if n := w.count(t, "select count(*) from "+name+" x where x::text like '%' || $1 || '%'", subscriberID.String()); n > 0 {
			out[name] = n
		}
	}
	return out
}

func TestDeleteSubscriberLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rui := w.other(t, "rui")
	want := w.fill(t, w.subscriber)
	w.fill(t, rui)
	before := w.traces(t, rui)
	if mine := w.traces(t, w.subscriber); len(mine) != len(before) || len(mine) < 9 {
		t.Fatalf("not everything is kept of them: %v", mine)
	}
	ended, err := w.DeleteSubscriber(t.Context(), w.subscriber)
	for _, ids := range [][]core.ID{want, ended} {
		slices.SortFunc(ids, func(a, b core.ID) int { return strings.Compare(a.String(), b.String()) })
	}
	if err != nil || !slices.Equal(ended, want) {
		t.Errorf("%v ended, want %v: %v", ended, want, err)
	}
	if left := w.traces(t, w.subscriber); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if after := w.traces(t, rui); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("of another: %v, were %v", after, before)
	}
	if n := w.count(t, "select count(*) from held_pushes"); n != 2 {
		t.Errorf("%d pushes are held: that of who left is to get its outcome still", n)
	}
	if c := must(w.Channel(t.Context(), "vila", "agenda", nil)); c.SubscriberCount != 1 {
		t.Errorf("%d subscribers are counted", c.SubscriberCount)
	}
	if _, err := w.DeleteSubscriber(t.Context(), w.subscriber); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("twice: %v", err)
	}
	again := must(w.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "pt"}, core.SignUp{Open: true}, w.now))
	if again.ID == w.subscriber {
		t.Error("they are back")
	}
}

func TestTheLastOwnerStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "aldeia", Name: "Aldeia"}))
	must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	rui := w.other(t, "rui")
	for _, publisher := range []string{"aldeia", "vila"} {
		w.join(t, publisher, w.subscriber, core.RoleOwner)
	}
	w.join(t, "vila", rui, core.RoleEditor)
	w.join(t, "cidade", w.subscriber, core.RoleEditor)
	w.join(t, "cidade", rui, core.RoleOwner)
	_, err := w.DeleteSubscriber(t.Context(), w.subscriber)
	var e *core.Error
	if !errors.As(err, &e) || e.Code != core.CodeConflict || e.Reason != "last_owner" || !strings.Contains(e.Detail.EN, "aldeia, vila.") {
		t.Fatal(err)
	}
	must(w.Subscriber(t.Context(), w.subscriber))
	w.join(t, "aldeia", rui, core.RoleOwner)
	w.execute(t, "update publisher_members set role = 'owner' where subscriber_id = $1", rui)
	if _, err := w.DeleteSubscriber(t.Context(), w.subscriber); err != nil {
		t.Error(err)
	}
}

func TestTwoOwnersCannotLeaveAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for round := range 5 {
		slug := fmt.Sprint("p", round)
		publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: slug, Name: "P"}))
		var all sync.WaitGroup
		for i := range 2 {
			owner := w.other(t, fmt.Sprint(round, i))
			w.join(t, slug, owner, core.RoleOwner)
			all.Go(func() {
				if _, err := w.DeleteSubscriber(context.Background(), owner); err != nil && !core.IsCode(err, core.CodeConflict) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := w.count(t, "select count(*) from publisher_members where publisher_id = $1 and role = 'owner'", publisher); n == 0 {
			t.Errorf("nobody owns %s", slug)
		}
	}
}

func TestFollowingWhileTheAccountIsDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 10 {
		person := w.other(t, fmt.Sprint("p", i))
		session := w.session(t, person)
		must(w.Subscribe(t.Context(), person, w.channel.ID, w.now))
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := w.DeleteSubscriber(context.Background(), person); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			_ = w.Unsubscribe(context.Background(), person, w.channel.ID, w.now)
			if _, err := w.Subscribe(context.Background(), person, w.channel.ID, w.now); err != nil && !core.IsCode(err, core.CodeUnauthenticated) && !core.IsCode(err, core.CodeNotFound) {
				t.Error(err)
			}
		})
		all.Wait()
		if _, err := w.FollowedChannels(t.Context(), session); !core.IsCode(err, core.CodeUnauthenticated) {
			t.Errorf("the streams: %v", err)
		}
	}
	if c := must(w.Channel(t.Context(), "vila", "agenda", nil)); c.SubscriberCount != 0 {
		t.Errorf("%d subscribers are counted", c.SubscriberCount)
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(t, w.subscriber)
	w.fill(t, w.other(t, "rui"))
	const many = 120 // more than a page
	for i := range many {
		n := w.publish(t, fmt.Sprint(i))
		must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Read: new(i > 0), Archived: new(true)}, w.now))
	}
	e := must(w.Export(t.Context(), w.subscriber))
	if e.Subscriber.Email != "ana@example.com" || e.Onboarding.Step != "interests" || len(e.Subscriptions) != 1 || e.Subscriptions[0].Channel.Slug != "agenda" ||
		len(e.Receipts) != many+1 || len(e.Devices) != 1 || len(e.Sessions) != 1 || len(e.AccessTokens) != 3 ||
		len(e.Publishers) != 1 || e.Publishers[0].Slug != "vila" || e.Publishers[0].Role != core.RoleEditor || e.Publishers[0].ChannelCount != 1 {
		t.Errorf("%+v", e)
	}
	opened, unread, read := e.Receipts[0], e.Receipts[1], e.Receipts[2]
	if opened.OpenedAt == nil || opened.ReadAt == nil || unread.ReadAt != nil || unread.ArchivedAt == nil || read.ReadAt == nil {
		t.Errorf("%+v %+v %+v", opened, unread, read)
	}
	if _, err := w.Export(t.Context(), core.NewID()); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("of nobody: %v", err)
	}
}

func TestFeedNotification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.publish(t, "Olá")
	if _, err := w.FeedNotification(t.Context(), w.subscriber, n.ID); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("of a channel that is not followed: %v", err)
	}
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	if got := must(w.FeedNotification(t.Context(), w.subscriber, n.ID)); got.ID != n.ID || got.Title != "Olá" || got.ReadAt == nil {
		t.Errorf("%+v", got)
	}
	must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Read: new(false)}, w.now))
	if got := must(w.FeedNotification(t.Context(), w.subscriber, n.ID)); got.ReadAt != nil {
		t.Errorf("%+v", got)
	}
	must(w.Correct(t.Context(), w.channel.ID, n.ID, w.now, func(n *core.Notification) error { n.WithdrawnAt, n.Visible = &w.now, false; return nil }))
	if _, err := w.FeedNotification(t.Context(), w.subscriber, n.ID); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("withdrawn: %v", err)
	}
}
