package delivery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/group"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// groups is a stream in an empty database with a channel.
type groups struct {
	*Writer
	t       testing.TB
	channel core.ChannelRef
	waiting atomic.Int32 // publishes that wait for the transaction under way
}

func newGroups(t testing.TB) *groups {
	t.Helper()
	db := pgtest.DB(t)
	log := slog.New(slog.DiscardHandler)
	w := &groups{t: t, Writer: NewWriter(WriterConfig{DB: db, Positioned: func(context.Context, int64, []core.ID) {},
		Analytics: core.NoAnalytics{}, Now: time.Now, Log: log})}
	w.group.Waiting = func(n int) { w.waiting.Store(int32(n)) }
	w.channel = w.newChannel("agenda")
	return w
}

// newChannel creates a channel of the one publisher.
func (w *groups) newChannel(slug string) core.ChannelRef {
	w.t.Helper()
	ctx, store := w.t.Context(), postgres.NewStore(w.DB)
	category, err := store.EnsureCategory(ctx, core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"})
	if err != nil {
		w.t.Fatalf("create a category: %v", err)
	}
	publisher, err := store.EnsurePublisher(ctx, core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"})
	if err != nil {
		w.t.Fatalf("create a publisher: %v", err)
	}
	c, _, err := store.CreateChannel(ctx, core.NewID(), publisher,
		core.ChannelInput{Slug: slug, Name: "Agenda", CategoryID: category, Visibility: core.Public}, time.Now(),
		core.Idempotency{})
	if err != nil {
		w.t.Fatalf("create a channel: %v", err)
	}
	return c.ChannelRef
}

func (w *groups) notification(title string) core.Notification {
	return core.Notification{ID: core.NewID(), Channel: w.channel, Title: title, Importance: core.Normal,
		PublishedAt: new(time.Now()), Visible: true}
}

func newKey(key string) core.Idempotency {
	return core.Idempotency{Caller: "key:1", Route: "POST /x", Key: key, BodyHash: []byte{1}}
}

// request is what a publish is called with.
type request struct {
	n   core.Notification
	key core.Idempotency
}

// result is what a publish returned.
type result struct {
	n        core.Notification
	creation core.Creation
	err      error
}

// together publishes all in one group: it holds up the group before until they wait.
func (w *groups) together(publishes ...request) []result {
	w.t.Helper()
	goOn := w.holdUp()
	results := w.queue(publishes...)
	goOn()
	return results()
}

// queue begins to publish all, which wait for the transaction under way. results waits for what becomes of them.
func (w *groups) queue(publishes ...request) (results func() []result) {
	w.t.Helper()
	all := make([]result, len(publishes))
	var running sync.WaitGroup
	for i, p := range publishes {
		r := &all[i]
		running.Go(func() { r.n, r.creation, r.err = w.Publish(context.Background(), p.n, p.key) })
		w.wait(i + 1)
	}
	return func() []result { running.Wait(); return all }
}

// holdUp has a publish to no channel wait for the stream's lock, until goOn is called.
func (w *groups) holdUp() (goOn func()) {
	w.t.Helper()
	unlock := w.lock()
	n := w.notification("to no channel")
	n.Channel.ID = core.NewID()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, _ = w.Publish(context.Background(), n, core.Idempotency{})
	}()
	eventually.True(w.t, "a publish to wait for the lock", func() bool { return scanOne[int](w, waitingForLock) == 1 })
	return func() { unlock(); <-done }
}

// waitingForLock counts those who wait for the stream's lock.
const waitingForLock = `select count(*) from pg_locks where locktype = 'advisory' and not granted
	and database = (select oid from pg_database where datname = current_database())`

// wait waits until that many publishes wait for the next group.
func (w *groups) wait(n int) {
	w.t.Helper()
	eventually.True(w.t, fmt.Sprintf("%d publishes to wait", n), func() bool { return int(w.waiting.Load()) == n })
}

// lock takes the stream's lock, until unlock is called.
func (w *groups) lock() (unlock func()) {
	w.t.Helper()
	tx, err := w.DB.Pool().Begin(w.t.Context())
	if err != nil {
		w.t.Fatalf("begin: %v", err)
	}
	if _, err := tx.Exec(w.t.Context(), "select pg_advisory_xact_lock($1)", int64(postgres.StreamLock)); err != nil {
		w.t.Fatalf("lock the stream: %v", err)
	}
	return func() { _ = tx.Rollback(context.Background()) }
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
	publishes := make([]request, n)
	for i := range publishes {
		publishes[i] = request{n: w.notification(fmt.Sprint(i)), key: newKey(fmt.Sprint(i))}
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
	check.Equal(t, "dispatches to nobody", scanOne[int](w, "select count(*) from dispatches"), 0)
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
		w.together(request{n: w.notification(fmt.Sprint(followers))})
		check.Equal(t, fmt.Sprintf("searches for %d followers", followers), scanOne[int](w, unsearched),
			c.searches)
	}
}

// TestOneOfAGroupIsHeard has an event endpoint appear after the channel of the first publish of a group was looked up.
func TestOneOfAGroupIsHeard(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	scanOne[int](w, `
		insert into event_endpoints (id, publisher_id, url, name, events, secret_sealed, created_at, updated_at)
		select gen_random_uuid(), id, 'https://example.com', 'x', '{}', '', now(), now() from publishers returning 1`)
	before, after := w.notification("before"), w.notification("after")
	before.Channel.Silent = true
	w.together(request{n: before}, request{n: after})
	check.Equal(t, "dispatches of what was published after it", scanOne[int](w, fmt.Sprintf(
		"select count(*) from dispatches where notification_id = '%s'", after.ID)), 1)
	before = w.notification("before")
	before.Channel.Silent = true
	w.together(request{n: before})
	check.Equal(t, "dispatches of what nobody was to hear", scanOne[int](w, fmt.Sprintf(
		"select count(*) from dispatches where notification_id = '%s'", before.ID)), 0)
}

// TestTheSecondOfTheSame expects the second publish with a key or an external id to find the first.
func TestTheSecondOfTheSame(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	key := newKey("k")
	one, two := w.notification("one"), w.notification("one")
	three, four := w.notification("three"), w.notification("four")
	three.ExternalID, four.ExternalID = "e", "e"
	other := key
	other.BodyHash = []byte{2}
	results := w.together(request{n: one, key: key}, request{n: two, key: key},
		request{n: w.notification("x"), key: other}, request{n: three}, request{n: four, key: newKey("l")})
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

// TestCallersWhoGaveUp expects publishes to be dropped whose callers gave up while they were queued.
func TestCallersWhoGaveUp(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	goOn := w.holdUp()
	var all sync.WaitGroup
	ctx, giveUp := context.WithCancel(t.Context())
	for i := range 2 {
		all.Go(func() {
			_, _, err := w.Publish(ctx, w.notification("given up"), core.Idempotency{})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("publish of a caller who gives up: got %v, want %v", err, context.Canceled)
			}
		})
		w.wait(i + 1)
	}
	giveUp()
	goOn()
	all.Wait()
	if _, _, err := w.Publish(t.Context(), w.notification("after"), core.Idempotency{}); err != nil {
		t.Errorf("publish after the others gave up: %v", err)
	}
	check.Equal(t, "notifications", scanOne[int](w, "select count(*) from notifications"), 1)
}

// TestAFullQueue expects a publish to be refused when too many are waiting.
func TestAFullQueue(t *testing.T) {
	t.Parallel()
	w := newGroups(t)
	w.group.Most = 1
	goOn := w.holdUp()
	var waits sync.WaitGroup
	waits.Go(func() { _, _, _ = w.Publish(context.Background(), w.notification("a"), core.Idempotency{}) })
	w.wait(1)
	if _, _, err := w.Publish(t.Context(), w.notification("b"), core.Idempotency{}); !core.IsCode(err, core.CodeUnavailable) {
		t.Errorf("publish when the queue is full: got %v, want CodeUnavailable", err)
	}
	goOn()
	waits.Wait()
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
	var waiting []*group.Call[*publish]
	add := func(n core.Notification) {
		waiting = append(waiting, &group.Call[*publish]{
			Item: &publish{Publication: &postgres.Publication{Notification: n}}})
	}
	next := func() int {
		var taken []*group.Call[*publish]
		taken, waiting = nextGroup(waiting)
		return len(taken)
	}
	large := strings.Repeat("x", groupBytes/10)
	for range groupSize + 10 {
		add(core.Notification{})
	}
	check.Equal(t, "publishes in the first group", next(), groupSize)
	check.Equal(t, "publishes in the second group", next(), 10)
	check.Equal(t, "publishes in the third group", next(), 0)
	for range 30 {
		add(core.Notification{Body: large})
	}
	check.Equal(t, "large publishes in a group", next(), 11)
	check.Equal(t, "large publishes left", len(waiting), 19)
	waiting = nil
	for range 3 {
		add(core.Notification{Body: large + large + large, Data: map[string]string{"data": large + large + large}})
	}
	check.Equal(t, "publishes with large data in a group", next(), 2)
}
