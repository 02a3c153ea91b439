package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// eventColumns are those of webhook_events that lists show.
const eventColumns = `event_id as id, coalesce(kind, '') as kind, received_at, outcome, notification_id, coalesce(detail, '') as detail`

// insertEvent answers nothing where the event was published before; one that was not is replaced.
const insertEvent = `
	insert into webhook_events as e (webhook_id, event_id, kind, received_at, outcome, notification_id, detail, payload, headers)
	values (?, ?, ?, ?, ?, ?, ?, ?, ?)
	on conflict (webhook_id, event_id) do update set kind = excluded.kind, received_at = excluded.received_at, outcome = excluded.outcome,
		notification_id = excluded.notification_id, detail = excluded.detail, payload = excluded.payload, headers = excluded.headers
	where e.notification_id is null
	returning xmax = 0`

type eventRow struct {
	ID             string
	Kind           string
	ReceivedAt     time.Time
	Outcome        core.WebhookOutcome
	NotificationID *core.ID
	Detail         string
	Payload        *string
	Headers        map[string]string
}

func (r eventRow) event() core.ReceivedEvent {
	e := core.ReceivedEvent{ID: r.ID, Kind: r.Kind, ReceivedAt: r.ReceivedAt, Outcome: r.Outcome, NotificationID: r.NotificationID,
		Detail: r.Detail, Headers: r.Headers}
	if r.Payload != nil {
		e.Payload = []byte(*r.Payload)
	}
	return e
}

// PublishEvent implements core.EventStore.
func (s *Store) PublishEvent(ctx context.Context, webhookID core.ID, e core.ReceivedEvent, n core.Notification) (core.ReceivedEvent, core.Creation, error) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		if n, creation, err = publish(ctx, tx, n); err != nil {
			return err
		}
		e.NotificationID = &n.ID
		_, err = keepEvent(ctx, tx, webhookID, e)
		return err
	})
	if core.IsCode(err, core.CodeNotFound) {
		// Nothing was kept, so the event was published before; the notification made just now was rolled back.
		return s.replayEvent(ctx, webhookID, e.ID)
	}
	return e, creation, err
}

// KeepEvent implements core.EventStore.
func (s *Store) KeepEvent(ctx context.Context, webhookID core.ID, e core.ReceivedEvent) (core.ReceivedEvent, core.Creation, error) {
	fresh, err := keepEvent(ctx, s.db, webhookID, e)
	switch {
	case core.IsCode(err, core.CodeNotFound):
		return s.replayEvent(ctx, webhookID, e.ID)
	case err == nil && !fresh:
		return e, core.Existing, nil
	default:
		return e, core.Created, err
	}
}

// keepEvent stores an event, and in the place of one that was not published; fresh tells whether there was none. It
// answers CodeNotFound when there was one that was.
func keepEvent(ctx context.Context, db bun.IDB, webhookID core.ID, e core.ReceivedEvent) (fresh bool, err error) {
	headers, err := json.Marshal(e.Headers)
	if err != nil {
		return false, err
	}
	var payload any
	if e.Payload != nil {
		payload = string(e.Payload)
	}
	err = db.NewRaw(insertEvent, webhookID, e.ID, null(e.Kind), e.ReceivedAt, string(e.Outcome), e.NotificationID, null(e.Detail), payload, string(headers)).
		Scan(ctx, &fresh)
	return fresh, Error(err)
}

func (s *Store) replayEvent(ctx context.Context, webhookID core.ID, eventID string) (core.ReceivedEvent, core.Creation, error) {
	e, err := s.Event(ctx, webhookID, eventID)
	return e, core.Replayed, err
}

// Event implements core.EventStore.
func (s *Store) Event(ctx context.Context, webhookID core.ID, eventID string) (core.ReceivedEvent, error) {
	var row eventRow
	err := s.db.NewRaw("select "+eventColumns+", payload, headers from webhook_events where webhook_id = ? and event_id = ?", webhookID, eventID).Scan(ctx, &row)
	if err != nil {
		return core.ReceivedEvent{}, Error(err)
	}
	return row.event(), nil
}

// Events implements core.EventStore.
func (s *Store) Events(ctx context.Context, webhookID core.ID, page core.Page) ([]core.ReceivedEvent, int64, error) {
	var rows []eventRow
	err := s.db.NewRaw("select "+eventColumns+` from webhook_events
		where webhook_id = ? order by received_at desc, event_id desc`+limit(page), webhookID).Scan(ctx, &rows)
	if err != nil {
		return nil, 0, Error(err)
	}
	data := make([]core.ReceivedEvent, len(rows))
	for i, r := range rows {
		data[i] = r.event()
	}
	total, err := s.total(ctx, page, len(data), "webhook_events where webhook_id = ?", webhookID)
	return data, total, err
}
