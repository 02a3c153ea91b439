package delivery

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

// expandArgs is the job that finds the devices of some notifications. Most have few, and share a job.
type expandArgs struct {
	Notifications []byte `json:"notifications"` // packed ids
}

// Kind implements river.JobArgs.
func (expandArgs) Kind() string { return "expand" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (expandArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: queueExpand} }

type expandWorker struct {
	river.WorkerDefaults[expandArgs]
	d *Dispatcher
}

const (
	expandTogether = 100
	expandPage     = 5_000           // devices found in one transaction for a notification that is alone in its job
	expandSlice    = 2 * time.Second // after which other jobs have their turn
	batchSize      = 500
)

// Work finds one page of devices for each notification in turn, until there are no more or its time is up.
func (w *expandWorker) Work(ctx context.Context, job *river.Job[expandArgs]) error {
	unfinished := unpack(job.Args.Notifications)
	for until := time.Now().Add(expandSlice); time.Now().Before(until); {
		each := max(batchSize, expandPage/len(unfinished))
		var err error
		if unfinished, err = w.d.expand(ctx, unfinished, each); err != nil || len(unfinished) == 0 {
			return err
		}
	}
	return river.JobSnooze(0)
}

func (d *Dispatcher) expand(
	ctx context.Context, notifications []core.ID, perNotification int,
) (unfinished []core.ID, err error) {
	parents, end, err := d.spans(ctx, notifications, "expand")
	if err != nil {
		return nil, err
	}
	defer end()
	var found []Found
	err = d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		if found, unfinished, err = Expand(ctx, tx, notifications, perNotification, d.Now()); err != nil {
			return err
		}
		return d.river.Insert(ctx, tx, sendJobs(found, parents))
	})
	if err == nil {
		d.countSuppressed(found)
	}
	return unfinished, err
}

// sendJobs returns the jobs for the batches in which a device waits to be pushed. They continue the notifications'
// traces.
func sendJobs(found []Found, parents map[core.ID]string) (jobs []river.InsertManyParams) {
	for _, f := range found {
		if !strings.ContainsRune(f.Outcomes, postgres.Waiting) {
			continue
		}
		jobs = append(jobs, river.InsertManyParams{
			Args: sendArgs{NotificationID: f.NotificationID, First: f.First},
			InsertOpts: &river.InsertOpts{Queue: queueOf(f.Service), Priority: priority(f.Load),
				Metadata: tracing.Metadata(parents[f.NotificationID])},
		})
	}
	return jobs
}

// countSuppressed counts the devices of new batches that have their outcome already.
func (d *Dispatcher) countSuppressed(found []Found) {
	for _, f := range found {
		for i := range len(f.Outcomes) {
			if outcome, cause, ok := postgres.OutcomeOf(f.Outcomes[i]); ok {
				d.countOutcome(metrics.NoTransport, outcome, cause)
			}
		}
	}
}

// classes are the most devices of the classes of dispatches, except for the last class.
var classes = []int64{1_000, 20_000, 200_000}

// priority puts small dispatches before large ones, and publishers who have just sent much behind the others.
func priority(load int64) int {
	class, _ := slices.BinarySearch(classes, load)
	return 1 + class
}

// Found is a batch of devices that were found.
type Found struct {
	postgres.DeliveryBatch
	Service string // that all devices of the batch have, or sharedLane
	// Load is the number of the channel's followers, and of the devices of the publisher's dispatches of the last
	// minute that are in the same class or a smaller one: a small dispatch does not wait for a large one of its
	// publisher, but many small ones wait as a large one does.
	Load int64
}

// joinSlack admits every device that was registered before a dispatch started, though the clocks of two nodes are an
// hour ahead and an hour behind. Only while a search goes on does it admit one that was registered after that.
const joinSlack = 2*time.Hour + time.Minute

// Expand finds the next devices of each notification, at most perNotification, and stores them in batches, with the
// outcomes of those that are not to be pushed. The position of each search is kept with its dispatch and locked, so
// that a job that runs twice finds every device once. unfinished are the notifications that may have more devices.
func Expand(ctx context.Context, tx postgres.Tx, notifications []core.ID, perNotification int, now time.Time) (
	found []Found, unfinished []core.ID, err error) {
	searches, err := lockSearches(ctx, tx, notifications)
	if err != nil || len(searches) == 0 {
		return nil, nil, err
	}
	targets, err := searches.next(ctx, tx, perNotification)
	if err != nil {
		return nil, nil, err
	}
	batches, held, err := searches.batches(inLanes(targets), now)
	if err != nil {
		return nil, nil, err
	}
	if err := insertBatches(ctx, tx, batches); err != nil {
		return nil, nil, err
	}
	if err := insertHeld(ctx, tx, held); err != nil {
		return nil, nil, err
	}
	if found, err = withLoads(ctx, tx, batches, now); err != nil {
		return nil, nil, err
	}
	over, err := searches.save(ctx, tx, perNotification, now)
	if err != nil {
		return nil, nil, err
	}
	for id := range searches {
		if !slices.Contains(over, id) {
			unfinished = append(unfinished, id)
		}
	}
	return found, unfinished, storeDispatchedEvents(ctx, tx, over, now)
}

// searches are the positions of some searches for devices, by notification.
type searches map[core.ID]*search

// search is the last device that was found, how many are in batches, and how many were found in this transaction.
type search struct {
	bun.BaseModel `bun:"table:dispatches,alias:x"`

	NotificationID core.ID `bun:"notification_id,pk"`
	Targeted       int64   `bun:"targeted"`
	LastSubscriber core.ID `bun:"found_subscriber"`
	LastDevice     core.ID `bun:"found_device"`
	found          int
}

// lockSearches locks those of the searches that are not over.
func lockSearches(ctx context.Context, tx bun.IDB, notifications []core.ID) (searches, error) {
	var rows []search
	err := tx.NewSelect().Model(&rows).Where("x.notification_id = any(?::uuid[])", pgdialect.Array(notifications)).
		Where("x.expanded_at is null").Order("x.notification_id").For("update").Scan(ctx)
	if err != nil {
		return nil, err
	}
	all := searches{}
	for i := range rows {
		all[rows[i].NotificationID] = &rows[i]
	}
	return all, nil
}

func (all searches) next(ctx context.Context, tx bun.IDB, perNotification int) ([]core.Target, error) {
	var rows []targetRow
	// Raw, because it reads the next page of several searches at once.
	err := tx.NewRaw(`
		select x.notification_id, d.id as device_id, d.service, x.importance, d.bell, d.muted_until, d.subscriber_id,
			to_char(q.quiet_start, 'HH24:MI') as quiet_start, to_char(q.quiet_end, 'HH24:MI') as quiet_end, q.timezone
		from dispatches x cross join lateral (
			select d.id, d.subscriber_id, d.service, s.bell, s.muted_until
			from subscriptions s join devices d on d.subscriber_id = s.subscriber_id and d.retired_at is null
			where s.channel_id = x.channel_id and s.subscriber_id >= x.found_subscriber
			  and (s.subscriber_id > x.found_subscriber or d.id > x.found_device)
			  and s.followed_at <= x.started_at + ?0::interval and d.created_at <= x.started_at + ?0::interval
			order by s.subscriber_id, d.id limit ?1) d
		left join subscribers q on q.id = d.subscriber_id and q.quiet_start is not null
		where x.notification_id = any(?2::uuid[])
		order by x.notification_id, d.subscriber_id, d.id`,
		joinSlack.String(), perNotification, pgdialect.Array(slices.Collect(maps.Keys(all)))).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	targets, timezones := make([]core.Target, len(rows)), map[string]*time.Location{}
	for i, r := range rows {
		if targets[i], err = r.target(timezones); err != nil {
			return nil, err
		}
		if at := all[r.NotificationID]; at != nil {
			at.LastSubscriber = r.SubscriberID
			at.LastDevice = r.DeviceID
			at.found++
		}
	}
	return targets, nil
}

type targetRow struct {
	NotificationID core.ID         `bun:"notification_id"`
	DeviceID       core.ID         `bun:"device_id"`
	Service        string          `bun:"service"`
	Importance     core.Importance `bun:"importance"`
	Bell           core.Bell       `bun:"bell"`
	MutedUntil     *time.Time      `bun:"muted_until"`
	SubscriberID   core.ID         `bun:"subscriber_id"`
	QuietStart     *string         `bun:"quiet_start"`
	QuietEnd       *string         `bun:"quiet_end"`
	Timezone       *string         `bun:"timezone"`
}

func (r targetRow) target(timezones map[string]*time.Location) (t core.Target, err error) {
	t = core.Target{NotificationID: r.NotificationID, DeviceID: r.DeviceID, Service: r.Service,
		Importance: r.Importance, Bell: r.Bell, MutedUntil: r.MutedUntil}
	if r.QuietStart == nil {
		return t, nil
	}
	q := &core.QuietHours{}
	if q.Start, err = core.ParseTimeOfDay(*r.QuietStart); err != nil {
		return t, err
	}
	if q.End, err = core.ParseTimeOfDay(*r.QuietEnd); err != nil {
		return t, err
	}
	if timezones[*r.Timezone] == nil {
		timezones[*r.Timezone] = core.Timezone(*r.Timezone)
	}
	t.Quiet, t.Timezone = q, timezones[*r.Timezone]
	return t, nil
}

// save keeps the positions of the searches. Those that found fewer devices than they might have are over.
func (all searches) save(
	ctx context.Context, tx bun.IDB, perNotification int, now time.Time,
) (over []core.ID, err error) {
	var ids, subscribers, devices []core.ID
	var found []int
	for id, at := range all {
		ids = append(ids, id)
		subscribers = append(subscribers, at.LastSubscriber)
		devices = append(devices, at.LastDevice)
		found = append(found, at.found)
		if at.found < perNotification {
			over = append(over, id)
		}
	}
	// Raw, because each row gets values of its own.
	_, err = tx.NewRaw(`
		update dispatches x set targeted = x.targeted + v.found, found_subscriber = v.subscriber,
			found_device = v.device,
			expanded_at = case when v.found < ? then ?::timestamptz end
		from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::integer[]) v (id, subscriber, device, found)
		where x.notification_id = v.id`, perNotification, now,
		pgdialect.Array(ids), pgdialect.Array(subscribers), pgdialect.Array(devices), pgdialect.Array(found)).Exec(ctx)
	return over, err
}

// batches puts targets, which are in lanes, into batches.
func (all searches) batches(targets []core.Target, now time.Time) (
	batches []Found, held []heldPush, err error) {
	for len(targets) > 0 {
		at, n := all[targets[0].NotificationID], 1
		for n < min(len(targets), batchSize) && targets[n].NotificationID == at.NotificationID &&
			targets[n].Service == targets[0].Service {
			n++
		}
		b, h, err := newBatch(at.Targeted, targets[:n], now)
		if err != nil {
			return nil, nil, err
		}
		batches, held = append(batches, Found{DeliveryBatch: b, Service: targets[0].Service}), append(held, h...)
		at.Targeted += int64(n)
		targets = targets[n:]
	}
	return batches, held, nil
}

// newBatch returns a batch of targets, and which of them are held: the bell and the quiet hours decide.
func newBatch(first int64, targets []core.Target, now time.Time) (
	b postgres.DeliveryBatch, held []heldPush, err error) {
	b.NotificationID, b.First = targets[0].NotificationID, first
	outcomes := make([]byte, len(targets))
	for i, t := range targets {
		b.Devices = append(b.Devices, t.DeviceID)
		outcomes[i] = postgres.Waiting
		if cause := t.Suppression(now); cause != "" {
			if outcomes[i], err = postgres.OutcomeLetter(core.Suppressed, cause); err != nil {
				return b, nil, err
			}
			b.RecordedAt = &now
		} else if until := t.HeldUntil(now); !until.IsZero() {
			outcomes[i] = postgres.Held
			held = append(held, heldPush{NotificationID: t.NotificationID, DeviceID: t.DeviceID, First: first, Place: i,
				Until: until})
		}
	}
	b.Outcomes = string(outcomes)
	return b, held, nil
}

func insertBatches(ctx context.Context, tx bun.IDB, batches []Found) error {
	if len(batches) == 0 {
		return nil
	}
	rows := make([]postgres.DeliveryBatch, len(batches))
	for i, b := range batches {
		rows[i] = b.DeliveryBatch
	}
	_, err := tx.NewInsert().Model(&rows).Exec(ctx)
	return err
}

// withLoads returns batches with the loads of their notifications.
func withLoads(
	ctx context.Context, tx bun.IDB, batches []Found, now time.Time,
) (found []Found, err error) {
	if len(batches) == 0 {
		return nil, nil
	}
	loads := map[core.ID]int64{}
	for _, b := range batches {
		loads[b.NotificationID] = 0
	}
	var rows []struct {
		NotificationID core.ID `bun:"notification_id"`
		Load           int64   `bun:"load"`
	}
	// Raw, because it adds counts of two tables. width_bucket counts the classes that are smaller, as priority does.
	err = tx.NewRaw(`
		with these as (
			select x.notification_id, x.publisher_id, k.followers, width_bucket(k.followers - 1, ?0::bigint[]) as class
			from dispatches x cross join lateral (
				select coalesce(sum(subscribers), 0)::bigint as followers from channel_counts
				where channel_id = x.channel_id) k
			where x.notification_id = any(?1::uuid[])
		), recent as (
			select publisher_id, width_bucket(targeted - 1, ?0::bigint[]) as class, sum(targeted) as devices
			from dispatches
			where publisher_id in (select publisher_id from these) and started_at > ?2 and targeted > 0
			group by 1, 2
		)
		select t.notification_id, (t.followers + coalesce(sum(r.devices), 0))::bigint as load
		from these t left join recent r on r.publisher_id = t.publisher_id and r.class <= t.class
		group by t.notification_id, t.followers`,
		pgdialect.Array(classes), pgdialect.Array(slices.Collect(maps.Keys(loads))), now.Add(-time.Minute)).
		Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		loads[r.NotificationID] = r.Load
	}
	for _, b := range batches {
		b.Load = loads[b.NotificationID]
		found = append(found, b)
	}
	return found, nil
}
