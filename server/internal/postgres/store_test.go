package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/writertest"
)

// TestPooled runs hot statements behind a pooler, where they must not be prepared.
func TestPooled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	url := w.db.Pool().Config().ConnString()
	db := must(postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 2, Pooled: true}))
	t.Cleanup(func() { _ = db.Close() })
	w.Store, w.db = postgres.NewStore(db), db
	w.Writer = writertest.New(t, db, func() time.Time { return w.now })
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	for _, data := range []map[string]string{nil, {"linha": "azul"}} {
		n := w.notification("t")
		n.Data = data
		key := core.Idempotency{Caller: "key:1", Key: n.ID.String(), Route: "POST /x", BodyHash: []byte{1}}
		must3(w.Publish(t.Context(), n, key))
	}
	withExternalID := w.notification("t")
	withExternalID.ExternalID = "e"
	must3(w.Publish(t.Context(), withExternalID, core.Idempotency{}))

	data, total, unread := w.feed(t)
	equal(t, "notifications in the feed", len(data), 3)
	equal(t, "total of the feed", total, 3)
	equal(t, "unread notifications of the feed", unread, 3)
	equal(t, "data of the second notification", data[1].Data["linha"], "azul")
	page := core.Page{Limit: 1, After: new(data[0].Cursor())}
	_, total, channelUnread, err := listOf(t.Context(), w.Store, w.channel, page, &w.subscriber)
	succeed(t, "list the notifications of the channel", err)
	equal(t, "total of the channel", total, 3)
	equal(t, "unread notifications of the channel", channelUnread, new(int64(3)))
	c, _, err := w.ChannelRef(t.Context(), "vila", "agenda")
	succeed(t, "find the channel", err)
	equal(t, "the channel", c.ID, w.channel.ID)
	equal(t, "prepared statements", w.count(t, "select count(*) from pg_prepared_statements"), 0)
}
