package metrics

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/sininho/sininho/server/internal/core"
)

// Replicas counts pages of lists by where they were read.
type Replicas struct {
	pages *prometheus.CounterVec
	used  prometheus.Gauge
}

func newReplicas(r *registry) *Replicas {
	return &Replicas{
		pages: r.counters("database_pages_total",
			"Pages that may be read from a replica, by where they were read: replica or primary.", "from"),
		used: r.gauge("database_replicas_used", "Read replicas that are well enough to be used."),
	}
}

// Page counts a page.
func (m *Replicas) Page(fromReplica bool) {
	switch {
	case m == nil:
	case fromReplica:
		m.pages.WithLabelValues("replica").Inc()
	default:
		m.pages.WithLabelValues("primary").Inc()
	}
}

// Used adds n to the replicas that are used.
func (m *Replicas) Used(n int) {
	if m != nil {
		m.used.Add(float64(n))
	}
}

// Pools shows the connections of pools, by their names.
func (m Metrics) Pools(pools map[string]func() *pgxpool.Stat) {
	r := m.registry
	r.MustRegister(&pool{pools: pools,
		connections: r.desc("gauge", "database_connections", "Connections to the database.", "pool", "state"),
		most:        r.desc("gauge", "database_connections_max", "The most connections of a pool.", "pool"),
		acquires: r.desc("counter", "database_acquires_total", "Times that a connection was taken from a pool.",
			"pool"),
		waits: r.desc("counter", "database_acquire_waits_total",
			"Times that a connection was waited for, because all were in use.", "pool"),
		waited: r.desc("counter", "database_acquire_wait_seconds_total",
			"How long connections were waited for.", "pool"),
		canceled: r.desc("counter", "database_acquires_canceled_total",
			"Times that the wait for a connection was given up.", "pool"),
	})
}

// pool collects the counts of pgx's pools.
type pool struct {
	pools                                                map[string]func() *pgxpool.Stat
	connections, most, acquires, waits, waited, canceled *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (p *pool) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(p, ch) }

// Collect implements prometheus.Collector.
func (p *pool) Collect(ch chan<- prometheus.Metric) {
	for name, stat := range p.pools {
		s := stat()
		gauge := func(d *prometheus.Desc, value float64, labels ...string) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, append([]string{name}, labels...)...)
		}
		count := func(d *prometheus.Desc, value float64) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, name)
		}
		gauge(p.connections, float64(s.AcquiredConns()), "acquired")
		gauge(p.connections, float64(s.IdleConns()), "idle")
		gauge(p.connections, float64(s.ConstructingConns()), "connecting")
		gauge(p.most, float64(s.MaxConns()))
		count(p.acquires, float64(s.AcquireCount()))
		count(p.waits, float64(s.EmptyAcquireCount()))
		count(p.waited, s.EmptyAcquireWaitTime().Seconds())
		count(p.canceled, float64(s.CanceledAcquireCount()))
	}
}

// backlogTime is how long a scrape waits for the database.
const backlogTime = 500 * time.Millisecond

// Backlog shows what waits in the database, which read finds out at each scrape. All nodes show the same.
func (m Metrics) Backlog(read func(context.Context) (core.Backlog, error)) {
	r := m.registry
	r.MustRegister(&backlog{
		read: read,
		up: r.desc("gauge", "database_up",
			"1 if the database responded to the scrape within half a second, otherwise 0."),
		took: r.desc("gauge", "database_scrape_seconds",
			"How long the scrape took to read what waits in the database."),
		dispatches: r.desc("gauge", "dispatches_unfinished",
			"Notifications with a device that has no outcome yet, held ones included; at most 10,000 are counted."),
		oldest: r.desc("gauge", "dispatches_oldest_seconds",
			"Age of the oldest of these, among those that are counted."),
		held: r.desc("gauge", "pushes_held",
			"Pushes that wait for the end of quiet hours; at most 10,000 are counted."),
		events: r.desc("gauge", "events_pending",
			"Events that wait to be posted or to be tried again; at most 10,000 are counted."),
		endpoints: r.desc("gauge", "event_endpoints",
			"Event endpoints that do not work: failing (accepted none of the latest events), paused (of those, until "+
				"the next attempt), or disabled (by the server, after failing for days).", "state"),
		paused: r.desc("gauge", "push_paused_seconds", "How long all pushes are still paused; 0: they are not."),
		ahead: r.desc("gauge", "pacer_booked_seconds",
			"For how long the pace that all nodes share is booked: near 0 unless the quota is the limit."),
		search: r.desc("gauge", "search_behind",
			"Notifications that search does not find yet, or finds by what they were, by the length of their texts: "+
				"short or long; at most 10,000 are counted.", "part"),
		late: r.desc("gauge", "search_behind_seconds", "For how long the oldest of these has waited.", "part"),
		emails: r.desc("gauge", "emails_day",
			"Emails of the last 24 hours that count for EMAILS_PER_DAY; codes count when they are asked for."),
		jobs: r.desc("gauge", "jobs", "Jobs by queue and state; at most 10,000 of each are counted.", "queue", "state"),
		due: r.desc("gauge", "jobs_oldest_due_seconds",
			"For how long the oldest job that is ready to run has waited for a worker.", "queue"),
	})
}

// backlog collects what waits in the database.
type backlog struct {
	read                                        func(context.Context) (core.Backlog, error)
	up, took, dispatches, oldest, held          *prometheus.Desc
	events, endpoints, paused, ahead, jobs, due *prometheus.Desc
	search, late, emails                        *prometheus.Desc
}

// Describe implements prometheus.Collector. It names the metrics itself: collecting them would ask the database.
func (b *backlog) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{b.up, b.took, b.dispatches, b.oldest, b.held, b.events, b.endpoints, b.paused,
		b.ahead, b.emails, b.search, b.late, b.jobs, b.due} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. While the database does not respond only that is shown.
func (b *backlog) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), backlogTime)
	defer cancel()
	start := time.Now()
	found, err := b.read(ctx)
	gauge(b.took, time.Since(start).Seconds())
	gauge(b.up, number(err == nil))
	if err != nil {
		return
	}
	gauge(b.dispatches, float64(found.Dispatches))
	gauge(b.oldest, found.OldestDispatch.Seconds())
	gauge(b.held, float64(found.Held))
	gauge(b.events, float64(found.Events))
	gauge(b.endpoints, float64(found.FailingEndpoints), "failing")
	gauge(b.endpoints, float64(found.PausedEndpoints), "paused")
	gauge(b.endpoints, float64(found.DisabledEndpoints), "disabled")
	gauge(b.paused, found.PushPaused.Seconds())
	gauge(b.ahead, found.PaceBooked.Seconds())
	gauge(b.emails, float64(found.EmailsSent))
	for _, part := range found.Search {
		gauge(b.search, float64(part.Count), part.Part)
		gauge(b.late, part.Oldest.Seconds(), part.Part)
	}
	for _, j := range found.Jobs {
		gauge(b.jobs, float64(j.Count), j.Queue, j.State)
		if j.State == core.JobsAvailable {
			gauge(b.due, j.Oldest.Seconds(), j.Queue)
		}
	}
}
