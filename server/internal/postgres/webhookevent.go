package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// PublishEvent implements core.EventStore.
func (s *Store) PublishEvent(ctx context.Context, webhookID core.ID, eventID string, n core.Notification, now time.Time) (id core.ID, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		n, creation, err = publish(ctx, tx, n)
		if err != nil {
			return err
		}
		return tx.NewRaw(`
			insert into webhook_events as e (webhook_id, event_id, notification_id, received_at) values (?, ?, ?, ?)
			on conflict (webhook_id, event_id) do update set notification_id = excluded.notification_id, received_at = excluded.received_at, detail = null
			where e.notification_id is null returning notification_id`, webhookID, eventID, n.ID, now).Scan(ctx, &id)
	})
	if !core.IsCode(err, core.CodeNotFound) {
		return id, creation, err
	}
	// Nothing was kept, so the event was published before; the notification made just now was rolled back.
	err = s.db.NewRaw("select notification_id from webhook_events where webhook_id = ? and event_id = ?", webhookID, eventID).Scan(ctx, &id)
	return id, core.Replayed, mapError(err)
}

// RefuseEvent implements core.EventStore.
func (s *Store) RefuseEvent(ctx context.Context, webhookID core.ID, eventID, detail string, now time.Time) error {
	_, err := s.db.NewRaw(`
		insert into webhook_events as e (webhook_id, event_id, detail, received_at) values (?, ?, ?, ?)
		on conflict (webhook_id, event_id) do update set detail = excluded.detail, received_at = excluded.received_at
		where e.notification_id is null`, webhookID, eventID, detail, now).Exec(ctx)
	return mapError(err)
}

// Events implements core.EventStore.
func (s *Store) Events(ctx context.Context, webhookID core.ID, page core.Page) ([]core.ReceivedEvent, int64, error) {
	var data []core.ReceivedEvent
	err := s.db.NewRaw(`
		select event_id as id, received_at, notification_id, coalesce(detail, '') as detail from webhook_events
		where webhook_id = ? order by received_at desc, event_id desc limit ? offset ?`, webhookID, page.Limit, page.Offset).Scan(ctx, &data)
	if err != nil {
		return nil, 0, mapError(err)
	}
	var total int64
	err = s.db.NewRaw("select count(*) from webhook_events where webhook_id = ?", webhookID).Scan(ctx, &total)
	return data, total, mapError(err)
}
