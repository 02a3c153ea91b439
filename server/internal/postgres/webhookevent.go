package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/server/internal/core"
)

type webhookEventRow struct {
	bun.BaseModel `bun:"table:webhook_events,alias:e"`

	WebhookID      core.ID             `bun:"webhook_id,pk"`
	EventID        string              `bun:"event_id,pk"`
	Kind           string              `bun:"kind,nullzero"`
	ReceivedAt     time.Time           `bun:"received_at"`
	Outcome        core.WebhookOutcome `bun:"outcome"`
	NotificationID *core.ID            `bun:"notification_id"`
	Detail         string              `bun:"detail,nullzero"`
	Payload        *string             `bun:"payload"`
	Headers        map[string]string   `bun:"headers,type:jsonb"`
	Adjusted       mend.Adjustments    `bun:"adjusted,type:jsonb,nullzero"`
	BodyHash       []byte              `bun:"body_hash"`
}

func newWebhookEventRow(webhookID core.ID, e core.ReceivedEvent) webhookEventRow {
	r := webhookEventRow{
		WebhookID: webhookID, EventID: e.ID, Kind: e.Kind, ReceivedAt: e.ReceivedAt, Outcome: e.Outcome,
		NotificationID: e.NotificationID, Detail: e.Detail, Headers: e.Headers, BodyHash: e.BodyHash,
		Adjusted: e.Adjusted,
	}
	if e.Payload != nil {
		r.Payload = new(string(e.Payload))
	}
	return r
}

func (r webhookEventRow) event() core.ReceivedEvent {
	e := core.ReceivedEvent{ID: r.EventID, Kind: r.Kind, ReceivedAt: r.ReceivedAt, Outcome: r.Outcome,
		NotificationID: r.NotificationID, Detail: r.Detail, Headers: r.Headers, Adjusted: r.Adjusted}
	if r.Payload != nil {
		e.Payload = []byte(*r.Payload)
	}
	return e
}

// KeepEvent implements core.EventStore.
func (s *Store) KeepEvent(ctx context.Context, webhookID core.ID, e core.ReceivedEvent) (
	core.ReceivedEvent, core.Creation, error) {
	const publisher = "select c.publisher_id from webhooks w join channels c on c.id = w.channel_id where w.id = ?0"
	if err := checkStorage(ctx, s.db, publisher, webhookID, s.StorageQuota); err != nil {
		return e, 0, err
	}
	fresh, err := KeepEvent(ctx, s.db, webhookID, e)
	switch {
	case core.IsCode(err, core.CodeNotFound):
		return s.replayEvent(ctx, webhookID, e.ID)
	case err == nil && !fresh:
		return e, core.Existing, nil
	default:
		return e, core.Created, err
	}
}

// KeepEvent stores an event, which replaces one with its id that was not published. fresh reports whether there was
// none. It fails with CodeNotFound when one that was published has its id or, if it has a BodyHash, its body.
func KeepEvent(ctx context.Context, db bun.IDB, webhookID core.ID, e core.ReceivedEvent) (fresh bool, err error) {
	err = db.NewInsert().Model(new(newWebhookEventRow(webhookID, e))).
		On("conflict (webhook_id, event_id) do update").
		Set("kind = excluded.kind, received_at = excluded.received_at, outcome = excluded.outcome").
		Set("notification_id = excluded.notification_id, detail = excluded.detail").
		Set("payload = excluded.payload, headers = excluded.headers, body_hash = excluded.body_hash").
		Set("adjusted = excluded.adjusted").
		Where("e.notification_id is null").Returning("xmax = 0").Scan(ctx, &fresh)
	return fresh, Error(err)
}

func (s *Store) replayEvent(ctx context.Context, webhookID core.ID, eventID string) (
	core.ReceivedEvent, core.Creation, error) {
	e, err := s.Event(ctx, webhookID, eventID)
	return e, core.Replayed, err
}

// Event implements core.EventStore.
func (s *Store) Event(ctx context.Context, webhookID core.ID, eventID string) (core.ReceivedEvent, error) {
	r := webhookEventRow{WebhookID: webhookID, EventID: eventID}
	err := s.db.NewSelect().Model(&r).WherePK().Scan(ctx)
	return r.event(), Error(err)
}

// PublishedEvent finds the event that was published with the id or the body of another.
func PublishedEvent(
	ctx context.Context, db bun.IDB, webhookID core.ID, e core.ReceivedEvent,
) (core.ReceivedEvent, error) {
	var r webhookEventRow
	err := db.NewSelect().Model(&r).Where("e.webhook_id = ?", webhookID).Where("e.notification_id is not null").
		Where("e.event_id = ? or e.body_hash = ?", e.ID, e.BodyHash).OrderExpr("e.event_id = ? desc", e.ID).
		Limit(1).Scan(ctx)
	return r.event(), Error(err)
}

// Events implements core.EventStore.
func (s *Store) Events(ctx context.Context, webhookID core.ID, page core.Page) ([]core.ReceivedEvent, int64, error) {
	q := s.db.NewSelect().Model((*webhookEventRow)(nil)).ExcludeColumn("payload", "headers", "body_hash").
		Where("e.webhook_id = ?", webhookID).Order("e.received_at desc", "e.event_id desc")
	return list(ctx, q, page, webhookEventRow.event)
}
