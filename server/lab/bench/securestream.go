package main

import (
	"context"
	"crypto/tls"
	"errors"
	"maps"
	"net"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/lab/sampledata"
)

// streamsOverTLS are the measurements of the memory of streams that TLS ends at the server itself. Each stream has a
// connection, as those of different browsers have, or shares it with others, as those of one browser do.
func (w *world) streamsOverTLS() (all []*measurement) {
	for _, kind := range []struct {
		name string
		open opening
		bar  float64
	}{
		{"HTTP/1.1 with TLS", opening{"http/1.1", 1, beginHTTP1}, 16},
		{"HTTP/2", opening{"h2", 1, beginHTTP2}, 80},
		{"HTTP/2, 100 of each connection", opening{"h2", 100, beginHTTP2}, 20},
	} {
		name := "live: memory a stream, " + kind.name
		all = append(all, &measurement{name: name,
			ours: func(ctx context.Context, _ time.Duration) (figures, error) {
				return w.secureMemory(ctx, kind.open)
			},
			rows: []*Row{
				{What: name, Figure: "memory", Unit: "KiB", Bar: within(kind.bar)},
				{What: name + ", in the kernel", Figure: "kernel", Unit: "KiB"},
			}})
	}
	return all
}

// secureMemory measures the memory of each stream of a fresh server with TLS, and of its socket in the kernel.
func (w *world) secureMemory(ctx context.Context, open opening) (f figures, err error) {
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
	path := notificationsPath(sampledata.Quiet(3)) + "/stream"
	first, err := open.streams(ctx, addr, path, 1) // what the first one allocates is not a stream's
	defer first.close()
	if err != nil {
		return nil, err
	}
	before, err := settledMemory(ctx, s.process, s.Control)
	if err != nil {
		return nil, err
	}
	sockets, err := socketMemory()
	if err != nil {
		return nil, err
	}
	all, err := open.streams(ctx, addr, path, w.SecureStreams)
	defer all.close()
	if err != nil {
		return nil, err
	}
	after, err := settledMemory(ctx, s.process, s.Control)
	if err != nil {
		return nil, err
	}
	socketsAfter, err := socketMemory()
	count := float64(w.SecureStreams)
	return figures{"memory": (after - before) / count,
		"kernel": (socketsAfter - sockets) / count / 2}, err // the client's sockets are in the same kernel
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
