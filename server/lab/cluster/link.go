package cluster

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// Link is a network connection that can be broken.
type Link struct {
	t     testing.TB
	proxy *toxiproxy.Proxy
}

// Directions of a toxic: of what the server sends, or of what its clients send.
const (
	Downstream = "downstream"
	Upstream   = "upstream"
)

// NewLink returns a link to a server.
func NewLink(t testing.TB, serverURL string) *Link {
	t.Helper()
	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	l := &Link{t: t, proxy: toxiproxy.NewProxy(api, t.Name(), FreeAddr(t), host(t, serverURL))}
	if err := l.proxy.Start(); err != nil {
		t.Fatalf("start a proxy: %v", err)
	}
	t.Cleanup(l.proxy.Stop)
	return l
}

func host(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("parse %s: %v", address, err)
	}
	return u.Host
}

// Through returns a URL of the server that goes through the link.
func (l *Link) Through(address string) string {
	l.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		l.t.Fatalf("parse %s: %v", address, err)
	}
	u.Host = l.proxy.Listen
	return u.String()
}

// Add adds a toxic of toxiproxy, by its type and direction.
func (l *Link) Add(kind, direction string, attributes map[string]any) {
	l.t.Helper()
	b, err := json.Marshal(map[string]any{"type": kind, "stream": direction, "attributes": attributes})
	if err != nil {
		l.t.Fatalf("encode a toxic: %v", err)
	}
	if _, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(string(b))); err != nil {
		l.t.Fatalf("add the toxic %s: %v", kind, err)
	}
}

// Latency delays what the server sends.
func (l *Link) Latency(milliseconds int) {
	l.t.Helper()
	l.Add("latency", Downstream, map[string]any{"latency": milliseconds})
}

// Heal removes all toxics.
func (l *Link) Heal() { l.proxy.Toxics.ResetToxics(context.Background()) }

// Cut closes all connections and refuses new ones.
func (l *Link) Cut() { l.proxy.Stop() }

// Restore accepts connections again, to a server that may have another address now.
func (l *Link) Restore(serverURL string) {
	l.t.Helper()
	l.proxy.Upstream = host(l.t, serverURL)
	if err := l.proxy.Start(); err != nil {
		l.t.Fatalf("start the proxy again: %v", err)
	}
}

// LinkDatabase puts a link between the nodes and the database.
func (c *Cluster) LinkDatabase() *Link {
	c.T.Helper()
	l := NewLink(c.T, c.DatabaseURL)
	c.Environment["DATABASE_URL"] = l.Through(c.DatabaseURL)
	return l
}
