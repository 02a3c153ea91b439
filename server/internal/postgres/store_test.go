package postgres_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// TestPooled does what is prepared elsewhere without preparing it.
func TestPooled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	db := must(postgres.Open(t.Context(), postgres.Config{URL: w.db.Pool().Config().ConnString(), Connections: 2, Pooled: true}))
	t.Cleanup(func() { _ = db.Close() })
	w.Store = postgres.NewStore(db)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	for _, data := range []map[string]string{nil, {"linha": "azul"}} {
		n := w.notification("t")
		n.Data = data
		must3(w.Publish(t.Context(), n, core.Idempotency{Caller: "key:1", Key: n.ID.String(), Route: "POST /x", BodyHash: []byte{1}}))
	}
	data, total, unread := w.feed(t)
	if len(data) != 2 || total != 2 || unread != 2 || data[0].Data["linha"] != "azul" {
		t.Errorf("%+v, %d, %d", data, total, unread)
	}
	if _, total, unread, err := w.Notifications(t.Context(), w.channel, core.Page{Limit: 1, After: new(data[0].Cursor())}, &w.subscriber); err != nil || total != 2 || unread == nil || *unread != 2 {
		t.Error(total, unread, err)
	}
	if c, _, err := w.ChannelRef(t.Context(), "vila", "agenda"); err != nil || c.ID != w.channel.ID {
		t.Error(c, err)
	}
	var statements int
	if err := w.db.Pool().QueryRow(t.Context(), "select count(*) from pg_prepared_statements").Scan(&statements); err != nil || statements != 0 {
		t.Errorf("%d prepared, %v", statements, err)
	}
}
