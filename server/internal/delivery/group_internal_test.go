package delivery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// groups is a stream in an empty database with a channel.
type groups struct {
	*Stream
	t       *testing.T
	channel core.ChannelRef
}

func newGroups(t *testing.T) *groups {
	t.Helper()
	db := pgtest.DB(t)
	log := slog.New(slog.DiscardHandler)
	store := postgres.NewStore(db)
	w := &groups{t: t, Stream: NewStream(StreamConfig{DB: db,
		Placed: func(context.Context, int64, []core.ID) {}, Analytics: core.NoAnalytics{}, Now: time.Now, Log: log})}
	category, err := store.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"})
	if err != nil {
		t.Fatalf("create a category: %v", err)
	}
	publisher, err := store.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"})
	if err != nil {
		t.Fatalf("create a publisher: %v", err)
	}
	c, _, err := store.CreateChannel(t.Context(), core.NewID(), publisher,
		core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: category, Visibility: core.Public}, time.Now(),
		core.Idempotency{})
	if err != nil {
		t.Fatalf("create a channel: %v", err)
	}
	w.channel = c.ChannelRef
	return w
}

func (w *groups) notification(title string) core.Notification {
	return core.Notification{ID: core.NewID(), Channel: w.channel, Title: title, Importance: core.Normal,
		PublishedAt: new(time.Now()), Visible: true}
}

func newKey(key string) core.Idempotency {
	return core.Idempotency{Caller: "key:1", Route: "POST /x", Key: key, BodyHash: []byte{1}}
}

// result is what a publish returned.
type result struct {
	n        core.Notification
	creation core.Creation
	err      error
}

// together publishes all in one group: it holds the stream's lock until they are queued.
func (w *groups) together(publishes ...publish) []result {
	w.t.Helper()
	unlock := w.lock()
	results := make([]result, len(publishes))
	var all sync.WaitGroup
	run := func(r *result, n core.Notification, key core.Idempotency) {
		all.Go(func() { r.n, r.creation, r.err = w.Publish(context.Background(), n, key) })
	}
	for i, p := range publishes {
		run(&results[i], p.n, p.key)
		eventually.True(w.t, fmt.Sprintf("publish %d to be queued", i), func() bool { return w.queued() > i })
	}
	unlock()
	all.Wait()
	return results
}

// lock takes the stream's lock, until unlock is called.
func (w *groups) lock() (unlock func()) {
	w.t.Helper()
	tx, err := w.DB.Pool().Begin(w.t.Context())
	if err != nil {
		w.t.Fatalf("begin: %v", err)
	}
	if _, err := tx.Exec(w.t.Context(), "select pg_advisory_xact_lock($1)", int64(streamLock)); err != nil {
		w.t.Fatalf("lock the stream: %v", err)
	}
	return func() { _ = tx.Rollback(context.Background()) }
}

func (w *groups) queued() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue)
}

// scanOne reads one value.
func scanOne[T any](w *groups, query string, args ...any) (v T) {
	w.t.Helper()
	if err := w.DB.Pool().QueryRow(w.t.Context(), query, args...).Scan(&v); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return v
}

func TestAGroupIsFinal(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	const n = 50
	publishes := make([]publish, n)
	for i := range publishes {
		publishes[i] = publish{n: w.notification(fmt.Sprint(i)), key: newKey(fmt.Sprint(i))}
	}
	for i, r := range w.together(publishes...) {
		if r.err != nil || r.creation != core.Created {
			t.Errorf("publish %d: got creation %v and error %v, want a new one", i, r.creation, r.err)
		}
	}
	check.Equal(t, "transactions that wrote them",
		scanOne[int](w, "select count(distinct xmin::text) from notifications"), 1)
	check.Equal(t, "in the order of their requests", scanOne[bool](w, `
		select bool_and(title = (ordinal - 1)::text) from notifications`), true)
	check.Equal(t, "positions in the order of their numbers", scanOne[int](w, `
		select count(*) from notifications a join notifications b on b.ordinal = a.ordinal + 1
		where b.position > a.position and b.position = b.stream_position`), n-1)
	check.Equal(t, "latest ordinal of the channel", scanOne[int](w, "select ordinal from channel_heads"), n)
	check.Equal(t, "visible notifications of the channel", scanOne[int](w, "select visible from channel_heads"), n)
	check.Equal(t, "finished dispatches", scanOne[int](w, "select count(finished_at) from dispatches"), n)
	check.Equal(t, "searches for nobody", scanOne[int](w, unsearched), 0)
}

// unsearched counts the dispatches whose devices are to be found.
const unsearched = "select count(*) from dispatches where expanded_at is null"

// TestWhoHearsAChannel has followers without devices: only 100 of them may have one that is not looked for.
func TestWhoHearsAChannel(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	followers := 0
	for _, c := range []struct{ followers, searches int }{{99, 0}, {100, 1}} {
		for ; followers < c.followers; followers++ {
			scanOne[int](w, fmt.Sprintf(`
				with person as (
					insert into subscribers (id, email, name, locale, timezone)
					values (gen_random_uuid(), '%d@example.com', 'Ana', 'pt', 'Europe/Lisbon') returning id
				)
				insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
				select person.id, channels.id, 'all', now(), 0, now() from person, channels returning 1`, followers))
		}
		w.together(publish{n: w.notification(fmt.Sprint(followers))})
		check.Equal(t, fmt.Sprintf("searches for %d followers", followers), scanOne[int](w, unsearched),
			c.searches)
	}
}

// TestTheSecondOfTheSame expects the second publish with a key or an external id to find the first.
func TestTheSecondOfTheSame(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	key := newKey("k")
	one, two := w.notification("one"), w.notification("two")
	three, four := w.notification("three"), w.notification("four")
	three.ExternalID, four.ExternalID = "e", "e"
	other := key
	other.BodyHash = []byte{2}
	results := w.together(publish{n: one, key: key}, publish{n: two, key: key},
		publish{n: w.notification("x"), key: other}, publish{n: three}, publish{n: four, key: newKey("l")})
	want := []struct {
		creation core.Creation
		title    string
		code     core.Code
	}{{core.Created, "one", ""}, {core.Replayed, "one", ""}, {0, "", core.CodeInvalid},
		{core.Created, "three", ""}, {core.Existing, "three", ""}}
	for i, r := range results {
		switch {
		case want[i].code != "":
			if !core.IsCode(r.err, want[i].code) {
				t.Errorf("publish %d: got %v, want %s", i, r.err, want[i].code)
			}
		case r.err != nil:
			t.Errorf("publish %d: %v", i, r.err)
		default:
			check.Equal(t, fmt.Sprintf("creation of publish %d", i), r.creation, want[i].creation)
			check.Equal(t, fmt.Sprintf("title of publish %d", i), r.n.Title, want[i].title)
		}
	}
	again, creation, err := w.Publish(t.Context(), w.notification("five"), newKey("l"))
	if err != nil || creation != core.ReplayedExisting || again.Title != "three" {
		t.Errorf("repeat the publish that found an external id: got %q, %v, %v, want \"three\", %v",
			again.Title, creation, err, core.ReplayedExisting)
	}
}

// TestOneBadPublishFailsAlone publishes to a channel that does not exist, in a group with others.
func TestOneBadPublishFailsAlone(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	bad := w.notification("bad")
	bad.Channel.ID = core.NewID()
	results := w.together(publish{n: w.notification("a")}, publish{n: bad},
		publish{n: w.notification("b"), key: newKey("k")})
	if !core.IsCode(results[1].err, core.CodeNotFound) {
		t.Errorf("publish to no channel: got %v, want CodeNotFound", results[1].err)
	}
	for _, i := range []int{0, 2} {
		if results[i].err != nil || results[i].creation != core.Created {
			t.Errorf("publish %d: got creation %v and error %v, want a new one", i, results[i].creation, results[i].err)
		}
	}
	check.Equal(t, "visible notifications of the channel", scanOne[int](w, "select visible from channel_heads"), 2)
}

// TestAKeyHeldElsewhere has another transaction hold a key for longer than the stream's lock is held for it.
func TestAKeyHeldElsewhere(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	key := newKey("held")
	err := w.DB.InTx(t.Context(), func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.NewRaw(`insert into idempotency_keys (caller, route, key, body_hash, response)
			values (?, ?, ?, ?, '')`, key.Caller, key.Route, key.Key, key.BodyHash).Exec(ctx)
		if err != nil {
			return err
		}
		results := w.together(publish{n: w.notification("a")}, publish{n: w.notification("held"), key: key},
			publish{n: w.notification("b"), key: newKey("free")})
		if !core.IsCode(results[1].err, core.CodeInFlight) {
			t.Errorf("publish with the key: got %v, want CodeInFlight", results[1].err)
		}
		for _, i := range []int{0, 2} {
			if results[i].err != nil {
				t.Errorf("publish %d beside it: %v", i, results[i].err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("hold the key: %v", err)
	}
}

// TestALockedTable has another transaction lock the table of notifications: that is not the fault of any key, and not
// every publish of the group waits for it in turn.
func TestALockedTable(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	publishes := make([]publish, 50)
	for i := range publishes {
		publishes[i] = publish{n: w.notification(fmt.Sprint(i)), key: newKey(fmt.Sprint(i))}
	}
	tx, err := w.DB.Pool().Begin(t.Context())
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	if _, err := tx.Exec(t.Context(), "lock table notifications in share mode"); err != nil {
		t.Fatalf("lock the table: %v", err)
	}
	for i, r := range w.together(publishes...) {
		if !core.IsCode(r.err, core.CodeUnavailable) {
			t.Errorf("publish %d: got %v, want CodeUnavailable", i, r.err)
		}
	}
}

// TestCallersWhoGaveUp expects publishes to be dropped whose callers gave up while they were queued.
func TestCallersWhoGaveUp(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	unlock := w.lock()
	var all sync.WaitGroup
	ctx, giveUp := context.WithCancel(t.Context())
	for i := range 2 {
		all.Go(func() {
			_, _, err := w.Publish(ctx, w.notification("given up"), core.Idempotency{})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("publish of a caller who gives up: got %v, want %v", err, context.Canceled)
			}
		})
		eventually.True(t, "publish to be queued", func() bool { return w.queued() == i+1 })
	}
	giveUp()
	unlock()
	all.Wait()
	if _, _, err := w.Publish(t.Context(), w.notification("after"), core.Idempotency{}); err != nil {
		t.Errorf("publish after the others gave up: %v", err)
	}
	check.Equal(t, "notifications", scanOne[int](w, "select count(*) from notifications"), 1)
}

// TestNoConnection expects all publishes that wait to get the error when there is no connection, and later ones to be
// written.
func TestNoConnection(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	unlock := w.lock()
	results := make([]result, 3)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			_, _, results[i].err = w.Publish(context.Background(), w.notification(fmt.Sprint(i)), core.Idempotency{})
		})
		eventually.True(t, "publish to be queued", func() bool { return w.queued() == i+1 })
	}
	eventually.True(t, "the connection that waits for the lock to end", func() bool {
		return scanOne[int](w, `select count(pg_terminate_backend(pid)) from pg_locks
			where locktype = 'advisory' and not granted and database = (
				select oid from pg_database where datname = current_database())`) == 1
	})
	all.Wait()
	for i, r := range results {
		if !core.IsCode(r.err, core.CodeUnavailable) {
			t.Errorf("publish %d: got %v, want CodeUnavailable", i, r.err)
		}
	}
	unlock()
	if _, _, err := w.Publish(t.Context(), w.notification("after"), core.Idempotency{}); err != nil {
		t.Errorf("publish after it: %v", err)
	}
}

// TestAFullQueue expects a publish to be refused when too many are waiting.
func TestAFullQueue(t *testing.T) {
	t.Parallel()
	s := &Stream{waiting: true, queue: make([]*publish, mostQueued)}
	_, _, err := s.Publish(t.Context(), core.Notification{PublishedAt: new(time.Now())}, core.Idempotency{})
	if !core.IsCode(err, core.CodeUnavailable) {
		t.Errorf("publish when the queue is full: got %v, want CodeUnavailable", err)
	}
}

// TestIsRefused expects a publish to be tried again alone only when nothing of its group was stored.
func TestIsRefused(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"23503": true, "22021": true, "40P01": true, "54000": true, "55P03": true, // data, locks
		"08P01": false, "53300": false, "57P01": false, "57014": false, "58030": false, // connection, server
	} {
		if got := isRefused(postgres.Error(&pgconn.PgError{Code: code})); got != want {
			t.Errorf("SQLSTATE %s is refused: got %t, want %t", code, got, want)
		}
	}
}

// TestNextGroup bounds a group by its number of publishes and by the size of their texts.
func TestNextGroup(t *testing.T) {
	t.Parallel()
	s := &Stream{}
	large := make([]byte, groupBytes/10)
	for i := range groupSize + 10 {
		s.queue = append(s.queue, &publish{ctx: t.Context(), n: core.Notification{ID: core.ID{byte(i)}}})
	}
	check.Equal(t, "publishes in the first group", len(s.nextGroup()), groupSize)
	check.Equal(t, "publishes in the second group", len(s.nextGroup()), 10)
	check.Equal(t, "publishes in the third group", len(s.nextGroup()), 0)
	for range 30 {
		s.queue = append(s.queue, &publish{ctx: t.Context(), response: large})
	}
	check.Equal(t, "large publishes in a group", len(s.nextGroup()), 11)
	check.Equal(t, "large publishes left", len(s.queue), 19)
	s.queue = nil
	for range 3 {
		n := core.Notification{Data: map[string]string{"data": string(large) + string(large) + string(large)}}
		n.Body = string(large) + string(large) + string(large)
		s.queue = append(s.queue, &publish{ctx: t.Context(), n: n})
	}
	check.Equal(t, "publishes with large data in a group", len(s.nextGroup()), 2)
}
