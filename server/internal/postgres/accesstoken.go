package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const accessTokenColumns = `id, subscriber_id, name, hint, expires_at, last_used_at, created_at, revoked_at`

// AccessTokenBySecret implements core.AccessTokenStore. When the token was last used is kept to the minute, so that a
// busy token costs no write for each request.
func (s *Store) AccessTokenBySecret(ctx context.Context, hash []byte, now time.Time) (core.AccessToken, error) {
	var t core.AccessToken
	err := s.hotRow(ctx, `
		select `+accessTokenColumns+` from access_tokens
		where secret_hash = ? and revoked_at is null and (expires_at is null or expires_at > ?)`, hash, now).
		Scan(&t.ID, &t.SubscriberID, &t.Name, &t.Hint, &t.ExpiresAt, &t.LastUsedAt, &t.CreatedAt, &t.RevokedAt)
	if err == nil && (t.LastUsedAt == nil || now.Sub(*t.LastUsedAt) > time.Minute) {
		_, err = s.db.NewRaw("update access_tokens set last_used_at = ? where id = ?", now, t.ID).Exec(ctx)
	}
	return t, Error(err)
}

// CreateAccessToken implements core.AccessTokenStore.
func (s *Store) CreateAccessToken(ctx context.Context, t core.AccessToken, hash []byte, key core.Idempotency) (core.AccessToken, core.Creation, error) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = once(ctx, tx, key, &t, func() (core.Creation, error) {
			return core.Created, insertAccessToken(ctx, tx, t, hash)
		})
		return err
	})
	return t, creation, err
}

func insertAccessToken(ctx context.Context, tx Tx, t core.AccessToken, hash []byte) error {
	_, err := tx.NewRaw(`
		insert into access_tokens (id, subscriber_id, name, hint, secret_hash, expires_at, created_at)
		values (?, ?, ?, ?, ?, ?, ?)`, t.ID, t.SubscriberID, t.Name, t.Hint, hash, t.ExpiresAt, t.CreatedAt).Exec(ctx)
	return Error(err)
}

// ReplayAccessToken implements core.AccessTokenStore.
func (s *Store) ReplayAccessToken(ctx context.Context, key core.Idempotency) (t core.AccessToken, creation core.Creation, err error) {
	creation, err = replayWanted(ctx, s.db, key, &t)
	return t, creation, err
}

// AccessTokens implements core.AccessTokenStore.
func (s *Store) AccessTokens(ctx context.Context, subscriberID core.ID, page core.Page) ([]core.AccessToken, int64, error) {
	const mine = "access_tokens where subscriber_id = ? and revoked_at is null"
	var data []core.AccessToken
	err := s.db.NewRaw("select "+accessTokenColumns+" from "+mine+" order by created_at desc, id desc"+limit(page), subscriberID).Scan(ctx, &data)
	if err != nil {
		return nil, 0, Error(err)
	}
	total, err := s.total(ctx, page, len(data), mine, subscriberID)
	return data, total, err
}

// RevokeAccessToken implements core.AccessTokenStore.
func (s *Store) RevokeAccessToken(ctx context.Context, subscriberID, id core.ID, now time.Time) error {
	res, err := s.db.NewRaw("update access_tokens set revoked_at = coalesce(revoked_at, ?) where id = ? and subscriber_id = ?",
		now, id, subscriberID).Exec(ctx)
	if err != nil {
		return Error(err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return core.NotFound()
	}
	return nil
}
