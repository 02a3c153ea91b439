package faults

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/cluster"
)

// TestResetMidTransaction resets the connection to PostgreSQL between an insert and its commit.
func TestResetMidTransaction(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(3)
	l := i.LinkDatabase()
	n := i.Start()
	p := i.publisher(n)
	l.Latency(slowDatabase)
	broken := make(chan attempt)
	batches := *p
	batches.batch = true
	go func() { broken <- batches.try(t.Context(), n.Addr, "reset") }()
	i.waitInserted()
	l.Cut()
	if a := <-broken; a.status != http.StatusServiceUnavailable || a.retryAfter == "" {
		t.Errorf("publish on a connection that was reset: got %+v, want 503 with Retry-After", a)
	}
	i.checkNothingStored()
	l.Heal()
	l.Restore(i.DatabaseURL)
	if a := p.publish(t.Context(), "reset"); a.replayed {
		t.Errorf("repeated publish: got %+v, want one that creates", a)
	}
	i.finish(0)
}

// TestSilentDatabase lets nothing through from PostgreSQL, and closes no connection.
func TestSilentDatabase(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	i.followers(3)
	l := i.LinkDatabase()
	n := i.Start()
	p := i.publisher(n)
	path := "/api/v1/channels/demo/novidades/notifications/" + p.publish(t.Context(), "before").id + "/deliveries"
	eventually.True(t, "the outcomes of the pushes, which may be repeated before that", func() bool {
		return i.Count("select count(*) from delivery_batches where strpos(outcomes, '.') = 0") > 0
	})
	visitor := *p // whose requests do not begin with a look-up of the key
	visitor.key = ""
	release := i.lock("receipts") // so that a statement is under way
	done := make(chan attempt)
	go func() { done <- p.get(t.Context(), n.Addr, path) }()
	eventually.True(t, "a statement", func() bool {
		return i.Count(`
			select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`) > 0
	})
	l.Add("timeout", cluster.Downstream, map[string]any{"timeout": 0})
	const limit = 12 * time.Second
	go func() { done <- p.try(t.Context(), n.Addr, "silent") }()
	for _, caller := range []*publisher{p, &visitor} {
		for _, path := range []string{"/categories", "/channels", "/channels/demo/novidades/notifications"} {
			go func() { done <- caller.get(t.Context(), n.Addr, "/api/v1"+path) }()
		}
	}
	for range 8 {
		if a := <-done; a.status != 503 || a.took > limit {
			t.Errorf("request without a response of the database: got %+v, want 503 within %s", a, limit)
		}
	}
	release()
	l.Heal()
	healed := time.Now()
	p.publish(t.Context(), "silent")
	if took := time.Since(healed); took > heals {
		t.Errorf("publish after the database responds again: took %s, want at most %s", took, heals)
	}
	i.finish(0)
}

// TestListenCut cuts the connections on which nodes listen for signals.
func TestListenCut(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(3)
	l := cluster.NewLink(t, i.DatabaseURL)
	i.Environment["DATABASE_DIRECT_URL"] = l.Through(i.DatabaseURL)
	first, second := i.Start(), i.Start()
	i.listen("http://" + first.Addr)
	i.listen("http://" + second.Addr)
	p := i.publisher(first)
	p.publish(t.Context(), "before")
	l.Cut()
	for cut := time.Now(); time.Since(cut) < 3*time.Second; { // several polls
		p.publish(t.Context(), fmt.Sprint("cut-", i.ledger.acknowledged()))
	}
	for _, s := range i.listeners {
		eventually.Reaches(t, "events of "+s.name, i.ledger.acknowledged(), func() int { return len(s.all()) })
		if late := s.latest(); late > 2*time.Second {
			t.Errorf("%s without signals: an event came %s late, want at most 2s", s.name, late)
		}
	}
	l.Restore(i.DatabaseURL)
	p.publish(t.Context(), "after")
	i.finish(0)
}
