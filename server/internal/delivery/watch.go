package delivery

import (
	"context"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	watchBusy = time.Second
	// watchIdle is how long it takes to find what other nodes have stored, and what nodes that died have left.
	watchIdle = 2 * time.Second
)

// Agenda is what there is to do, whoever stored it.
type Agenda struct {
	Release, Plans, Held, Snoozed, Digests, Find, Finish, Events, Subscribers, Words, Storage, Displays bool

	Pauses, Unpark bool

	Queues []string // with turns
	// Next is in how many seconds a notification is to be published or hidden, or is back in a feed, or a plan or a
	// digest is due, at most watchIdle. It is not positive while one is due.
	Next float64
}

// Look asks in one statement, along indexes, so that a node with nothing to do asks for little. It may report something
// that turns out not to be due yet, or to be another node's.
func Look(ctx context.Context, db *postgres.DB, now time.Time) (found Agenda, err error) {
	err = db.InTxAfter(ctx, neverScan, func(ctx context.Context, tx postgres.Tx) error {
		rows, err := postgres.Hot[Agenda](ctx, tx, lookQuery, now, queueNames, watchIdle.Seconds())
		if len(rows) > 0 {
			found = rows[0]
		}
		return err
	})
	return found, err
}

const lookQuery = `
	select exists (select from notifications where ` + isScheduled + ` and scheduled_at <= $1)
			or exists (select from notifications where ` + isExpiring + ` and expires_at <= $1) as release,
		coalesce(` + nextPlan + ` <= $1, false) as plans,
		exists (select from held_pushes where until <= $1) as held,
		coalesce(` + nextSnoozed + ` <= $1, false) as snoozed,
		coalesce(` + nextDigest + ` <= $1, false) as digests,
		exists (select from dispatches where expanded_at is null) as find,
		exists (select from dispatches where finished_at is null) as finish,
		exists (select from event_deliveries where status = 'pending') as events,
		(select e.id from event_endpoints e
			where ` + listens + ` and '` + string(core.EventSubscribers) + `' = any (e.events)
			order by e.id limit 1) is not null as subscribers,
		exists (select from search_progress where part <> 'channels'
			and position < (select max(stream_position) from notifications)) as words,
		(select publisher_id from storage_changes order by publisher_id limit 1) is not null
			or exists (select from channels where deleted_at is not null) as storage,
		` + postgres.DisplaysDue + ` as displays,
		exists (select from pacers where paused_until > clock_timestamp()) as pauses,
		exists (select from turns where parked and due_at <= (select clock_timestamp())) as unpark,
		array(select name from unnest($2::text[]) q (name)
			where exists (select from turns where queue = q.name and not parked)) as queues,
		least($3, extract(epoch from least(
			(select min(scheduled_at) from notifications where ` + isScheduled + `),
			(select min(expires_at) from notifications where ` + isExpiring + `),
			` + nextPlan + `, ` + nextSnoozed + `, ` + nextDigest + `) - $1)::float8) as next`

// nextPlan is when the next plan of a template is due, off an index.
const nextPlan = "(select min(next_at) from drafts where next_at is not null)"

// nextSnoozed is when the next postponed notification is back, off an index.
const nextSnoozed = "(select min(snoozed_until) from receipts where snoozed_until is not null)"

// nextDigest is when the next person is to be told a digest, off an index.
const nextDigest = "(select min(due_at) from digests)"

// watch rings the bells of what there is to do until ctx is done.
func (d *Dispatcher) watch(ctx context.Context) {
	subscribers, storage := time.Time{}, time.Time{}
	for between := (lull{bell: d.bells.watch}); ctx.Err() == nil; {
		next := watchBusy
		guard.Run(ctx, d.Log, func(ctx context.Context) {
			ctx, cancel := context.WithTimeout(ctx, jobs.Timeout)
			defer cancel()
			found, err := Look(ctx, d.DB, d.Now())
			if err != nil {
				d.warn(ctx, "looking for what is due failed; each step looks by itself", err)
				found = everything
			}
			if next = watchIdle; found.Next > 0 {
				next = postgres.InSeconds(found.Next)
			}
			if found.Find || found.Words || len(found.Queues) > 0 {
				between.rangAt = time.Now()
			}
			found.Subscribers = found.Subscribers && isTime(&subscribers, subscribersEvery)
			found.Storage = found.Storage && isTime(&storage, countedEvery)
			d.ringFor(found)
			d.knowPauses(ctx, found.Pauses)
		})
		between.wait(ctx, watchBusy, next)
	}
}

// everything is what there may be to do when nobody knows.
var everything = Agenda{Release: true, Plans: true, Held: true, Snoozed: true, Digests: true, Find: true, Finish: true,
	Events: true, Subscribers: true, Words: true, Storage: true, Displays: true, Pauses: true, Unpark: true,
	Queues: queueNames}

// isTime reports whether something that is done now and then is to be done again, and if so, keeps the time.
func isTime(last *time.Time, every time.Duration) bool {
	if time.Since(*last) < every {
		return false
	}
	*last = time.Now()
	return true
}

func (d *Dispatcher) ringFor(found Agenda) {
	for _, step := range []struct {
		due  bool
		bell bell
	}{
		{found.Release, d.bells.release},
		{found.Plans, d.bells.plans},
		{found.Held, d.bells.held},
		{found.Snoozed, d.bells.snoozed},
		{found.Digests, d.bells.digests},
		{found.Find, d.bells.find},
		{found.Finish, d.bells.finish},
		{found.Events, d.bells.events},
		{found.Subscribers, d.bells.subscribers},
		{found.Words, d.bells.words},
		{found.Storage, d.bells.storage},
		{found.Displays, d.bells.displays},
		{found.Unpark, d.bells.unpark},
	} {
		if step.due {
			step.bell.ring()
		}
	}
	for _, q := range d.queues {
		if slices.Contains(found.Queues, q.queue) {
			q.bell.ring()
		}
	}
}
