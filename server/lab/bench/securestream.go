package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/lab/sampledata"
)

// secureStreams are many, but not so many that setting up TLS takes long.
const secureStreams = 1000

// streamsOverTLS are the measurements of the memory of streams that TLS ends at the server itself.
func (w *world) streamsOverTLS() (all []*measurement) {
	for _, kind := range []struct {
		name  string
		http2 bool
	}{{"HTTP/1.1 with TLS", false}, {"HTTP/2", true}} {
		name := "live: memory a stream, " + kind.name
		all = append(all, &measurement{name: name,
			ours: func(ctx context.Context, _ time.Duration) (figures, error) {
				return w.secureMemory(ctx, kind.http2)
			},
			rows: []*Row{{What: name, Figure: "memory", Unit: "KiB", Bar: within(30)}}})
	}
	return all
}

// secureMemory measures the memory of each stream of a fresh server with TLS.
func (w *world) secureMemory(ctx context.Context, http2 bool) (f figures, err error) {
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	environment := maps.Clone(w.environment)
	environment["LISTEN_ADDR"], environment["PUBLIC_URL"] = addr, "https://"+addr
	s, err := startServer(ctx, environment)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!http2)
	protocols.SetHTTP2(http2)
	transport := &http.Transport{TLSClientConfig: trusting(), Protocols: protocols}
	defer transport.CloseIdleConnections()
	path := notificationsPath(sampledata.Quiet(3)) + "/stream"
	if err := openStreams(ctx, transport, s.URL+path, 1); err != nil { // what the first one allocates is not a stream's
		return nil, err
	}
	before, err := settledMemory(ctx, s.process, s.Control)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // closes the streams
	if err := openStreams(ctx, transport, s.URL+path, secureStreams); err != nil {
		return nil, err
	}
	after, err := settledMemory(ctx, s.process, s.Control)
	return figures{"memory": (after - before) / secureStreams}, err
}

// openStreams opens streams until ctx ends, and returns when each has sent something.
func openStreams(ctx context.Context, transport *http.Transport, url string, count int) error {
	for range count {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		res, err := transport.RoundTrip(req)
		if err != nil {
			return err
		}
		context.AfterFunc(ctx, func() { _ = res.Body.Close() })
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("open a stream: %s", res.Status)
		}
		if _, err := bufio.NewReader(res.Body).ReadByte(); err != nil {
			return fmt.Errorf("read a stream: %w", err)
		}
	}
	return nil
}

// secure makes a listener speak TLS as TLS=auto does, if browsers are to use it, with a certificate for tests.
func secure(l net.Listener, publicURL string) net.Listener {
	if !strings.HasPrefix(publicURL, "https:") {
		return l
	}
	example := httptest.NewTLSServer(nil)
	defer example.Close()
	return live.Secure(l, &tls.Config{Certificates: example.TLS.Certificates, NextProtos: []string{"h2", "http/1.1"},
		MinVersion: tls.VersionTLS12})
}

// trusting accepts the certificate of secure. It is only for connections to this machine.
func trusting() *tls.Config {
	return &tls.Config{InsecureSkipVerify: true}
}
