package cluster

import (
	"context"
	"testing"

	"github.com/sininho/sininho/server/internal/embeddedpg"
)

// Postgres is a PostgreSQL that a test may kill. It has another address each time that it is started, so nodes need a
// link to it.
type Postgres struct {
	*embeddedpg.Server
	t      testing.TB
	config embeddedpg.Config
}

// NewPostgres starts a PostgreSQL.
func NewPostgres(t testing.TB, c embeddedpg.Config) *Postgres {
	t.Helper()
	p := &Postgres{t: t, config: c}
	p.Start()
	t.Cleanup(func() { _ = p.Stop() })
	return p
}

// Start starts it, also after it was killed.
func (p *Postgres) Start() {
	p.t.Helper()
	var err error
	if p.Server, err = embeddedpg.Start(context.Background(), p.config); err != nil {
		p.t.Fatalf("start PostgreSQL: %v", err)
	}
}

// Kill ends it at once.
func (p *Postgres) Kill() {
	p.t.Helper()
	if err := p.Server.Kill(); err != nil {
		p.t.Fatalf("kill PostgreSQL: %v", err)
	}
}
