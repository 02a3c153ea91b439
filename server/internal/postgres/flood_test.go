package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	floodedChannels = 20
	floodOfChannel  = 2500 // notifications
	floodBlocks     = 250  // that may be read of each channel
)

// TestUnreadOfAFlood counts what is unread of channels that publish, withdraw and hide much. The counts are exact, and
// no statement that has one reads more than a few blocks of a channel.
func TestUnreadOfAFlood(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := &plans{seen: map[string]statement{}, pool: must(pgxpool.New(t.Context(), w.url))}
	t.Cleanup(p.pool.Close)
	p.db = must(postgres.OpenTraced(t.Context(), postgres.Config{URL: w.url, Connections: 5}, p))
	t.Cleanup(func() { _ = p.db.Close() })
	p.store = postgres.NewStore(p.db)
	w.flood(t)
	w.wantUnread(t, p.store)
	for name, operation := range p.counting(w) {
		clear(p.seen)
		succeed(t, name, operation())
		for _, s := range p.statements() {
			if blocks := p.blocks(t, s); blocks > floodBlocks*floodedChannels {
				t.Errorf("blocks for %s: got %d, want at most %d:\n%s", name, blocks, floodBlocks*floodedChannels, s.sql)
			}
		}
	}
	w.exec(t, "update notifications set visible = true where ordinal % 7 = 0")
	w.exec(t, headsOfFlood)
	w.wantUnread(t, p.store)
	for range 3 {
		w.exec(t, "update subscriptions set read_ordinal = read_ordinal + 701")
		w.wantUnread(t, p.store)
	}
}

const headsOfFlood = `
	insert into channel_heads as h (channel_id, ordinal, visible, hidden, version, published_at)
	select channel_id, max(ordinal), count(*) filter (where visible),
		coalesce(max(ordinal) filter (where not visible), 0), 1, max(published_at)
	from notifications group by channel_id
	on conflict (channel_id) do update set visible = excluded.visible, hidden = excluded.hidden`

// flood publishes much in channels that the subscriber follows, and hides nothing of a fourth of them, every second one
// of another, all of the third, and all but the latest of the last. A few were read out of order.
func (w *world) flood(t *testing.T) {
	t.Helper()
	publisher := scan[core.ID](t, w, "select id from publishers")
	category := scan[core.ID](t, w, "select id from categories")
	for i := range floodedChannels {
		in := core.ChannelInput{Slug: fmt.Sprint("f", i), Name: "F", CategoryID: category, Visibility: core.Public}
		c := must3(w.CreateChannel(t.Context(), core.NewID(), publisher, in, w.now, core.Idempotency{}))
		must(w.Subscribe(t.Context(), w.subscriber, c.ID, w.now))
		w.channel = c.ChannelRef
	}
	w.exec(t, `
		insert into notifications (id, channel_id, title, body, importance, visible, published_at, ordinal, position,
			stream_position, actor_kind)
		select gen_random_uuid(), c.id, 'x', repeat('y', 200), 'normal', true, $1::timestamptz + i * interval '1 ms', i,
			nextval('stream_positions'), currval('stream_positions'), 'system'
		from generate_series(1, $2::integer) i, channels c where c.slug like 'f%' order by i`, w.now, floodOfChannel)
	w.exec(t, `
		update notifications n set visible = false,
			withdrawn_at = case when n.ordinal % 3 > 0 then now() end,
			expires_at = case when n.ordinal % 3 = 0 then now() end
		from channels c
		where c.id = n.channel_id and case substr(c.slug, 2)::integer % 4
			when 0 then false when 1 then ordinal % 2 = 1 when 2 then true else ordinal <= $1 - 5 end`, floodOfChannel)
	w.exec(t, headsOfFlood)
	w.exec(t, "update subscriptions set read_ordinal = 60")
	w.exec(t, `
		insert into receipts (subscriber_id, notification_id, read)
		select $1, id, ordinal > 60 from notifications where visible and ordinal % 40 = 0`, w.subscriber)
	must(w.db.Pool().Exec(t.Context(), "analyze"))
}

// wantUnread compares the counts with what is found one by one.
func (w *world) wantUnread(t *testing.T, s *postgres.Store) {
	t.Helper()
	ctx, all := t.Context(), int64(0)
	for _, f := range must(s.Subscriptions(ctx, w.subscriber, core.Page{Limit: 100})).Data {
		want := scan[int64](t, w, `
			select count(*) from notifications n
			join subscriptions s on s.channel_id = n.channel_id
			left join receipts r on r.subscriber_id = s.subscriber_id and r.notification_id = n.id
			where n.channel_id = $1 and n.visible and not `+postgres.IsRead, f.Channel.ID)
		if f.UnreadCount != want {
			t.Errorf("unread of %s: got %d, want %d", f.Channel.Slug, f.UnreadCount, want)
		}
		all += want
		_, _, unread, err := listOf(ctx, s, f.Channel, core.Page{Limit: 10}, &w.subscriber)
		succeed(t, "list", err)
		if unread == nil || *unread != want {
			t.Errorf("unread in the list of %s: got %v, want %d", f.Channel.Slug, unread, want)
		}
	}
	for _, limit := range []int{10, 50} {
		f := core.FeedFilter{Page: core.Page{Limit: limit}}
		if _, _, unread, err := readFeed(ctx, s, w.subscriber, f); err != nil || unread != all {
			t.Errorf("unread in the feed: got %d, %v, want %d", unread, err, all)
		}
	}
}

// counting are operations with an unread count, and those that move how far a channel is read.
func (p *plans) counting(w *world) map[string]func() error {
	ctx, person, channel := context.Background(), w.subscriber, w.channel
	feed := func(f core.FeedFilter) func() error {
		return func() error { _, err := p.store.Feed(ctx, person, f); return err }
	}
	return map[string]func() error{
		"subscriptions": func() error {
			_, err := p.store.Subscriptions(ctx, person, core.Page{Limit: 100})
			return err
		},
		"a subscription": func() error {
			_, err := p.store.UpdateSubscription(ctx, person, channel.ID, core.SubscriptionPatch{})
			return err
		},
		"a list":              func() error { _, _, _, err := listOf(ctx, p.store, channel, core.Page{Limit: 10}, &person); return err },
		"the feed":            feed(core.FeedFilter{Page: core.Page{Limit: 10}}),
		"a large page":        feed(core.FeedFilter{Page: core.Page{Limit: 50}}),
		"important ones":      feed(core.FeedFilter{Page: core.Page{Limit: 10}, ImportantOnly: true}),
		"the export":          func() error { _, err := p.store.Export(ctx, person, time.Now()); return err },
		"reading one of many": func() error { return p.readLatest(ctx, channel, person) },
	}
}

func (p *plans) readLatest(ctx context.Context, channel core.ChannelRef, person core.ID) error {
	data, _, _, err := listOf(ctx, p.store, channel, core.Page{Limit: 1}, &person)
	if err == nil {
		_, err = p.store.UpdateReceipt(ctx, person, data[0].ID, core.ReceiptPatch{Read: new(true)}, time.Now())
	}
	return err
}

// blocks returns how many blocks a statement reads. It runs the statement again, without effect.
func (p *plans) blocks(t *testing.T, s statement) int {
	t.Helper()
	tx := must(p.pool.Begin(t.Context()))
	defer func() { _, _ = tx.Exec(t.Context(), "deallocate all"); _ = tx.Rollback(t.Context()) }()
	var text []byte
	succeed(t, "explain", tx.QueryRow(t.Context(), "explain (analyze, buffers, format json) "+s.prepare(t, tx),
		append([]any{pgx.QueryExecModeSimpleProtocol}, s.args...)...).Scan(&text))
	var explained []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	succeed(t, "decode a plan", json.Unmarshal(text, &explained))
	t.Logf("%d blocks: %.60q", explained[0].Plan.Hit+explained[0].Plan.Read, s.sql)
	return explained[0].Plan.Hit + explained[0].Plan.Read
}
