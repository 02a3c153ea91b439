package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// webhookColumns are those of webhooks w.
const webhookColumns = `
	w.id, w.channel_id, w.name, w.signing, w.sender, w.template, w.address_hash, w.address_sealed, w.secret_sealed,
	w.previous_secret_sealed as previous_sealed, w.previous_secret_until as previous_until, w.created_at, w.updated_at,
	(select max(e.received_at) from webhook_events e where e.webhook_id = w.id) as last_event_at`

// CreateWebhook implements core.WebhookStore. The channel is locked, so that no two make the last one that it may have.
func (s *Store) CreateWebhook(ctx context.Context, w core.SealedWebhook, key core.Idempotency) (made core.SealedWebhook, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = once(ctx, tx, key, &made, func() (core.Creation, error) {
			made = w
			return core.Created, insertWebhook(ctx, tx, w)
		})
		return err
	})
	return made, creation, err
}

func insertWebhook(ctx context.Context, tx Tx, w core.SealedWebhook) error {
	if err := lockChannel(ctx, tx, w.ChannelID, nil); err != nil {
		return err
	}
	var has int
	if err := tx.NewRaw("select count(*) from webhooks where channel_id = ?", w.ChannelID).Scan(ctx, &has); err != nil {
		return err
	}
	if has >= core.MaxWebhooks {
		return core.ErrTooManyWebhooks()
	}
	template, err := templateColumn(w.Template)
	if err != nil {
		return err
	}
	_, err = tx.NewRaw(`
		insert into webhooks (id, channel_id, name, signing, sender, template, address_hash, address_sealed, secret_sealed, created_at, updated_at)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		w.ID, w.ChannelID, w.Name, string(w.Signing), string(w.Sender), template, w.AddressHash, w.AddressSealed, w.SecretSealed, w.CreatedAt, w.UpdatedAt).Exec(ctx)
	return err
}

func templateColumn(t *core.WebhookTemplate) (any, error) {
	if t == nil {
		return nil, nil
	}
	b, err := json.Marshal(t)
	return string(b), err
}

// Webhook implements core.WebhookStore.
func (s *Store) Webhook(ctx context.Context, channelID, id core.ID) (w core.SealedWebhook, err error) {
	err = s.db.NewRaw("select"+webhookColumns+" from webhooks w where w.channel_id = ? and w.id = ?", channelID, id).Scan(ctx, &w)
	return w, Error(err)
}

// Webhooks implements core.WebhookStore.
func (s *Store) Webhooks(ctx context.Context, channelID core.ID, page core.Page) ([]core.SealedWebhook, int64, error) {
	var data []core.SealedWebhook
	err := s.db.NewRaw("select"+webhookColumns+" from webhooks w where w.channel_id = ? order by w.created_at, w.id"+limit(page), channelID).Scan(ctx, &data)
	if err != nil {
		return nil, 0, Error(err)
	}
	total, err := s.total(ctx, page, len(data), "webhooks where channel_id = ?", channelID)
	return data, total, err
}

// WebhookByAddress implements core.WebhookStore.
func (s *Store) WebhookByAddress(ctx context.Context, hash []byte) (core.SealedWebhook, core.ChannelRef, error) {
	var w core.SealedWebhook
	var c core.ChannelRef
	var template []byte
	err := s.db.NewRaw(`
		select w.id, w.channel_id, w.name, w.signing, w.sender, w.template, w.secret_sealed, w.previous_secret_sealed, w.previous_secret_until,
		       c.id, c.slug, c.name, coalesce(c.icon, ''), c.demonstration, p.slug
		from webhooks w join channels c on c.id = w.channel_id join publishers p on p.id = c.publisher_id
		where w.address_hash = ?`, hash).
		Scan(ctx, &w.ID, &w.ChannelID, &w.Name, &w.Signing, &w.Sender, &template, &w.SecretSealed, &w.PreviousSealed, &w.PreviousUntil,
			&c.ID, &c.Slug, &c.Name, &c.Icon, &c.Demonstration, &c.PublisherSlug)
	if err == nil && template != nil {
		err = json.Unmarshal(template, &w.Template)
	}
	return w, c, Error(err)
}

// WebhookByName implements core.WebhookStore.
func (s *Store) WebhookByName(ctx context.Context, channelID core.ID, name string) (w core.SealedWebhook, err error) {
	err = s.db.NewRaw("select"+webhookColumns+" from webhooks w where w.channel_id = ? and w.name = ? order by w.created_at desc limit 1",
		channelID, name).Scan(ctx, &w)
	return w, Error(err)
}

// UpdateWebhook implements core.WebhookStore.
func (s *Store) UpdateWebhook(ctx context.Context, channelID, id core.ID, now time.Time, key core.Idempotency, change func(*core.SealedWebhook) error) (w core.SealedWebhook, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = once(ctx, tx, key, &w, func() (core.Creation, error) {
			err := tx.NewRaw("select"+webhookColumns+" from webhooks w where w.channel_id = ? and w.id = ? for update", channelID, id).Scan(ctx, &w)
			if err != nil {
				return 0, err
			}
			if err := change(&w); err != nil {
				return 0, err
			}
			return core.Created, updateWebhook(ctx, tx, &w, now)
		})
		return err
	})
	return w, creation, err
}

func updateWebhook(ctx context.Context, tx Tx, w *core.SealedWebhook, now time.Time) error {
	template, err := templateColumn(w.Template)
	if err != nil {
		return err
	}
	return tx.NewRaw(`
		update webhooks set name = ?, sender = ?, template = ?, address_hash = ?, address_sealed = ?, secret_sealed = ?,
			previous_secret_sealed = ?, previous_secret_until = ?, updated_at = greatest(?, updated_at + interval '1 microsecond')
		where id = ? returning updated_at`,
		w.Name, string(w.Sender), template, w.AddressHash, w.AddressSealed, w.SecretSealed, w.PreviousSealed, w.PreviousUntil, now, w.ID).Scan(ctx, &w.UpdatedAt)
}

// DeleteWebhook implements core.WebhookStore.
func (s *Store) DeleteWebhook(ctx context.Context, channelID, id core.ID, seen *time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var version time.Time
		err := tx.NewRaw("select updated_at from webhooks where channel_id = ? and id = ? for update", channelID, id).Scan(ctx, &version)
		if err != nil {
			return err
		}
		if err := core.CheckSeen(seen, version); err != nil {
			return err
		}
		_, err = tx.NewRaw("delete from webhooks where id = ?", id).Exec(ctx)
		return err
	})
}
