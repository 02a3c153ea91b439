package delivery

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// kindSend is the kind of turns that push a notification to the devices of a batch.
const kindSend = "send"

// send pushes to the devices that wait for it, records the outcomes, and parks the turns for the rest.
func (d *Dispatcher) send(ctx context.Context, run []*turn) (closed time.Duration, err error) {
	notifications, err := d.notifications(ctx, run)
	if err != nil {
		return 0, err
	}
	targets, err := undelivered(ctx, d.DB, run)
	if err != nil {
		return 0, err
	}
	byBatch := map[target][]address{} // its place is that of the batch
	for _, a := range targets {
		key := target{a.NotificationID, core.Place{First: a.First}}
		byBatch[key] = append(byBatch[key], a.address)
	}
	r := d.newRun(run, nil)
	for _, t := range run {
		// A notification whose channel was purged is not found, and its turn is over.
		if n, ok := notifications[*t.NotificationID]; ok {
			r.addItems(t, n, byBatch[target{n.ID, core.Place{First: *t.Batch}}])
		}
	}
	return r.do(ctx)
}

// notifications returns those that the turns are about, by their ids.
func (d *Dispatcher) notifications(ctx context.Context, run []*turn) (map[core.ID]core.Notification, error) {
	ids := make([]core.ID, len(run))
	for i, t := range run {
		ids[i] = *t.NotificationID
	}
	found, err := postgres.NotificationsByID(ctx, d.DB, ids)
	byID := make(map[core.ID]core.Notification, len(found))
	for _, n := range found {
		byID[n.ID] = n
	}
	return byID, err
}

// addItems adds the devices of a turn to which the notification is still to be pushed.
func (r *run) addItems(t *turn, n core.Notification, devices []address) {
	push := core.NewPush(n)
	cause := endedBy(n, push.Expires, r.d.Now())
	for _, a := range devices {
		i := &item{address: a, push: &push, turn: t, targets: []target{a.target(n.ID, *t.Batch)}}
		if *t.Batch == 0 {
			i.publishedAt = n.PublishedAt
		}
		if cause != "" {
			r.addOutcomes(i, core.Result{Outcome: core.Expired, Cause: cause})
		} else {
			r.items = append(r.items, i)
		}
	}
}

// endedBy returns the cause for which a notification is no longer pushed, or "".
func endedBy(n core.Notification, expires, now time.Time) string {
	switch {
	case n.WithdrawnAt != nil:
		return core.CauseWithdrawn
	case n.Channel.Suspended:
		return core.CauseSuspended
	case !now.Before(expires):
		return core.CauseExpired
	default:
		return ""
	}
}
