package server

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/rivertype"

	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

// observer counts and traces what a node does. The settings say who sees it besides the operators' screens.
type observer struct {
	metrics.Metrics
	tracer *tracing.Tracer
	server *metrics.Server // nil without an address for the metrics
}

// exportTimeout is how long a node that stops tries to export its last spans.
const exportTimeout = 5 * time.Second

// observe begins to count and to trace. The caller must call close.
func (c Config) observe(ctx context.Context, log *slog.Logger) (*observer, error) {
	o := &observer{Metrics: metrics.New()}
	o.EmailBudget.Set(float64(c.EmailsPerDay))
	var err error
	if o.tracer, err = tracing.New(ctx, c.tracesEndpoint(), log); err != nil || c.MetricsAddr == "" {
		return o, err
	}
	l, err := Listen(ctx, c.MetricsAddr)
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	o.server = metrics.Serve(l, o.Metrics, log)
	return o, nil
}

// watch shows the pools of a node, by their names, and what waits in the database.
func (o *observer) watch(pools map[string]*postgres.DB, store *postgres.Store) {
	stats := map[string]func() *pgxpool.Stat{}
	for name, db := range pools {
		stats[name] = db.Pool().Stat
	}
	o.Pools(stats)
	o.Backlog(store.Backlog)
	o.Storage(store.InstallationStorage)
}

// part observes jobs.
func (o *observer) part() (p jobs.Part) {
	p.Middleware = append(p.Middleware, o.Jobs)
	if o.tracer.On() {
		p.Middleware = append(p.Middleware, &tracing.Jobs{Tracer: o.tracer})
	}
	return p
}

var (
	_ rivertype.WorkerMiddleware    = (*metrics.Jobs)(nil)
	_ rivertype.WorkerMiddleware    = (*tracing.Jobs)(nil)
	_ rivertype.JobInsertMiddleware = (*tracing.Jobs)(nil)
)

// close exports what is left. It may be called on nil.
func (o *observer) close() (err error) {
	if o == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), exportTimeout)
	defer cancel()
	err = o.tracer.Close(ctx)
	if o.server != nil {
		err = errors.Join(err, o.server.Close())
	}
	return err
}

// MetricsURL returns the address of the metrics, or "" without one.
func (s *Server) MetricsURL() string {
	if s.observer.server == nil {
		return ""
	}
	return s.observer.server.URL()
}
