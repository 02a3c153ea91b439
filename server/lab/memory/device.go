package memory

import (
	"cmp"
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.DeviceStore
	core.Pacer
} = (*Store)(nil)

type deviceRow struct {
	core.Device
	sessionID, tokenID core.ID
	cause              string
}

func device(r *deviceRow) core.Device {
	d := r.Device
	d.Push.Owner, d.Push.Untried = d.SubscriberID, d.RingsSince == nil
	return d
}

// retire retires the active devices that match.
func (s *Store) retire(cause string, now time.Time, matches func(*deviceRow) bool) {
	for _, d := range s.devices {
		if d.RetiredAt == nil && matches(d) {
			d.RetiredAt, d.cause = &now, cause
		}
	}
}

// RegisterDevice implements core.DeviceStore.
func (s *Store) RegisterDevice(
	_ context.Context, c core.Caller, in core.Registration, now time.Time,
) (core.Device, core.Creation, error) {
	defer s.lock()()
	if err := s.mayBind(c); err != nil {
		return core.Device{}, 0, err
	}
	mine := s.devicesOf(c.SubscriberID)
	var row *deviceRow
	silent := 0
	for _, d := range mine {
		if d.InstallationID == in.InstallationID {
			row = d
		} else if d.RingsSince == nil {
			silent++
		}
	}
	creation, known := core.Existing, row != nil && row.Push.Address == in.Push.Address
	if row == nil {
		creation = core.Created
		if err := s.checkCap(core.CapDevices, len(mine)); err != nil {
			return core.Device{}, 0, err
		}
		row = &deviceRow{Device: core.Device{ID: core.NewID(), SubscriberID: c.SubscriberID,
			InstallationID: in.InstallationID, Name: in.Name, CreatedAt: now}}
	}
	if !known {
		if err := s.checkCap(core.CapUnconfirmed, silent); err != nil {
			return core.Device{}, 0, err
		}
		row.RingsSince, row.UnshownSince = nil, nil
	}
	s.retire(core.RetiredMoved, now, func(d *deviceRow) bool { return d != row && d.Push.Address == in.Push.Address })
	row.Push, row.Platform, row.SeenAt = in.Push, in.Platform, now
	s.devices[row.ID] = row
	if c.ByToken() {
		row.tokenID = c.TokenID
	} else {
		row.sessionID, row.tokenID = c.SessionID, core.ID{}
		s.sessions[c.SessionID].DeviceID = &row.ID
	}
	return device(row), creation, nil
}

// mayBind fails when the caller is suspended, or their session or access token has ended.
func (s *Store) mayBind(c core.Caller) error {
	p, err := s.subscribers.get(c.SubscriberID)
	switch {
	case err != nil:
		return err
	case p.Suspension != nil:
		return core.ErrSuspended(core.SuspendableSubscriber, *p.Suspension)
	case c.ByToken():
		if t, ok := s.tokens[c.TokenID]; !ok || t.RevokedAt != nil {
			return core.ErrTokenRevoked()
		}
	case s.sessions[c.SessionID] == nil:
		return core.ErrSessionEnded()
	}
	return nil
}

func (s *Store) devicesOf(subscriberID core.ID) []*deviceRow {
	return s.devices.where(func(d *deviceRow) bool { return d.SubscriberID == subscriberID && d.RetiredAt == nil })
}

func (s *Store) device(subscriberID, id core.ID) (*deviceRow, error) {
	d, err := s.devices.get(id)
	if err != nil || d.SubscriberID != subscriberID {
		return nil, core.NotFound()
	}
	return d, nil
}

// Devices implements core.DeviceStore.
func (s *Store) Devices(_ context.Context, subscriberID core.ID, page core.Page) ([]core.Device, int64, error) {
	defer s.lock()()
	rows := newest(s.devicesOf(subscriberID), func(d *deviceRow) time.Time { return d.SeenAt })
	return paged(rows, page, device)
}

// Device implements core.DeviceStore.
func (s *Store) Device(_ context.Context, subscriberID, id core.ID) (core.Device, error) {
	defer s.lock()()
	d, err := s.device(subscriberID, id)
	if err != nil || d.RetiredAt != nil {
		return core.Device{}, core.NotFound()
	}
	return device(d), nil
}

// RenameDevice implements core.DeviceStore.
func (s *Store) RenameDevice(_ context.Context, subscriberID, id core.ID, name string) (core.Device, error) {
	defer s.lock()()
	d, err := s.device(subscriberID, id)
	if err != nil || d.RetiredAt != nil {
		return core.Device{}, core.NotFound()
	}
	d.Name = name
	return device(d), nil
}

// RetireDevice implements core.DeviceStore.
func (s *Store) RetireDevice(_ context.Context, subscriberID, id core.ID, cause string, now time.Time) error {
	defer s.lock()()
	d, err := s.device(subscriberID, id)
	if err == nil {
		d.RetiredAt, d.cause = cmp.Or(d.RetiredAt, &now), cmp.Or(d.cause, cause)
	}
	return err
}

// RetireAddress implements core.DeviceStore.
func (s *Store) RetireAddress(_ context.Context, address, cause string, now time.Time) error {
	defer s.lock()()
	s.retire(cause, now, func(d *deviceRow) bool { return d.Push.Address == address })
	return nil
}

// ConfirmAddress implements core.DeviceStore.
func (s *Store) ConfirmAddress(_ context.Context, address string, now time.Time) error {
	defer s.lock()()
	for _, d := range s.devices {
		if d.RetiredAt == nil && d.Push.Address == address {
			d.RingsSince = cmp.Or(d.RingsSince, &now)
		}
	}
	return nil
}

// RetiredCause returns why a device was retired, or "".
func (s *Store) RetiredCause(id core.ID) string {
	defer s.lock()()
	return s.devices[id].cause
}

// PaceTest implements core.DeviceStore.
func (s *Store) PaceTest(_ context.Context, subscriberID core.ID) error {
	defer s.lock()()
	pace := core.ChallengePace{Name: "tests by " + subscriberID.String(), Every: core.TestEvery,
		AtOnce: core.TestsAtOnce}
	if !s.takeTurn(pace) {
		return core.ErrTooManyTests()
	}
	return nil
}

// takeTurn takes a turn at a pace, if it has one left.
func (s *Store) takeTurn(p core.ChallengePace) bool {
	now, free := s.now(), s.Paces[p.Name]
	if free.Before(now) {
		free = now
	}
	if free.Sub(now) > time.Duration(p.AtOnce-1)*p.Every {
		return false
	}
	s.Paces[p.Name] = free.Add(p.Every)
	return true
}

// Paused implements core.Pacer.
func (s *Store) Paused(_ context.Context, service string) (d time.Duration, cause string, err error) {
	defer s.lock()()
	return s.Pauses[service].Pause, s.Pauses[service].Cause, nil
}
