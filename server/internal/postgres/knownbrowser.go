package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type knownBrowserRow struct {
	bun.BaseModel `bun:"table:known_browsers,alias:b"`

	SecretHash   []byte    `bun:"secret_hash,pk"`
	SubscriberID core.ID   `bun:"subscriber_id,pk"`
	SessionID    core.ID   `bun:"session_id"`
	UsedAt       time.Time `bun:"used_at"`
}

var _ core.KnownBrowserStore = (*Store)(nil)

// RememberBrowser implements core.KnownBrowserStore.
func (s *Store) RememberBrowser(ctx context.Context, x core.Session, previous, hash []byte) error {
	row := knownBrowserRow{SecretHash: hash, SubscriberID: x.SubscriberID, SessionID: x.ID, UsedAt: x.CreatedAt}
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if len(previous) > 0 {
			_, err := tx.NewUpdate().Model((*knownBrowserRow)(nil)).Set("secret_hash = ?", hash).
				Where("secret_hash = ?", previous).Exec(ctx)
			if err != nil {
				return err
			}
		}
		_, err := tx.NewInsert().Model(&row).On("CONFLICT (subscriber_id, secret_hash) DO UPDATE").
			Set("session_id = excluded.session_id").Set("used_at = excluded.used_at").Exec(ctx)
		if err != nil {
			return err
		}
		surplus := tx.NewSelect().Model((*knownBrowserRow)(nil)).Column("secret_hash").
			Where("subscriber_id = ?", x.SubscriberID).Order("used_at DESC").Offset(core.KnownBrowsersKept)
		_, err = tx.NewDelete().Model((*knownBrowserRow)(nil)).Where("subscriber_id = ?", x.SubscriberID).
			Where("secret_hash IN (?)", surplus).Exec(ctx)
		return err
	})
}

// ForgetBrowser implements core.KnownBrowserStore.
func (s *Store) ForgetBrowser(ctx context.Context, subscriberID, sessionID core.ID) error {
	_, err := s.db.NewDelete().Model((*knownBrowserRow)(nil)).Where("subscriber_id = ?", subscriberID).
		Where("session_id = ?", sessionID).Exec(ctx)
	return Error(err)
}

// ForgetOtherBrowsers implements core.KnownBrowserStore.
func (s *Store) ForgetOtherBrowsers(ctx context.Context, subscriberID, sessionID core.ID) error {
	_, err := s.db.NewDelete().Model((*knownBrowserRow)(nil)).Where("subscriber_id = ?", subscriberID).
		Where("session_id <> ?", sessionID).Exec(ctx)
	return Error(err)
}

// knownBy returns the person who has signed in before in the browser that asks for a code, if the address is one with
// which they sign in.
func knownBy(ctx context.Context, tx Tx, in core.EmailSignIn) (*core.ID, error) {
	if len(in.Browser) == 0 {
		return nil, nil
	}
	var found []core.ID
	err := tx.NewSelect().Model((*knownBrowserRow)(nil)).Column("b.subscriber_id").
		Join("JOIN identities AS i ON i.subscriber_id = b.subscriber_id").
		Where("b.secret_hash = ?", in.Browser).Where("b.used_at > ?", in.CreatedAt.Add(-core.KnownBrowserLife)).
		Where("i.issuer = ?", core.IssuerEmail).Where("i.subject = lower(?)", in.Email).Scan(ctx, &found)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}
