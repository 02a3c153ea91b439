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

// postgres/heldpush.go also changes held pushes, in the transactions that change quiet hours or end a subscription.

// heldPush is a push that waits for the end of quiet hours.
type heldPush struct {
	bun.BaseModel `bun:"table:held_pushes"`

	NotificationID core.ID   `bun:"notification_id"`
	DeviceID       core.ID   `bun:"device_id"`
	First          int64     `bun:"first"` // the batch of the device
	Place          int       `bun:"place"` // in the batch
	Until          time.Time `bun:"until"`
}

func insertHeld(ctx context.Context, tx bun.IDB, held []heldPush) error {
	if len(held) == 0 {
		return nil
	}
	_, err := tx.NewInsert().Model(&held).On("conflict do nothing").Exec(ctx)
	return err
}

// takeHeld takes the pushes whose quiet hours are over, of at most that many devices.
func takeHeld(ctx context.Context, tx bun.IDB, devices int, now time.Time) (taken []heldDevice, err error) {
	var rows []struct {
		heldPush
		Service string  `bun:"service"`
		Owner   core.ID `bun:"owner"`
	}
	// Raw, because it returns the rows that it deletes.
	err = tx.NewRaw(`
		with due as (
			select distinct device_id from held_pushes where until <= ?0 limit ?1
		)
		delete from held_pushes h using due left join devices d on d.id = due.device_id
		where h.device_id = due.device_id and h.until <= ?0
		returning h.notification_id, h.device_id, h.first, h.place,
			coalesce(d.service, ?2) as service, coalesce(d.subscriber_id, ?3) as owner`,
		now, devices, core.ServiceFCM, everybody).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	byDevice := map[core.ID]*heldDevice{}
	for _, r := range rows {
		d := byDevice[r.DeviceID]
		if d == nil {
			d = &heldDevice{ID: r.DeviceID, queue: queueOf(r.Service), owner: r.Owner}
			byDevice[r.DeviceID] = d
		}
		d.Notifications = append(d.Notifications, pack([]core.ID{r.NotificationID})...)
		d.Places = append(d.Places, core.Place{First: r.First, Index: r.Place})
	}
	for _, d := range byDevice {
		taken = append(taken, *d)
	}
	return taken, nil
}

// held is a device and those of its notifications that were held and have no outcome yet.
type held struct {
	address
	language core.Language // of the owner
	targets  []heldTarget
}

type heldTarget struct {
	target
	read bool // their owner has read or archived it meanwhile
}

// undeliveredHeld finds the devices' addresses, their owners' languages, and which of their notifications have no
// outcome yet.
func undeliveredHeld(ctx context.Context, db bun.IDB, devices []heldDevice) (left []held, err error) {
	var rows []struct {
		address
		NotificationID core.ID `bun:"notification_id"`
		First          int64   `bun:"first"`
		Read           bool    `bun:"read"`
		Locale         string  `bun:"locale"`
	}
	var notifications, ids []core.ID
	var firsts []int64
	var places []int
	for _, d := range devices {
		for i, id := range unpack(d.Notifications) {
			notifications, ids = append(notifications, id), append(ids, d.ID)
			firsts, places = append(firsts, d.Places[i].First), append(places, d.Places[i].Index)
		}
	}
	// Raw, because it starts from columns and not from a table.
	err = db.NewRaw(`
		select w.notification as notification_id, w.first, w.place, w.device as device_id,
			`+pushColumns+`, d.id is null or d.retired_at is not null as retired,
			coalesce(r.archived_at is not null or `+postgres.IsRead+`, false) as read,
			coalesce(o.locale, '') as locale
		from unnest(?::uuid[], ?::uuid[], ?::bigint[], ?::integer[]) w (notification, device, first, place)
		join delivery_batches b on b.notification_id = w.notification and b.first = w.first
			and substr(b.outcomes, w.place + 1, 1) in (?, ?)
		left join devices d on d.id = w.device
		left join subscribers o on o.id = d.subscriber_id
		left join notifications n on n.id = w.notification
		left join subscriptions s on s.subscriber_id = d.subscriber_id and s.channel_id = n.channel_id
		left join receipts r on r.subscriber_id = d.subscriber_id and r.notification_id = n.id
		order by w.device`, pgdialect.Array(notifications), pgdialect.Array(ids), pgdialect.Array(firsts),
		pgdialect.Array(places), string(postgres.Held), string(postgres.Waiting)).Scan(ctx, &rows)
	for _, r := range rows {
		if len(left) == 0 || left[len(left)-1].DeviceID != r.DeviceID {
			left = append(left, held{address: r.address, language: core.LanguageOf(r.Locale)})
		}
		h := &left[len(left)-1]
		h.targets = append(h.targets, heldTarget{r.target(r.NotificationID, r.First), r.Read})
	}
	return left, postgres.Error(err)
}

// kindSummary is the kind of turns that push what was held until some subscribers' quiet hours were over.
const kindSummary = "summary"

type summaryArgs struct {
	Devices []heldDevice `json:"devices"`
	Over    time.Time    `json:"over"` // since when; the pushes expire counted from then
}

type heldDevice struct {
	ID            core.ID      `json:"id"`
	Notifications []byte       `json:"notifications"` // packed ids
	Places        []core.Place `json:"places"`        // of the device, for each of the notifications
	queue         string
	owner         core.ID
}

// fewHeld is what a person has held at most to share a turn with others.
const fewHeld = 50

// summaryTurns returns a turn of everybody for each queue, and turns of their own for people with much.
func summaryTurns(devices []heldDevice, over time.Time) (turns []turn) {
	held := map[core.ID]int{} // by owner
	for _, d := range devices {
		held[d.owner] += len(d.Places)
	}
	type key struct {
		owner core.ID
		queue string
	}
	together := map[key][]heldDevice{}
	for _, d := range devices {
		k := key{d.owner, d.queue}
		if held[d.owner] <= fewHeld {
			k.owner = everybody
		}
		together[k] = append(together[k], d)
	}
	for k, devices := range together {
		service := sharedService
		if k.queue == queueFCM {
			service = core.ServiceFCM
		}
		turns = append(turns, turn{Queue: k.queue, Owner: k.owner, Service: service, Kind: kindSummary,
			Devices: len(devices), Args: asJSON(summaryArgs{devices, over})})
	}
	return turns
}

// asJSON encodes the arguments of a turn.
func asJSON(args any) json.RawMessage {
	b, err := json.Marshal(args)
	if err != nil {
		panic(err) // never: they are ids and times
	}
	return b
}

// releaseHeld inserts turns for what was held until quiet hours that are over now.
func (d *Dispatcher) releaseHeld(ctx context.Context) {
	for {
		released, err := d.releaseHeldOnce(ctx)
		if err != nil {
			d.warn(ctx, "releasing held pushes failed; trying again soon", err)
		}
		if err != nil || released < batchSize {
			return
		}
	}
}

// releaseHeldOnce returns the number of devices whose pushes it released.
func (d *Dispatcher) releaseHeldOnce(ctx context.Context) (devices int, err error) {
	now := d.Now()
	err = d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		taken, err := takeHeld(ctx, tx, batchSize, now)
		if err != nil || len(taken) == 0 {
			return err
		}
		devices = len(taken)
		return insertTurns(ctx, tx, summaryTurns(taken, now))
	})
	if devices > 0 {
		d.WakeTurns()
	}
	return devices, err
}

// summarize pushes one summary to each device, or the notification itself where only one was held.
func (d *Dispatcher) summarize(ctx context.Context, run []*turn) (closed time.Duration, err error) {
	r := d.newRun(run, nil)
	for _, t := range run {
		if err := r.addSummaries(ctx, t); err != nil {
			return 0, err
		}
	}
	return r.do(ctx)
}

func (r *run) addSummaries(ctx context.Context, t *turn) error {
	var args summaryArgs
	if err := json.Unmarshal(t.Args, &args); err != nil {
		return err
	}
	left, err := undeliveredHeld(ctx, r.d.DB, args.Devices)
	if err != nil || len(left) == 0 {
		return err
	}
	var ids []core.ID
	for _, h := range left {
		for _, t := range h.targets {
			ids = append(ids, t.notificationID)
		}
	}
	notifications, err := postgres.NotificationsByID(ctx, r.d.DB, ids)
	if err != nil {
		return err
	}
	for _, h := range left {
		r.addSummary(t, h, notifications, args.Over)
	}
	return nil
}

// addSummary adds a device's summary of those of its notifications, newest first, that are still to be pushed.
func (r *run) addSummary(of *turn, h held, notifications []core.Notification, since time.Time) {
	mine := map[core.ID]heldTarget{}
	for _, t := range h.targets {
		mine[t.notificationID] = t
	}
	var live []core.Notification
	i := &item{address: h.address, turn: of}
	for _, n := range notifications {
		t, ok := mine[n.ID]
		if !ok {
			continue
		}
		alone := &item{address: h.address, targets: []target{t.target}}
		if cause := endedBy(n, core.PushExpiry(n, since), r.d.Now()); cause != "" {
			r.addOutcomes(alone, core.Result{Outcome: core.Expired, Cause: cause})
		} else if t.read {
			r.addOutcomes(alone, core.Result{Outcome: core.Suppressed, Cause: core.CauseRead})
		} else {
			live = append(live, n)
			i.targets = append(i.targets, t.target)
		}
	}
	if len(live) > 0 {
		i.push = new(core.NewSummary(live, since, h.language))
		r.items = append(r.items, i)
	}
}
