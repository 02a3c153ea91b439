package postgres

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
)

// finishDevices is how many devices the dispatches have at most that are looked at together, unless one alone has more.
const finishDevices = 100_000

// finishing is a dispatch that may be finished.
type finishing struct {
	id        core.ID
	channelID core.ID
	startedAt time.Time
	searched  bool // every device has been found
	waits     bool // some are held until quiet hours end
	funnel    core.Funnel
}

// Finish looks at up to limit dispatches whose time it is. Of those of which every device has its outcome it keeps the
// numbers, and tells the publisher's event endpoints; the others are looked at again later. It answers how many it looked
// at, and those that are finished now, each once and never again; what another node is at is left to it.
func (s *Store) Finish(ctx context.Context, limit int, now time.Time) (looked int, finished []core.FinishedDispatch, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local statement_timeout = 0"); err != nil { // a dispatch may have millions of devices
			return err
		}
		all, err := lockFinishing(ctx, tx, limit, now)
		if err != nil || len(all) == 0 {
			return err
		}
		looked = len(all)
		if err := countOutcomes(ctx, tx, all); err != nil {
			return err
		}
		finished, err = finish(ctx, tx, all, now)
		return err
	})
	if err != nil {
		return 0, nil, mapError(err)
	}
	return looked, finished, nil
}

func lockFinishing(ctx context.Context, tx pgx.Tx, limit int, now time.Time) ([]*finishing, error) {
	rows, err := tx.Query(ctx, `
		with due as materialized (
			select notification_id, channel_id, started_at, targeted, expanded_at, check_at from dispatches
			where finished_at is null and check_at <= $1 order by check_at limit $2 for update skip locked
		)
		select notification_id, channel_id, started_at, targeted, expanded_at is not null, exists (select from held_pushes h where h.notification_id = v.notification_id)
		from (select due.*, sum(targeted) over (order by check_at, notification_id) - targeted as before from due) v
		where before < $3`, now, limit, finishDevices)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (*finishing, error) {
		f := &finishing{}
		return f, row.Scan(&f.id, &f.channelID, &f.startedAt, &f.funnel.Targeted, &f.searched, &f.waits)
	})
}

// countOutcomes counts where it may turn out that nothing is pending.
func countOutcomes(ctx context.Context, tx pgx.Tx, all []*finishing) error {
	at, ids := map[core.ID]*finishing{}, []core.ID{}
	for _, f := range all {
		if f.searched && !f.waits && f.funnel.Targeted > 0 {
			at[f.id], ids = f, append(ids, f.id)
		}
	}
	rows, err := tx.Query(ctx, `
		select w.id, v.outcome, coalesce(v.cause, ''), v.devices from unnest($1::uuid[]) w (id) cross join lateral (
			select outcome, cause, count(*) as devices from deliveries where notification_id = w.id group by outcome, cause) v`, idTexts(ids))
	if err != nil {
		return err
	}
	var id core.ID
	var outcome core.Outcome
	var cause string
	var devices int64
	_, err = pgx.ForEachRow(rows, []any{&id, &outcome, &cause, &devices}, func() error {
		at[id].funnel.Count(outcome, cause, devices)
		return nil
	})
	return err
}

func finish(ctx context.Context, tx pgx.Tx, all []*finishing, now time.Time) (finished []core.FinishedDispatch, err error) {
	var later, done finishedColumns
	funnels := map[core.ID]core.Funnel{}
	for _, f := range all {
		f.funnel.Close(f.searched)
		if f.funnel.Finished {
			funnels[f.id] = f.funnel
			finished = append(finished, core.FinishedDispatch{NotificationID: f.id, ChannelID: f.channelID, Funnel: f.funnel})
			done.add(f.id, f.funnel, now)
		} else {
			later.add(f.id, f.funnel, now.Add(core.CheckFinishedIn(now.Sub(f.startedAt), f.funnel.Targeted)))
		}
	}
	_, err = tx.Exec(ctx, `
		update dispatches x set check_at = v.at from unnest($1::uuid[], $2::timestamptz[]) v (id, at) where x.notification_id = v.id`, later.ids, later.at)
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `
		update dispatches x set finished_at = v.at, accepted = v.accepted, suppressed = v.suppressed::jsonb, failed = v.failed::jsonb, expired = v.expired::jsonb
		from unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::text[], $5::text[], $6::text[]) v (id, at, accepted, suppressed, failed, expired)
		where x.notification_id = v.id`, done.ids, done.at, done.accepted, done.suppressed, done.failed, done.expired)
	if err != nil {
		return nil, err
	}
	return finished, tellFinished(ctx, tx, funnels, now)
}

// finishedColumns are dispatches as columns.
type finishedColumns struct {
	ids                         []string
	at                          []time.Time
	accepted                    []int64
	suppressed, failed, expired []*string
}

func (c *finishedColumns) add(id core.ID, f core.Funnel, at time.Time) {
	c.ids, c.at, c.accepted = append(c.ids, id.String()), append(c.at, at), append(c.accepted, f.Accepted)
	c.suppressed, c.failed, c.expired = append(c.suppressed, causesColumn(f.Suppressed)), append(c.failed, causesColumn(f.Failed)), append(c.expired, causesColumn(f.Expired))
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

// tellFinished tells the event endpoints that want it.
func tellFinished(ctx context.Context, tx pgx.Tx, finished map[core.ID]core.Funnel, now time.Time) error {
	ids := make([]core.ID, 0, len(finished))
	for id := range finished {
		ids = append(ids, id)
	}
	listeners, err := listeners(ctx, tx, ids, core.EventFinished, core.EventFailed)
	if err != nil || len(listeners) == 0 {
		return err
	}
	ids = nil
	for _, l := range listeners {
		if !slices.Contains(ids, l.subject.NotificationID) {
			ids = append(ids, l.subject.NotificationID)
		}
	}
	if err := countReceipts(ctx, tx, ids, finished); err != nil {
		return err
	}
	var told []core.EventDelivery
	for _, l := range listeners {
		told = l.tell(told, l.subject.Finished(finished[l.subject.NotificationID], now)...)
	}
	return insertEventDeliveries(ctx, tx, told)
}

// countReceipts fills in how many people have seen the notifications.
func countReceipts(ctx context.Context, tx pgx.Tx, ids []core.ID, funnels map[core.ID]core.Funnel) error {
	rows, err := tx.Query(ctx, `
		select notification_id, count(displayed_at), count(opened_at) from receipts
		where notification_id = any($1::uuid[]) group by notification_id`, idTexts(ids))
	if err != nil {
		return err
	}
	var id core.ID
	var displayed, opened int64
	_, err = pgx.ForEachRow(rows, []any{&id, &displayed, &opened}, func() error {
		f := funnels[id]
		f.Displayed, f.Opened = displayed, opened
		funnels[id] = f
		return nil
	})
	return err
}
