package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/writertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world is a publisher's channel and a subscriber in an empty database.
type world struct {
	*postgres.Store
	*delivery.Writer
	db         *postgres.DB
	url        string
	channel    core.ChannelRef
	subscriber core.ID
	now        time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldIn(t, postgres.Config{URL: pgtest.URL(t), Connections: 20})
}

func newWorldIn(t *testing.T, config postgres.Config) *world {
	t.Helper()
	db := must(postgres.Open(t.Context(), config))
	t.Cleanup(func() { _ = db.Close() })
	w := &world{Store: postgres.NewStore(db), db: db, url: config.URL,
		now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w.Writer = writertest.New(t, db, func() time.Time { return w.now })
	w.createChannel(t)
	ana := core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "pt"}
	w.subscriber = must(w.SignIn(t.Context(), ana, core.SignUp{Open: true}, w.now)).ID
	return w
}

// RegisterDevice registers a device without a push that confirms it.
func (w *world) RegisterDevice(
	ctx context.Context, c core.Caller, in core.Registration, now time.Time,
) (core.Device, core.Creation, error) {
	return w.Store.RegisterDevice(ctx, c, in, now,
		func(context.Context, postgres.Tx, core.Device) error { return nil })
}

// createChannel creates the channel, again when it was deleted.
func (w *world) createChannel(t *testing.T) {
	t.Helper()
	category := must(w.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	in := core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: category, Visibility: core.Public}
	c, _, err := w.CreateChannel(t.Context(), core.NewID(), publisher, in, w.now, core.Idempotency{})
	if err != nil {
		t.Fatalf("create a channel: %v", err)
	}
	w.channel = c.ChannelRef
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (w *world) notification(title string) core.Notification {
	w.now = w.now.Add(time.Second)
	at := w.now
	return core.Notification{ID: core.NewID(), Channel: w.channel, Title: title, Importance: core.Normal,
		PublishedAt: &at, Visible: true}
}

func (w *world) publish(t tester, title string) core.Notification {
	t.Helper()
	n, _, err := w.Publish(t.Context(), w.notification(title), core.Idempotency{})
	if err != nil {
		t.Fatalf("publish %q: %v", title, err)
	}
	return n
}

// tx fails the test when fn fails.
func (w *world) tx(t *testing.T, fn func(ctx context.Context, tx postgres.Tx) error) {
	t.Helper()
	if err := w.db.InTx(t.Context(), fn); err != nil {
		t.Fatalf("transaction: %v", err)
	}
}

// caller is a person with a new session.
func (w *world) caller(t *testing.T, subscriberID core.ID) core.Caller {
	t.Helper()
	return core.Caller{SubscriberID: subscriberID, SessionID: w.session(t, subscriberID)}
}

func (w *world) session(t *testing.T, subscriberID core.ID) core.ID {
	t.Helper()
	id := core.NewID()
	session := core.Session{ID: id, SubscriberID: subscriberID, CreatedAt: w.now, SeenAt: w.now}
	if err := w.CreateSession(t.Context(), session, id[:]); err != nil {
		t.Fatalf("create a session: %v", err)
	}
	return id
}

func (w *world) feed(t *testing.T) ([]core.Notification, int64, int64) {
	t.Helper()
	data, total, unread, err := readFeed(t.Context(), w, w.subscriber, core.FeedFilter{Page: core.Page{Limit: 10}})
	if err != nil {
		t.Fatalf("feed: %v", err)
	}
	return data, total, unread
}

// readFeed returns what a page of a feed has.
func readFeed(ctx context.Context, s core.FeedStore, subscriberID core.ID, f core.FeedFilter) (
	data []core.Notification, total, unread int64, err error) {
	p, err := s.Feed(ctx, subscriberID, f)
	return p.Data, p.Total, p.Unread, err
}

func must3[T, U any](v T, _ U, err error) T { return must(v, err) }

// exec changes the database past the store, however long it takes.
func (w *world) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	err := pgx.BeginFunc(t.Context(), w.db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "set local statement_timeout = 0"); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), sql, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// scan reads what the store does not return.
func scan[T any](t *testing.T, w *world, sql string, args ...any) (v T) {
	t.Helper()
	if err := w.db.Pool().QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// search publishes a notification and finds its devices.
func (w *world) search(t *testing.T) core.Notification {
	t.Helper()
	n := w.publish(t, "t")
	w.find(t, n.ID, 1_000)
	return n
}

func (w *world) devices(t *testing.T, n int) (ids []core.ID) {
	t.Helper()
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	for i := range n {
		in := core.Registration{InstallationID: fmt.Sprintf("i%d", i), Push: core.PushAddress{Kind: core.KindFCM, Address: fmt.Sprintf("t%d", i)},
			Platform: "web", Name: "x"}
		ids = append(ids, must3(w.RegisterDevice(t.Context(), w.caller(t, w.subscriber), in, w.now)).ID)
	}
	return ids
}

func (w *world) record(t *testing.T, n core.Notification, device core.ID, outcome core.Outcome, cause string) {
	t.Helper()
	d := core.Delivery{NotificationID: n.ID, DeviceID: device, Outcome: outcome, Cause: cause}
	const batch = "from delivery_batches where notification_id = $1 and $2 = any (devices)"
	d.Place.First = scan[int64](t, w, "select first "+batch, n.ID, device)
	d.Place.Index = scan[int](t, w, "select array_position(devices, $2) - 1 "+batch, n.ID, device)
	w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
		return delivery.Record(ctx, tx, []core.Delivery{d}, w.now)
	})
}

func (w *world) finished(t *testing.T, n core.Notification) bool {
	t.Helper()
	return scan[bool](t, w, "select finished_at is not null from dispatches where notification_id = $1", n.ID)
}

// find finds up to that many devices of a notification.
func (w *world) find(t *testing.T, id core.ID, devices int) {
	t.Helper()
	w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
		_, err := delivery.FindDevices(ctx, tx, []core.ID{id}, devices, w.now)
		return err
	})
}

// listOf returns a page of a channel, its total, and how many of them are unread.
func listOf(ctx context.Context, s *postgres.Store, channel core.ChannelRef, page core.Page, reader *core.ID) (
	data []core.Notification, total int64, unread *int64, err error) {
	p, err := s.Notifications(ctx, channel.PublisherSlug, channel.Slug, page, reader)
	return p.Data, p.Total, p.Unread, err
}
