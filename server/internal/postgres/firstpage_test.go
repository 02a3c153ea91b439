package postgres_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// beforeStatement does something once, before the first statement that contains a text.
type beforeStatement struct {
	text string
	do   func()
	done atomic.Bool
}

// TraceQueryStart implements pgx.QueryTracer.
func (b *beforeStatement) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData,
) context.Context {
	if strings.Contains(q.SQL, b.text) && b.done.CompareAndSwap(false, true) {
		b.do()
	}
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*beforeStatement) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TestReadStaysRead reads the older of two notifications while a page is made. That moves what says that the newer one,
// which was read before, is read. A feed reads that in a statement of its own when there are many later receipts.
func TestReadStaysRead(t *testing.T) {
	t.Parallel()
	for what, page := range map[string]func(*world, *postgres.Store) ([]core.Notification, error){
		"feed": func(w *world, s *postgres.Store) ([]core.Notification, error) {
			data, _, _, err := readFeed(t.Context(), s, w.subscriber, core.FeedFilter{Page: core.Page{Limit: 11}})
			return data, err
		},
		"list of the channel": func(w *world, s *postgres.Store) ([]core.Notification, error) {
			data, _, _, err := listOf(t.Context(), s, w.channel, core.Page{Limit: 11}, &w.subscriber)
			return data, err
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
			older, newer := w.publish(t, "older"), w.publish(t, "newer")
			read := func(n core.Notification) {
				must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Read: new(true)}, w.now))
			}
			read(newer)
			w.exec(t, `
				with n as (
					insert into notifications (id, channel_id, title, body, importance, visible, position)
					select ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, $2, '', '', 'normal', false, i
					from generate_series(1, 40) i
					returning id
				)
				insert into receipts (subscriber_id, notification_id) select $1, id from n`,
				w.subscriber, w.anotherChannel(t).ID)
			tracer := &beforeStatement{text: "select v.id as notification_id", do: func() { read(older) }}
			url := w.db.Pool().Config().ConnString()
			db := must(postgres.OpenTraced(t.Context(), postgres.Config{URL: url, Connections: 5}, tracer))
			t.Cleanup(func() { _ = db.Close() })
			data, err := page(w, postgres.NewStore(db))
			succeed(t, "page", err)
			if !tracer.done.Load() {
				t.Error("no statement was found to read a notification before")
			}
			if data[0].ID != newer.ID || data[0].ReadAt == nil {
				t.Errorf("first notification: got %q read at %v, want the newer one, read", data[0].Title, data[0].ReadAt)
			}
		})
	}
}

// TestListOfAnotherChannelAtTheAddress finds what is kept of a deleted channel in memory by its address.
func TestListOfAnotherChannelAtTheAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "of the deleted channel")
	for range 2 { // the second one is of what is kept
		_, _, _, err := listOf(t.Context(), w.Store, w.channel, core.Page{Limit: 11}, &w.subscriber)
		succeed(t, "list", err)
	}
	succeed(t, "delete the channel", w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now))
	w.now = w.now.Add(-time.Minute) // by the clock of another node, so the time does not tell them apart
	w.createChannel(t)
	want := w.publish(t, "of the new channel")
	for range 2 {
		data, total, _, err := listOf(t.Context(), w.Store, w.channel, core.Page{Limit: 11}, &w.subscriber)
		succeed(t, "list", err)
		equal(t, "total", total, 1)
		if len(data) != 1 || data[0].ID != want.ID {
			t.Errorf("list: got %v, want only %q", data, want.Title)
		}
	}
}

func TestDeletedChannelHasNoList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "kept in memory")
	data, total, _, err := listOf(t.Context(), w.Store, w.channel, core.Page{Limit: 11}, nil)
	succeed(t, "list", err)
	equal(t, "notifications", len(data), 1)
	equal(t, "total", total, 1)
	succeed(t, "delete the channel", w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now))
	_, _, _, err = listOf(t.Context(), w.Store, w.channel, core.Page{Limit: 11}, nil)
	if !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("list of a deleted channel: got %v, want CodeNotFound", err)
	}
}
