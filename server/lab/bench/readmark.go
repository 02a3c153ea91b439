package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/sampledata"
)

const (
	crowdConnections = 256 // that carry the requests of all people
	crowdPool        = 32  // connections of the limit to PostgreSQL, as many as the server has
	watchedPeople    = 100 // who have another device open, which must be told
)

// crowd is many people who do the same at once.
type crowd struct {
	*world
	people        []sampledata.Person
	notifications []core.ID // that they have, newest first
	round         atomic.Int64
}

// reads are the measurements of read marks and follows by many people at once, whose other devices are told.
func (w *world) reads() []*measurement {
	c := &crowd{world: w}
	marks := fmt.Sprintf("read marks of %d people at once", w.People)
	displays := fmt.Sprintf("displays to %d people at once", w.People)
	follows := fmt.Sprintf("follows of %d people at once", w.People)
	return []*measurement{
		{name: marks, prepare: c.prepare, ours: c.mark, limit: c.markRows, rows: []*Row{
			{What: marks, Figure: "rate", Unit: "/s", Bar: atLeast(0.5)},
			{What: "read marks: until the last other device is told", Figure: "told", Unit: "ms"},
		}},
		{name: displays, prepare: c.prepare, ours: c.display, rows: []*Row{
			{What: displays + ": server CPU each", Figure: "cpu", Unit: "µs", Bar: within(300)},
		}},
		{name: follows, prepare: c.prepare, ours: c.follow, limit: c.followRows, rows: []*Row{
			{What: follows, Figure: "rate", Unit: "/s", Bar: atLeast(0.5)},
		}},
	}
}

func (c *crowd) prepare(ctx context.Context) error {
	c.people = c.data.Owners(c.People)
	everyone := c.data.Channel(0)
	rows, err := c.pool.Query(ctx, `
		select id from notifications where channel_id = $1 and visible order by published_at desc limit 100`, everyone.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id core.ID
		if err := rows.Scan(&id); err != nil {
			return err
		}
		c.notifications = append(c.notifications, id)
	}
	return rows.Err()
}

// next returns a notification that nobody of the crowd has touched in this run.
func (c *crowd) next() core.ID { return c.notifications[int(c.round.Add(1))%len(c.notifications)] }

// mark marks a notification as read for everyone, and waits until the watched people's other devices are told.
func (c *crowd) mark(ctx context.Context, _ time.Duration) (figures, error) {
	watched := c.people[:min(watchedPeople, len(c.people))]
	f, err := openFlock(ctx, c.server.URL, len(watched), func(i int) string {
		return "GET " + feedPath + "/stream\nCookie: __Host-sininho=" + watched[i].Session + "\r\n"
	})
	if err != nil {
		return nil, err
	}
	defer f.close()
	path := feedPath + "/" + c.next().String()
	var result figures
	told, err := f.until(func() (err error) {
		result, err = c.all(ctx, func(conn *caller, p sampledata.Person) error {
			_, err := conn.do(http.MethodPatch, path, http.StatusOK, `{"read":true}`, "Cookie: __Host-sininho="+p.Session)
			return err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	result["told"] = milliseconds(told) - result["took"]
	return result, nil
}

// display reports that a notification was displayed to everyone, and returns the server's CPU time for each report.
func (c *crowd) display(ctx context.Context, _ time.Duration) (figures, error) {
	used, err := c.server.cpu()
	if err != nil {
		return nil, err
	}
	body := `{"notificationIds":["` + c.next().String() + `"]}`
	if _, err = c.all(ctx, func(conn *caller, p sampledata.Person) error {
		_, err := conn.do(http.MethodPost, feedPath+"/displayed", http.StatusNoContent, body,
			"Cookie: __Host-sininho="+p.Session)
		return err
	}); err != nil {
		return nil, err
	}
	cpu, err := c.server.cpu()
	return figures{"cpu": (cpu - used) * 1_000 / float64(len(c.people))}, err
}

// follow makes everyone follow a channel.
func (c *crowd) follow(ctx context.Context, _ time.Duration) (figures, error) {
	channel, err := c.data.OwnChannel(sampledata.Fresh(int(c.round.Add(1))))
	if err != nil {
		return nil, err
	}
	path := "/api/v1/subscribers/channels/" + channel.ID.String() + "/subscribe"
	return c.all(ctx, func(conn *caller, p sampledata.Person) error {
		_, err := conn.do(http.MethodPost, path, http.StatusOK, "", "Cookie: __Host-sininho="+p.Session)
		return err
	})
}

// all does something for everyone, over some connections that are open already.
func (c *crowd) all(ctx context.Context, do func(*caller, sampledata.Person) error) (figures, error) {
	var conns []*caller
	for range min(crowdConnections, len(c.people)) {
		conn, err := dial(ctx, c.server.URL)
		if err != nil {
			return nil, err
		}
		defer conn.close()
		conns = append(conns, conn)
	}
	return c.spread(len(conns), func(i int, p sampledata.Person) error { return do(conns[i], p) })
}

// spread does something for everyone in some goroutines, and returns the rate.
func (c *crowd) spread(goroutines int, do func(goroutine int, p sampledata.Person) error) (figures, error) {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var running sync.WaitGroup
	began := time.Now()
	for g := range goroutines {
		running.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(c.people)) && failed.Load() == nil; i = next.Add(1) - 1 {
				if err := do(g, c.people[i]); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	running.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	took := time.Since(began)
	return figures{"rate": float64(len(c.people)) / took.Seconds(), "took": milliseconds(took)}, nil
}

// rows runs a statement for everyone, with as many goroutines as there are connections of people.
func (c *crowd) rows(ctx context.Context, sql string, args func(p sampledata.Person) []any) (figures, error) {
	pool, err := c.poolOf(ctx, crowdPool)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	return c.spread(crowdConnections, func(_ int, p sampledata.Person) error {
		_, err := pool.Exec(ctx, sql, args(p)...)
		return err
	})
}

func (c *crowd) markRows(ctx context.Context, _ time.Duration) (figures, error) {
	notification := c.next()
	return c.rows(ctx, `
		insert into receipts as r (subscriber_id, notification_id, read, read_at) values ($1, $2, true, now())
		on conflict (subscriber_id, notification_id) do update
		set read = true, read_at = coalesce(r.read_at, excluded.read_at)`,
		func(p sampledata.Person) []any { return []any{p.ID, notification} })
}

func (c *crowd) followRows(ctx context.Context, _ time.Duration) (figures, error) {
	channel, err := c.data.OwnChannel(sampledata.Fresh(int(c.round.Add(1))))
	if err != nil {
		return nil, err
	}
	return c.rows(ctx, `
		with followed as (
			insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
			select $1, $2, 'all', now(), coalesce((select ordinal from channel_heads where channel_id = $2), 0), now()
			on conflict do nothing returning 1
		)
		insert into channel_counts as k (channel_id, stripe, subscribers)
		select $2, (random() * 8)::int, count(*) from followed
		on conflict (channel_id, stripe) do update set subscribers = k.subscribers + excluded.subscribers`,
		func(p sampledata.Person) []any { return []any{p.ID, channel.ID} })
}
