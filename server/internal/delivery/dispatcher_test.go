package delivery_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/writertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// pushes is a push service with results by address.
type pushes struct {
	mu      sync.Mutex
	results map[string][]core.Result // consumed one by one; then accepted
	sent    map[string]int
	titles  map[string][]string
	revised map[string][]string
	block   chan struct{} // pushes, but no revisions, wait for it to be closed
}

func (p *pushes) Send(_ context.Context, push core.Push, to core.PushAddress) core.Result {
	address := to.Address
	if p.block != nil && push.Revision == "" {
		<-p.block
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if push.Revision != "" {
		what := string(push.Revision) + " " + push.Title + push.Read
		if push.Revision == core.ReadElsewhere && push.ChannelID != "" {
			what += " in " + push.ChannelID
		}
		p.revised[address] = append(p.revised[address], what)
	} else {
		p.titles[address] = append(p.titles[address], push.Title)
	}
	p.sent[address]++
	if a := p.results[address]; len(a) > 0 {
		p.results[address] = a[1:]
		return a[0]
	}
	return core.Result{Outcome: core.Accepted}
}

type world struct {
	*postgres.Store
	*delivery.Writer // the dispatcher's, once that has started
	db               *postgres.DB
	t                *testing.T
	channel          core.ChannelRef
	pushes           *pushes
	events           core.EventSender
	d                *delivery.Dispatcher
	positioned       chan int64
	returned         chan returned
	analytics        analytics
	ahead            atomic.Int64 // by how much the dispatchers' clock goes ahead
}

// returned is what was announced as back in a feed.
type returned struct {
	subscriberID core.ID
	core.ReadEvent
}

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := pgtest.DB(t)
	w := &world{
		Store: postgres.NewStore(db), db: db, t: t, positioned: make(chan int64, 100),
		returned: make(chan returned, 100),
		pushes: &pushes{
			results: map[string][]core.Result{}, sent: map[string]int{}, titles: map[string][]string{},
			revised: map[string][]string{},
		},
	}
	w.Writer = writertest.New(t, db, now)
	category := must(w.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	c, _, err := w.CreateChannel(t.Context(), core.NewID(), publisher,
		core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: category, Visibility: core.Public}, now(),
		core.Idempotency{})
	if err != nil {
		t.Fatalf("create a channel: %v", err)
	}
	w.channel = c.ChannelRef
	return w
}

func (w *world) start() {
	w.t.Helper()
	w.startWith(func(*delivery.Config) {})
}

// startWith starts a dispatcher whose configuration was changed.
func (w *world) startWith(change func(*delivery.Config)) {
	w.t.Helper()
	c := delivery.Config{
		DB: w.db, Pruner: w.Store, Indexer: w.Store, Sender: w.pushes, Events: w.events, Quota: 600_000,
		EventQuota: 300, Now: w.clock,
		Positioned: func(_ context.Context, p int64, _ []core.ID) { w.positioned <- p }, Analytics: &w.analytics,
		Returned: func(_ context.Context, id core.ID, e core.ReadEvent) { w.returned <- returned{id, e} },
		Log:      slog.New(slog.DiscardHandler),
	}
	change(&c)
	d := must(delivery.New(c)) // there may be another
	w.d, w.Writer = d, d.Writer(w.db)
	if err := d.Start(w.t.Context()); err != nil {
		w.t.Fatalf("start the dispatcher: %v", err)
	}
	w.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		if err := d.Stop(ctx); err != nil {
			w.t.Errorf("stop the dispatcher: %v", err)
		}
	})
}

// clock is the dispatchers'.
func (w *world) clock() time.Time { return now().Add(time.Duration(w.ahead.Load())) }

// RegisterDevice registers a device without a push that confirms it.
func (w *world) RegisterDevice(
	ctx context.Context, c core.Caller, in core.Registration, now time.Time,
) (core.Device, core.Creation, error) {
	return w.Store.RegisterDevice(ctx, c, in, now,
		func(context.Context, postgres.Tx, core.Device) error { return nil })
}

// follower makes a person who follows the channel with a device of that address.
func (w *world) follower(address string, bell core.Bell, muted bool) core.ID {
	w.t.Helper()
	id := must(
		w.SignIn(w.t.Context(), core.Profile{
			Issuer: core.IssuerGoogle, Subject: address, Email: address + "@example.com", Name: address, Locale: "pt",
		}, core.SignUp{Open: true}, now()),
	).ID
	must(w.Subscribe(w.t.Context(), id, w.channel.ID, now()))
	patch := core.SubscriptionPatch{Bell: &bell}
	if muted {
		until := now().Add(time.Hour)
		patch.MutedUntil = core.Patch[time.Time]{Set: true, Value: &until}
	}
	must(w.UpdateSubscription(w.t.Context(), id, w.channel.ID, patch))
	session := core.Session{ID: core.NewID(), SubscriberID: id, CreatedAt: now(), SeenAt: now()}
	if err := w.CreateSession(w.t.Context(), session, session.ID[:]); err != nil {
		w.t.Fatalf("create a session: %v", err)
	}
	in := core.Registration{InstallationID: "i-" + address,
		Push: core.PushAddress{Kind: core.KindFCM, Address: address}, Platform: "web", Name: "x"}
	d, _, err := w.RegisterDevice(w.t.Context(), core.Caller{SubscriberID: id, SessionID: session.ID}, in, now())
	if err != nil {
		w.t.Fatalf("register a device: %v", err)
	}
	return d.ID
}

func (w *world) publish(change func(*core.Notification)) core.ID {
	w.t.Helper()
	at := now()
	n := core.Notification{
		ID: core.NewID(), Channel: w.channel, Title: "t", Importance: core.Normal, PublishedAt: &at, Visible: true,
	}
	if change != nil {
		change(&n)
	}
	if _, _, err := w.Publish(w.t.Context(), n, core.Idempotency{}); err != nil {
		w.t.Fatalf("publish: %v", err)
	}
	return n.ID
}

// outcomes waits until the notification has n outcomes, and returns them by device.
func (w *world) outcomes(notification core.ID, n int) map[core.ID]string {
	w.t.Helper()
	out := map[core.ID]string{}
	eventually.True(w.t, fmt.Sprintf("%d outcomes", n), func() bool {
		clear(out)
		rows, err := w.db.Pool().
			Query(w.t.Context(), "select device_id, outcome || coalesce(' ' || cause, '') from deliveries where "+
				"notification_id = $1", notification)
		if err != nil {
			w.t.Fatalf("read deliveries: %v", err)
		}
		defer rows.Close()
		for rows.Next() {
			var id core.ID
			var outcome string
			if err := rows.Scan(&id, &outcome); err != nil {
				w.t.Fatalf("read deliveries: %v", err)
			}
			out[id] = outcome
		}
		return len(out) == n
	})
	return out
}

func (w *world) outcome(notification, device core.ID) (outcome string) {
	w.t.Helper()
	err := w.db.Pool().QueryRow(w.t.Context(),
		"select outcome || coalesce(' ' || cause, '') from deliveries where notification_id = $1 and device_id = $2",
		notification, device).Scan(&outcome)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		w.t.Fatalf("read a delivery: %v", err)
	}
	return outcome
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	again := core.Result{Cause: core.CauseUnavailable}
	gone := core.Result{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}
	w.pushes.results["flaky"] = []core.Result{again, again}
	w.pushes.results["gone"] = []core.Result{gone}
	w.pushes.results["refused"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseInvalid}}
	devices := map[core.ID]string{
		w.follower("well", core.BellAll, false):                 "accepted",
		w.follower("flaky", core.BellAll, false):                "accepted",
		w.follower("gone", core.BellAll, false):                 "failed unregistered",
		w.follower("refused", core.BellAll, false):              "failed invalid",
		w.follower("muted", core.BellAll, true):                 "suppressed muted",
		w.follower("important-only", core.BellImportant, false): "suppressed bell",
		w.follower("off", core.BellNone, false):                 "suppressed bell",
	}
	m := metrics.New()
	w.startWith(func(c *delivery.Config) { c.Metrics = m.Delivery })
	first := w.outcomes(w.publish(nil), len(devices))
	if diff := cmp.Diff(devices, first); diff != "" {
		t.Errorf("outcomes by device (-want +got):\n%s", diff)
	}
	second := w.outcomes(w.publish(func(n *core.Notification) { n.Importance = core.Important }), len(devices)-1)
	accepted := 0
	for _, o := range second {
		if o == "accepted" {
			accepted++
		}
	}
	if accepted != 4 { // well, flaky, refused and important-only
		t.Errorf("accepted of an important notification: got %d of %v, want 4", accepted, second)
	}
	for address, want := range map[string]int{"gone": 1, "flaky": 4, "off": 0, "muted": 0} {
		if got := w.pushes.sent[address]; got != want {
			t.Errorf("pushes to %s: got %d, want %d", address, got, want)
		}
	}
	select {
	case <-w.positioned:
	default:
		t.Error("positions of the stream: got no notice, want one")
	}
	want := core.NodeCounts{Published: 2, Accepted: 6, Failed: core.Causes{"unregistered": 1, "invalid": 1},
		Retried: core.Causes{"unavailable": 2}}
	var counts core.NodeCounts
	eventually.True(t, "the pushes to be counted", func() bool {
		counts = m.Counts().Since(core.NodeCounts{})
		return counts.Failed.Total() >= want.Failed.Total()
	})
	check.Equal(t, "counts of the node", counts, want)
}

func TestPauseDiscardsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.results["a"] = []core.Result{{Cause: core.CauseQuota, Pause: 2 * time.Second}}
	a := w.follower("a", core.BellAll, false)
	w.start()
	began := time.Now()
	if got := w.outcomes(w.publish(nil), 1); got[a] != "accepted" {
		t.Errorf("outcome after a pause: got %v, want accepted", got)
	}
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("time until the push is sent again: got %s, want at least the pause of 2 s", took)
	}
}

func TestExpiresAndWithdraws(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 100 {
		w.pushes.results["a"] = append(w.pushes.results["a"], core.Result{Cause: core.CauseUnavailable})
	}
	a := w.follower("a", core.BellAll, false)
	w.start()
	soon := now().Add(1500 * time.Millisecond)
	if got := w.outcomes(w.publish(func(n *core.Notification) { n.ExpiresAt = &soon }),
		1); got[a] != "expired expired" {
		t.Errorf("outcome after the expiry: got %v, want expired expired", got)
	}
	id := w.publish(nil)
	eventually.True(t, "a first try",
		func() bool { w.pushes.mu.Lock(); defer w.pushes.mu.Unlock(); return w.pushes.sent["a"] >= 3 })
	w.correct(id, func(n *core.Notification, at time.Time) { n.WithdrawnAt, n.Visible = &at, false })
	if got := w.outcomes(id, 1); got[a] != "expired withdrawn" {
		t.Errorf("outcome after the withdrawal: got %v, want expired withdrawn", got)
	}
}

func TestScheduled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.follower("a", core.BellAll, false)
	w.start()
	due := now().Add(1200 * time.Millisecond)
	id := w.publish(func(n *core.Notification) {
		n.PublishedAt = nil
		n.Visible = false
		n.ScheduledAt = &due
	})
	if got := w.outcomes(id, 1); got[a] != "accepted" {
		t.Errorf("outcome of a scheduled notification: got %v, want accepted", got)
	}
	if at := now(); at.Before(due) {
		t.Errorf("time of the push: got %s, want %s or later", at, due)
	}
}

// correct changes a notification as a publisher would.
func (w *world) correct(id core.ID, change func(n *core.Notification, at time.Time)) {
	w.t.Helper()
	must(w.Correct(w.t.Context(), w.channel.ID, id, func(n *core.Notification) error {
		at := now()
		n.EditedAt = &at
		change(n, at)
		return nil
	}))
}

// TestTwoNodes runs two dispatchers on one database: every device is pushed once.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const devices, notifications = 60, 5
	for i := range devices {
		w.follower(fmt.Sprint("d", i), core.BellAll, false)
	}
	w.start()
	w.start()
	var ids []core.ID
	for range notifications {
		ids = append(ids, w.publish(nil))
	}
	for _, id := range ids {
		w.outcomes(id, devices)
	}
	for address, n := range w.pushes.sent {
		if n != notifications {
			t.Errorf("pushes to %s: got %d, want %d", address, n, notifications)
		}
	}
}
