package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/sampledata"
)

const (
	readers      = 16 // clients that read at the same time
	feedPath     = "/api/v1/subscribers/notifications"
	feedChannels = 50
	feedDepth    = 10_000
)

// feed is what somebody who follows 50 channels reads.
type feed struct {
	*world
	person sampledata.Person
	behind sampledata.Person // has read nothing
	deep   core.Cursor       // of a page far down
}

// feeds are the measurements of a feed.
func (w *world) feeds() []*measurement {
	f := &feed{world: w}
	return []*measurement{
		{name: "feed, first page", prepare: f.prepare, ours: f.first, limit: w.query(readers, readers, f.rows),
			rows: []*Row{
				{What: "feed, first page, 50 of all channels", Figure: "rate", Unit: "/s", Bar: atLeast(0.6)},
				{What: "feed, first page, p99", Figure: "p99", Unit: "ms"},
			}},
		{name: "feed, page at depth 10,000", prepare: f.prepare, ours: f.farDown,
			limit: w.query(readers, readers, f.rowsFarDown), rows: []*Row{
				{What: "feed, page at depth 10,000", Figure: "rate", Unit: "/s", Bar: atLeast(0.5)},
			}},
		{name: "feed, few unread", prepare: f.prepare, ours: f.unread, limit: f.first, rows: []*Row{
			{What: "feed, unread=true with few, to first page", Figure: "rate", Unit: "/s", Bar: atLeast(0.8)},
		}},
		{name: "feed, many unread", prepare: f.prepareManyUnread, ours: f.manyUnread, limit: f.firstOfBehind, rows: []*Row{
			{What: "feed, unread=true with many, to first page", Figure: "rate", Unit: "/s", Bar: atLeast(0.8)},
		}},
	}
}

func (f *feed) prepare(ctx context.Context) (err error) {
	if f.person, err = f.data.Reader(feedChannels); err != nil {
		return err
	}
	if err = f.checkRows(ctx); err != nil {
		return err
	}
	if err = f.checkFewUnread(ctx); err != nil {
		return err
	}
	f.deep, err = f.cursorAt(ctx, feedDepth)
	return err
}

// prepareManyUnread takes somebody who follows more channels, and has never read any of them.
func (f *feed) prepareManyUnread(ctx context.Context) (err error) {
	if f.behind, err = f.data.Reader(2 * feedChannels); err != nil {
		return err
	}
	if err = f.prepare(ctx); err != nil {
		return err
	}
	_, err = f.pool.Exec(ctx, "update subscriptions set read_ordinal = 0 where subscriber_id = $1", f.behind.ID)
	return err
}

func (f *feed) first(ctx context.Context, length time.Duration) (figures, error) {
	return f.get(ctx, length, f.person, feedPath)
}

func (f *feed) farDown(ctx context.Context, length time.Duration) (figures, error) {
	return f.get(ctx, length, f.person, feedPath+"?cursor="+f.deep.String())
}

func (f *feed) unread(ctx context.Context, length time.Duration) (figures, error) {
	return f.get(ctx, length, f.person, feedPath+"?unread=true")
}

func (f *feed) manyUnread(ctx context.Context, length time.Duration) (figures, error) {
	return f.get(ctx, length, f.behind, feedPath+"?unread=true")
}

func (f *feed) firstOfBehind(ctx context.Context, length time.Duration) (figures, error) {
	return f.get(ctx, length, f.behind, feedPath)
}

// rows is the limit of the first page.
func (f *feed) rows(ctx context.Context, pool *pgxpool.Pool) error {
	return wantRows(feedRows(ctx, pool, f.person.ID, ""))
}

// rowsFarDown is the limit of a page far down.
func (f *feed) rowsFarDown(ctx context.Context, pool *pgxpool.Pool) error {
	return wantRows(feedRows(ctx, pool, f.person.ID, " and (n.published_at, n.id) < ($2::timestamptz, $3::uuid)",
		f.deep.PublishedAt, f.deep.ID))
}

// get sends the request of a signed-in person again and again, with 16 clients.
func (w *world) get(ctx context.Context, length time.Duration, person sampledata.Person, path string) (
	figures, error) {
	return load(ctx, readers, length, func(ctx context.Context, _ int) (client, error) {
		c, err := w.signedIn(ctx, person)
		if err != nil {
			return client{}, err
		}
		return c.getting(path), nil
	})
}

// getting is a client that sends one request again and again.
func (c *caller) getting(path string) client {
	return client{close: c.close, do: func(context.Context) error {
		_, err := c.do(http.MethodGet, path, http.StatusOK, "")
		return err
	}}
}

// signedIn returns a connection with a person's session.
func (w *world) signedIn(ctx context.Context, person sampledata.Person) (*caller, error) {
	return dial(ctx, w.server.URL, "Cookie: __Host-sininho="+person.Session)
}

// feedRows reads the rows of a page, and nothing else: the limit of the feed.
func feedRows(
	ctx context.Context, pool *pgxpool.Pool, subscriber core.ID, after string, args ...any,
) ([]uuid.UUID, error) {
	return readRows(ctx, pool, `
		with archived as materialized (
			select notification_id from receipts where subscriber_id = $1 and archived_at is not null
		), page as materialized (
			select f.id, s.read_ordinal, s.read_at
			from subscriptions s cross join lateral (
				select n.id, n.published_at from notifications n
				where n.channel_id = s.channel_id and n.visible`+after+`
					and n.id not in (select notification_id from archived)
				order by n.published_at desc, n.id desc limit 10) f
			where s.subscriber_id = $1 order by f.published_at desc, f.id desc limit 10
		)
		select `+pageColumns+`, `+pageReadAt+`
		from page s join notifications n on n.id = s.id
		left join receipts r on r.subscriber_id = $1 and r.notification_id = n.id
		join channels c on c.id = n.channel_id join publishers p on p.id = c.publisher_id
		order by n.published_at desc, n.id desc`, append([]any{subscriber}, args...)...)
}

// pageColumns are what a page shows of each notification, and pageReadAt since when its reader has read it.
const (
	pageColumns = `n.id, n.title, n.body, n.image, n.icon, n.link, n.importance, n.data, n.external_id, n.published_at,
		n.expires_at, n.edited_at, c.id, c.slug, c.name, c.icon, p.slug`
	pageReadAt = `case when coalesce(r.read, n.ordinal <= s.read_ordinal) then coalesce(r.read_at, s.read_at) end`
)

// readRows reads all values of all rows, and returns the first one of each, an id.
func readRows(ctx context.Context, pool *pgxpool.Pool, sql string, args ...any) (ids []uuid.UUID, err error) {
	rows, err := pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return nil, err
		}
		id, _ := values[0].([16]byte)
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// checkRows checks that the limit reads the rows of Sininho's page.
func (f *feed) checkRows(ctx context.Context) error {
	c, err := f.signedIn(ctx, f.person)
	if err != nil {
		return err
	}
	defer c.close()
	body, err := c.do(http.MethodGet, feedPath, http.StatusOK, "")
	if err != nil {
		return err
	}
	ours, _, err := decodePage(body)
	if err != nil {
		return err
	}
	limit, err := feedRows(ctx, f.pool, f.person.ID, "")
	if err == nil && !slices.Equal(ours, limit) {
		err = fmt.Errorf("the page has %v, the limit reads %v", ours, limit)
	}
	return err
}

// checkFewUnread checks that some notifications are unread, but few.
func (f *feed) checkFewUnread(ctx context.Context) error {
	c, err := f.signedIn(ctx, f.person)
	if err != nil {
		return err
	}
	defer c.close()
	body, err := c.do(http.MethodGet, feedPath+"?unread=true", http.StatusOK, "")
	if err != nil {
		return err
	}
	ids, unread, err := decodePage(body)
	if err == nil && (unread == 0 || len(ids) != unread) {
		err = fmt.Errorf("%d are unread and %d on the page, but it should be few and all", unread, len(ids))
	}
	return err
}

func decodePage(body []byte) (ids []uuid.UUID, unread int, err error) {
	var page struct {
		Data []struct{ ID uuid.UUID }
		Meta struct{ Unread int }
	}
	err = json.Unmarshal(body, &page)
	for _, n := range page.Data {
		ids = append(ids, n.ID)
	}
	return ids, page.Meta.Unread, err
}

// cursorAt returns the cursor after that many notifications, or after half of them if there are fewer.
func (f *feed) cursorAt(ctx context.Context, depth int) (core.Cursor, error) {
	const all = `from subscriptions s join notifications n on n.channel_id = s.channel_id and n.visible
		where s.subscriber_id = $1`
	var total int
	if err := f.pool.QueryRow(ctx, "select count(*) "+all, f.person.ID).Scan(&total); err != nil {
		return core.Cursor{}, err
	}
	var n core.Notification
	var at time.Time
	err := f.pool.QueryRow(ctx, "select n.id, n.published_at "+all+
		" order by n.published_at desc, n.id desc offset $2 limit 1", f.person.ID, min(depth, total/2)).Scan(&n.ID, &at)
	n.PublishedAt = &at
	return n.Cursor(), err
}
