package faults

import (
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// TestBehindAPooler runs two nodes behind a PgBouncer that pools by transaction, from an empty database on: migrations
// and signals go past it, everything else through it.
func TestBehindAPooler(t *testing.T) {
	t.Parallel()
	i := newInstallationOn(t, cluster.New(t, binary, pgtest.EmptyURL(t)))
	i.Environment["DATABASE_DIRECT_URL"] = i.DatabaseURL
	i.Environment["DATABASE_URL"] = pgtest.PgBouncer(t, i.DatabaseURL)
	i.run("migrate")
	i.CreateKey()
	i.followers(50)
	first, second := i.Start(), i.Start()
	i.listen(i.Balancer(first, second))
	i.listen(i.Balancer(second, first))
	p := i.publisher(first, second)
	stop := p.load("pooled", 4, 20*time.Millisecond)
	eventually.True(t, "publishes", func() bool { return i.ledger.acknowledged() > 50 })
	stop()
	for _, a := range i.ledger.all() {
		if !a.acknowledged() {
			t.Errorf("publish behind a pooler: got %+v, want 2xx", a)
		}
	}
	i.finish(0)
}
