package monitoring_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/Shopify/toxiproxy/v2"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

// strained is a server with few connections to its database, a read replica, and a mail server that refuses
// connections.
type strained struct {
	*load
	owner    *servertest.Subscriber
	database *toxiproxy.Proxy
	replica  interface{ Kill() }
	invited  int
}

func startStrained(t *testing.T) *strained {
	t.Helper()
	replication := servertest.Replicate(t)
	address, database := breakable(t, replication.URL)
	s := servertest.Start(t, servertest.With("DATABASE_URL", address), servertest.With("DATABASE_CONNECTIONS", "4"),
		servertest.With("DATABASE_REPLICA_URLS", replication.ReplicaURL), servertest.With("SMTP_URL", "smtp://127.0.0.1:1"),
		servertest.With("LIMIT_INVITATIONS_PER_DAY", "100000"))
	x := &strained{load: &load{Server: s, t: t}, owner: s.SignIn(t, "ana@example.com"), database: database,
		replica: replication}
	x.prepare(x.owner)
	return x
}

// invite sends an invitation by email.
func (x *strained) invite() {
	x.t.Helper()
	x.invited++
	x.owner.Do(http.MethodPost, "/publishers/acme/invitations",
		object{"email": fmt.Sprintf("%d@example.com", x.invited), "role": "editor"}, http.StatusCreated, nil)
}

// outrun opens streams that nobody reads, and publishes more than is kept for them.
func (x *strained) outrun() {
	x.t.Helper()
	for range 40 {
		x.ignoreStream()
	}
	long := make([]sininho.PublishInput, 100)
	for i := range long {
		long[i] = sininho.PublishInput{Title: "T", Body: strings.Repeat("x", 10_000)}
	}
	for range 10 {
		if _, err := x.Client().Notifications.PublishBatch(x.t.Context(), channel, long); err != nil {
			x.t.Fatalf("publish a batch: %v", err)
		}
	}
}

// ignoreStream opens a stream, waits for its beginning, and reads no more.
func (x *strained) ignoreStream() {
	x.t.Helper()
	u, err := url.Parse(x.URL)
	if err != nil {
		x.t.Fatalf("parse the server's address: %v", err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		x.t.Fatalf("dial the server: %v", err)
	}
	x.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil { //nolint:forcetypeassert // it is
		x.t.Fatalf("set the size of a buffer: %v", err)
	}
	const request = "GET /api/v1/channels/" + channel + "/notifications/stream HTTP/1.1\r\nHost: %s\r\n\r\n"
	if _, err := fmt.Fprintf(conn, request, u.Host); err != nil {
		x.t.Fatalf("open a stream: %v", err)
	}
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "retry: ") {
			return
		}
	}
	x.t.Fatal("the stream ended before it began")
}

// slowDown delays every response of the database, while many people read, until stop is called.
func (x *strained) slowDown() (stop func()) {
	x.t.Helper()
	const latency = `{"type": "latency", "stream": "downstream", "attributes": {"latency": 1500}}`
	if _, err := x.database.Toxics.AddToxicJson(strings.NewReader(latency)); err != nil {
		x.t.Fatalf("slow the database down: %v", err)
	}
	ctx, cancel := context.WithCancel(x.t.Context())
	var readers sync.WaitGroup
	for range 30 {
		readers.Go(func() {
			for ctx.Err() == nil {
				x.call(ctx, http.MethodGet, x.URL+"/api/v1/channels", nil)
			}
		})
	}
	return func() {
		cancel()
		readers.Wait()
		x.database.Toxics.ResetToxics(context.Background())
	}
}
