package delivery

import (
	"context"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// deviceResults are what a run has shown of its devices, by device: that they fail, that they no longer do, or that
// their push service accepts what they do not show.
type deviceResults map[core.ID]deviceResult

type deviceResult struct {
	before  int // failures
	unshown bool
	core.DeviceFailures
	wait time.Duration
}

// add adds the result of a push, and returns for how long the device is left alone. A refusal that is one too many
// retires the device. While others at the push service fail alike, a refusal is not the device's.
func (all *deviceResults) add(i *item, r *core.Result, alike bool, now time.Time) time.Duration {
	if *all == nil {
		*all = deviceResults{}
	}
	if r.Outcome == core.Accepted {
		if i.Failures > 0 || i.Quiet {
			(*all)[i.DeviceID] = deviceResult{before: i.Failures, unshown: i.Quiet}
		}
		return 0
	}
	if r.Retire || r.Final() && !r.Refused {
		return 0
	}
	if known, ok := (*all)[i.DeviceID]; ok && known.wait > 0 {
		return known.wait
	}
	counted := *r
	counted.Refused = r.Refused && !(alike && r.Cause == core.CauseCredentials)
	after, wait, retire := i.failing().After(counted, now)
	if retire {
		r.Retire, r.Outcome = true, core.Failed
		if r.Cause == core.CauseCredentials {
			r.Cause = core.CauseSenderMismatch
		}
		return 0
	}
	(*all)[i.DeviceID] = deviceResult{before: i.Failures, DeviceFailures: after, wait: wait}
	return wait
}

// save keeps the results. Another run may have tried a device at the same time: both together are one failure.
func (all deviceResults) save(ctx context.Context, tx bun.IDB) error {
	if len(all) == 0 {
		return nil
	}
	var ids []core.ID
	var before, failures, refusals []int
	var since []*time.Time
	var waits []float64
	var unshown []bool
	for id, r := range all {
		ids, before = append(ids, id), append(before, r.before)
		failures, refusals = append(failures, r.Failures), append(refusals, r.Refusals)
		var from *time.Time
		if r.Failures > 0 {
			from = &r.Since
		}
		since, waits = append(since, from), append(waits, r.wait.Seconds())
		unshown = append(unshown, r.unshown)
	}
	// Raw, because each row gets values of its own. The rows are locked in one order, so that two runs do not wait for
	// each other.
	_, err := tx.NewRaw(`
		with locked as materialized (
			select id from devices where id = any (?0::uuid[]) order by id for no key update
		)
		update devices d set failures = v.failures, refusals = v.refusals, failing_since = v.since,
			retry_at = clock_timestamp() + v.wait * interval '1 second',
			unshown_since = coalesce(d.unshown_since, case when v.unshown then clock_timestamp() end)
		from unnest(?0::uuid[], ?1::integer[], ?2::integer[], ?3::integer[], ?4::timestamptz[], ?5::float8[],
			?6::boolean[]) v (id, before, failures, refusals, since, wait, unshown) join locked using (id)
		where d.id = v.id and d.failures = v.before`,
		pgdialect.Array(ids), pgdialect.Array(before), pgdialect.Array(failures), pgdialect.Array(refusals),
		pgdialect.Array(since), pgdialect.Array(waits), pgdialect.Array(unshown)).Exec(ctx)
	return err
}
