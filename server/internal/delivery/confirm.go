package delivery

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// DeviceStore is a store of devices that confirms new addresses: it stores the turn of a push to each in the
// transaction that stores it, so that neither exists without the other.
type DeviceStore struct {
	*postgres.Store
	wake func()
}

// NewDeviceStore returns a store that calls wake when a push waits.
func NewDeviceStore(store *postgres.Store, wake func()) *DeviceStore {
	return &DeviceStore{Store: store, wake: wake}
}

var _ core.DeviceStore = (*DeviceStore)(nil)

// RegisterDevice implements core.DeviceStore.
func (s *DeviceStore) RegisterDevice(
	ctx context.Context, c core.Caller, in core.Registration, now time.Time,
) (core.Device, core.Creation, error) {
	d, creation, err := s.Store.RegisterDevice(ctx, c, in, now, insertConfirmation)
	s.wake()
	return d, creation, err
}

func insertConfirmation(ctx context.Context, tx postgres.Tx, d core.Device) error {
	return insertTurns(ctx, tx, []turn{turnOf(kindConfirm, d)})
}

// turnOf returns a turn that pushes something of the server's own to a device.
func turnOf(kind string, d core.Device) turn {
	service := d.Push.Service()
	return turn{Queue: queueOf(service), Owner: d.SubscriberID, Service: service, Kind: kind, Devices: 1,
		Args: asJSON(deviceArgs{ID: core.NewID(), DeviceID: d.ID, Address: d.Push.Address})}
}

// kindConfirm is the kind of turns that push a confirmation to a new address of a device.
const kindConfirm = "confirm"

type deviceArgs struct {
	ID       core.ID `json:"id"` // of the push, so that a device shows it once
	DeviceID core.ID `json:"deviceId"`
	Address  string  `json:"address"`
}

// pushConfirmations pushes to the addresses, unless they ring already or their device has another, and parks the turns
// of those whose push service does not take it now. A turn ends with the device, which is retired if it does not ring
// in time.
func (d *Dispatcher) pushConfirmations(ctx context.Context, run []*turn) (closed time.Duration, err error) {
	silent := func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("d.rings_since is null") }
	return d.pushOwn(ctx, run, silent, core.NewConfirmation)
}

// pushOwn pushes something of the server's own, in the language of each person, to those devices of the turns that are
// selected and have the address of the turn.
func (d *Dispatcher) pushOwn(
	ctx context.Context, run []*turn, selected func(*bun.SelectQuery) *bun.SelectQuery,
	newPush func(id core.ID, in core.Language, now time.Time) core.Push,
) (closed time.Duration, err error) {
	r := d.newRun(run, noteDevices)
	all, addresses := make([]deviceArgs, len(run)), make([]string, len(run))
	for i, t := range run {
		if err := json.Unmarshal(t.Args, &all[i]); err != nil {
			return 0, err
		}
		addresses[i] = all[i].Address
	}
	var rows []struct {
		address
		Locale string `bun:"locale"`
	}
	err = selected(d.DB.NewSelect().TableExpr("devices d").Join("join subscribers s on s.id = d.subscriber_id").
		ColumnExpr("d.id as device_id, s.locale, "+pushColumns).Where("d.address = any (?::text[])",
		pgdialect.Array(addresses)).Where("d.retired_at is null")).Scan(ctx, &rows)
	if err != nil {
		return 0, postgres.Error(err)
	}
	for i, args := range all {
		for _, row := range rows {
			if row.DeviceID == args.DeviceID && row.Address == args.Address {
				push := newPush(args.ID, core.LanguageOf(row.Locale), d.Now())
				r.items = append(r.items, &item{address: row.address, push: &push, turn: run[i], targets: []target{{}}})
			}
		}
	}
	return r.do(ctx)
}
