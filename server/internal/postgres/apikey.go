package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

const apiKeyColumns = `id, publisher_id, name, hint, scopes, expires_at, last_used_at, created_at, rotated_at`

type apiKeyRow struct {
	ID          core.ID
	PublisherID core.ID
	Name        string
	Hint        string
	Scopes      []core.Scope `bun:",array"`
	ExpiresAt   *time.Time
	LastUsedAt  *time.Time
	CreatedAt   time.Time
	RotatedAt   *time.Time
}

// APIKeyBySecret implements core.APIKeyStore. When the key was last used is kept to the minute, so that a busy key costs
// no write for each request.
func (s *Store) APIKeyBySecret(ctx context.Context, hash []byte, now time.Time) (core.APIKey, error) {
	var k core.APIKey
	err := s.hotRow(ctx, `
		select `+apiKeyColumns+` from api_keys
		where secret_hash = ? and revoked_at is null and (expires_at is null or expires_at > ?)`, hash, now).
		Scan(&k.ID, &k.PublisherID, &k.Name, &k.Hint, &k.Scopes, &k.ExpiresAt, &k.LastUsedAt, &k.CreatedAt, &k.RotatedAt)
	if err != nil {
		return k, Error(err)
	}
	if k.LastUsedAt == nil || now.Sub(*k.LastUsedAt) > time.Minute {
		_, err = s.db.NewRaw("update api_keys set last_used_at = ? where id = ?", now, k.ID).Exec(ctx)
	}
	return k, Error(err)
}

// APIKeys implements core.APIKeyStore.
func (s *Store) APIKeys(ctx context.Context, publisherID core.ID, page core.Page) ([]core.APIKey, int64, error) {
	const theirs = "api_keys where publisher_id = ? and revoked_at is null"
	var rows []apiKeyRow
	err := s.db.NewRaw("select "+apiKeyColumns+" from "+theirs+" order by created_at desc, id desc"+limit(page), publisherID).Scan(ctx, &rows)
	if err != nil {
		return nil, 0, Error(err)
	}
	data := make([]core.APIKey, len(rows))
	for i, r := range rows {
		data[i] = core.APIKey(r)
	}
	total, err := s.total(ctx, page, len(data), theirs, publisherID)
	return data, total, err
}

// CreateAPIKey implements core.APIKeyStore.
func (s *Store) CreateAPIKey(ctx context.Context, k core.APIKey, hash []byte, key core.Idempotency) (core.APIKey, core.Creation, error) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = once(ctx, tx, key, &k, func() (core.Creation, error) {
			return core.Created, insertAPIKey(ctx, tx, k, hash)
		})
		return err
	})
	return k, creation, err
}

// ReplayAPIKey implements core.APIKeyStore.
func (s *Store) ReplayAPIKey(ctx context.Context, key core.Idempotency) (k core.APIKey, creation core.Creation, err error) {
	creation, err = replayWanted(ctx, s.db, key, &k)
	return k, creation, err
}

func insertAPIKey(ctx context.Context, tx Tx, k core.APIKey, hash []byte) error {
	_, err := tx.NewRaw(`
		insert into api_keys (id, publisher_id, name, hint, secret_hash, scopes, expires_at, created_at)
		values (?, ?, ?, ?, ?, ?, ?, ?)`,
		k.ID, k.PublisherID, k.Name, k.Hint, hash, pgdialect.Array(k.Scopes), k.ExpiresAt, k.CreatedAt).Exec(ctx)
	return Error(err)
}

// RotateAPIKey implements core.APIKeyStore.
func (s *Store) RotateAPIKey(ctx context.Context, publisherID, id core.ID, hash []byte, key core.Idempotency, rotate func(*core.APIKey) (core.APIKey, error)) (k core.APIKey, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = once(ctx, tx, key, &k, func() (core.Creation, error) {
			var old apiKeyRow
			err := tx.NewRaw("select "+apiKeyColumns+" from api_keys where id = ? and publisher_id = ? and revoked_at is null for update", id, publisherID).Scan(ctx, &old)
			if err != nil {
				return 0, err
			}
			if k, err = rotate((*core.APIKey)(&old)); err != nil {
				return 0, err
			}
			if _, err := tx.NewRaw("update api_keys set expires_at = ?, rotated_at = ? where id = ?", old.ExpiresAt, old.RotatedAt, id).Exec(ctx); err != nil {
				return 0, err
			}
			return core.Created, insertAPIKey(ctx, tx, k, hash)
		})
		return err
	})
	return k, creation, err
}

// RevokeAPIKey implements core.APIKeyStore.
func (s *Store) RevokeAPIKey(ctx context.Context, publisherID, id core.ID, now time.Time) error {
	res, err := s.db.NewRaw("update api_keys set revoked_at = coalesce(revoked_at, ?) where id = ? and publisher_id = ?", now, id, publisherID).Exec(ctx)
	if err != nil {
		return Error(err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return core.NotFound()
	}
	return nil
}
