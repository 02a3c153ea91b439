package monitoring_test

import (
	"net/url"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	metrics "github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/sininho/sininho/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// breakable returns the URL of a new database, and a proxy in front of it that can be stopped.
func breakable(t *testing.T) (address string, proxy *toxiproxy.Proxy) {
	t.Helper()
	u, err := url.Parse(servertest.Database(t))
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

// TestMonitoring runs a real Prometheus against a server under load. Each panel of the dashboard must show something,
// and each fault must fire its alerts.
func TestMonitoring(t *testing.T) {
	t.Parallel()
	address, database := breakable(t)
	s := servertest.Start(t, servertest.With("DATABASE_URL", address), servertest.Limited(),
		servertest.With("LIMIT_UNSIGNED_WEBHOOK_PER_MINUTE", "100000"), servertest.With("LIMIT_WEBHOOK_PER_MINUTE", "100000"))
	target, err := url.Parse(s.MetricsURL)
	if err != nil {
		t.Fatalf("parse the address of the metrics: %v", err)
	}
	l := startLoad(t, s)
	p := start(t, configure(t, target.Host, "127.0.0.1:1"))
	for title, queries := range panelQueries(t) {
		wait(t, "panel "+title, queries, p.has)
	}
	provoke := func(begin func(), alerts ...string) {
		t.Helper()
		begin()
		wait(t, "alerts", alerts, p.fires)
	}
	provoke(func() {}, "SininhoDown") // the second target does not exist
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
	l.fault(nil)
	provoke(database.Stop, "SininhoDatabaseDown", "SininhoErrors", "SininhoPublishesFail", "SininhoSignalsLost")
	if err := database.Start(); err != nil { // for the server to stop in order
		t.Fatalf("start the proxy again: %v", err)
	}
}
