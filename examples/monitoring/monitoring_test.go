package monitoring_test

import (
	"context"
	"net/url"
	"slices"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/jackc/pgx/v5"
	metrics "github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/sininho/sininho/server/lab/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// breakable returns the URL of a database through a proxy that can be stopped.
func breakable(t *testing.T, database string) (address string, proxy *toxiproxy.Proxy) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatalf("parse the database's URL: %v", err)
	}
	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(metrics.NewRegistry()), zerolog.Nop())
	proxy = toxiproxy.NewProxy(api, "database", "127.0.0.1:0", u.Host)
	if err := proxy.Start(); err != nil {
		t.Fatalf("start a proxy: %v", err)
	}
	t.Cleanup(proxy.Stop)
	u.Host = proxy.Listen
	return u.String(), proxy
}

// target is where Prometheus scrapes a server.
func target(t *testing.T, s *servertest.Server) string {
	t.Helper()
	u, err := url.Parse(s.MetricsURL)
	if err != nil {
		t.Fatalf("parse the address of the metrics: %v", err)
	}
	return u.Host
}

// stopSearch locks how far search is, until resume is called.
func stopSearch(t *testing.T, address string) (resume func()) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), address)
	if err == nil {
		_, err = db.Exec(t.Context(), "begin; select from search_progress for update")
	}
	if err != nil {
		t.Fatalf("lock how far search is: %v", err)
	}
	return func() { _ = db.Close(context.Background()) }
}

// useEmails counts nearly all emails of a day as sent.
func useEmails(t *testing.T, address string) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), address)
	if err == nil {
		_, err = db.Exec(t.Context(), "insert into email_hours values (date_trunc('hour', now()), 9000) "+
			"on conflict (hour) do update set sent = excluded.sent")
	}
	if err != nil {
		t.Fatalf("count emails: %v", err)
	}
	_ = db.Close(t.Context())
}

// TestMonitoring runs a real Prometheus against two servers: one under load, and one that is short of everything. Each
// panel of the dashboard must show something, and each alert must fire by its fault.
func TestMonitoring(t *testing.T) {
	t.Parallel()
	address, database := breakable(t, servertest.Database(t))
	s := servertest.Start(t, servertest.With("DATABASE_URL", address), servertest.Limited(),
		servertest.With("LIMIT_UNSIGNED_WEBHOOK_PER_MINUTE", "100000"), servertest.With("LIMIT_WEBHOOK_PER_MINUTE", "100000"))
	l, short := startLoad(t, s), startStrained(t)
	p := start(t, configure(t, target(t, s), target(t, short.Server), "127.0.0.1:1"))
	for title, queries := range panelQueries(t) {
		wait(t, "panel "+title, queries, p.has)
	}
	unprovoked := alerts(t)
	fire := func(again func(), names ...string) {
		t.Helper()
		wait(t, "alerts", names, func(name string) bool { again(); return p.fires(name) })
		unprovoked = slices.DeleteFunc(unprovoked, func(name string) bool { return slices.Contains(names, name) })
	}
	provoke := func(begin func(), names ...string) {
		t.Helper()
		begin()
		fire(func() {}, names...)
	}
	provoke(func() {}, "SininhoDown") // the third target does not exist
	provoke(func() { l.fault(object{"error": "INVALID_ARGUMENT"}) }, "SininhoPushRejected")
	l.fault(nil)
	provoke(func() { l.fault(object{"error": "RATE_LIMIT_EXCEEDED", "retryAfter": "3"}) }, "SininhoPushPaused")
	l.fault(nil)
	provoke(func() { l.fault(object{"error": "THIRD_PARTY_AUTH_ERROR"}) }, "SininhoPushCredentials")
	l.fault(nil)
	provoke(func() { l.fault(object{"error": "UNAVAILABLE"}) }, "SininhoPushServiceDown")
	l.fault(nil)
	provoke(func() { l.rejecting.Store(true) }, "SininhoEventPostsFail", "SininhoEventEndpointFailing")
	provoke(func() { l.fault(object{"hang": true}) }, "SininhoQueueGrowing")
	provoke(func() { l.fault(nil) }, "SininhoPushesLate") // those that have waited
	fire(short.invite, "SininhoEmailsFail", "SininhoJobsFail")
	provoke(short.outrun, "SininhoStreamsCut")
	wait(t, "metric", []string{"sininho_database_replicas_used > 0"}, p.has)
	provoke(short.replica.Kill, "SininhoReplicaUnused")
	fire(func() {}, "SininhoDatabaseGrows", "SininhoPublisherFull")
	resume := stopSearch(t, address)
	fire(func() {}, "SininhoSearchBehind")
	resume()
	useEmails(t, address)
	fire(func() {}, "SininhoEmailBudget")
	stop := short.slowDown()
	fire(func() {}, "SininhoSlow", "SininhoDatabaseConnections")
	stop()
	provoke(database.Stop, "SininhoDatabaseDown", "SininhoErrors", "SininhoPublishesFail", "SininhoSignalsLost")
	if err := database.Start(); err != nil { // for the server to stop in order
		t.Fatalf("start the proxy again: %v", err)
	}
	if len(unprovoked) > 0 {
		t.Errorf("alerts that nothing here provokes: got %q, want none", unprovoked)
	}
}
