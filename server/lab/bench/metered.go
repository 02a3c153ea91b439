package main

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/lab/sampledata"
)

const (
	meteredClients = 16
	meteredTurns   = 10               // of each server in a round: what disturbs one then disturbs the other too
	scrapeInterval = 15 * time.Second // as in examples/monitoring; the first scrape is at the start of a round
)

// metered compares a server whose metrics are scraped with one that shows them to nobody, by turns, on the same
// database. Both count: what that costs is measured by itself.
type metered struct {
	w             *world
	with, without *sininho
	metricsURL    string

	measured map[string]figures // of the round, until they are used
}

// metrics is the measurement of what metrics cost.
func (w *world) metrics() []*measurement {
	m := &metered{w: w, measured: map[string]figures{}}
	return []*measurement{{name: "metrics", prepare: m.start, cleanup: m.stop, ours: m.side("with"),
		limit: m.side("without"), rows: []*Row{
			{What: "publish with scraped metrics, to without", Figure: "rate", Unit: "/s", Bar: atLeast(0.98)},
			{What: "publish with scraped metrics, to without, CPU of the server", Figure: "cpu", Unit: "µs"},
			{What: "counting a publish, to the publish, CPU", Figure: "counting", Unit: "µs", Bar: atMost(0.02)},
		}}}
}

func (m *metered) start(ctx context.Context) (err error) {
	if m.without, err = m.w.anotherNode(ctx); err != nil {
		return err
	}
	addr, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	m.metricsURL = "http://" + addr + "/metrics"
	m.with, err = m.w.anotherNode(ctx, "METRICS_ADDR", addr)
	return err
}

func (m *metered) stop() (err error) {
	for _, s := range []*sininho{m.with, m.without} {
		if s != nil {
			err = errors.Join(err, s.stop())
		}
	}
	return err
}

// side returns the figures of one of the servers. The first of a round to be asked for measures both.
func (m *metered) side(name string) side {
	return func(ctx context.Context, length time.Duration) (figures, error) {
		if m.measured[name] == nil {
			if err := m.measure(ctx, length); err != nil {
				return nil, err
			}
		}
		f := m.measured[name]
		delete(m.measured, name)
		return f, nil
	}
}

func (m *metered) measure(ctx context.Context, length time.Duration) error {
	scraping, stop := context.WithCancel(ctx)
	var scraper sync.WaitGroup
	scraper.Go(func() { m.scrape(scraping) })
	defer func() { stop(); scraper.Wait() }()
	sums := map[string]figures{"with": {}, "without": {}}
	for turn := range 2 * meteredTurns {
		name, s := "with", m.with
		if (turn+turn/2)%2 == 0 { // also takes turns in going first
			name, s = "without", m.without
		}
		before, err := s.cpu()
		if err != nil {
			return err
		}
		f, published, err := m.publish(ctx, s, length/meteredTurns)
		if err != nil {
			return err
		}
		after, err := s.cpu()
		if err != nil {
			return err
		}
		sums[name]["rate"] += f["rate"] / meteredTurns
		sums[name]["cpu"] += (after - before) * 1000 / float64(published) / meteredTurns
	}
	sums["with"]["counting"], sums["without"]["counting"] = counting(), sums["without"]["cpu"]
	m.measured = sums
	return nil
}

// counting returns how many microseconds a server takes to count a publish by itself, which is the dearest to count.
func counting() float64 {
	const times = 100_000
	m, start := metrics.New(), time.Now()
	for range times {
		m.HTTP.Begin()
		m.Delivery.Publish(metrics.PublishCreated)
		m.Delivery.Queued(1)
		m.Delivery.Queued(0)
		m.Delivery.Group(1, time.Millisecond)
		m.Delivery.Published(1)
		m.HTTP.End("publishNotification", http.StatusCreated, time.Millisecond, false)
	}
	return float64(time.Since(start).Nanoseconds()) / times / 1000
}

func (m *metered) publish(ctx context.Context, s *sininho, length time.Duration) (figures, int64, error) {
	var n atomic.Int64
	f, err := load(ctx, meteredClients, length, func(ctx context.Context, _ int) (client, error) {
		c, err := dial(ctx, s.URL, bearer(m.w.data.APIKey))
		if err != nil {
			return client{}, err
		}
		return client{do: func(context.Context) error {
			_, err := c.publishTo(sampledata.Quiet(int(n.Add(1))))
			return err
		}, close: c.close}, nil
	})
	return f, n.Load(), err
}

// scrape does what Prometheus does.
func (m *metered) scrape(ctx context.Context) {
	for {
		_ = fetch(ctx, http.MethodGet, m.metricsURL, nil) // fails when it is time to stop
		select {
		case <-ctx.Done():
			return
		case <-time.After(scrapeInterval):
		}
	}
}
