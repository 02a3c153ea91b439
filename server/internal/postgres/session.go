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
	Anonymous    bool      `bun:"anonymous"`
	DeviceID     *core.ID  `bun:"device_id"`
	Browser      string    `bun:"browser"`
	System       string    `bun:"system"`
	Network      string    `bun:"network"`
	CreatedAt    time.Time `bun:"created_at"`
	SeenAt       time.Time `bun:"seen_at"`
}

func (r sessionRow) session() core.Session {
	return core.Session{
		ID: r.ID, SubscriberID: r.SubscriberID, Anonymous: r.Anonymous, DeviceID: r.DeviceID, CreatedAt: r.CreatedAt,
		SeenAt: r.SeenAt,
		Client: core.Client{Browser: r.Browser, System: r.System, Network: r.Network},
	}
}

// CreateSession implements core.SessionStore.
func (s *Store) CreateSession(ctx context.Context, x core.Session, hash []byte) error {
	row := newSessionRow(x, hash)
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockActive(ctx, tx, core.SuspendableSubscriber, x.SubscriberID); err != nil {
			return err
		}
		_, err := tx.NewInsert().Model(&row).Exec(ctx)
		return err
	})
}

func newSessionRow(x core.Session, hash []byte) sessionRow {
	return sessionRow{
		ID: x.ID, SecretHash: hash, SubscriberID: x.SubscriberID, Anonymous: x.Anonymous, DeviceID: x.DeviceID,
		CreatedAt: x.CreatedAt, SeenAt: x.SeenAt,
		Browser: x.Client.Browser, System: x.Client.System, Network: x.Client.Network,
	}
}

// SessionBySecret implements core.SessionStore.
func (s *Store) SessionBySecret(ctx context.Context, hash []byte) (core.Session, error) {
	return s.sessions.get(ctx, string(hash))
}

// findSessions finds sessions by the hashes of their secrets.
func (s *Store) findSessions(ctx context.Context, secrets []string) (map[string]core.Session, error) {
	rows, err := Hot[sessionRow](ctx, s.db, `
		select id, secret_hash, subscriber_id, anonymous, device_id, browser, system, network, created_at, seen_at
		from sessions where secret_hash = any ($1::bytea[])`, hashes(secrets))
	found := make(map[string]core.Session, len(rows))
	for _, r := range rows {
		found[string(r.SecretHash)] = r.session()
	}
	return found, err
}

// Sessions implements core.SessionStore.
func (s *Store) Sessions(
	ctx context.Context, subscriberID core.ID, now time.Time, page core.Page,
) ([]core.Session, int64, error) {
	q := s.db.NewSelect().Where("subscriber_id = ?", subscriberID).
		Where("seen_at > ?", now.Add(-core.SessionIdle)).Where("created_at > ?", now.Add(-core.SessionLife)).
		Order("seen_at DESC", "id DESC")
	return list(ctx, q, page, sessionRow.session)
}

// TouchSession implements core.SessionStore.
func (s *Store) TouchSession(ctx context.Context, id core.ID, by core.Client, now time.Time) error {
	row := sessionRow{ID: id, Browser: by.Browser, System: by.System, Network: by.Network, SeenAt: now}
	_, err := s.db.NewUpdate().Model(&row).Column("browser", "system", "network", "seen_at").WherePK().Exec(ctx)
	return Error(err)
}

// EndSession implements core.SessionStore.
func (s *Store) EndSession(ctx context.Context, subscriberID, id core.ID, now time.Time) error {
	ended, err := s.endSessions(ctx, now, func(q *bun.DeleteQuery) *bun.DeleteQuery {
		return q.Where("subscriber_id = ?", subscriberID).Where("id = ?", id)
	})
	if err == nil && len(ended) == 0 {
		err = core.NotFound()
	}
	return err
}

// EndSessions implements core.SessionStore.
func (s *Store) EndSessions(ctx context.Context, subscriberID, except core.ID, now time.Time) ([]core.ID, error) {
	return s.endSessions(ctx, now, func(q *bun.DeleteQuery) *bun.DeleteQuery {
		return q.Where("subscriber_id = ?", subscriberID).Where("id <> ?", except)
	})
}

// endSessions deletes the selected sessions, retires their devices, and returns the ids.
func (s *Store) endSessions(
	ctx context.Context, now time.Time, selected func(*bun.DeleteQuery) *bun.DeleteQuery,
) (ended []core.ID, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		q := selected(tx.NewDelete().Model((*sessionRow)(nil))).Returning("id")
		if _, err := q.Exec(ctx, &ended); err != nil || len(ended) == 0 {
			return err
		}
		_, err := retireDevices(tx, core.RetiredSignedOut, now).Where("session_id IN (?)", bun.List(ended)).Exec(ctx)
		return err
	})
	return ended, err
}
