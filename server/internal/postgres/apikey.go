package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// APIKeyBySecret implements core.APIKeyStore. When the key was last used is kept to the minute, so that a busy key costs
// no write for each request.
func (s *Store) APIKeyBySecret(ctx context.Context, hash []byte, now time.Time) (core.APIKey, error) {
	var k core.APIKey
	var lastUsed *time.Time
	err := s.hotRow(ctx, `
		select id, publisher_id, name, hint, scopes, expires_at, last_used_at, created_at from api_keys
		where secret_hash = ? and revoked_at is null and (expires_at is null or expires_at > ?)`, hash, now).
		Scan(&k.ID, &k.PublisherID, &k.Name, &k.Hint, &k.Scopes, &k.ExpiresAt, &lastUsed, &k.CreatedAt)
	if err != nil {
		return k, mapError(err)
	}
	if lastUsed == nil || now.Sub(*lastUsed) > time.Minute {
		_, err = s.db.NewRaw("update api_keys set last_used_at = ? where id = ?", now, k.ID).Exec(ctx)
	}
	return k, mapError(err)
}

// CreateAPIKey implements core.APIKeyStore.
func (s *Store) CreateAPIKey(ctx context.Context, k core.APIKey, hash []byte) error {
	_, err := s.db.NewRaw(`
		insert into api_keys (id, publisher_id, name, hint, secret_hash, scopes, expires_at, created_at)
		values (?, ?, ?, ?, ?, ?, ?, ?)`,
		k.ID, k.PublisherID, k.Name, k.Hint, hash, pgdialect.Array(k.Scopes), k.ExpiresAt, k.CreatedAt).Exec(ctx)
	return mapError(err)
}
