package pgtest

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/embeddedpg"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Replication is a PostgreSQL of a test with a replica that follows it by streaming replication.
type Replication struct {
	URL        string // of the migrated database
	ReplicaURL string // remains the same when the replica is started again

	t       testing.TB
	primary *embeddedpg.Server
	dir     string // of the replica
	replica *embeddedpg.Server
	relay   *relay
}

// replicated are settings of both servers. Commits reach the disk before they become visible, as in production.
var replicated = map[string]string{"fsync": "off", "synchronous_commit": "on", "max_connections": "100"}

// Replicate starts a PostgreSQL and its replica, which is made of a copy of its data directory.
func Replicate(t testing.TB) *Replication {
	t.Helper()
	dir := t.TempDir()
	r := &Replication{t: t, dir: filepath.Join(dir, "replica")}
	primary := filepath.Join(dir, "primary")
	first := start(t, primary, replicated)
	if err := postgres.Migrate(t.Context(), first.URL(), slog.New(slog.DiscardHandler)); err != nil {
		t.Fatalf("migrate the database: %v", err)
	}
	if err := first.Stop(); err != nil {
		t.Fatalf("stop PostgreSQL before its data directory is copied: %v", err)
	}
	if out, err := exec.CommandContext(t.Context(), "cp", "-a", primary, r.dir).CombinedOutput(); err != nil {
		t.Fatalf("copy the data directory: %v: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "data", "standby.signal"), nil, 0o600); err != nil {
		t.Fatalf("make the copy a standby: %v", err)
	}
	r.primary = start(t, primary, replicated)
	r.URL = r.primary.URL()
	r.relay = newRelay(t)
	r.Start()
	u := parse(r.URL)
	u.Host = r.relay.listener.Addr().String()
	r.ReplicaURL = u.String()
	return r
}

// Start starts the replica.
func (r *Replication) Start() {
	r.t.Helper()
	u := parse(r.URL)
	password, _ := u.User.Password()
	settings := map[string]string{"primary_conninfo": "host=" + u.Hostname() + " port=" + u.Port() +
		" user=" + u.User.Username() + " password=" + password}
	for name, value := range replicated {
		settings[name] = value
	}
	r.replica = start(r.t, r.dir, settings)
	r.relay.to(parse(r.replica.URL()).Host)
}

// Kill kills the replica.
func (r *Replication) Kill() {
	r.t.Helper()
	if err := r.replica.Kill(); err != nil {
		r.t.Fatalf("kill the replica: %v", err)
	}
}

// Stalled calls fn while the replica does not respond.
func (r *Replication) Stalled(fn func()) {
	r.relay.stalled.Lock()
	defer r.relay.stalled.Unlock()
	fn()
}

func start(t testing.TB, dir string, settings map[string]string) *embeddedpg.Server {
	t.Helper()
	s, err := embeddedpg.Start(context.Background(), embeddedpg.Config{Dir: dir, Settings: settings})
	if err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s
}

func parse(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // embeddedpg returns valid URLs
	}
	return u
}

// relay forwards connections to a server whose port changes.
type relay struct {
	listener net.Listener
	stalled  sync.RWMutex // locked while nothing is forwarded

	mu     sync.Mutex
	target string
}

func newRelay(t testing.TB) *relay {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen for connections to the replica: %v", err)
	}
	r := &relay{listener: l}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go r.forward(client)
		}
	}()
	return r
}

func (r *relay) to(target string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.target = target
}

// forward copies until either side closes its connection.
func (r *relay) forward(client net.Conn) {
	defer client.Close()
	r.mu.Lock()
	target := r.target
	r.mu.Unlock()
	server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", target)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		defer server.Close()
		_, _ = io.Copy(gate{server, &r.stalled}, client)
	}()
	_, _ = io.Copy(gate{client, &r.stalled}, server)
}

// gate is a writer that waits while it is stalled.
type gate struct {
	io.Writer
	stalled *sync.RWMutex
}

// Write implements io.Writer.
func (g gate) Write(b []byte) (int, error) {
	g.stalled.RLock()
	defer g.stalled.RUnlock()
	return g.Writer.Write(b)
}
