package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

const deviceColumns = `id, subscriber_id, installation_id, kind, address, platform, name, created_at, seen_at, retired_at`

// RegisterDevice implements core.DeviceStore. Registrations that meet on one address or installation take turns.
func (s *Store) RegisterDevice(ctx context.Context, subscriberID, sessionID core.ID, in core.DeviceInput, now time.Time) (d core.Device, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		_, err := tx.NewRaw(`
			select pg_advisory_xact_lock(k) from (
				select hashtextextended(x, 0) as k from unnest(array[?, ?]) x order by 1) l`, "address:"+in.Address, "installation:"+in.InstallationID).Exec(ctx)
		if err != nil {
			return err
		}
		if err := retireOthers(ctx, tx, subscriberID, in, now); err != nil {
			return err
		}
		var id core.ID
		if id, creation, err = putDevice(ctx, tx, subscriberID, in, now); err != nil {
			return err
		}
		if err := bindDevice(ctx, tx, id, sessionID); err != nil {
			return err
		}
		return tx.NewRaw("select "+deviceColumns+" from devices where id = ?", id).Scan(ctx, &d)
	})
	return d, creation, err
}

// bindDevice gives a session its device. Whoever signs out in the meantime takes the device along, or has ended the
// session already.
func bindDevice(ctx context.Context, tx Tx, id, sessionID core.ID) error {
	if sessionID == (core.ID{}) {
		return nil // a program registered it
	}
	err := tx.NewRaw("update sessions set device_id = ? where id = ? returning id", id, sessionID).Scan(ctx, new(core.ID))
	if errors.Is(err, sql.ErrNoRows) {
		return core.ErrSessionEnded()
	}
	if err != nil {
		return err
	}
	_, err = tx.NewRaw("update devices set session_id = ? where id = ?", sessionID, id).Exec(ctx)
	return err
}

// retireOthers retires what another person has under the installation or address, and what this person has under the
// address with another installation.
func retireOthers(ctx context.Context, tx Tx, subscriberID core.ID, in core.DeviceInput, now time.Time) error {
	_, err := tx.NewRaw(`
		update devices set retired_at = ?, retired_cause = ?
		where retired_at is null and (address = ? or installation_id = ?) and not (subscriber_id = ? and installation_id = ?)`,
		now, core.RetiredMoved, in.Address, in.InstallationID, subscriberID, in.InstallationID).Exec(ctx)
	return err
}

func putDevice(ctx context.Context, tx Tx, subscriberID core.ID, in core.DeviceInput, now time.Time) (core.ID, core.Creation, error) {
	var id core.ID
	var made bool
	err := tx.NewRaw(`
		insert into devices (id, subscriber_id, installation_id, kind, address, platform, name, created_at, seen_at)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?)
		on conflict (installation_id) where retired_at is null
		do update set kind = excluded.kind, address = excluded.address, platform = excluded.platform, seen_at = excluded.seen_at
		returning id, xmax = 0`,
		core.NewID(), subscriberID, in.InstallationID, in.Kind, in.Address, in.Platform, in.Name, now, now).Scan(ctx, &id, &made)
	if made {
		return id, core.Created, err
	}
	return id, core.Existing, err
}

// Devices implements core.DeviceStore.
func (s *Store) Devices(ctx context.Context, subscriberID core.ID, page core.Page) ([]core.Device, int64, error) {
	var data []core.Device
	err := s.db.NewRaw("select "+deviceColumns+" from devices where subscriber_id = ? and retired_at is null order by seen_at desc, id desc"+limit(page),
		subscriberID).Scan(ctx, &data)
	if err != nil {
		return nil, 0, Error(err)
	}
	total, err := s.total(ctx, page, len(data), "devices where subscriber_id = ? and retired_at is null", subscriberID)
	return data, total, err
}

// Device implements core.DeviceStore.
func (s *Store) Device(ctx context.Context, subscriberID, id core.ID) (core.Device, error) {
	var d core.Device
	err := s.db.NewRaw("select "+deviceColumns+" from devices where id = ? and subscriber_id = ? and retired_at is null", id, subscriberID).Scan(ctx, &d)
	return d, Error(err)
}

// RenameDevice implements core.DeviceStore.
func (s *Store) RenameDevice(ctx context.Context, subscriberID, id core.ID, name string) (core.Device, error) {
	var d core.Device
	err := s.db.NewRaw("update devices set name = ? where id = ? and subscriber_id = ? and retired_at is null returning "+deviceColumns,
		name, id, subscriberID).Scan(ctx, &d)
	return d, Error(err)
}

// RetireDevice implements core.DeviceStore.
func (s *Store) RetireDevice(ctx context.Context, subscriberID, id core.ID, cause string, now time.Time) error {
	res, err := s.db.NewRaw(`
		update devices set retired_at = coalesce(retired_at, ?), retired_cause = coalesce(retired_cause, ?)
		where id = ? and subscriber_id = ?`, now, cause, id, subscriberID).Exec(ctx)
	if err != nil {
		return Error(err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return core.NotFound()
	}
	return nil
}

// RetireAddress implements core.DeviceStore.
func (s *Store) RetireAddress(ctx context.Context, address, cause string, now time.Time) error {
	return Error(RetireAddresses(ctx, s.db, []string{address}, cause, now))
}

// RetireAddresses retires the devices at addresses where there are none any more. It goes by the address and not by the
// device, which may have another one by now.
func RetireAddresses(ctx context.Context, db bun.IDB, addresses []string, cause string, now time.Time) error {
	if len(addresses) == 0 {
		return nil
	}
	_, err := db.NewRaw("update devices set retired_at = ?, retired_cause = ? where address = any(?::text[]) and retired_at is null",
		now, cause, pgdialect.Array(addresses)).Exec(ctx)
	return err
}

// RetireStaleDevices stops pushing to devices that were not seen since then, and answers how many.
func (s *Store) RetireStaleDevices(ctx context.Context, since, now time.Time) (int64, error) {
	var n int64
	err := s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil {
			return err
		}
		res, err := tx.NewRaw("update devices set retired_at = ?, retired_cause = ? where retired_at is null and seen_at < ?",
			now, core.RetiredStale, since).Exec(ctx)
		if err != nil {
			return err
		}
		n, err = res.RowsAffected()
		return err
	})
	return n, err
}
