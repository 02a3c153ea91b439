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

// returnedAtOnce is how many postponed notifications are brought back in one transaction.
const returnedAtOnce = 500

// returnSnoozed brings back everything that is due.
func (d *Dispatcher) returnSnoozed(ctx context.Context) {
	for {
		n, err := d.returnOnce(ctx)
		if err != nil {
			d.warn(ctx, "bringing back what was postponed failed; trying again soon", err)
		}
		if err != nil || n < returnedAtOnce {
			return
		}
	}
}

// returnOnce brings back some of what is due and stores its pushes in the same transaction, so that each is pushed
// once, whichever nodes look and whenever one dies.
func (d *Dispatcher) returnOnce(ctx context.Context) (int, error) {
	now := d.Now()
	var back []core.Returned
	err := d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) (err error) {
		if back, err = postgres.ReturnSnoozed(ctx, tx, returnedAtOnce, now); err != nil || len(back) == 0 {
			return err
		}
		turns, err := returnTurns(ctx, tx, back, now)
		if err != nil {
			return err
		}
		return insertTurns(ctx, tx, turns)
	})
	if err != nil || len(back) == 0 {
		return 0, err
	}
	d.WakeTurns()
	for _, r := range back {
		if r.InFeed {
			d.Returned(ctx, r.SubscriberID,
				core.ReadEvent{NotificationID: &r.NotificationID, Archived: new(false), Returned: true})
		}
	}
	return len(back), nil
}

// kindReturn is the kind of turns that push to a device what its person has postponed until now.
const kindReturn = "return"

type returnArgs struct {
	DeviceID      core.ID   `json:"deviceId"`
	Notifications []byte    `json:"notifications"` // packed ids
	At            time.Time `json:"at"`
}

// returnTurns returns a turn for each device of the people to whom something is back that rings.
func returnTurns(ctx context.Context, tx bun.IDB, back []core.Returned, now time.Time) (turns []turn, err error) {
	ringing := map[core.ID][]core.ID{} // by person
	var people []core.ID
	for _, r := range back {
		if !r.Rings(now) {
			continue
		}
		if ringing[r.SubscriberID] == nil {
			people = append(people, r.SubscriberID)
		}
		ringing[r.SubscriberID] = append(ringing[r.SubscriberID], r.NotificationID)
	}
	if len(people) == 0 {
		return nil, nil
	}
	devices, err := devicesOf(ctx, tx, people)
	for _, to := range devices {
		args := returnArgs{DeviceID: to.ID, Notifications: pack(ringing[to.SubscriberID]), At: now}
		turns = append(turns, turn{Queue: queueOf(to.Service), Owner: to.SubscriberID, Service: to.Service,
			Kind: kindReturn, Devices: 1, Args: asJSON(args)})
	}
	return turns, err
}

// returning is a notification that is to be pushed to a device again.
type returning struct {
	address
	quietHours

	Turn           int     `bun:"turn"` // its index in the run
	NotificationID core.ID `bun:"notification_id"`
	Locale         string  `bun:"locale"`

	Bell       core.Bell  `bun:"bell"`
	MutedUntil *time.Time `bun:"muted_until"`
}

// pushReturns pushes to the devices, as the notifications are now, and parks the turns of those whose push service does
// not take it now and of people in their quiet hours.
func (d *Dispatcher) pushReturns(ctx context.Context, run []*turn) (closed time.Duration, err error) {
	r, all := d.newRun(run, noteDevices), make([]returnArgs, len(run))
	for i, t := range run {
		if err := json.Unmarshal(t.Args, &all[i]); err != nil {
			return 0, err
		}
	}
	rows, err := stillReturning(ctx, d.DB, all)
	if err != nil {
		return 0, err
	}
	byTurn, ids, now := make([][]returning, len(run)), make([]core.ID, 0, len(rows)), d.Now()
	for _, row := range rows {
		rings := core.Returned{InFeed: true, Bell: row.Bell, MutedUntil: row.MutedUntil}.Rings(now)
		if rings {
			byTurn[row.Turn], ids = append(byTurn[row.Turn], row), append(ids, row.NotificationID)
		}
	}
	notifications, err := postgres.NotificationsByID(ctx, d.DB, ids)
	if err != nil {
		return 0, err
	}
	timezones := map[string]*time.Location{}
	for i, rows := range byTurn {
		if len(rows) == 0 {
			continue
		}
		quiet, err := rows[0].left(now, timezones)
		if err != nil {
			return 0, err
		}
		r.addReturn(run[i], rows, notifications, all[i].At, quiet)
	}
	return r.do(ctx)
}

// addReturn adds the push of those of the notifications, newest first, that are to be pushed to a device, not before
// quiet hours have passed.
func (r *run) addReturn(
	of *turn, rows []returning, notifications []core.Notification, at time.Time, quiet time.Duration,
) {
	to, now := rows[0], r.d.Now()
	mine := map[core.ID]bool{}
	for _, row := range rows {
		mine[row.NotificationID] = true
	}
	var live []core.Notification
	for _, n := range notifications {
		if mine[n.ID] && endedBy(n, core.PushExpiry(n, at), now) == "" {
			live = append(live, n)
		}
	}
	if len(live) == 0 {
		return
	}
	to.Rest = max(to.Rest, quiet.Seconds())
	push := core.NewReturn(live, at, core.LanguageOf(to.Locale))
	r.items = append(r.items, &item{address: to.address, push: &push, turn: of, targets: []target{{}}})
}

// stillReturning finds the devices, and those of their notifications that are unread in the feeds of their people. It
// leaves out what is held since its publication until quiet hours end, which is pushed then.
func stillReturning(ctx context.Context, db bun.IDB, all []returnArgs) (rows []returning, err error) {
	var turns []int
	var devices, notifications []core.ID
	for i, args := range all {
		for _, id := range unpack(args.Notifications) {
			turns, devices, notifications = append(turns, i), append(devices, args.DeviceID), append(notifications, id)
		}
	}
	// Raw, because it starts from columns and not from a table.
	err = db.NewRaw(`
		select w.turn, w.notification as notification_id, d.id as device_id, `+pushColumns+`, o.locale, s.bell,
			s.muted_until, `+quietColumns+`
		from unnest(?::integer[], ?::uuid[], ?::uuid[]) w (turn, device, notification)
		join devices d on d.id = w.device and d.retired_at is null
		join subscribers o on o.id = d.subscriber_id
		join notifications n on n.id = w.notification and n.visible
		join subscriptions s on s.subscriber_id = d.subscriber_id and s.channel_id = n.channel_id
		left join receipts r on r.subscriber_id = d.subscriber_id and r.notification_id = n.id
		where not `+postgres.IsRead+` and r.archived_at is null and not exists (
			select from held_pushes h where h.notification_id = n.id and h.device_id = d.id)`,
		pgdialect.Array(turns), pgdialect.Array(devices), pgdialect.Array(notifications)).Scan(ctx, &rows)
	return rows, postgres.Error(err)
}
