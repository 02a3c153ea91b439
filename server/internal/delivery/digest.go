package delivery

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// digestsAtOnce is how many people are told a digest in one transaction.
const digestsAtOnce = 500

// tellDigests stores turns for all digests that are due.
func (d *Dispatcher) tellDigests(ctx context.Context) {
	for {
		n, err := d.tellOnce(ctx)
		if err != nil {
			d.warn(ctx, "telling digests failed; trying again soon", err)
		}
		if err != nil || n < digestsAtOnce {
			return
		}
	}
}

// tellOnce plans the next digest of some people and stores the turns of this one in the same transaction, so that each
// is pushed once, whichever nodes look and whenever one dies. It returns the number of people.
func (d *Dispatcher) tellOnce(ctx context.Context) (taken int, err error) {
	err = d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		var told []core.Digest
		if told, taken, err = postgres.TakeDigests(ctx, tx, digestsAtOnce, d.Now()); err != nil || len(told) == 0 {
			return err
		}
		people, byPerson := make([]core.ID, len(told)), map[core.ID]core.Digest{}
		for i, g := range told {
			people[i], byPerson[g.SubscriberID] = g.SubscriberID, g
		}
		devices, err := devicesOf(ctx, tx, people)
		if err != nil {
			return err
		}
		turns := make([]turn, len(devices))
		for i, to := range devices {
			g := byPerson[to.SubscriberID]
			// Many people are told at the same time, and no one of them much: they share their turns.
			turns[i] = turn{Queue: queueOf(to.Service), Owner: everybody, Service: to.Service, Kind: kindDigest,
				Devices: 1, Args: asJSON(digestArgs{DeviceID: to.ID, Since: g.Since, Until: g.Until})}
		}
		return insertTurns(ctx, tx, turns)
	})
	if taken > 0 {
		d.WakeTurns()
	}
	return taken, err
}

// kindDigest is the kind of turns that push a person's digest to one of their devices.
const kindDigest = "digest"

type digestArgs struct {
	DeviceID core.ID   `json:"deviceId"`
	Since    time.Time `json:"since"` // what was published after it
	Until    time.Time `json:"until"`
}

// digestDevice is a device to which a digest is to be pushed.
type digestDevice struct {
	address
	quietHours

	Turn   int    `bun:"turn"` // its index in the run
	Locale string `bun:"locale"`
}

// pushDigests pushes to the devices what is still unread of it, if anything is, and parks the turns of those whose push
// service does not take it now and of people in their quiet hours.
func (d *Dispatcher) pushDigests(ctx context.Context, run []*turn) (closed time.Duration, err error) {
	r, all, ids := d.newRun(run, noteDevices), make([]digestArgs, len(run)), make([]core.ID, len(run))
	for i, t := range run {
		if err := json.Unmarshal(t.Args, &all[i]); err != nil {
			return 0, err
		}
		ids[i] = all[i].DeviceID
	}
	var to []digestDevice
	// Raw, because it starts from columns and not from a table.
	err = d.DB.NewRaw(`
		select w.turn - 1 as turn, d.id as device_id, `+pushColumns+`, o.locale, `+quietColumns+`
		from unnest(?::uuid[]) with ordinality w (device, turn)
		join devices d on d.id = w.device and d.retired_at is null
		join subscribers o on o.id = d.subscriber_id`, pgdialect.Array(ids)).Scan(ctx, &to)
	if err != nil {
		return 0, postgres.Error(err)
	}
	digests, now := make([]core.Digest, len(to)), d.Now()
	for i, device := range to {
		args := all[device.Turn]
		digests[i] = core.Digest{SubscriberID: device.SubscriberID, Since: args.Since, Until: args.Until}
	}
	came, err := postgres.Came(ctx, d.DB, digests, now)
	if err != nil {
		return 0, err
	}
	timezones := map[string]*time.Location{}
	for i, device := range to {
		push := core.NewDigest(digests[i], came[i], core.LanguageOf(device.Locale))
		if len(came[i]) == 0 || !now.Before(push.Expires) {
			continue
		}
		quiet, err := device.left(now, timezones)
		if err != nil {
			return 0, err
		}
		device.Rest = max(device.Rest, quiet.Seconds())
		of := run[device.Turn]
		r.items = append(r.items, &item{address: device.address, push: &push, turn: of, targets: []target{{}}})
	}
	return r.do(ctx)
}
