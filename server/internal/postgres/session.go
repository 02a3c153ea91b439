package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type sessionRow struct {
	bun.BaseModel `bun:"table:sessions,alias:x"`

	ID           core.ID   `bun:"id,pk"`
	SecretHash   []byte    `bun:"secret_hash"`
	SubscriberID core.ID   `bun:"subscriber_id"`
	DeviceID     *core.ID  `bun:"device_id"`
	CreatedAt    time.Time `bun:"created_at"`
	SeenAt       time.Time `bun:"seen_at"`
}

func (r sessionRow) session() core.Session {
	return core.Session{
		ID: r.ID, SubscriberID: r.SubscriberID, DeviceID: r.DeviceID, CreatedAt: r.CreatedAt, SeenAt: r.SeenAt,
	}
}

// CreateSession implements core.SessionStore.
func (s *Store) CreateSession(ctx context.Context, x core.Session, hash []byte) error {
	row := sessionRow{
		ID: x.ID, SecretHash: hash, SubscriberID: x.SubscriberID, CreatedAt: x.CreatedAt, SeenAt: x.SeenAt,
	}
	_, err := s.db.NewInsert().Model(&row).Exec(ctx)
	return Error(err)
}

// SessionBySecret implements core.SessionStore.
func (s *Store) SessionBySecret(ctx context.Context, hash []byte) (core.Session, error) {
	return s.sessions.get(ctx, string(hash))
}

// findSessions finds sessions by the hashes of their secrets.
func (s *Store) findSessions(ctx context.Context, hashes []string) (map[string]core.Session, error) {
	rows, err := hotRows[sessionRow](ctx, s.db, `
		select id, secret_hash, subscriber_id, device_id, created_at, seen_at
		from sessions where secret_hash = any ($1::bytea[])`, byteSlices(hashes))
	found := make(map[string]core.Session, len(rows))
	for _, r := range rows {
		found[string(r.SecretHash)] = r.session()
	}
	return found, err
}

// TouchSession implements core.SessionStore.
func (s *Store) TouchSession(ctx context.Context, id core.ID, now time.Time) error {
	row := sessionRow{ID: id, SeenAt: now}
	_, err := s.db.NewUpdate().Model(&row).Column("seen_at").WherePK().Exec(ctx)
	return Error(err)
}

// EndSession implements core.SessionStore.
func (s *Store) EndSession(ctx context.Context, id core.ID, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		err := affected(tx.NewDelete().Model((*sessionRow)(nil)).Where("id = ?", id).Exec(ctx))
		if core.IsCode(err, core.CodeNotFound) {
			return nil // it has ended already
		}
		if err != nil {
			return err
		}
		_, err = retireDevices(tx, core.RetiredSignedOut, now).Where("session_id = ?", id).Exec(ctx)
		return err
	})
}
