package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

type deviceRow struct {
	bun.BaseModel `bun:"table:devices,alias:d"`

	ID             core.ID    `bun:"id,pk"`
	SubscriberID   core.ID    `bun:"subscriber_id"`
	SessionID      *core.ID   `bun:"session_id"`
	AccessTokenID  *core.ID   `bun:"access_token_id"`
	InstallationID string     `bun:"installation_id"`
	Kind           string     `bun:"kind"`
	Address        string     `bun:"address"`
	P256dh         []byte     `bun:"p256dh"`
	Auth           []byte     `bun:"auth"`
	Service        string     `bun:"service"`
	Platform       string     `bun:"platform"`
	Name           string     `bun:"name"`
	CreatedAt      time.Time  `bun:"created_at"`
	SeenAt         time.Time  `bun:"seen_at"`
	AddressedAt    time.Time  `bun:"addressed_at"`
	RingsSince     *time.Time `bun:"rings_since"`
	ShownAt        *time.Time `bun:"shown_at"`
	UnshownSince   *time.Time `bun:"unshown_since"`
	RetiredAt      *time.Time `bun:"retired_at"`
}

func (r deviceRow) device() core.Device {
	return core.Device{
		ID: r.ID, SubscriberID: r.SubscriberID, InstallationID: r.InstallationID, Push: core.PushAddress{
			Kind: r.Kind, Address: r.Address, Keys: core.PushKeys{P256dh: r.P256dh, Auth: r.Auth},
			Owner: r.SubscriberID, Untried: r.RingsSince == nil},
		Platform: r.Platform, Name: r.Name, CreatedAt: r.CreatedAt, SeenAt: r.SeenAt, RingsSince: r.RingsSince,
		ShownAt: r.ShownAt, UnshownSince: r.UnshownSince, RetiredAt: r.RetiredAt,
	}
}

// RegisterDevice is that of core.DeviceStore. Concurrent registrations of one address or installation take turns. It
// calls confirm in its transaction when the device has a new address.
func (s *Store) RegisterDevice(ctx context.Context, c core.Caller, in core.Registration, now time.Time,
	confirm func(context.Context, Tx, core.Device) error,
) (d core.Device, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockActive(ctx, tx, core.SuspendableSubscriber, c.SubscriberID); err != nil {
			return err
		}
		if err := lockRegistrations(ctx, tx, c.SubscriberID, in); err != nil {
			return err
		}
		if err := retireOthers(ctx, tx, c.SubscriberID, in, now); err != nil {
			return err
		}
		known, err := devicesOf(tx.NewSelect().Model((*deviceRow)(nil)), c.SubscriberID).
			Where("installation_id = ?", in.InstallationID).Where("address = ?", in.Push.Address).Exists(ctx)
		if err != nil {
			return err
		}
		var row deviceRow
		if row, creation, err = putDevice(ctx, tx, c.SubscriberID, in, known, now); err != nil {
			return err
		}
		if err := bind(ctx, tx, row, c); err != nil {
			return err
		}
		if d = row.device(); known {
			return nil
		}
		if err := s.checkDevices(ctx, tx, c.SubscriberID); err != nil {
			return err
		}
		return confirm(ctx, tx, d)
	})
	return d, creation, err
}

// checkDevices fails when a subscriber now has too many devices, or too many that no push has reached yet.
func (s *Store) checkDevices(ctx context.Context, tx Tx, subscriberID core.ID) error {
	theirs := devicesOf(tx.NewSelect().Model((*deviceRow)(nil)), subscriberID)
	if err := s.checkCap(ctx, tx, core.CapDevices, subscriberID, theirs); err != nil {
		return err
	}
	return s.checkCap(ctx, tx, core.CapUnconfirmed, subscriberID, theirs.Where("rings_since IS NULL"))
}

// bind binds a device to the caller's session or access token.
func bind(ctx context.Context, tx Tx, d deviceRow, c core.Caller) error {
	if c.ByToken() {
		return bindToToken(ctx, tx, d, c.TokenID)
	}
	return bindToSession(ctx, tx, d, c.SessionID)
}

// lockRegistrations is raw because no builder takes advisory locks, here in one order so that none deadlock.
func lockRegistrations(ctx context.Context, tx Tx, subscriberID core.ID, in core.Registration) error {
	_, err := tx.NewRaw(`
		select pg_advisory_xact_lock(k) from (
			select hashtextextended(x, 0) as k from unnest(array[?, ?]) x order by 1) l`,
		"address:"+in.Push.Address, "installation:"+subscriberID.String()+in.InstallationID).Exec(ctx)
	return err
}

// bindToSession binds a device to its session. A concurrent sign-out either retires the device or has already deleted
// the session, which fails.
func bindToSession(ctx context.Context, tx Tx, d deviceRow, sessionID core.ID) error {
	session := sessionRow{ID: sessionID, DeviceID: &d.ID}
	err := affected(tx.NewUpdate().Model(&session).Column("device_id").WherePK().Exec(ctx))
	if core.IsCode(err, core.CodeNotFound) {
		return core.ErrSessionEnded()
	}
	if err != nil {
		return err
	}
	d.SessionID, d.AccessTokenID = &sessionID, nil
	_, err = tx.NewUpdate().Model(&d).Column("session_id", "access_token_id").WherePK().Exec(ctx)
	return err
}

// bindToToken binds a device to an access token. A concurrent revocation either retires the device or has already
// revoked the token, which fails. A session that has the device keeps it.
func bindToToken(ctx context.Context, tx Tx, d deviceRow, tokenID core.ID) error {
	token := accessTokenRow{ID: tokenID}
	err := Error(tx.NewSelect().Model(&token).Column("id").WherePK().Where("revoked_at IS NULL").For("share").Scan(ctx))
	if core.IsCode(err, core.CodeNotFound) {
		return core.ErrTokenRevoked()
	}
	if err != nil {
		return err
	}
	d.AccessTokenID = &tokenID
	_, err = tx.NewUpdate().Model(&d).Column("access_token_id").WherePK().Exec(ctx)
	return err
}

// retireOthers retires all other devices with the address: those of other people, who do not use it any more, and the
// subscriber's own with another installation. An installation of the same name of somebody else is another device.
func retireOthers(ctx context.Context, tx Tx, subscriberID core.ID, in core.Registration, now time.Time) error {
	_, err := retireDevices(tx, core.RetiredMoved, now).
		Where("address = ?", in.Push.Address).
		Where("NOT (subscriber_id = ? AND installation_id = ?)", subscriberID, in.InstallationID).
		Exec(ctx)
	return err
}

// retireDevices retires those active devices that the caller's conditions select.
func retireDevices(db bun.IDB, cause string, now time.Time) *bun.UpdateQuery {
	return db.NewUpdate().Model((*deviceRow)(nil)).
		Set("retired_at = ?", now).Set("retired_cause = ?", cause).Where("retired_at IS NULL")
}

// putDevice stores a device. If its address is not known, it does not ring yet.
func putDevice(ctx context.Context, tx Tx, subscriberID core.ID, in core.Registration, known bool, now time.Time) (
	deviceRow, core.Creation, error,
) {
	row := deviceRow{
		ID: core.NewID(), SubscriberID: subscriberID, InstallationID: in.InstallationID, Kind: in.Push.Kind,
		Address: in.Push.Address, P256dh: in.Push.Keys.P256dh, Auth: in.Push.Keys.Auth, Service: in.Push.Service(),
		Platform: in.Platform, Name: in.Name, CreatedAt: now, SeenAt: now, AddressedAt: now,
	}
	id := row.ID
	put := tx.NewInsert().Model(&row).
		On("CONFLICT (subscriber_id, installation_id) WHERE retired_at IS NULL DO UPDATE").
		Set("kind = excluded.kind").Set("address = excluded.address").
		Set("p256dh = excluded.p256dh").Set("auth = excluded.auth").Set("service = excluded.service").
		Set("platform = excluded.platform").Set("seen_at = excluded.seen_at")
	if !known { // what the former address did does not count
		put.Set("addressed_at = excluded.addressed_at").Set("rings_since = NULL").
			Set("unshown_since = NULL").Set("failures = 0").Set("refusals = 0").Set("retry_at = NULL")
	}
	err := put.Returning("?Columns").Scan(ctx)
	if row.ID == id {
		return row, core.Created, err
	}
	return row, core.Existing, err
}

// devicesOf selects the active devices of a subscriber.
func devicesOf(q *bun.SelectQuery, subscriberID core.ID) *bun.SelectQuery {
	return q.Where("subscriber_id = ?", subscriberID).Where("retired_at IS NULL")
}

// Devices implements core.DeviceStore.
func (s *Store) Devices(ctx context.Context, subscriberID core.ID, page core.Page) ([]core.Device, int64, error) {
	q := devicesOf(s.db.NewSelect(), subscriberID).Order("seen_at DESC", "id DESC")
	return list(ctx, q, page, deviceRow.device)
}

// Device implements core.DeviceStore.
func (s *Store) Device(ctx context.Context, subscriberID, id core.ID) (core.Device, error) {
	row := deviceRow{ID: id}
	err := devicesOf(s.db.NewSelect().Model(&row).WherePK(), subscriberID).Scan(ctx)
	return row.device(), Error(err)
}

// RenameDevice implements core.DeviceStore.
func (s *Store) RenameDevice(ctx context.Context, subscriberID, id core.ID, name string) (core.Device, error) {
	row := deviceRow{ID: id, Name: name}
	err := s.db.NewUpdate().Model(&row).Column("name").WherePK().
		Where("subscriber_id = ?", subscriberID).Where("retired_at IS NULL").Returning("?Columns").Scan(ctx)
	return row.device(), Error(err)
}

// RetireDevice implements core.DeviceStore.
func (s *Store) RetireDevice(ctx context.Context, subscriberID, id core.ID, cause string, now time.Time) error {
	return affected(s.db.NewUpdate().Model((*deviceRow)(nil)).
		Set("retired_at = coalesce(retired_at, ?)", now).Set("retired_cause = coalesce(retired_cause, ?)", cause).
		Where("id = ?", id).Where("subscriber_id = ?", subscriberID).Exec(ctx))
}

// RetireAddress implements core.DeviceStore.
func (s *Store) RetireAddress(ctx context.Context, address, cause string, now time.Time) error {
	return Error(RetireAddresses(ctx, s.db, []string{address}, cause, now))
}

// RetireAddresses retires the devices at addresses that no longer exist. It goes by address, because a device may have
// a new one by now.
func RetireAddresses(ctx context.Context, db bun.IDB, addresses []string, cause string, now time.Time) error {
	if len(addresses) == 0 {
		return nil
	}
	_, err := retireDevices(db, cause, now).Where("address = ANY (?::text[])", pgdialect.Array(addresses)).Exec(ctx)
	return err
}

// PaceTest implements core.DeviceStore.
func (s *Store) PaceTest(ctx context.Context, subscriberID core.ID) error {
	_, inTime, err := Reserve(ctx, s.db, "tests by "+subscriberID.String(), core.TestEvery,
		(core.TestsAtOnce-1)*core.TestEvery)
	if err == nil && !inTime {
		return core.ErrTooManyTests()
	}
	return err
}

// ConfirmAddress implements core.DeviceStore.
func (s *Store) ConfirmAddress(ctx context.Context, address string, now time.Time) error {
	return Error(ConfirmAddresses(ctx, s.db, []string{address}, now))
}

// ConfirmAddresses notes that the devices at addresses ring. It locks them in one order, so that none deadlock.
func ConfirmAddresses(ctx context.Context, db bun.IDB, addresses []string, now time.Time) error {
	if len(addresses) == 0 {
		return nil
	}
	silent := db.NewSelect().Model((*deviceRow)(nil)).Column("id").
		Where("address = ANY (?::text[])", pgdialect.Array(addresses)).
		Where("retired_at IS NULL").Where("rings_since IS NULL").Order("id").For("NO KEY UPDATE")
	_, err := db.NewUpdate().Model((*deviceRow)(nil)).Set("rings_since = ?", now).Where("id IN (?)", silent).Exec(ctx)
	return err
}

// RetireStaleDevices retires the devices that were last seen before since, and returns how many.
func (s *Store) RetireStaleDevices(ctx context.Context, since, now time.Time) (int64, error) {
	var n int64
	err := s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil {
			return err
		}
		res, err := retireDevices(tx, core.RetiredStale, now).Where("seen_at < ?", since).Exec(ctx)
		if err != nil {
			return err
		}
		n, err = res.RowsAffected()
		return err
	})
	return n, err
}
