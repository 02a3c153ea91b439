package delivery

import (
	"context"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	// kindFindRevised is the kind of turns that find the batches of devices which may show a notification as it was
	// before it changed.
	kindFindRevised = "revise"
	// kindRevision is the kind of turns that push a notification's latest change to the devices of a batch.
	kindRevision = "revision"

	revisedPage = 100 // batches
)

// underWay is how long a push with the text of before may still be under way: as long as a run that has read it takes.
const underWay = takenFor + time.Second

// insertRevisionSearches stores turns that look for the devices of changed notifications, twice: at once, and when
// everything that was under way has its outcome.
func insertRevisionSearches(ctx context.Context, tx bun.IDB, notifications []core.ID) error {
	if len(notifications) == 0 {
		return nil
	}
	// Raw, because it is by the database's clock.
	_, err := tx.NewRaw(`
		insert into turns (queue, owner, service, class, kind, devices, notification_id, first, parked, due_at)
		select ?0, coalesce(p.account_id, p.id), ?1, 1, ?2, ?3, n.id, 0, v.wait > 0,
			clock_timestamp() + v.wait * interval '1 second'
		from notifications n join channels c on c.id = n.channel_id join publishers p on p.id = c.publisher_id
		cross join unnest(array[0, ?4]::float8[]) v (wait)
		where n.id = any (?5::uuid[])`, queueFindRevised, sharedService, kindFindRevised, batchSize, underWay.Seconds(),
		pgdialect.Array(notifications)).Exec(ctx)
	return err
}

// findRevised finds a page of batches for each turn, and leaves the next to another turn.
func (d *Dispatcher) findRevised(ctx context.Context, run []*turn) error {
	for _, t := range run {
		n, err := d.revised(ctx, *t.NotificationID)
		if err != nil {
			return err
		}
		var turns []turn
		if n != nil {
			if turns, err = d.revisionTurns(ctx, t); err != nil {
				return err
			}
		}
		err = d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
			if err := insertTurns(ctx, tx, turns); err != nil {
				return err
			}
			return endTurns(ctx, tx, []*turn{t})
		})
		if err != nil {
			return err
		}
	}
	d.WakeTurns()
	return nil
}

// revisionTurns returns the turns for a page of batches.
func (d *Dispatcher) revisionTurns(ctx context.Context, t *turn) (turns []turn, err error) {
	batches, err := pushedBatches(ctx, d.DB, *t.NotificationID, *t.Batch, revisedPage)
	if err != nil || len(batches) == 0 {
		return nil, err
	}
	for _, b := range batches {
		turns = append(turns, turn{Queue: queueOf(b.Service), Owner: t.Owner, Service: b.Service,
			Class: class(int64(len(batches)) * batchSize), Kind: kindRevision, Devices: b.Devices,
			NotificationID: t.NotificationID, Batch: &b.First})
	}
	if len(batches) == revisedPage {
		turns = append(turns, turn{Queue: queueFindRevised, Owner: t.Owner, Service: sharedService, Class: t.Class,
			Kind: kindFindRevised, Devices: batchSize, NotificationID: t.NotificationID,
			Batch: new(batches[len(batches)-1].First + 1)})
	}
	return turns, nil
}

// revised returns a notification whose revision is still to be pushed, or nil when it is deleted or too old. In a
// suspended channel only the removal of a notification is pushed.
func (d *Dispatcher) revised(ctx context.Context, id core.ID) (*core.Notification, error) {
	n, err := postgres.NotificationByID(ctx, d.DB, id)
	if core.IsCode(err, core.CodeNotFound) {
		return nil, nil
	}
	if err != nil || !d.Now().Before(core.NewRevision(n).Expires) || n.Channel.Suspended && n.Visible {
		return nil, err
	}
	return &n, nil
}

// pushRevisions pushes to those devices that do not have the latest change yet, and parks the turns for the rest.
func (d *Dispatcher) pushRevisions(ctx context.Context, run []*turn) (closed time.Duration, err error) {
	revisedAt := map[core.ID]time.Time{}
	r := d.newRun(run, func(ctx context.Context, tx bun.IDB, deliveries []core.Delivery, now time.Time) error {
		return recordRevised(ctx, tx, deliveries, revisedAt, now)
	})
	for _, t := range run {
		n, err := d.revised(ctx, *t.NotificationID)
		if err != nil {
			return 0, err
		}
		if n == nil {
			continue
		}
		push := core.NewRevision(*n)
		revisedAt[n.ID] = push.RevisedAt
		targets, err := unrevised(ctx, d.DB, n.ID, *t.Batch, push.RevisedAt)
		if err != nil {
			return 0, err
		}
		for _, a := range targets {
			r.items = append(r.items,
				&item{address: a, push: &push, turn: t, targets: []target{a.target(n.ID, *t.Batch)}})
		}
	}
	return r.do(ctx)
}

// pushedBatch is a batch and the push service of its first device.
type pushedBatch struct {
	First   int64  `bun:"first"`
	Service string `bun:"service"`
	Devices int    `bun:"devices"`
}

// pushedBatches finds the next batches of a notification that have a device which was pushed it.
func pushedBatches(ctx context.Context, db bun.IDB, notificationID core.ID, first int64, limit int) (
	batches []pushedBatch, err error) {
	accepted, err := postgres.OutcomeLetter(core.Accepted, "")
	if err != nil {
		return nil, err
	}
	err = db.NewSelect().Model((*postgres.DeliveryBatch)(nil)).Column("first").
		ColumnExpr("coalesce((select d.service from devices d where d.id = b.devices[1]), ?) as service",
			core.ServiceFCM).ColumnExpr("length(outcomes) as devices").
		Where("notification_id = ?", notificationID).Where("first >= ?", first).
		Where("strpos(outcomes, ?) > 0", string(accepted)).Order("first").Limit(int64(limit)).Scan(ctx, &batches)
	return batches, postgres.Error(err)
}

// unrevised finds those devices of a batch that were pushed a notification but not its latest change. It leaves out the
// devices of people who have read it.
func unrevised(ctx context.Context, db bun.IDB, notificationID core.ID, first int64, revisedAt time.Time) (
	out []address, err error) {
	accepted, err := postgres.OutcomeLetter(core.Accepted, "")
	if err != nil {
		return nil, err
	}
	// Raw, because it joins the elements of arrays.
	err = db.NewRaw(`
		select w.place - 1 as place, d.id as device_id, `+pushColumns+`
		from delivery_batches b
		`+joinPrivate+`
		cross join lateral unnest(b.devices, string_to_array(b.outcomes, null),
			string_to_array(case when b.revised_at >= ? then b.revised end, null))
			with ordinality w (id, letter, revised, place)
		join notifications n on n.id = b.notification_id
		join devices d on d.id = w.id and d.retired_at is null
		left join subscriptions s on s.subscriber_id = d.subscriber_id and s.channel_id = n.channel_id
		left join receipts r on r.subscriber_id = d.subscriber_id and r.notification_id = n.id
		where b.notification_id = ? and b.first = ? and w.letter = ? and w.revised is distinct from ?
			and not `+postgres.IsRead+` and not (`+isUninvited+`)`, revisedAt, notificationID, first, string(accepted),
		string(postgres.IsRevised)).Scan(ctx, &out)
	return out, postgres.Error(err)
}

// recordRevised keeps which devices have the changes of those times, or cannot have them, and retires those that are
// gone.
func recordRevised(
	ctx context.Context, tx bun.IDB, deliveries []core.Delivery, revisedAt map[core.ID]time.Time, now time.Time,
) error {
	change := func(b *postgres.DeliveryBatch, of []core.Delivery) error {
		b.SetRevised(of, revisedAt[b.NotificationID])
		return nil
	}
	err := postgres.ChangeDeliveryBatches(ctx, tx, deliveries, change)
	if err != nil {
		return err
	}
	return noteDevices(ctx, tx, deliveries, now)
}
