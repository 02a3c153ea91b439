package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// CreateSession implements core.SessionStore.
func (s *Store) CreateSession(ctx context.Context, x core.Session, hash []byte) error {
	_, err := s.db.NewRaw("insert into sessions (id, secret_hash, subscriber_id, created_at, seen_at) values (?, ?, ?, ?, ?)",
		x.ID, hash, x.SubscriberID, x.CreatedAt, x.SeenAt).Exec(ctx)
	return Error(err)
}

// SessionBySecret implements core.SessionStore.
func (s *Store) SessionBySecret(ctx context.Context, hash []byte) (core.Session, error) {
	var x core.Session
	err := s.hotRow(ctx, "select id, subscriber_id, device_id, created_at, seen_at from sessions where secret_hash = ?", hash).
		Scan(&x.ID, &x.SubscriberID, &x.DeviceID, &x.CreatedAt, &x.SeenAt)
	return x, Error(err)
}

// TouchSession implements core.SessionStore.
func (s *Store) TouchSession(ctx context.Context, id core.ID, now time.Time) error {
	_, err := s.db.NewRaw("update sessions set seen_at = ? where id = ?", now, id).Exec(ctx)
	return Error(err)
}

// EndSession implements core.SessionStore.
func (s *Store) EndSession(ctx context.Context, id core.ID, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		_, err := tx.NewRaw(`
			with ended as (delete from sessions where id = ? returning id)
			update devices d set retired_at = ?, retired_cause = ? from ended where d.session_id = ended.id and d.retired_at is null`,
			id, now, core.RetiredSignedOut).Exec(ctx)
		return err
	})
}
