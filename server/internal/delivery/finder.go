package delivery

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	findWorkers  = 4
	findTogether = 100      // notifications in one transaction
	findEach     = 25       // of them, those of one publisher: others have their turn
	findPage     = 5_000    // devices found in one transaction for a notification that is alone in it
	findPoll     = turnPoll // while there is something to do, for the notifications of other nodes
)

// finder chooses whose notifications' devices are found next. Publishers have their turns one after another, however
// many notifications of one wait. The workers of a node share it.
type finder struct {
	mu   sync.Mutex
	last core.ID // the publisher whose turn it was
}

// finding finds the devices of new notifications until ctx is done.
func (d *Dispatcher) finding(ctx context.Context) {
	var foundAt time.Time // some, the last time
	for ctx.Err() == nil {
		found := 0
		guard.Run(ctx, d.Log, func(ctx context.Context) {
			var err error
			if found, err = d.findNext(ctx); err != nil {
				d.warn(ctx, "finding devices failed; trying again soon", err)
			}
		})
		if found > 0 {
			d.WakeTurns()
			d.bells.find.ring() // another worker, for there may be more
			foundAt = time.Now()
			continue
		}
		next := never // the watch wakes it
		if time.Since(foundAt) < busyFor {
			next = findPoll
		}
		d.bells.find.wait(ctx, next)
	}
}

// findNext finds a page of devices for each of the next notifications, and returns how many notifications these were.
func (d *Dispatcher) findNext(ctx context.Context) (notifications int, err error) {
	ctx, cancel := context.WithTimeout(ctx, jobs.Timeout)
	defer cancel()
	var found []Found
	var ended func()
	err = d.DB.InTxAfter(ctx, neverScan, func(ctx context.Context, tx postgres.Tx) error {
		ids, err := d.finder.next(ctx, tx)
		if notifications = len(ids); err != nil || notifications == 0 {
			return err
		}
		parents, end, err := d.spans(ctx, tx, ids, "expand")
		if err != nil {
			return err
		}
		ended = end
		if _, err := tx.ExecContext(ctx, scanAgain); err != nil {
			return err
		}
		if found, err = FindDevices(ctx, tx, ids, max(batchSize, findPage/len(ids)), d.Now()); err != nil {
			return err
		}
		return insertTurns(ctx, tx, sendTurns(found, parents))
	})
	if ended != nil {
		ended()
	}
	if err != nil {
		return 0, err
	}
	d.countSuppressed(found)
	return notifications, nil
}

// scanAgain ends what neverScan has begun.
const scanAgain = "select set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'on', true)"

// next locks the next notifications, some of each account: of one of its publishers, chosen at random. It skips from
// one publisher to the next along an index, so that it takes no longer where many notifications wait.
func (f *finder) next(ctx context.Context, tx postgres.Tx) ([]core.ID, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids, last, err := nextSearches(ctx, tx, f.last)
	if err == nil && len(ids) == 0 && f.last != (core.ID{}) {
		ids, last, err = nextSearches(ctx, tx, core.ID{})
	}
	if err != nil {
		return ids, err
	}
	f.last = last
	return ids, nil
}

func nextSearches(ctx context.Context, tx postgres.Tx, after core.ID) (ids []core.ID, last core.ID, err error) {
	rows, err := postgres.Hot[struct {
		PublisherID, NotificationID core.ID
	}](ctx, tx, `
		with recursive publisher as (
			(select publisher_id from dispatches where expanded_at is null and publisher_id > $1
				order by publisher_id limit 1)
			union all
			select n.publisher_id from publisher p cross join lateral (
				select x.publisher_id from dispatches x where x.expanded_at is null and x.publisher_id > p.publisher_id
				order by x.publisher_id limit 1) n
		), chosen as (
			select distinct on (coalesce(a.account_id, p.publisher_id)) p.publisher_id
			from (select publisher_id from publisher limit $2) p left join publishers a on a.id = p.publisher_id
			order by coalesce(a.account_id, p.publisher_id), random()
		)
		select n.publisher_id, n.notification_id from (select publisher_id from chosen order by publisher_id) p
		cross join lateral (
			select x.publisher_id, x.notification_id from dispatches x
			where x.expanded_at is null and x.publisher_id = p.publisher_id
			order by x.targeted, x.notification_id limit $3 for no key update skip locked) n
		limit $2`, after, findTogether, findEach)
	for _, r := range rows {
		ids, last = append(ids, r.NotificationID), r.PublisherID
	}
	return ids, last, err
}

// sendTurns returns the turns for the batches in which a device waits to be pushed. They continue the notifications'
// traces. The first batches of a dispatch are among those of small ones.
func sendTurns(found []Found, parents map[core.ID]string) (turns []turn) {
	for _, f := range found {
		if !strings.ContainsRune(f.Outcomes, postgres.Waiting) {
			continue
		}
		turns = append(turns, turn{Queue: queueOf(f.Service), Owner: f.Owner, Service: f.Service,
			Class: class(f.First + int64(len(f.Devices))), Kind: kindSend, Devices: len(f.Devices),
			NotificationID: &f.NotificationID, Batch: &f.First, Traceparent: parents[f.NotificationID]})
	}
	return turns
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

// class puts what is for few devices before what is for many.
func class(devices int64) int {
	class, _ := slices.BinarySearch(classes, devices)
	return 1 + class
}

// Found is a batch of devices that were found.
type Found struct {
	postgres.DeliveryBatch
	Owner   core.ID // the account that answers for the publisher
	Service string  // that all devices of the batch have, or sharedService
}

// joinSlack admits every device that was registered before a dispatch started, though the clocks of two nodes are an
// hour ahead and an hour behind. Only while a search goes on does it admit one that was registered after that.
const joinSlack = 2*time.Hour + time.Minute

// FindDevices finds the next devices of each notification, at most perNotification, and stores them in batches, with
// the outcomes of those that are not to be pushed. The position of each search is kept with its dispatch and locked, so
// that a search that is repeated finds every device once.
func FindDevices(
	ctx context.Context, tx postgres.Tx, notifications []core.ID, perNotification int, now time.Time,
) ([]Found, error) {
	searches, err := lockSearches(ctx, tx, notifications)
	if err != nil || len(searches) == 0 {
		return nil, err
	}
	targets, err := searches.next(ctx, tx, perNotification)
	if err != nil {
		return nil, err
	}
	batches, held, err := searches.batches(byService(targets), now)
	if err != nil {
		return nil, err
	}
	if err := insertBatches(ctx, tx, batches); err != nil {
		return nil, err
	}
	if err := insertHeld(ctx, tx, held); err != nil {
		return nil, err
	}
	over, err := searches.save(ctx, tx, perNotification, now)
	if err != nil {
		return nil, err
	}
	return batches, storeDispatchedEvents(ctx, tx, over, now)
}

// searches are the positions of some searches for devices, by notification.
type searches map[core.ID]*search

// search is the last device that was found, how many are in batches, and how many were found in this transaction.
type search struct {
	bun.BaseModel `bun:"table:dispatches,alias:x"`

	NotificationID core.ID `bun:"notification_id,pk"`
	Owner          core.ID `bun:"owner,scanonly"`
	Targeted       int64   `bun:"targeted"`
	LastSubscriber core.ID `bun:"found_subscriber"`
	LastDevice     core.ID `bun:"found_device"`
	found          int
}

// lockSearches locks those of the searches that are not over.
func lockSearches(ctx context.Context, tx bun.IDB, notifications []core.ID) (searches, error) {
	var rows []search
	err := tx.NewSelect().Model(&rows).ColumnExpr("?TableColumns").
		ColumnExpr("coalesce(p.account_id, x.publisher_id) as owner").
		Join("left join publishers p on p.id = x.publisher_id").
		Where("x.notification_id = any(?::uuid[])", pgdialect.Array(notifications)).
		Where("x.expanded_at is null").Order("x.notification_id").For("update of x").Scan(ctx)
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
	quietHours
}

func (r targetRow) target(timezones map[string]*time.Location) (t core.Target, err error) {
	t = core.Target{NotificationID: r.NotificationID, DeviceID: r.DeviceID, Service: r.Service,
		Importance: r.Importance, Bell: r.Bell, MutedUntil: r.MutedUntil}
	t.Quiet, t.Timezone, err = r.hours(timezones)
	return t, err
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

// byService orders targets by notification, and those of a notification so that batches are for one push service, as
// far as it has enough devices.
func byService(targets []core.Target) []core.Target {
	type key struct {
		notificationID core.ID
		service        string
	}
	sizes := map[key]int{}
	for _, t := range targets {
		sizes[key{t.NotificationID, t.Service}]++
	}
	for i, t := range targets {
		if t.Service != core.ServiceFCM && sizes[key{t.NotificationID, t.Service}] < ownBatchSize {
			targets[i].Service = sharedService
		}
	}
	slices.SortStableFunc(targets, func(a, b core.Target) int {
		return cmp.Or(bytes.Compare(a.NotificationID[:], b.NotificationID[:]), cmp.Compare(a.Service, b.Service))
	})
	return targets
}

// batches puts targets, which are in the order of byService, into batches.
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
		batches = append(batches, Found{DeliveryBatch: b, Owner: at.Owner, Service: targets[0].Service})
		held = append(held, h...)
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
