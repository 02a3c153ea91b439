package dispatch

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/rescue"
)

const (
	finishSize           = 1_000
	tellSubscribersEvery = 5 * time.Second // looks at every channel of whoever wants to know
)

// finishing finds what is finished and tells event endpoints what happened. It goes on beside the other sweeps, which it
// must not hold up: there may be much to count.
func (d *Dispatcher) finishing(ctx context.Context) {
	tick, tell := time.NewTicker(sweepEvery), time.NewTicker(tellSubscribersEvery)
	defer tick.Stop()
	defer tell.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wakeTell:
		case <-tell.C:
			rescue.Run(ctx, d.Log, d.tellSubscribers)
		case <-tick.C:
			rescue.Run(ctx, d.Log, d.finish)
		}
		rescue.Run(ctx, d.Log, d.tellDue)
	}
}

func (d *Dispatcher) tellSubscribers(ctx context.Context) {
	if _, err := d.Store.TellSubscribers(ctx, d.Now()); err != nil && ctx.Err() == nil {
		d.Log.WarnContext(ctx, "dispatch: tell numbers of subscribers", "error", err)
	}
}

func (d *Dispatcher) finish(ctx context.Context) {
	for {
		n, finished, err := d.Store.Finish(ctx, finishSize, d.Now())
		if err != nil && ctx.Err() == nil {
			d.Log.WarnContext(ctx, "dispatch: finish", "error", err)
		}
		for _, f := range finished {
			d.Analytics.Capture(core.NotificationAccepted{NotificationID: f.NotificationID, ChannelID: f.ChannelID,
				Accepted: f.Funnel.Accepted, Failed: f.Funnel.Failed.Total()})
		}
		if err != nil || n == 0 {
			return
		}
	}
}
