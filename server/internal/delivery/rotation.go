package delivery

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	lanesAtOnce = 500
	// takenFor is how long a node keeps a turn that it has taken. Then others may take it, as when the node has died. A
	// run pushes for less, and has the rest of the time to record the outcomes.
	takenFor = 20 * time.Second
	// smallest is how many devices the smallest run counts as.
	smallest = 50
)

// rotation takes turns of a queue: in each round, every owner has one run of up to batchSize devices, however many
// turns wait. Owners follow each other in the order of their ids, and of an owner's push services one is chosen at
// random, so that one that takes nothing now holds up none of the others.
type rotation struct {
	queue string
	last  core.ID // whose turn it was

	mu     sync.Mutex
	closed map[lane]time.Time // lanes that are not looked at until then, because their push service takes nothing
}

// lane is an owner's turns for one push service.
type lane struct {
	owner   core.ID
	service string
}

// neverScan keeps PostgreSQL from a plan for the few turns that it has once seen, which would read all of many.
const neverScan = "select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)"

// take takes the next turns, of up to that many devices and a run more, by lane.
func (r *rotation) take(ctx context.Context, db *postgres.DB, devices int, now time.Time) (runs [][]*turn, err error) {
	err = db.InTxAfter(ctx, neverScan, func(ctx context.Context, tx postgres.Tx) error {
		ready, err := r.lanes(ctx, tx)
		if err != nil || len(ready) == 0 {
			return err
		}
		runs, err = r.takeOf(ctx, tx, r.choose(ready, devices/smallest+1, now), devices, now)
		return err
	})
	return runs, err
}

// lanes finds the lanes with a turn that is ready, from the next owner on. It skips from one to the next along an
// index, so that it takes no longer where many turns wait.
func (r *rotation) lanes(ctx context.Context, tx postgres.Tx) ([]lane, error) {
	ready, err := r.lanesAfter(ctx, tx, r.last)
	if err != nil || len(ready) == lanesAtOnce || r.last == (core.ID{}) {
		return ready, err
	}
	begin, err := r.lanesAfter(ctx, tx, core.ID{})
	for _, l := range begin {
		if string(l.owner[:]) <= string(r.last[:]) {
			ready = append(ready, l)
		}
	}
	return ready, err
}

func (r *rotation) lanesAfter(ctx context.Context, tx postgres.Tx, last core.ID) (ready []lane, err error) {
	rows, err := postgres.Hot[struct {
		Owner   core.ID
		Service string
	}](ctx, tx, `
		with recursive lane as (
			(select owner, service from turns where queue = $1 and not parked and owner > $2
				order by owner, service limit 1)
			union all
			select n.owner, n.service from lane l cross join lateral (
				select t.owner, t.service from turns t
				where t.queue = $1 and not t.parked and (t.owner, t.service) > (l.owner, l.service)
				order by t.owner, t.service limit 1) n
		)
		select owner, service from lane limit $3`, r.queue, last, lanesAtOnce)
	for _, l := range rows {
		ready = append(ready, lane{l.Owner, l.Service})
	}
	return ready, err
}

// choose returns one open lane of each owner, of up to that many owners.
func (r *rotation) choose(ready []lane, owners int, now time.Time) (chosen []lane) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := 0 // of the owner's open lanes
	for _, l := range ready {
		if until, ok := r.closed[l]; ok && now.Before(until) {
			continue
		} else if ok {
			delete(r.closed, l)
		}
		if n := len(chosen); n == 0 || chosen[n-1].owner != l.owner {
			if n == owners {
				break
			}
			chosen, seen = append(chosen, l), 1
		} else if seen++; rand.N(seen) == 0 { //nolint:gosec // only spreads
			chosen[n-1] = l
		}
	}
	return chosen
}

// isClosed reports whether some lane is not looked at now.
func (r *rotation) isClosed(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, until := range r.closed {
		if now.Before(until) {
			return true
		}
	}
	return false
}

// manyClosed bounds the lanes that are remembered.
const manyClosed = 10_000

// close leaves a lane alone for a while.
func (r *rotation) close(l lane, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed == nil || len(r.closed) >= manyClosed {
		r.closed = map[lane]time.Time{}
	}
	r.closed[l] = until
}

// turnsAtOnce bounds a run of small turns.
const turnsAtOnce = 100

func (r *rotation) takeOf(ctx context.Context, tx postgres.Tx, lanes []lane, devices int, now time.Time) (
	runs [][]*turn, err error) {
	owners, services := make([]core.ID, len(lanes)), make([]string, len(lanes))
	for i, l := range lanes {
		owners[i], services[i] = l.owner, l.service
	}
	rows, err := postgres.Hot[takenTurn](ctx, tx, `
		with chosen as materialized (
			select l.place, c.id, c.devices, c.class, c.due_at
			from unnest($2::uuid[], $3::text[]) with ordinality l (owner, service, place)
			cross join lateral (
				select r.*, sum(r.devices) over (order by r.class, r.id) - r.devices as before from (
					select t.id, t.devices, t.class, t.due_at from turns t
					where t.queue = $1 and t.owner = l.owner and t.service = l.service and not t.parked
					order by t.class, t.id limit $5 for update skip locked) r) c
			where c.before < $6
		), counted as (
			select v.*, sum(devices) over (order by place, class, id) - devices as up_to from chosen v
		)
		update turns t set parked = true, due_at = clock_timestamp() + $7::text::interval, tries = t.tries + 1
		from counted s where t.id = s.id and s.up_to < $4
		returning s.place, t.id, t.queue, t.owner, t.service, t.class, t.kind, t.devices, t.notification_id, t.first,
			coalesce(t.args::text, '') as args, coalesce(t.traceparent, '') as traceparent, t.tries, t.started,
			extract(epoch from clock_timestamp() - s.due_at)::float8 as waited,
			extract(epoch from clock_timestamp() - t.created_at)::float8 as age`,
		r.queue, postgres.UUIDs(owners), services, devices, turnsAtOnce, batchSize, takenFor.String())
	return r.runs(rows, now.Add(takenFor)), err
}

type takenTurn struct {
	Place          int
	ID             int64
	Queue          string
	Owner          core.ID
	Service        string
	Class          int
	Kind           string
	Devices        int
	NotificationID *core.ID
	Batch          *int64 `db:"first"`
	Args           string
	Traceparent    string
	Tries          int
	Started        bool
	Waited, Age    float64
}

// runs groups turns that are run together: those of a lane that are of one kind, and in no trace.
func (r *rotation) runs(rows []takenTurn, until time.Time) (runs [][]*turn) {
	type group struct {
		place       int
		kind, trace string
	}
	slices.SortFunc(rows, func(a, b takenTurn) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Class, b.Class), cmp.Compare(a.ID, b.ID))
	})
	byGroup := map[group]int{}
	for _, row := range rows {
		t := &turn{ID: row.ID, Queue: row.Queue, Owner: row.Owner, Service: row.Service, Class: row.Class,
			Kind: row.Kind, Devices: row.Devices, NotificationID: row.NotificationID, Batch: row.Batch,
			Args:        []byte(row.Args),
			Traceparent: row.Traceparent, Tries: row.Tries, Started: row.Started,
			waited: postgres.InSeconds(row.Waited), age: postgres.InSeconds(row.Age), until: until}
		g := group{row.Place, row.Kind, row.Traceparent}
		at, ok := byGroup[g]
		if !ok {
			at = len(runs)
			byGroup[g], runs = at, append(runs, nil)
		}
		runs[at], r.last = append(runs[at], t), row.Owner
	}
	return runs
}
