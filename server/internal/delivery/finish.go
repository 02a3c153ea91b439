package delivery

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	finishSize    = 1_000
	finishDevices = 100_000 // of the dispatches that are looked at together, unless one alone has more
	// finishTime is how much of each second is spent at looking further while there are many unfinished dispatches.
	finishTime = 200 * time.Millisecond
)

// Finished is a notification of which every device has been found and has its outcome.
type Finished struct {
	NotificationID core.ID
	ChannelID      core.ID
	StartedAt      time.Time
	Summary        core.DeliverySummary // without Displayed and Opened
}

// finish closes the dispatches that are finished, and reports each to analytics, at most once.
func (d *Dispatcher) finish(ctx context.Context) {
	for begun := time.Now(); ; {
		looked, finished, err := Finish(ctx, d.DB, finishSize, d.Now())
		if err != nil {
			d.warn(ctx, "finish failed; trying again soon", err)
			return
		}
		for _, f := range finished {
			d.Metrics.DispatchFinished(d.Now().Sub(f.StartedAt))
			d.Analytics.Capture(core.NotificationAccepted{NotificationID: f.NotificationID, ChannelID: f.ChannelID,
				Accepted: f.Summary.Accepted, Failed: f.Summary.Failed.Total()})
		}
		if looked == 0 || time.Since(begun) > finishTime {
			return
		}
	}
}

// Finish looks at up to limit dispatches that are due to be checked, as many of each account while there are more. It
// closes those of which every device has its outcome, each once, and stores the events about them; the others are
// looked at again later. looked is how many it looked at. Those that another node is looking at are left to it.
func Finish(
	ctx context.Context, db *postgres.DB, limit int, now time.Time,
) (looked int, finished []Finished, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		if err := postgres.Unlimited(ctx, tx); err != nil { // a dispatch may have millions of devices
			return err
		}
		all, err := lockUnfinished(ctx, tx, limit, now)
		if err != nil || len(all) == 0 {
			return err
		}
		looked = len(all)
		if err := countOutcomes(ctx, tx, all); err != nil {
			return err
		}
		finished, err = closeFinished(ctx, tx, all, now)
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	return looked, finished, nil
}

// unfinished is a dispatch that may be finished.
type unfinished struct {
	NotificationID core.ID              `bun:"notification_id"`
	ChannelID      core.ID              `bun:"channel_id"`
	StartedAt      time.Time            `bun:"started_at"`
	Targeted       int64                `bun:"targeted"`
	Found          bool                 `bun:"found"` // every device has been found
	Holds          bool                 `bun:"holds"` // some pushes are held until quiet hours end
	summary        core.DeliverySummary // as counted so far
}

func lockUnfinished(ctx context.Context, tx bun.IDB, limit int, now time.Time) ([]*unfinished, error) {
	var all []*unfinished
	// Raw, because it skips from one publisher to the next along an index, and locks rows up to a number of devices.
	err := tx.NewRaw(`
		with recursive publisher as (
			(select publisher_id from dispatches where finished_at is null order by publisher_id limit 1)
			union all
			select n.publisher_id from publisher p cross join lateral (
				select publisher_id from dispatches where finished_at is null and publisher_id > p.publisher_id
				order by publisher_id limit 1) n
		), chosen as materialized (
			select x.notification_id,
				row_number() over (partition by coalesce(a.account_id, p.publisher_id) order by x.check_at) as turn
			from publisher p left join publishers a on a.id = p.publisher_id cross join lateral (
				select notification_id, check_at from dispatches
				where finished_at is null and publisher_id = p.publisher_id and check_at <= ?0
				order by check_at limit ?1) x
			order by turn, x.check_at limit ?1
		), due as materialized (
			select x.notification_id, channel_id, started_at, targeted, expanded_at, turn
			from chosen c join dispatches x using (notification_id)
			where finished_at is null and check_at <= ?0 for update of x skip locked
		)
		select notification_id, channel_id, started_at, targeted, expanded_at is not null as found,
			exists (select from held_pushes h where h.notification_id = v.notification_id) as holds
		from (select due.*, sum(targeted) over (order by turn, notification_id) - targeted as before from due) v
		where before < ?2`, now, limit, finishDevices).Scan(ctx, &all)
	if err != nil {
		return nil, err
	}
	for _, u := range all {
		u.summary.Targeted = u.Targeted
	}
	return all, nil
}

// countOutcomes counts the outcomes of dispatches that may be finished.
func countOutcomes(ctx context.Context, tx bun.IDB, all []*unfinished) error {
	byID, ids := map[core.ID]*unfinished{}, []core.ID{}
	for _, u := range all {
		if u.Found && !u.Holds && u.Targeted > 0 {
			byID[u.NotificationID] = u
			ids = append(ids, u.NotificationID)
		}
	}
	var rows []struct {
		ID      core.ID      `bun:"id"`
		Outcome core.Outcome `bun:"outcome"`
		Cause   string       `bun:"cause"`
		Devices int64        `bun:"devices"`
	}
	// Raw, because it counts each notification by itself, off the index.
	err := tx.NewRaw(`
		select w.id, v.outcome, coalesce(v.cause, '') as cause, v.devices from unnest(?::uuid[]) w (id)
		cross join lateral (
			select outcome, cause, count(*) as devices from deliveries
			where notification_id = w.id group by outcome, cause) v`,
		pgdialect.Array(ids)).Scan(ctx, &rows)
	if err != nil {
		return err
	}
	for _, r := range rows {
		byID[r.ID].summary.Count(r.Outcome, r.Cause, r.Devices)
	}
	return nil
}

func closeFinished(ctx context.Context, tx bun.IDB, all []*unfinished, now time.Time) (finished []Finished, err error) {
	var later, done finishColumns
	for _, u := range all {
		u.summary.Close(u.Found)
		if u.summary.Finished {
			finished = append(finished,
				Finished{NotificationID: u.NotificationID, ChannelID: u.ChannelID, StartedAt: u.StartedAt,
					Summary: u.summary})
			done.add(u.NotificationID, u.summary, now)
		} else {
			wait := core.CheckFinishedIn(now.Sub(u.StartedAt), u.Targeted)
			later.add(u.NotificationID, u.summary, now.Add(wait))
		}
	}
	// Both statements are raw, because each row gets values of its own. This node's clock may be ahead of that of the
	// nodes that look next, so the wait is counted from the database's time at the latest.
	_, err = tx.NewRaw(`
		update dispatches x set check_at = least(v.at, now() + (v.at - ?::timestamptz))
		from unnest(?::uuid[], ?::timestamptz[]) v (id, at)
		where x.notification_id = v.id`,
		now, pgdialect.Array(later.ids), pgdialect.Array(later.at)).Exec(ctx)
	if err != nil {
		return nil, err
	}
	_, err = tx.NewRaw(`
		update dispatches x set finished_at = v.at, accepted = v.accepted,
			suppressed = v.suppressed::jsonb, failed = v.failed::jsonb, expired = v.expired::jsonb
		from unnest(?::uuid[], ?::timestamptz[], ?::bigint[], ?::text[], ?::text[], ?::text[])
			v (id, at, accepted, suppressed, failed, expired)
		where x.notification_id = v.id`,
		pgdialect.Array(done.ids), pgdialect.Array(done.at), pgdialect.Array(done.accepted),
		pgdialect.Array(done.suppressed), pgdialect.Array(done.failed), pgdialect.Array(done.expired)).Exec(ctx)
	if err != nil {
		return nil, err
	}
	return finished, storeFinishedEvents(ctx, tx, finished, now)
}

// finishColumns are dispatches as columns.
type finishColumns struct {
	ids        []core.ID
	at         []time.Time
	accepted   []int64
	suppressed []*string
	failed     []*string
	expired    []*string
}

func (c *finishColumns) add(id core.ID, f core.DeliverySummary, at time.Time) {
	c.ids = append(c.ids, id)
	c.at = append(c.at, at)
	c.accepted = append(c.accepted, f.Accepted)
	c.suppressed = append(c.suppressed, causesColumn(f.Suppressed))
	c.failed = append(c.failed, causesColumn(f.Failed))
	c.expired = append(c.expired, causesColumn(f.Expired))
}

func causesColumn(causes core.Causes) *string {
	if len(causes) == 0 {
		return nil
	}
	b, err := json.Marshal(causes)
	if err != nil {
		panic(err) // never: they are texts and numbers
	}
	return new(string(b))
}

// storeFinishedEvents stores the events about finished dispatches, for the endpoints that want them.
func storeFinishedEvents(ctx context.Context, tx bun.IDB, finished []Finished, now time.Time) error {
	ids, summaries := make([]core.ID, len(finished)), map[core.ID]core.DeliverySummary{}
	for i, f := range finished {
		ids[i] = f.NotificationID
		summaries[f.NotificationID] = f.Summary
	}
	listeners, err := findListeners(ctx, tx, ids, core.EventFinished, core.EventFailed)
	if err != nil || len(listeners) == 0 {
		return err
	}
	ids = nil
	for _, l := range listeners {
		if !slices.Contains(ids, l.NotificationID) {
			ids = append(ids, l.NotificationID)
		}
	}
	if err := countReceipts(ctx, tx, ids, summaries); err != nil {
		return err
	}
	var events []core.EventDelivery
	for _, l := range listeners {
		events = l.appendWanted(events, l.subject().Finished(summaries[l.NotificationID], now)...)
	}
	return insertEventDeliveries(ctx, tx, events)
}

// countReceipts sets how many people have seen and opened the notifications.
func countReceipts(ctx context.Context, tx bun.IDB, ids []core.ID, summaries map[core.ID]core.DeliverySummary) error {
	var rows []struct {
		NotificationID core.ID `bun:"notification_id"`
		Displayed      int64   `bun:"displayed"`
		Opened         int64   `bun:"opened"`
	}
	// Raw, because it joins what a function returns.
	err := tx.NewRaw(`
		select notification_id, coalesce(d.people, 0) as displayed, coalesce(o.people, 0) as opened
		from displayed_counts(?0) d full join (
			select notification_id, count(opened_at) as people from receipts
			where notification_id = any (?0::uuid[]) group by 1) o using (notification_id)`,
		pgdialect.Array(ids)).Scan(ctx, &rows)
	if err != nil {
		return err
	}
	for _, r := range rows {
		s := summaries[r.NotificationID]
		s.Displayed, s.Opened = r.Displayed, r.Opened
		summaries[r.NotificationID] = s
	}
	return nil
}
