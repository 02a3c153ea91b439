package main

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/lab/sampledata"
)

const (
	messageTitle = "Linha azul reaberta"
	messageBody  = "A circulação foi retomada em toda a linha, com intervalos normais. Pedimos desculpa pelo incómodo."
	message      = `{"title":"` + messageTitle + `","body":"` + messageBody + `","link":"https://example.com/1"}`
)

// publishes are the measurements of publishing. Nobody is pushed to: the dispatch is measured elsewhere.
func (w *world) publishes() []*measurement {
	var all []*measurement
	for _, c := range []struct {
		clients int
		bar     float64
	}{{16, 0.35}, {64, 0.5}, {256, 0.7}} {
		for _, to := range []struct {
			name    string
			channel func(i int64) string
		}{
			{"distinct channels", func(i int64) string { return sampledata.Quiet(int(i)) }},
			{"one channel", func(int64) string { return sampledata.Quiet(0) }},
		} {
			name := fmt.Sprintf("publish, %d clients, %s", c.clients, to.name)
			p99 := &Row{What: name + ", p99", Figure: "p99", Unit: "ms"}
			if c.clients == 16 {
				p99.Bar = within(20)
			}
			all = append(all, &measurement{name: name, ours: w.publish(c.clients, to.channel),
				limit: w.insertBoth(c.clients), rows: []*Row{
					{What: name, Figure: "rate", Unit: "/s", Bar: atLeast(c.bar)},
					{What: name + ", to a connection each", Figure: "wide", Unit: "/s"},
					{What: name + ", p50", Figure: "p50", Unit: "ms"}, p99,
				}})
		}
	}
	one := &measurement{name: "publish, one client", ours: w.publish(1, func(int64) string { return sampledata.Quiet(1) }),
		limit: w.insert(1, defaultPool), rows: []*Row{
			{What: "publish, one client, idle server, p50", Figure: "p50", Unit: "ms"},
			{What: "publish, one client, idle server, p99", Figure: "p99", Unit: "ms"},
		}}
	batch := &measurement{name: "publish in batches", ours: w.publishBatches, limit: w.copyBatches,
		rows: []*Row{
			{What: "publish in batches of 1,000, 4 clients", Figure: "rate", Unit: "/s", Bar: atLeast(0.30)},
			{What: "publish in batches of 1,000, 4 clients, p50", Figure: "p50", Unit: "ms"},
		}}
	ntfy := &measurement{name: "publish by ntfy's protocol", ours: w.publishBy((*caller).publishByNtfy),
		limit: w.publishBy((*caller).publishTo), rows: []*Row{
			{What: "publish by ntfy's protocol, 16 clients, to our own", Figure: "rate", Unit: "/s", Bar: atLeast(1 / 1.15)},
		}}
	return append([]*measurement{one, batch, ntfy}, all...)
}

// publisher returns a connection with the measured publisher's API key.
func (w *world) publisher(ctx context.Context) (*caller, error) {
	return dial(ctx, w.server.URL, bearer(w.data.APIKey))
}

func bearer(apiKey string) string { return "Authorization: Bearer " + apiKey }

// notificationsPath is that of a channel of the measured publisher.
func notificationsPath(slug string) string {
	return channelPath(sampledata.Publisher, slug) + "/notifications"
}

func channelPath(publisher, slug string) string { return "/api/v1/channels/" + publisher + "/" + slug }

// publishTo publishes to a channel of the measured publisher, with an idempotency key, and returns the response.
func (c *caller) publishTo(slug string) ([]byte, error) { return c.publishAt(notificationsPath(slug)) }

func (c *caller) publishAt(path string) ([]byte, error) {
	return c.do(http.MethodPost, path, http.StatusCreated, message, "Idempotency-Key: "+uuid.NewString())
}

// publishByNtfy publishes the same as publishTo.
func (c *caller) publishByNtfy(slug string) ([]byte, error) {
	return c.do(http.MethodPost, "/"+sampledata.Publisher+"_"+slug, http.StatusOK, messageBody,
		"Title: "+messageTitle, "Click: https://example.com/1", "Idempotency-Key: "+uuid.NewString())
}

// publishBy publishes to distinct channels, by 16 clients.
func (w *world) publishBy(do func(c *caller, slug string) ([]byte, error)) side {
	return w.publishing(16, func(i int64) string { return sampledata.Quiet(int(i)) }, do)
}

func (w *world) publish(clients int, channel func(i int64) string) side {
	return w.publishing(clients, channel, (*caller).publishTo)
}

func (w *world) publishing(
	clients int, channel func(i int64) string, do func(c *caller, slug string) ([]byte, error),
) side {
	return func(ctx context.Context, length time.Duration) (figures, error) {
		var n atomic.Int64
		f, err := load(ctx, clients, length, func(ctx context.Context, _ int) (client, error) {
			c, err := w.publisher(ctx)
			if err != nil {
				return client{}, err
			}
			return client{do: func(context.Context) error {
				_, err := do(c, channel(n.Add(1)))
				return err
			}, close: c.close}, nil
		})
		if err != nil {
			return f, err
		}
		f["wide"] = f["rate"]
		return f, nil
	}
}

// mostConnections is how many connections an INSERT is fastest with.
const mostConnections = 64

// insertBoth is the limit of publishing, over a pool as pgx makes it, which the bars are for, and as "wide" with a
// connection for each client: more of them share a commit.
func (w *world) insertBoth(clients int) side {
	narrow, wide := w.insert(clients, defaultPool), w.insert(clients, min(clients, mostConnections))
	return func(ctx context.Context, length time.Duration) (figures, error) {
		f, err := narrow(ctx, length)
		if err != nil {
			return nil, err
		}
		more, err := wide(ctx, length)
		f["wide"] = more["rate"]
		return f, err
	}
}

// insert inserts one row, by as many clients over some connections.
func (w *world) insert(clients, connections int) side {
	channel := uuid.New()
	return w.query(clients, connections, func(ctx context.Context, pool *pgxpool.Pool) error {
		_, err := pool.Exec(ctx, "insert into bench_raw values ($1, $2, $3, $4, now())", uuid.Must(uuid.NewV7()),
			channel, messageTitle, message)
		return err
	})
}

// query is a limit: a statement by some clients. Statements are prepared, as pgx does by default.
func (w *world) query(clients, connections int, do func(ctx context.Context, pool *pgxpool.Pool) error) side {
	return func(ctx context.Context, length time.Duration) (figures, error) {
		pool, err := w.poolOf(ctx, connections)
		if err != nil {
			return nil, err
		}
		defer pool.Close()
		return load(ctx, clients, length, func(context.Context, int) (client, error) {
			return client{do: func(ctx context.Context) error { return do(ctx, pool) }, close: func() {}}, nil
		})
	}
}
