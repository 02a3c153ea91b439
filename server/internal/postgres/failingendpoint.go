package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// failingEndpointRow is an event endpoint with the result of its latest attempt.
type failingEndpointRow struct {
	eventEndpointRow `bun:",extend"`

	PublisherSlug string `bun:"publisher_slug,scanonly"`
	LastStatus    int    `bun:"last_status,scanonly"`
	LastError     string `bun:"last_error,scanonly"`
	Pending       int64  `bun:"pending,scanonly"`
}

func (r failingEndpointRow) failingEndpoint() core.FailingEndpoint {
	return core.FailingEndpoint{EventEndpoint: r.eventEndpoint(), PublisherSlug: r.PublisherSlug,
		LastStatus: r.LastStatus, LastError: r.LastError, Pending: r.Pending}
}

// FailingEndpoints implements core.FailingEndpointStore. Of a failing endpoint the oldest event is attempted; if none
// waits, the newest one was.
func (s *Store) FailingEndpoints(ctx context.Context, page core.Page) ([]core.FailingEndpoint, int64, error) {
	q := s.db.NewSelect().ColumnExpr("?TableColumns").
		ColumnExpr("p.slug as publisher_slug, a.status as last_status, a.error as last_error").
		ColumnExpr(`(select count(*) from event_deliveries d
			where d.endpoint_id = e.id and d.status = 'pending') as pending`).
		Join("join publishers p on p.id = e.publisher_id").
		Join(`left join lateral (
			select a.status, a.error from (
				(select id, attempts from event_deliveries
				where endpoint_id = e.id and status = 'pending' order by id limit 1)
				union all
				(select id, attempts from event_deliveries
				where endpoint_id = e.id order by created_at desc, id desc limit 1)
			) d join event_attempts a on a.delivery_id = d.id and a.number = d.attempts
			order by a.at desc limit 1) a on true`).
		Where("e.failing_since is not null and (e.enabled or e.disabled_reason <> '')").
		Order("e.failing_since", "e.id")
	return list(ctx, q, page, failingEndpointRow.failingEndpoint)
}
