package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/pgtest"
	"github.com/sininho/sininho/server/internal/postgres"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world is a publisher's channel and a subscriber in an empty database.
type world struct {
	*postgres.Store
	channel    core.ChannelRef
	subscriber core.ID
	now        time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Store: pgtest.Store(t), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	category := must(w.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	c, _, err := w.CreateChannel(t.Context(), core.NewID(), publisher, core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: category, Visibility: core.Public}, w.now, core.Idempotency{})
	if err != nil {
		t.Fatal(err)
	}
	w.channel = c.ChannelRef
	w.subscriber = must(w.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "pt"}, core.SignUp{Open: true}, w.now)).ID
	return w
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
	return core.Notification{ID: core.NewID(), Channel: w.channel, Title: title, Importance: core.Normal, PublishedAt: &at, Visible: true}
}

func (w *world) publish(t *testing.T, title string) core.Notification {
	t.Helper()
	n, _, err := w.Publish(t.Context(), w.notification(title), core.Idempotency{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *world) claim(t *testing.T) []core.Claimed {
	t.Helper()
	return must(w.Claim(t.Context(), 100, w.now, func(context.Context, pgx.Tx, []core.Claimed) error { return nil }))
}

func (w *world) session(t *testing.T, subscriberID core.ID) core.ID {
	t.Helper()
	id := core.NewID()
	if err := w.CreateSession(t.Context(), core.Session{ID: id, SubscriberID: subscriberID, CreatedAt: w.now, SeenAt: w.now}, id[:]); err != nil {
		t.Fatal(err)
	}
	return id
}

func (w *world) feed(t *testing.T) ([]core.Notification, int64, int64) {
	t.Helper()
	data, total, unread, err := w.Feed(t.Context(), w.subscriber, core.FeedFilter{Page: core.Page{Limit: 10}})
	if err != nil {
		t.Fatal(err)
	}
	return data, total, unread
}

func must3[T, U any](v T, _ U, err error) T { return must(v, err) }
