package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type accessTokenRow struct {
	bun.BaseModel `bun:"table:access_tokens,alias:t"`

	ID           core.ID    `bun:"id,pk"`
	SubscriberID core.ID    `bun:"subscriber_id"`
	Name         string     `bun:"name"`
	Hint         string     `bun:"hint"`
	SecretHash   []byte     `bun:"secret_hash"`
	ExpiresAt    *time.Time `bun:"expires_at"`
	LastUsedAt   *time.Time `bun:"last_used_at"`
	CreatedAt    time.Time  `bun:"created_at"`
	RevokedAt    *time.Time `bun:"revoked_at"`
}

func (r accessTokenRow) accessToken() core.AccessToken {
	return core.AccessToken{
		ID: r.ID, SubscriberID: r.SubscriberID, Name: r.Name, Hint: r.Hint,
		ExpiresAt: r.ExpiresAt, LastUsedAt: r.LastUsedAt, CreatedAt: r.CreatedAt, RevokedAt: r.RevokedAt,
	}
}

// AccessTokenBySecret implements core.AccessTokenStore. It updates the time of the last use once a minute, so that a
// busy token costs no write per request.
func (s *Store) AccessTokenBySecret(ctx context.Context, hash []byte, now time.Time) (core.AccessToken, error) {
	var t core.AccessToken
	err := s.db.hotRow(ctx, `
		select id, subscriber_id, name, hint, expires_at, last_used_at, created_at from access_tokens
		where secret_hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`, hash, now).
		Scan(&t.ID, &t.SubscriberID, &t.Name, &t.Hint, &t.ExpiresAt, &t.LastUsedAt, &t.CreatedAt)
	if err == nil && (t.LastUsedAt == nil || now.Sub(*t.LastUsedAt) > time.Minute) {
		row := accessTokenRow{ID: t.ID, LastUsedAt: &now}
		_, err = s.db.NewUpdate().Model(&row).Column("last_used_at").WherePK().Exec(ctx)
	}
	return t, Error(err)
}

// CreateAccessToken implements core.AccessTokenStore.
func (s *Store) CreateAccessToken(ctx context.Context, t core.AccessToken, hash []byte, key core.Idempotency) (
	core.AccessToken, core.Creation, error,
) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = Once(ctx, tx, key, &t, func() (core.Creation, error) {
			return core.Created, s.insertAccessToken(ctx, tx, t, hash)
		})
		return err
	})
	return t, creation, err
}

func (s *Store) insertAccessToken(ctx context.Context, tx Tx, t core.AccessToken, hash []byte) error {
	row := accessTokenRow{
		ID: t.ID, SubscriberID: t.SubscriberID, Name: t.Name, Hint: t.Hint, SecretHash: hash,
		ExpiresAt: t.ExpiresAt, CreatedAt: t.CreatedAt,
	}
	if _, err := tx.NewInsert().Model(&row).Exec(ctx); err != nil {
		return Error(err)
	}
	theirs := tx.NewSelect().Model((*accessTokenRow)(nil)).
		Where("subscriber_id = ?", t.SubscriberID).Where("revoked_at IS NULL").
		Where("expires_at IS NULL OR expires_at > ?", t.CreatedAt)
	return s.checkCap(ctx, tx, core.CapAccessTokens, t.SubscriberID, theirs)
}

// ReplayAccessToken implements core.AccessTokenStore.
func (s *Store) ReplayAccessToken(ctx context.Context, key core.Idempotency) (
	t core.AccessToken, creation core.Creation, err error,
) {
	creation, err = replayWanted(ctx, s.db, key, &t)
	return t, creation, err
}

// AccessTokens implements core.AccessTokenStore.
func (s *Store) AccessTokens(ctx context.Context, subscriberID core.ID, page core.Page) (
	[]core.AccessToken, int64, error,
) {
	q := s.db.NewSelect().Where("subscriber_id = ?", subscriberID).Where("revoked_at IS NULL").
		Order("created_at DESC", "id DESC")
	return list(ctx, q, page, accessTokenRow.accessToken)
}

// RevokeAccessToken implements core.AccessTokenStore.
func (s *Store) RevokeAccessToken(ctx context.Context, subscriberID, id core.ID, now time.Time) error {
	return affected(s.db.NewUpdate().Model((*accessTokenRow)(nil)).Set("revoked_at = coalesce(revoked_at, ?)", now).
		Where("id = ?", id).Where("subscriber_id = ?", subscriberID).Exec(ctx))
}
