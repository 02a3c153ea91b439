package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// CreateWebhook implements core.WebhookStore.
func (s *Store) CreateWebhook(ctx context.Context, w core.SealedWebhook) error {
	_, err := s.db.NewRaw("insert into webhooks (id, channel_id, name, address_hash, address_sealed, secret_sealed) values (?, ?, ?, ?, ?, ?)",
		w.ID, w.ChannelID, w.Name, w.AddressHash, w.AddressSealed, w.SecretSealed).Exec(ctx)
	return mapError(err)
}

// WebhookByAddress implements core.WebhookStore.
func (s *Store) WebhookByAddress(ctx context.Context, hash []byte) (core.SealedWebhook, core.ChannelRef, error) {
	var w core.SealedWebhook
	var c core.ChannelRef
	err := s.db.NewRaw(`
		select w.id, w.channel_id, w.name, w.secret_sealed, c.id, c.slug, c.name, coalesce(c.icon, ''), p.slug
		from webhooks w join channels c on c.id = w.channel_id join publishers p on p.id = c.publisher_id
		where w.address_hash = ?`, hash).
		Scan(ctx, &w.ID, &w.ChannelID, &w.Name, &w.SecretSealed, &c.ID, &c.Slug, &c.Name, &c.Icon, &c.PublisherSlug)
	return w, c, mapError(err)
}

// WebhookByName implements core.WebhookStore.
func (s *Store) WebhookByName(ctx context.Context, channelID core.ID, name string) (core.SealedWebhook, error) {
	w := core.SealedWebhook{ChannelID: channelID, Name: name}
	err := s.db.NewRaw("select id, address_sealed, secret_sealed from webhooks where channel_id = ? and name = ? order by created_at desc limit 1",
		channelID, name).Scan(ctx, &w.ID, &w.AddressSealed, &w.SecretSealed)
	return w, mapError(err)
}

// PublishEvent implements core.WebhookStore.
func (s *Store) PublishEvent(ctx context.Context, webhookID core.ID, eventID string, n core.Notification) (id core.ID, creation core.Creation, err error) {
	if eventID == "" {
		n, creation, err := s.Publish(ctx, n, core.Idempotency{})
		return n.ID, creation, err
	}
	err = s.tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		n, creation, err = publish(ctx, tx, n)
		if err != nil {
			return err
		}
		return tx.NewRaw(`
			insert into webhook_events (webhook_id, event_id, notification_id) values (?, ?, ?)
			on conflict do nothing returning notification_id`, webhookID, eventID, n.ID).Scan(ctx, &id)
	})
	if !core.IsCode(err, core.CodeNotFound) {
		return id, creation, err
	}
	// Nothing was inserted, so the event was received before; the notification made just now was rolled back.
	err = s.db.NewRaw("select notification_id from webhook_events where webhook_id = ? and event_id = ?", webhookID, eventID).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return id, 0, core.Unavailable(err) // pruned in between
	}
	return id, core.Replayed, mapError(err)
}
