package delivery

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// kindUnused is the kind of turns that push a word to the devices of an anonymous subscriber whom nobody uses.
const kindUnused = "unused"

// insertUnused stores a turn for each device.
func insertUnused(ctx context.Context, tx postgres.Tx, devices []core.Device) error {
	turns := make([]turn, len(devices))
	for i, d := range devices {
		turns[i] = turnOf(kindUnused, d)
	}
	return insertTurns(ctx, tx, turns)
}

// warnUnused has the devices of anonymous subscribers pushed a word before these are deleted.
func (d *Dispatcher) warnUnused(ctx context.Context) error {
	err := d.Pruner.WarnAnonymous(ctx, d.Now(), insertUnused)
	d.WakeTurns()
	return err
}

// pushUnused pushes to the devices of those whom still nobody has used, and who have no account by now.
func (d *Dispatcher) pushUnused(ctx context.Context, run []*turn) (closed time.Duration, err error) {
	still := func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where(`not exists (select from sessions x
			where x.subscriber_id = s.id and (x.seen_at > s.warned_at or not x.anonymous))`)
	}
	return d.pushOwn(ctx, run, still, core.NewUnusedWarning)
}
