package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type webhookRow struct {
	bun.BaseModel `bun:"table:webhooks,alias:w"`

	ID                core.ID               `bun:"id,pk"`
	ChannelID         core.ID               `bun:"channel_id"`
	Name              string                `bun:"name"`
	Signing           core.WebhookSigning   `bun:"signing"`
	Sender            core.WebhookSender    `bun:"sender"`
	Template          *core.WebhookTemplate `bun:"template,type:jsonb"`
	AddressHash       []byte                `bun:"address_hash"`
	AddressSealed     []byte                `bun:"address_sealed"`
	SecretSealed      []byte                `bun:"secret_sealed"`
	PreviousSealed    []byte                `bun:"previous_secret_sealed"`
	PreviousUntil     *time.Time            `bun:"previous_secret_until"`
	SecretKnownTo     core.ID               `bun:"secret_known_to"`
	AddressReplacedAt *time.Time            `bun:"address_replaced_at"`
	SecretReplacedAt  *time.Time            `bun:"secret_replaced_at"`
	CreatedAt         time.Time             `bun:"created_at"`
	UpdatedAt         time.Time             `bun:"updated_at"`
	LastEventAt       *time.Time            `bun:"last_event_at,scanonly"`
}

func newWebhookRow(w core.SealedWebhook) webhookRow {
	return webhookRow{
		ID: w.ID, ChannelID: w.ChannelID, Name: w.Name, Signing: w.Signing, Sender: w.Sender, Template: w.Template,
		AddressHash: w.AddressHash, AddressSealed: w.AddressSealed, SecretSealed: w.SecretSealed,
		PreviousSealed: w.PreviousSealed, PreviousUntil: w.PreviousUntil, SecretKnownTo: w.SecretKnownTo,
		AddressReplacedAt: w.AddressReplacedAt, SecretReplacedAt: w.SecretReplacedAt, CreatedAt: w.CreatedAt,
		UpdatedAt: w.UpdatedAt,
	}
}

func (r webhookRow) webhook() core.SealedWebhook {
	return core.SealedWebhook{ID: r.ID, ChannelID: r.ChannelID, Name: r.Name, Signing: r.Signing, Sender: r.Sender,
		Template: r.Template, AddressHash: r.AddressHash, AddressSealed: r.AddressSealed, SecretSealed: r.SecretSealed,
		PreviousSealed: r.PreviousSealed, PreviousUntil: r.PreviousUntil, SecretKnownTo: r.SecretKnownTo,
		AddressReplacedAt: r.AddressReplacedAt, SecretReplacedAt: r.SecretReplacedAt, LastEventAt: r.LastEventAt,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}
}

// selectWebhooks selects webhooks with the time of their latest event.
func selectWebhooks(db bun.IDB) *bun.SelectQuery {
	return db.NewSelect().Model((*webhookRow)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr("(select max(e.received_at) from webhook_events e where e.webhook_id = w.id) as last_event_at")
}

// CreateWebhook implements core.WebhookStore. It locks the channel, so that concurrent requests keep to the limit.
func (s *Store) CreateWebhook(ctx context.Context, w core.SealedWebhook, key core.Idempotency) (
	made core.SealedWebhook, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = Once(ctx, tx, key, &made, func() (core.Creation, error) {
			made = w
			if err := s.insertWebhook(ctx, tx, w); err != nil {
				return 0, err
			}
			return core.Created, auditChannel(ctx, tx, w.ChannelID, core.AuditEntry{ObjectID: w.ID, Object: w.Name})
		})
		return err
	})
	return made, creation, err
}

// recheckEditor is recheckCaller for the publisher of a channel, which every member may edit.
func recheckEditor(ctx context.Context, tx Tx, channelID core.ID) error {
	c := channelRow{ID: channelID}
	if err := tx.NewSelect().Model(&c).Column("publisher_id").WherePK().Scan(ctx); err != nil {
		return err
	}
	return recheckCaller(ctx, tx, c.PublisherID, core.RoleEditor)
}

func (s *Store) insertWebhook(ctx context.Context, tx Tx, w core.SealedWebhook) error {
	if err := recheckEditor(ctx, tx, w.ChannelID); err != nil {
		return err
	}
	if _, err := lockChannel(ctx, tx, w.ChannelID, nil); err != nil {
		return err
	}
	if err := CheckStorage(ctx, tx, w.ChannelID, s.StorageQuota); err != nil {
		return err
	}
	if _, err := tx.NewInsert().Model(new(newWebhookRow(w))).Exec(ctx); err != nil {
		return err
	}
	theirs := tx.NewSelect().Model((*webhookRow)(nil)).Where("w.channel_id = ?", w.ChannelID)
	return s.checkCap(ctx, tx, core.CapWebhooks, w.ChannelID, theirs)
}

// Webhook implements core.WebhookStore.
func (s *Store) Webhook(ctx context.Context, channelID, id core.ID) (core.SealedWebhook, error) {
	var r webhookRow
	err := selectWebhooks(s.db).Model(&r).Where("w.channel_id = ?", channelID).Where("w.id = ?", id).Scan(ctx)
	return r.webhook(), Error(err)
}

// Webhooks implements core.WebhookStore.
func (s *Store) Webhooks(ctx context.Context, channelID core.ID, page core.Page) ([]core.SealedWebhook, int64, error) {
	q := selectWebhooks(s.db).Where("w.channel_id = ?", channelID).Order("w.created_at", "w.id")
	return list(ctx, q, page, webhookRow.webhook)
}

// addressedWebhook is a webhook with its channel and its publisher.
type addressedWebhook struct {
	webhookRow `bun:",extend"`
	channelRefRow
	PublisherID core.ID `bun:"publisher_id,scanonly"`
	AccountID   core.ID `bun:"account_id,scanonly"`
}

// WebhookByAddress implements core.WebhookStore.
func (s *Store) WebhookByAddress(ctx context.Context, hash []byte) (core.SealedWebhook, core.ChannelRef, error) {
	var r addressedWebhook
	err := s.db.NewSelect().Model(&r).ColumnExpr("?TableColumns").ColumnExpr(channelRefColumns).
		ColumnExpr("c.publisher_id, coalesce(p.account_id, p.id) as account_id").
		Join("join channels c on c.id = w.channel_id").Join("join publishers p on p.id = c.publisher_id").
		Where("w.address_hash = ?", hash).Scan(ctx)
	found := r.webhook()
	found.PublisherID, found.AccountID = r.PublisherID, r.AccountID
	return found, r.ref(r.ChannelID), Error(err)
}

// WebhookByName implements core.WebhookStore.
func (s *Store) WebhookByName(ctx context.Context, channelID core.ID, name string) (core.SealedWebhook, error) {
	var r webhookRow
	err := selectWebhooks(s.db).Model(&r).Where("w.channel_id = ?", channelID).Where("w.name = ?", name).
		Order("w.created_at desc").Limit(1).Scan(ctx)
	return r.webhook(), Error(err)
}

// UpdateWebhook implements core.WebhookStore.
func (s *Store) UpdateWebhook(ctx context.Context, channelID, id core.ID, now time.Time, key core.Idempotency,
	change func(*core.SealedWebhook) error) (w core.SealedWebhook, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = Once(ctx, tx, key, &w, func() (core.Creation, error) {
			if err := recheckEditor(ctx, tx, channelID); err != nil {
				return 0, err
			}
			var r webhookRow
			err := selectWebhooks(tx).Model(&r).Where("w.channel_id = ?", channelID).Where("w.id = ?", id).
				For("update").Scan(ctx)
			if err != nil {
				return 0, err
			}
			w = r.webhook()
			if err := change(&w); err != nil {
				return 0, err
			}
			w.UpdatedAt = NextVersion(r.UpdatedAt, now)
			if err := s.ifRoom(ctx, tx, channelID, func() error { return updateWebhook(ctx, tx, w) }); err != nil {
				return 0, err
			}
			return core.Created, auditChannel(ctx, tx, channelID, core.AuditEntry{ObjectID: id, Object: w.Name})
		})
		return err
	})
	return w, creation, err
}

// updateWebhook stores what can change of a webhook.
func updateWebhook(ctx context.Context, tx Tx, w core.SealedWebhook) error {
	_, err := tx.NewUpdate().Model(new(newWebhookRow(w))).WherePK().
		ExcludeColumn("id", "channel_id", "signing", "created_at").Exec(ctx)
	return err
}

// renewWebhooks renews the webhooks of a publisher, except those of demonstration channels.
func renewWebhooks(
	ctx context.Context, tx Tx, publisherID core.ID, renew core.Renewal, now time.Time,
) error {
	var rows []webhookRow
	err := tx.NewSelect().Model(&rows).Join("join channels c on c.id = w.channel_id").
		Where("c.publisher_id = ?", publisherID).Where("NOT c.demonstration").Order("w.id").For("update of w").Scan(ctx)
	if err != nil {
		return err
	}
	for _, r := range rows {
		w := r.webhook()
		renew(&w)
		w.UpdatedAt = NextVersion(r.UpdatedAt, now)
		if err := updateWebhook(ctx, tx, w); err != nil {
			return err
		}
	}
	return nil
}

// LockWebhook keeps a webhook from being deleted. It does not wait for one that is being deleted.
func LockWebhook(ctx context.Context, tx Tx, id core.ID) error {
	return tx.NewSelect().Model(&webhookRow{ID: id}).Column("id").WherePK().For("key share nowait").Scan(ctx)
}

// DeleteWebhook implements core.WebhookStore.
func (s *Store) DeleteWebhook(ctx context.Context, channelID, id core.ID, seen *time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		r := webhookRow{ID: id}
		err := tx.NewSelect().Model(&r).WherePK().Where("w.channel_id = ?", channelID).For("update").Scan(ctx)
		if err != nil {
			return err
		}
		if err := core.CheckSeen(seen, r.UpdatedAt); err != nil {
			return err
		}
		if _, err = tx.NewDelete().Model(&r).WherePK().Exec(ctx); err != nil {
			return err
		}
		return auditChannel(ctx, tx, channelID, core.AuditEntry{ObjectID: id, Object: r.Name})
	})
}
