package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

func (w *world) count(t tester, query string, args ...any) (n int64) {
	t.Helper()
	if err := w.db.Pool().QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func (w *world) execute(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := w.db.Pool().Exec(t.Context(), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
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
		t.Fatalf("%s: %v", query, err)
	}
	return func() {
		if err := tx.Rollback(t.Context()); err != nil {
			t.Errorf("release a lock: %v", err)
		}
	}
}

// waiting waits until that many statements wait for a lock.
func (w *world) waiting(t *testing.T, want int64) {
	t.Helper()
	for w.count(t, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type "+
		"= 'Lock'") < want {
		runtime.Gosched()
	}
}

func TestUpdateSubscriber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := must(w.Subscriber(t.Context(), w.subscriber))
	want := core.Subscriber{ID: w.subscriber, Email: "ana@example.com", Name: "Ana", Locale: "pt",
		Timezone: "Europe/Lisbon", BellDefault: core.BellAll, DigestAt: core.DefaultDigestAt,
		CreatedAt: w.now, UpdatedAt: w.now}
	if diff := cmp.Diff(want, before); diff != "" {
		t.Errorf("after signing up (-want +got):\n%s", diff)
	}
	quiet := core.QuietHours{Start: 22*60 + 30, End: 7 * 60}
	in := core.SubscriberPatch{
		Name: new("Ana Maria"), Timezone: new("Atlantic/Azores"), BellDefault: new(core.BellImportant),
		QuietHours: core.Patch[core.QuietHours]{Set: true, Value: &quiet},
	}
	after := must(w.UpdateSubscriber(t.Context(), w.subscriber, in, &before.UpdatedAt, w.now)) // at the same moment
	if !after.UpdatedAt.After(before.UpdatedAt) {
		t.Errorf("version after an update: got %s, want one after %s", after.UpdatedAt, before.UpdatedAt)
	}
	want.Name, want.Timezone = "Ana Maria", "Atlantic/Azores"
	want.BellDefault, want.QuietHours = core.BellImportant, &quiet
	want.UpdatedAt = after.UpdatedAt
	if diff := cmp.Diff(want, after); diff != "" {
		t.Errorf("result of an update (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, must(w.Subscriber(t.Context(), w.subscriber))); diff != "" {
		t.Errorf("after an update (-want +got):\n%s", diff)
	}
	if _, err := w.UpdateSubscriber(t.Context(), w.subscriber, in, &before.UpdatedAt, w.now); !core.IsCode(err,
		core.CodeChanged) {
		t.Errorf("update of an earlier version: got %v, want CodeChanged", err)
	}
	if sub := must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now)); sub.Bell != core.BellImportant {
		t.Errorf("bell of a new subscription: got %s, want %s", sub.Bell, core.BellImportant)
	}
	again := must(
		w.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "en"},
			core.SignUp{Open: true}, w.now.Add(time.Hour)),
	)
	if diff := cmp.Diff(want, again); diff != "" {
		t.Errorf("after signing in again (-want +got):\n%s", diff)
	}
	again = must(
		w.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana.maria@example.com"}, core.SignUp{Open: true},
			w.now.Add(time.Hour)),
	)
	want.Email, want.UpdatedAt = "ana.maria@example.com", w.now.Add(time.Hour)
	if diff := cmp.Diff(want, again); diff != "" {
		t.Errorf("after signing in with another address (-want +got):\n%s", diff)
	}
	none := core.SubscriberPatch{QuietHours: core.Patch[core.QuietHours]{Set: true}}
	want.QuietHours, want.UpdatedAt = nil, want.UpdatedAt.Add(time.Microsecond)
	if diff := cmp.Diff(want, must(w.UpdateSubscriber(t.Context(), w.subscriber, none, nil, w.now))); diff != "" {
		t.Errorf("without quiet hours (-want +got):\n%s", diff)
	}
}

func TestOnboardingIsAVersionOfTheProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	version := func() time.Time { return must(w.Subscriber(t.Context(), w.subscriber)).UpdatedAt }
	begun := version()
	must(w.SaveOnboarding(t.Context(), w.subscriber, "channels", nil, w.now))
	if !version().Equal(begun) {
		t.Errorf("version after a step: got %s, want %s as before", version(), begun)
	}
	must(w.SaveOnboarding(t.Context(), w.subscriber, core.OnboardingDone, nil, w.now))
	done := version()
	must(w.SaveOnboarding(t.Context(), w.subscriber, core.OnboardingDone, nil, w.now.Add(time.Hour)))
	if !done.After(begun) {
		t.Errorf("version after the last step: got %s, want one after %s", done, begun)
	}
	if got := version(); !got.Equal(done) {
		t.Errorf("version after the last step again: got %s, want %s", got, done)
	}
}

func TestConcurrentUpdatesOfOneVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seen := must(w.Subscriber(t.Context(), w.subscriber)).UpdatedAt
	const editors = 10
	var all sync.WaitGroup
	var won atomic.Int32
	release := w.hold(t, "select from subscribers for update")
	for i := range editors {
		all.Go(func() {
			_, err := w.UpdateSubscriber(context.Background(), w.subscriber,
				core.SubscriberPatch{Name: new(fmt.Sprint(i))}, &seen, w.now)
			if err == nil {
				won.Add(1)
			} else if !core.IsCode(err, core.CodeChanged) {
				t.Errorf("update: got %v, want CodeChanged", err)
			}
		})
	}
	w.waiting(t, editors)
	release()
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("updates of one version that succeeded: got %d, want 1", won.Load())
	}
}

// fill stores something of every kind for the subscriber. It returns the ids of their credentials.
func (w *world) fill(t *testing.T, subscriberID core.ID) (ended []core.ID) {
	t.Helper()
	session, token := w.session(t, subscriberID), w.token(t, subscriberID, nil)
	in := core.Registration{
		InstallationID: "i" + subscriberID.String(), Push: core.PushAddress{Kind: core.KindFCM, Address: "t" + subscriberID.String()},
		Platform: "web", Name: "Chrome",
	}
	d := must3(w.RegisterDevice(t.Context(), core.Caller{SubscriberID: subscriberID, SessionID: session}, in, w.now))
	must(w.Subscribe(t.Context(), subscriberID, w.channel.ID, w.now))
	n := w.publish(t, "Olá")
	must(w.RecordOpened(t.Context(), subscriberID, n.ID, w.now))
	caller := core.Caller{Kind: core.CallerSubscriber, SubscriberID: subscriberID}
	id := core.NewID()
	kept := core.AccessToken{ID: id, SubscriberID: subscriberID, Name: "kept", Scopes: allScopes,
		ExpiresAt: new(w.now.Add(time.Hour)), CreatedAt: w.now}
	must3(
		w.CreateAccessToken(t.Context(), kept, id[:],
			core.Idempotency{Caller: caller.Identity(), Key: "k", Route: "POST /x", BodyHash: []byte{1}}),
	)
	signIn, _, err := w.signIns().Begin(t.Context(), core.DeviceSignInInput{ClientName: "sininho"}, "")
	if err != nil {
		t.Fatalf("begin a device sign-in: %v", err)
	}
	if err := w.signIns().Decide(t.Context(), caller, signIn.UserCode, true); err != nil {
		t.Fatalf("approve a device sign-in: %v", err)
	}
	revoked := w.token(t, subscriberID, nil)
	if _, err := w.RevokeAccessToken(t.Context(), subscriberID, revoked.ID, w.now); err != nil {
		t.Fatalf("revoke an access token: %v", err)
	}
	w.execute(t, "insert into held_pushes (notification_id, device_id, until, first, place) values ($1, $2, $3, 0, 0)",
		n.ID, d.ID, w.now)
	w.join(t, "vila", subscriberID, core.RoleEditor)
	end := subscriberID.String()[24:]
	metro := w.publisher(t, "metro-"+end, "Metro", w.other(t, "owner-"+end))
	w.join(t, metro.Slug, subscriberID, core.RoleOwner)
	w.invite(t, metro.ID, subscriberID, "eva@example.com", core.RoleEditor)
	w.execute(t, `insert into membership_invitations (id, publisher_id, email, role, state, answered_by, invited_at,
		expires_at) values (gen_random_uuid(), $1, 'x@example.com', 'editor', 'declined', $2, now(), now())`,
		metro.ID, subscriberID)
	hook := w.sealed("CI")
	hook.SecretKnownTo = subscriberID
	must3(w.CreateWebhook(t.Context(), hook, core.Idempotency{}))
	publisher := must(w.PublisherBySlug(t.Context(), "vila"))
	key := core.APIKey{ID: core.NewID(), PublisherID: publisher.ID, Name: "CI", Hint: "9f2c", Scopes: keyScopes,
		CreatedAt: w.now, CreatedBy: &core.KeyCreator{ID: subscriberID}}
	must3(w.CreateAPIKey(t.Context(), key, key.ID[:], core.Idempotency{}))
	return []core.ID{session, token.ID, id, key.ID}
}

func (w *world) anyChannel(t *testing.T, publisherID core.ID) {
	t.Helper()
	w.execute(t, `insert into channels (id, publisher_id, category_id, slug, name)
		select gen_random_uuid(), $1, id, 'novidades', 'Novidades' from categories limit 1`, publisherID)
}

func (w *world) join(t *testing.T, publisher string, subscriberID core.ID, role core.Role) {
	t.Helper()
	w.execute(t, "insert into publisher_members (publisher_id, subscriber_id, role) select id, $2, $3 from "+
		"publishers where slug = $1", publisher, subscriberID, string(role))
}

// traces counts the rows of every table that hold the subscriber's id, in whatever column.
func (w *world) traces(t *testing.T, subscriberID core.ID) map[string]int64 {
	t.Helper()
	rows, err := w.db.Pool().
		Query(t.Context(), "select table_name from information_schema.tables where table_schema = 'public' and "+
			"table_type = 'BASE TABLE'")
	if err != nil {
		t.Fatalf("list tables: %v", err)
	}
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatalf("list tables: %v", err)
		}
		tables = append(tables, name)
	}
	out := map[string]int64{}
	for _, name := range tables {
		if n := w.count(t, "select count(*) from "+name+" x where x::text like '%' || $1 || '%'",
			subscriberID.String()); n > 0 {
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
		t.Fatalf("rows of the subscriber by table: got %v, want as many tables as %v and at least 9", mine, before)
	}
	ended, err := w.DeleteSubscriber(t.Context(), w.subscriber, unchanged, w.now)
	for _, ids := range [][]core.ID{want, ended} {
		slices.SortFunc(ids, func(a, b core.ID) int { return strings.Compare(a.String(), b.String()) })
	}
	if err != nil {
		t.Errorf("delete: %v", err)
	}
	if diff := cmp.Diff(want, ended); diff != "" {
		t.Errorf("ended credentials (-want +got):\n%s", diff)
	}
	if left := w.traces(t, w.subscriber); len(left) != 0 {
		t.Errorf("rows of the deleted subscriber by table: got %v, want none", left)
	}
	if diff := cmp.Diff(before, w.traces(t, rui)); diff != "" {
		t.Errorf("rows of another subscriber by table (-want +got):\n%s", diff)
	}
	if n := w.count(t, "select count(*) from held_pushes"); n != 2 {
		t.Errorf("held pushes, which all get an outcome: got %d, want 2", n)
	}
	if c := must(w.Channel(t.Context(), "vila", "agenda", nil)); c.SubscriberCount != 1 {
		t.Errorf("subscribers of the channel: got %d, want 1", c.SubscriberCount)
	}
	if _, err := w.DeleteSubscriber(t.Context(), w.subscriber, unchanged, w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("second deletion: got %v, want CodeNotFound", err)
	}
	again := must(
		w.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "pt"},
			core.SignUp{Open: true}, w.now),
	)
	if again.ID == w.subscriber {
		t.Error("account after deleting and signing up again: got the same id, want a new one")
	}
}

func TestTheLastOwnerStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	aldeia := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "aldeia", Name: "Aldeia"}))
	w.anyChannel(t, aldeia) // content, without other members
	must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	w.publisher(t, "vazia", "Vazia", w.subscriber) // goes with its only member
	rui := w.other(t, "rui")
	for _, publisher := range []string{"aldeia", "vila"} {
		w.join(t, publisher, w.subscriber, core.RoleOwner)
	}
	w.join(t, "vila", rui, core.RoleEditor)
	w.join(t, "cidade", w.subscriber, core.RoleEditor)
	w.join(t, "cidade", rui, core.RoleOwner)
	_, err := w.DeleteSubscriber(t.Context(), w.subscriber, unchanged, w.now)
	var e *core.Error
	if !errors.As(err, &e) || e.Code != core.CodeConflict || e.Reason != "last_owner" {
		t.Fatalf("deletion of the last owner: got %v, want CodeConflict with reason last_owner", err)
	}
	if !strings.Contains(e.Detail.EN, "aldeia, vila.") {
		t.Errorf("detail: got %q, want it to name aldeia and vila", e.Detail.EN)
	}
	must(w.Subscriber(t.Context(), w.subscriber))
	w.join(t, "aldeia", rui, core.RoleOwner)
	w.execute(t, "update publisher_members set role = 'owner' where subscriber_id = $1", rui)
	if _, err := w.DeleteSubscriber(t.Context(), w.subscriber, unchanged, w.now); err != nil {
		t.Errorf("deletion of an owner among others: %v", err)
	}
	_, err = w.PublisherBySlug(t.Context(), "vazia")
	wantCode(t, "empty publisher whose only member deleted the account", err, core.CodeNotFound)
	for _, slug := range []string{"aldeia", "cidade", "vila"} {
		must(w.PublisherBySlug(t.Context(), slug))
	}
}

// TestAChannelKeepsItsPublisher creates a channel while its publisher's only member deletes their account.
func TestAChannelKeepsItsPublisher(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	tx, err := w.db.Pool().Begin(t.Context())
	succeed(t, "begin", err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(t.Context(), `insert into channels (id, publisher_id, category_id, slug, name)
		select gen_random_uuid(), $1, id, 'novo', 'Novo' from categories limit 1`, p.ID)
	succeed(t, "create a channel", err)
	deleted := make(chan error, 1)
	go func() { deleted <- second(w.DeleteSubscriber(context.Background(), w.subscriber, unchanged, w.now)) }()
	w.waiting(t, 1)
	succeed(t, "commit the channel", tx.Commit(t.Context()))
	if err := <-deleted; !isLastOwner(err) {
		t.Errorf("deletion of the only member of a publisher with a new channel: got %v, want last_owner", err)
	}
}

func TestTwoOwnersCannotLeaveAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for round := range 5 {
		slug := fmt.Sprint("p", round)
		publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: slug, Name: "P"}))
		w.anyChannel(t, publisher)
		var all sync.WaitGroup
		for i := range 2 {
			owner := w.other(t, fmt.Sprint(round, i))
			w.join(t, slug, owner, core.RoleOwner)
			all.Go(func() {
				if _, err := w.DeleteSubscriber(context.Background(), owner, unchanged, w.now); err != nil &&
					!core.IsCode(err, core.CodeConflict) {
					t.Errorf("delete an owner: got %v, want success or CodeConflict", err)
				}
			})
		}
		all.Wait()
		if n := w.count(t, "select count(*) from publisher_members where publisher_id = $1 and role = 'owner'",
			publisher); n == 0 {
			t.Errorf("owners of %s: got none", slug)
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
			if _, err := w.DeleteSubscriber(context.Background(), person, unchanged, w.now); err != nil {
				t.Errorf("delete: %v", err)
			}
		})
		all.Go(func() {
			_ = w.Unsubscribe(context.Background(), person, w.channel.ID, w.now)
			_, err := w.Subscribe(context.Background(), person, w.channel.ID, w.now)
			if err != nil && !core.IsCode(err, core.CodeUnauthenticated) && !core.IsCode(err, core.CodeNotFound) {
				t.Errorf("follow: got %v, want success, CodeUnauthenticated or CodeNotFound", err)
			}
		})
		all.Wait()
		if _, err := w.FollowedChannels(t.Context(), session); !core.IsCode(err, core.CodeUnauthenticated) {
			t.Errorf("channels of an ended session: got %v, want CodeUnauthenticated", err)
		}
	}
	if c := must(w.Channel(t.Context(), "vila", "agenda", nil)); c.SubscriberCount != 0 {
		t.Errorf("subscribers of the channel: got %d, want 0", c.SubscriberCount)
	}
}

// read returns all items of a list of an export.
func read[T any](t *testing.T, list iter.Seq2[T, error]) (items []T) {
	t.Helper()
	for item, err := range list {
		if err != nil {
			t.Fatalf("read a list of the export: %v", err)
		}
		items = append(items, item)
	}
	return items
}

func TestFeedNotification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.publish(t, "Olá")
	if _, err := w.FeedNotification(t.Context(), w.subscriber, n.ID); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("notification of a channel that is not followed: got %v, want CodeNotFound", err)
	}
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	n.ReadAt = &w.now // following has read it
	if diff := cmp.Diff(n, must(w.FeedNotification(t.Context(), w.subscriber, n.ID))); diff != "" {
		t.Errorf("notification in the feed (-want +got):\n%s", diff)
	}
	must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Read: new(false)}, w.now))
	if got := must(w.FeedNotification(t.Context(), w.subscriber, n.ID)); got.ReadAt != nil {
		t.Errorf("marked as unread: got a notification read at %s", got.ReadAt)
	}
	must(
		w.Correct(t.Context(), w.channel.ID, n.ID,
			func(n *core.Notification) error { n.WithdrawnAt, n.Visible = &w.now, false; return nil }),
	)
	if _, err := w.FeedNotification(t.Context(), w.subscriber, n.ID); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("withdrawn notification: got %v, want CodeNotFound", err)
	}
}
