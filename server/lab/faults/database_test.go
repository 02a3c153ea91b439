package faults

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/embeddedpg"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/cluster"
)

// heals is how soon after a fault of the database everything must work again.
const heals = 5 * time.Second

// TestTerminatedConnections ends all connections of the nodes to PostgreSQL, again and again.
func TestTerminatedConnections(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	i.followers(20)
	first, second := i.Start(), i.Start()
	i.listen(i.Balancer(first, second))
	p := i.publisher(first, second)
	stopReaders, stop := p.readers(8, 10*time.Millisecond), p.load("storm", 8, 10*time.Millisecond)
	for range 20 {
		before := i.ledger.acknowledged()
		i.Count(`select count(pg_terminate_backend(pid)) from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid()`)
		eventually.True(t, "publishes after a storm", func() bool { return i.ledger.acknowledged() > before+5 })
	}
	over := time.Now()
	i.more(50)
	stop()
	stopReaders()
	i.checkRefusals(over)
	i.finish(0)
}

// checkRefusals checks that no response was worse than 503 with Retry-After, and that none was refused later than heals
// after a fault was over.
func (i *installation) checkRefusals(over time.Time) {
	i.t.Helper()
	for what, l := range map[string]*ledger{"publishes": i.ledger, "reads": i.reads} {
		if wrong := l.onlyUnavailable(); len(wrong) > 0 {
			i.t.Errorf("responses to %s: got %d that are neither 2xx nor 503 with Retry-After:\n%s", what, len(wrong),
				some(wrong))
		}
		for _, a := range l.all() {
			if a.status == 0 {
				i.t.Errorf("%s: got no response (%s), want at least 503", what, a.err)
			}
			if late := a.began.Sub(over); !a.acknowledged() && late > heals {
				i.t.Errorf("%s: got status %d %s after the fault, want none after %s", what, a.status, late, heals)
			}
		}
		i.t.Logf("responses to %s: %v, the slowest after %s", what, l.statuses(), l.slowest().took)
	}
}

// onPostgres is an installation on a PostgreSQL that a test may kill, and a link to it.
type onPostgres struct {
	*installation
	own  *cluster.Postgres
	link *cluster.Link
}

func newOnPostgres(t *testing.T) *onPostgres {
	t.Helper()
	own := cluster.NewPostgres(t, embeddedpg.Config{Dir: t.TempDir()})
	if err := postgres.Migrate(t.Context(), own.URL(), discard); err != nil {
		t.Fatalf("migrate the database: %v", err)
	}
	i := newInstallationOn(t, cluster.New(t, binary, own.URL()))
	i.CreatePublisher()
	return &onPostgres{i, own, i.LinkDatabase()}
}

func (o *onPostgres) kill() {
	o.t.Helper()
	o.own.Kill()
	o.link.Cut()
}

// startAgain starts PostgreSQL, and returns how many pushes had no recorded outcome when it was killed.
func (o *onPostgres) startAgain() (inFlight int) {
	o.t.Helper()
	o.own.Start()
	o.DatabaseURL = o.own.URL()
	inFlight = o.cutShort(0)
	o.link.Restore(o.DatabaseURL)
	return inFlight
}

// TestPostgresDown kills PostgreSQL under load, and starts it again after 30 seconds.
func TestPostgresDown(t *testing.T) {
	t.Parallel()
	long(t)
	i := newOnPostgres(t)
	i.followers(200)
	first, second := i.Start(), i.Start()
	i.listen(i.Balancer(first, second))
	p := i.publisher(first, second)
	stopReaders, stop := p.readers(4, 50*time.Millisecond), p.load("down", 8, 20*time.Millisecond)
	eventually.True(t, "publishes", func() bool { return i.ledger.acknowledged() > 50 })
	i.kill()
	down := time.Now()
	eventually.True(t, "readyz to respond with 503", func() bool { return first.Check("/readyz") == 503 })
	if late := time.Since(down); late > heals {
		t.Errorf("readyz: 503 only %s after the fault, want within %s", late, heals)
	}
	lasting(30*time.Second, func() {
		if ready, alive := first.Check("/readyz"), first.Check("/livez"); ready != 503 || alive != 200 {
			t.Errorf("without PostgreSQL: got readyz %d and livez %d, want 503 and 200", ready, alive)
		}
	})
	inFlight := i.startAgain()
	up := time.Now()
	first.WaitReady()
	second.WaitReady()
	if late := time.Since(up); late > heals {
		t.Errorf("readyz: 200 only %s after PostgreSQL was back, want within %s", late, heals)
	}
	before := i.ledger.acknowledged()
	eventually.True(t, "publishes", func() bool { return i.ledger.acknowledged() > before+50 })
	stop()
	stopReaders()
	i.checkRefusals(up)
	i.finish(inFlight)
}

// TestSlowDatabase delays everything that PostgreSQL sends by half a second, under load.
func TestSlowDatabase(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	i.followers(20)
	l := i.LinkDatabase()
	n := i.Start()
	i.listen("http://" + n.Addr)
	p := i.publisher(n)
	l.Latency(500)
	stopReaders, stop := p.readers(50, time.Millisecond), p.load("slow", 50, time.Millisecond)
	eventually.True(t, "publishes", func() bool { return i.ledger.acknowledged() > 300 })
	if n := i.Count("select count(*) from pg_stat_activity where datname = current_database()"); n > 40 {
		t.Errorf("connections to a slow database: got %d, want at most the 32 of the settings and a few", n)
	}
	stop()
	stopReaders()
	l.Heal()
	const limit = 10 * time.Second
	for what, l := range map[string]*ledger{"publishes": i.ledger, "reads": i.reads} {
		if a := l.slowest(); a.took > limit {
			t.Errorf("slowest of the %s: got %s, want at most %s", what, a.took, limit)
		}
	}
	i.checkRefusals(time.Now())
	i.finish(0)
}

// TestManyReadersOfASlowDatabase has more clients than a slow database can serve: some are refused in time, and no
// request stays behind.
func TestManyReadersOfASlowDatabase(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	l := i.LinkDatabase()
	n := i.Node()
	n.Environment = map[string]string{"METRICS_ADDR": cluster.FreeAddr(t)}
	n.Start()
	p := i.publisher(n)
	l.Latency(500)
	const clients, inFlight = 400, "sininho_http_requests_in_flight"
	stop := p.readers(clients, time.Millisecond)
	eventually.True(t, "a refusal", func() bool {
		if got := i.metric(n, inFlight); got > clients {
			t.Errorf("%s with %d clients: got %d, want none but theirs", inFlight, clients, got)
		}
		return i.reads.statuses()[http.StatusServiceUnavailable] > 0
	})
	stop()
	if a := i.reads.slowest(); a.took > 10*time.Second {
		t.Errorf("slowest of the reads: got %s, want at most 10s", a.took)
	}
	eventually.Reaches(t, inFlight+" without clients", 0, func() int { return i.metric(n, inFlight) })
	i.checkRefusals(time.Now())
}

// metric returns the value of a gauge without labels.
func (i *installation) metric(n *cluster.Node, name string) int {
	i.t.Helper()
	res, err := http.Get("http://" + n.Environment["METRICS_ADDR"] + "/metrics")
	if err != nil {
		i.t.Fatalf("get the metrics: %v", err)
	}
	defer res.Body.Close()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			value, err := strconv.ParseFloat(text, 64)
			if err != nil {
				i.t.Errorf("metric %s: got %s, want a number", name, text)
			}
			return int(value)
		}
	}
	i.t.Fatalf("metric %s: got none", name)
	return 0
}

// TestPoolExhausted occupies all connections of the requests.
func TestPoolExhausted(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	i.Environment["DATABASE_CONNECTIONS"] = "6"
	n := i.Start()
	p := i.publisher(n)
	path := "/api/v1/channels/demo/novidades/notifications/" + p.publish(t.Context(), "before").id + "/deliveries"
	release := i.lock("receipts") // which these requests wait for, and publishes do not read
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for range 20 {
		go func() {
			for ctx.Err() == nil {
				p.get(ctx, n.Addr, path)
			}
		}()
	}
	eventually.True(t, "all connections to be in use", func() bool {
		return i.Count(`
			select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`) >= 4
	})
	refused := 0
	for k := range 20 {
		a := p.try(t.Context(), n.Addr, fmt.Sprint("exhausted-", k))
		if a.took > 5*time.Second {
			t.Errorf("publish with no free connection: got status %d after %s, want 503 within 5s", a.status, a.took)
		}
		if !a.acknowledged() {
			refused++
		}
	}
	if refused == 0 {
		t.Error("publishes with all connections in use: got none refused, want 503")
	}
	stop()
	release()
	p.publish(t.Context(), "after")
	if wrong := i.ledger.onlyUnavailable(); len(wrong) > 0 {
		t.Errorf("responses with all connections in use: want 2xx, or 503 with Retry-After:\n%s", some(wrong))
	}
	i.finish(0)
}

// lock locks a table against everything until the returned function is called.
func (i *installation) lock(table string) (release func()) {
	i.t.Helper()
	conn := i.Connect()
	if _, err := conn.Exec(context.Background(), "begin; lock table "+table+" in access exclusive mode"); err != nil {
		i.t.Fatalf("lock %s: %v", table, err)
	}
	return func() { _ = conn.Close(context.Background()) }
}

// TestDiskFull has the system refuse PostgreSQL more space for the texts of notifications, as a full disk does. A disk
// that has no space for PostgreSQL's log either cannot be made without mounting one: PostgreSQL ends itself then, which
// TestPostgresDown does to it.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	i := newOnPostgres(t)
	i.followers(3)
	n := i.Start()
	p := i.publisher(n)
	p.publish(t.Context(), "before")
	eventually.Reaches(t, "closed dispatches", 1, func() int {
		return i.Count("select count(*) from dispatches where finished_at is not null")
	})
	for range 400 { // PostgreSQL keeps long texts apart, unless they can be compressed
		p.body += rand.Text()
	}
	free := i.fillDisk()
	for k := range 5 {
		if a := p.try(t.Context(), n.Addr, fmt.Sprint("full-", k)); a.status != 503 || a.retryAfter == "" {
			t.Errorf("publish with a full disk: got %+v, want 503 with Retry-After", a)
		}
		if a := p.read(t.Context(), n.Addr); a.status != http.StatusOK {
			t.Errorf("read with a full disk: got status %d, want 200", a.status)
		}
	}
	if !n.Logged("No space left on device") {
		t.Error("log of a node with a full disk: got no word of it, want PostgreSQL's")
	}
	free()
	for k := range 5 {
		p.publish(t.Context(), fmt.Sprint("full-", k))
	}
	i.finish(0)
}

// fillDisk puts /dev/full, which is always full, in the place of the empty file that long texts of notifications go to.
// The returned function puts the file back, and ends the connections that have the other one open.
func (o *onPostgres) fillDisk() (free func()) {
	o.t.Helper()
	conn := o.Connect()
	defer conn.Close(context.Background())
	var path string
	err := conn.QueryRow(context.Background(), `
		select current_setting('data_directory') || '/' || pg_relation_filepath(reltoastrelid)
		from pg_class where oid = 'notifications'::regclass`).Scan(&path)
	if err != nil {
		o.t.Fatalf("find the file of long texts: %v", err)
	}
	kept := path + ".kept"
	if err := errors.Join(os.Rename(path, kept), os.Symlink("/dev/full", path)); err != nil {
		o.t.Fatalf("fill the disk: %v", err)
	}
	return func() {
		o.t.Helper()
		if err := os.Rename(kept, path); err != nil { // replaces the link
			o.t.Fatalf("free space: %v", err)
		}
		o.Count(`select count(pg_terminate_backend(pid)) from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid()`)
	}
}
