package faults

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

// link is a network connection that can be broken.
type link struct {
	t     *testing.T
	proxy *toxiproxy.Proxy
}

// Directions of a toxic: of what the server sends, or of what its clients send.
const (
	downstream = "downstream"
	upstream   = "upstream"
)

func newLink(t *testing.T, serverURL string) *link {
	t.Helper()
	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	l := &link{t: t, proxy: toxiproxy.NewProxy(api, t.Name(), "127.0.0.1:0", host(t, serverURL))}
	if err := l.proxy.Start(); err != nil {
		t.Fatalf("start a proxy: %v", err)
	}
	t.Cleanup(l.proxy.Stop)
	return l
}

func host(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("parse %s: %v", address, err)
	}
	return u.Host
}

// through returns a URL of the server that goes through the link.
func (l *link) through(address string) string {
	l.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		l.t.Fatalf("parse %s: %v", address, err)
	}
	u.Host = l.proxy.Listen
	return u.String()
}

// add adds a toxic of toxiproxy, by its type and direction.
func (l *link) add(kind, direction string, attributes map[string]any) {
	l.t.Helper()
	b, err := json.Marshal(map[string]any{"type": kind, "stream": direction, "attributes": attributes})
	if err != nil {
		l.t.Fatalf("encode a toxic: %v", err)
	}
	if _, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(string(b))); err != nil {
		l.t.Fatalf("add the toxic %s: %v", kind, err)
	}
}

// latency delays what the server sends.
func (l *link) latency(milliseconds int) {
	l.t.Helper()
	l.add("latency", downstream, map[string]any{"latency": milliseconds})
}

// heal removes all toxics.
func (l *link) heal() { l.proxy.Toxics.ResetToxics(context.Background()) }

// cut closes all connections and refuses new ones.
func (l *link) cut() { l.proxy.Stop() }

// restore accepts connections again, to a server that may have another address now.
func (l *link) restore(serverURL string) {
	l.t.Helper()
	l.proxy.Upstream = host(l.t, serverURL)
	if err := l.proxy.Start(); err != nil {
		l.t.Fatalf("start the proxy again: %v", err)
	}
}

// linkDatabase puts a link between the nodes and the database.
func (i *installation) linkDatabase() *link {
	i.t.Helper()
	l := newLink(i.t, i.databaseURL)
	i.environment["DATABASE_URL"] = l.through(i.databaseURL)
	return l
}
