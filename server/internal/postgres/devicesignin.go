package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type deviceSignInRow struct {
	bun.BaseModel `bun:"table:device_sign_ins,alias:i"`

	ID           core.ID         `bun:"id,pk"`
	DeviceHash   []byte          `bun:"device_hash"`
	UserCode     core.UserCode   `bun:"user_code"`
	ClientName   string          `bun:"client_name"`
	Scopes       []core.Scope    `bun:"scopes,array"`
	Network      string          `bun:"network"`
	CreatedAt    time.Time       `bun:"created_at"`
	ExpiresAt    time.Time       `bun:"expires_at"`
	NextPollAt   time.Time       `bun:"next_poll_at"`
	PollInterval pgtype.Interval `bun:"poll_interval"`
	SubscriberID *core.ID        `bun:"subscriber_id"`
	Approved     *bool           `bun:"approved"`
	TakenAt      *time.Time      `bun:"taken_at"`
}

func (r deviceSignInRow) deviceSignIn() core.DeviceSignIn {
	return core.DeviceSignIn{
		ID: r.ID, UserCode: r.UserCode, ClientName: r.ClientName, Scopes: r.Scopes, Network: r.Network,
		CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, NextPollAt: r.NextPollAt, SubscriberID: r.SubscriberID,
		Approved:     r.Approved,
		PollInterval: time.Duration(r.PollInterval.Microseconds) * time.Microsecond, TakenAt: r.TakenAt,
	}
}

func interval(d time.Duration) pgtype.Interval {
	return pgtype.Interval{Microseconds: d.Microseconds(), Valid: true}
}

// CreateDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) CreateDeviceSignIn(ctx context.Context, d core.DeviceSignIn, hash []byte) error {
	row := deviceSignInRow{
		ID: d.ID, DeviceHash: hash, UserCode: d.UserCode, ClientName: d.ClientName, Scopes: d.Scopes,
		Network:   d.Network,
		CreatedAt: d.CreatedAt, ExpiresAt: d.ExpiresAt, NextPollAt: d.NextPollAt,
		PollInterval: interval(d.PollInterval),
	}
	_, err := s.db.NewInsert().Model(&row).Exec(ctx)
	return Error(err)
}

// DeviceSignIn implements core.DeviceSignInStore.
func (s *Store) DeviceSignIn(ctx context.Context, code core.UserCode, now time.Time) (core.DeviceSignIn, error) {
	var row deviceSignInRow
	err := s.db.NewSelect().Model(&row).
		Where("user_code = ?", code).Where("approved IS NULL").Where("expires_at > ?", now).Scan(ctx)
	return row.deviceSignIn(), Error(err)
}

// DecideDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) DecideDeviceSignIn(
	ctx context.Context, code core.UserCode, subscriberID core.ID, approved bool, now time.Time,
) error {
	return affected(s.db.NewUpdate().Model((*deviceSignInRow)(nil)).
		Set("subscriber_id = ?", subscriberID).Set("approved = ?", approved).
		Where("user_code = ?", code).Where("approved IS NULL").Where("expires_at > ?", now).Exec(ctx))
}

// PollDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) PollDeviceSignIn(ctx context.Context, hash []byte, poll func(*core.DeviceSignIn)) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var row deviceSignInRow
		if err := tx.NewSelect().Model(&row).Where("device_hash = ?", hash).For("UPDATE").Scan(ctx); err != nil {
			return err
		}
		d := row.deviceSignIn()
		poll(&d)
		row.NextPollAt, row.PollInterval = d.NextPollAt, interval(d.PollInterval)
		_, err := tx.NewUpdate().Model(&row).Column("next_poll_at", "poll_interval").WherePK().Exec(ctx)
		return err
	})
}

// TakeBrowserSignIn implements core.DeviceSignInStore.
func (s *Store) TakeBrowserSignIn(ctx context.Context, id core.ID, now time.Time) error {
	row := deviceSignInRow{ID: id, TakenAt: &now}
	return affected(s.db.NewUpdate().Model(&row).Column("taken_at").WherePK().Where("taken_at IS NULL").Exec(ctx))
}

// TakeDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) TakeDeviceSignIn(
	ctx context.Context, id core.ID, t core.AccessToken, hash []byte, now time.Time,
) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockActive(ctx, tx, core.SuspendableSubscriber, t.SubscriberID); err != nil {
			return err
		}
		row := deviceSignInRow{ID: id, TakenAt: &now}
		err := affected(tx.NewUpdate().Model(&row).Column("taken_at").WherePK().Where("taken_at IS NULL").Exec(ctx))
		if err != nil {
			return err
		}
		if err := s.insertAccessToken(ctx, tx, t, hash); err != nil {
			return err
		}
		return auditAccessToken(ctx, tx, t.SubscriberID, t.ID, t.Name)
	})
}
