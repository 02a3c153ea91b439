package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type deviceSignInRow struct {
	ID           core.ID
	UserCode     string
	ClientName   string
	Network      string
	CreatedAt    time.Time
	ExpiresAt    time.Time
	NextAskAt    time.Time
	AskSeconds   int64
	SubscriberID *core.ID
	Approved     *bool
	TakenAt      *time.Time
}

func (r deviceSignInRow) deviceSignIn() core.DeviceSignIn {
	return core.DeviceSignIn{ID: r.ID, UserCode: core.UserCode(r.UserCode), ClientName: r.ClientName, Network: r.Network,
		CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, NextAskAt: r.NextAskAt, AskInterval: time.Duration(r.AskSeconds) * time.Second,
		SubscriberID: r.SubscriberID, Approved: r.Approved, TakenAt: r.TakenAt}
}

func deviceSignInWhere(ctx context.Context, db bun.IDB, where string, args ...any) (core.DeviceSignIn, error) {
	var r deviceSignInRow
	err := db.NewRaw(`
		select id, user_code, client_name, network, created_at, expires_at, next_ask_at, extract(epoch from ask_interval)::bigint as ask_seconds,
			subscriber_id, approved, taken_at
		from device_sign_ins where `+where, args...).Scan(ctx, &r)
	if err != nil {
		return core.DeviceSignIn{}, Error(err)
	}
	return r.deviceSignIn(), nil
}

// CreateDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) CreateDeviceSignIn(ctx context.Context, d core.DeviceSignIn, hash []byte) error {
	_, err := s.db.NewRaw(`
		insert into device_sign_ins (id, device_hash, user_code, client_name, network, created_at, expires_at, next_ask_at, ask_interval)
		values (?, ?, ?, ?, ?, ?, ?, ?, make_interval(secs => ?))`,
		d.ID, hash, string(d.UserCode), d.ClientName, d.Network, d.CreatedAt, d.ExpiresAt, d.NextAskAt, d.AskInterval.Seconds()).Exec(ctx)
	return Error(err)
}

// DeviceSignIn implements core.DeviceSignInStore.
func (s *Store) DeviceSignIn(ctx context.Context, code core.UserCode, now time.Time) (core.DeviceSignIn, error) {
	return deviceSignInWhere(ctx, s.db, "user_code = ? and approved is null and expires_at > ?", string(code), now)
}

// AnswerDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) AnswerDeviceSignIn(ctx context.Context, code core.UserCode, subscriberID core.ID, approved bool, now time.Time) error {
	err := s.db.NewRaw(`
		update device_sign_ins set subscriber_id = ?, approved = ?
		where user_code = ? and approved is null and expires_at > ? returning id`, subscriberID, approved, string(code), now).Scan(ctx, new(core.ID))
	return Error(err)
}

// AskDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) AskDeviceSignIn(ctx context.Context, hash []byte, ask func(*core.DeviceSignIn)) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		d, err := deviceSignInWhere(ctx, tx, "device_hash = ? for update", hash)
		if err != nil {
			return err
		}
		ask(&d)
		_, err = tx.NewRaw("update device_sign_ins set next_ask_at = ?, ask_interval = make_interval(secs => ?) where id = ?",
			d.NextAskAt, d.AskInterval.Seconds(), d.ID).Exec(ctx)
		return err
	})
}

// TakeDeviceSignIn implements core.DeviceSignInStore.
func (s *Store) TakeDeviceSignIn(ctx context.Context, id core.ID, t core.AccessToken, hash []byte, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		err := tx.NewRaw("update device_sign_ins set taken_at = ? where id = ? and taken_at is null returning id", now, id).Scan(ctx, new(core.ID))
		if err != nil {
			return err
		}
		return insertAccessToken(ctx, tx, t, hash)
	})
}
