package delivery_test

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

// steps calls the steps of delivery one by one. It has a publisher's channel and a subscriber in an empty database.
type steps struct {
	*postgres.Store
	*delivery.Writer
	db         *postgres.DB
	channel    core.ChannelRef
	category   core.ID
	subscriber core.ID
	now        time.Time
}

func newSteps(t *testing.T) *steps {
	t.Helper()
	db := pgtest.DB(t)
	w := &steps{Store: postgres.NewStore(db), db: db, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w.Writer = writertest.New(t, db, func() time.Time { return w.now })
	w.category = must(w.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	in := core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: w.category, Visibility: core.Public}
	c, _, err := w.CreateChannel(t.Context(), core.NewID(), publisher, in, w.now, core.Idempotency{})
	if err != nil {
		t.Fatalf("create a channel: %v", err)
	}
	w.channel = c.ChannelRef
	ana := core.Profile{Issuer: core.IssuerGoogle, Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "pt"}
	w.subscriber = must(w.SignIn(t.Context(), ana, core.SignUp{Open: true}, w.now)).ID
	return w
}

// RegisterDevice registers a device without a push that confirms it.
func (w *steps) RegisterDevice(
	ctx context.Context, c core.Caller, in core.Registration, now time.Time,
) (core.Device, core.Creation, error) {
	return w.Store.RegisterDevice(ctx, c, in, now,
		func(context.Context, postgres.Tx, core.Device) error { return nil })
}

func (w *steps) notification(title string) core.Notification {
	w.now = w.now.Add(time.Second)
	at := w.now
	return core.Notification{ID: core.NewID(), Channel: w.channel, Title: title, Importance: core.Normal,
		PublishedAt: &at, Visible: true}
}

func (w *steps) publish(t *testing.T, title string) core.Notification {
	t.Helper()
	n, _, err := w.Publish(t.Context(), w.notification(title), core.Idempotency{})
	if err != nil {
		t.Fatalf("publish %q: %v", title, err)
	}
	return n
}

// tx fails the test when fn fails.
func (w *steps) tx(t *testing.T, fn func(ctx context.Context, tx postgres.Tx) error) {
	t.Helper()
	if err := w.db.InTx(t.Context(), fn); err != nil {
		t.Fatalf("transaction: %v", err)
	}
}

func (w *steps) caller(t *testing.T, subscriberID core.ID) core.Caller {
	t.Helper()
	id := core.NewID()
	session := core.Session{ID: id, SubscriberID: subscriberID, CreatedAt: w.now, SeenAt: w.now}
	if err := w.CreateSession(t.Context(), session, id[:]); err != nil {
		t.Fatalf("create a session: %v", err)
	}
	return core.Caller{SubscriberID: subscriberID, SessionID: id}
}

func must3[T, U any](v T, _ U, err error) T { return must(v, err) }

// exec changes the database past the store, however long it takes.
func (w *steps) exec(t *testing.T, sql string, args ...any) {
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
func scan[T any](t *testing.T, w *steps, sql string, args ...any) (v T) {
	t.Helper()
	if err := w.db.Pool().QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// search publishes a notification and finds its devices.
func (w *steps) search(t *testing.T) core.Notification {
	t.Helper()
	n := w.publish(t, "t")
	w.find(t, n.ID, 1_000)
	return n
}

func (w *steps) devices(t *testing.T, n int) (ids []core.ID) {
	t.Helper()
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	for i := range n {
		in := core.Registration{InstallationID: fmt.Sprintf("i%d", i), Push: core.PushAddress{Kind: core.KindFCM, Address: fmt.Sprintf("t%d", i)},
			Platform: "web", Name: "x"}
		ids = append(ids, must3(w.RegisterDevice(t.Context(), w.caller(t, w.subscriber), in, w.now)).ID)
	}
	return ids
}

func (w *steps) record(t *testing.T, n core.Notification, device core.ID, outcome core.Outcome, cause string) {
	t.Helper()
	d := core.Delivery{NotificationID: n.ID, DeviceID: device, Outcome: outcome, Cause: cause}
	const batch = "from delivery_batches where notification_id = $1 and $2 = any (devices)"
	d.Place.First = scan[int64](t, w, "select first "+batch, n.ID, device)
	d.Place.Index = scan[int](t, w, "select array_position(devices, $2) - 1 "+batch, n.ID, device)
	w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
		return delivery.Record(ctx, tx, []core.Delivery{d}, w.now)
	})
}

func (w *steps) finished(t *testing.T, n core.Notification) bool {
	t.Helper()
	return scan[bool](t, w, "select finished_at is not null from dispatches where notification_id = $1", n.ID)
}

// find finds up to that many devices of a notification.
func (w *steps) find(t *testing.T, id core.ID, devices int) {
	t.Helper()
	w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
		_, err := delivery.FindDevices(ctx, tx, []core.ID{id}, devices, w.now)
		return err
	})
}
