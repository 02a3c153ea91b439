package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
)

// sendArgs is the job that pushes a notification to some devices.
type sendArgs struct {
	NotificationID core.ID `json:"notificationId"`
	Devices        []byte  `json:"devices"` // their ids, one after another
}

// Kind implements river.JobArgs.
func (sendArgs) Kind() string { return "send" }

func pack(ids []core.ID) []byte {
	b := make([]byte, 0, len(ids)*len(core.ID{}))
	for _, id := range ids {
		b = append(b, id[:]...)
	}
	return b
}

func unpack(b []byte) []core.ID {
	ids := make([]core.ID, len(b)/len(core.ID{}))
	for i := range ids {
		copy(ids[i][:], b[i*len(core.ID{}):])
	}
	return ids
}

type sendWorker struct {
	river.WorkerDefaults[sendArgs]
	d *Dispatcher
}

const (
	sendConcurrency = 128              // within one batch
	sendTime        = 10 * time.Second // for one batch, pacing included; the rest comes back
	recordTime      = 4 * time.Second
)

// Work pushes to those devices that have no outcome yet, records what came of it, and comes back for the rest.
func (w *sendWorker) Work(ctx context.Context, job *river.Job[sendArgs]) error {
	n, err := w.d.Store.PushedNotification(ctx, job.Args.NotificationID)
	if err != nil {
		return err
	}
	targets, err := w.d.Store.Undelivered(ctx, n.ID, unpack(job.Args.Devices))
	if err != nil || len(targets) == 0 {
		return err
	}
	b := &batch{d: w.d, notificationID: n.ID, push: core.NewPush(n)}
	if cause := over(n, b.push, w.d.Now()); cause != "" {
		b.expire(targets, cause)
	} else if later, err := b.send(ctx, targets); err != nil {
		return err
	} else if later > 0 {
		return river.JobSnooze(later)
	}
	if err := b.record(ctx); err != nil {
		return err
	}
	if b.pause > 0 {
		if err := w.d.pause(ctx, b.pause, b.pauseCause); err != nil {
			return err
		}
	}
	if left := len(targets) - len(b.outcomes); left > 0 {
		later := max(b.wait, b.pause, backoff(snoozes(job)))
		return river.JobSnooze(max(0, min(later, b.push.Expires.Sub(w.d.Now()))))
	}
	return nil
}

// over tells why a notification is pushed no more.
func over(n core.Notification, p core.Push, now time.Time) string {
	switch {
	case n.WithdrawnAt != nil:
		return core.CauseWithdrawn
	case !now.Before(p.Expires):
		return core.CauseExpired
	default:
		return ""
	}
}

func snoozes(job *river.Job[sendArgs]) int {
	var meta struct{ Snoozes int }
	_ = json.Unmarshal(job.Metadata, &meta)
	return meta.Snoozes
}

func (d *Dispatcher) pause(ctx context.Context, pause time.Duration, cause string) error {
	d.Log.ErrorContext(ctx, "push is paused; nothing is discarded", "for", pause, "cause", cause)
	return d.Store.Pause(context.WithoutCancel(ctx), pause, cause)
}

// batch is one run of a send job.
type batch struct {
	d              *Dispatcher
	notificationID core.ID
	push           core.Push

	mu         sync.Mutex
	outcomes   []core.Delivery
	wait       time.Duration
	pause      time.Duration
	pauseCause string
}

// send pushes at the pace that all nodes share. It answers how long to stay away when there is no room for it now.
func (b *batch) send(ctx context.Context, targets []core.Address) (later time.Duration, err error) {
	live := targets[:0:0]
	for _, t := range targets {
		if t.Retired {
			b.settle(t, core.Result{Outcome: core.Failed, Cause: core.CauseRetired})
		} else {
			live = append(live, t)
		}
	}
	if len(live) == 0 {
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	wait, later, err := b.d.Store.Reserve(ctx, len(live), b.d.Quota, sendTime/2)
	if err != nil || later > 0 {
		return later, err // paused, or far behind the pace: rather give the worker to others
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	b.pushAll(ctx, live)
	return 0, nil
}

func (b *batch) pushAll(ctx context.Context, targets []core.Address) {
	next := make(chan core.Address)
	var workers sync.WaitGroup
	for range min(sendConcurrency, len(targets)) {
		workers.Go(func() {
			for t := range next {
				b.take(ctx, t, b.d.Sender.Send(ctx, b.push, t.Address))
			}
		})
	}
	for _, t := range targets {
		if ctx.Err() != nil || b.paused() {
			break
		}
		next <- t
	}
	close(next)
	workers.Wait()
}

func (b *batch) paused() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pause > 0
}

// take keeps a result: an outcome, or how long to stay away.
func (b *batch) take(ctx context.Context, t core.Address, r core.Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Final() {
		b.settle(t, r)
	}
	b.wait = max(b.wait, r.Wait)
	if r.Pause > b.pause {
		b.pause, b.pauseCause = r.Pause, r.Cause
	}
	switch {
	case r.Outcome == core.Failed && !r.Retire:
		b.d.Log.ErrorContext(ctx, "a push was refused; the message is at fault", "notification", b.push.ID, "device", t.DeviceID, "error", r.Err)
	case r.Cause == core.CauseCredentials && r.Pause == 0:
		b.d.Log.ErrorContext(ctx, "a push was refused: the web push or APNs keys in Firebase, or the device's, are wrong", "device", t.DeviceID, "error", r.Err)
	case r.Err != nil && !errors.Is(r.Err, context.Canceled):
		b.d.Log.DebugContext(ctx, "push", "notification", b.push.ID, "device", t.DeviceID, "cause", r.Cause, "error", r.Err)
	}
}

func (b *batch) expire(targets []core.Address, cause string) {
	for _, t := range targets {
		b.settle(t, core.Result{Outcome: core.Expired, Cause: cause})
	}
}

func (b *batch) settle(t core.Address, r core.Result) {
	d := core.Delivery{NotificationID: b.notificationID, DeviceID: t.DeviceID, Outcome: r.Outcome, Cause: r.Cause}
	if r.Retire {
		d.Gone = t.Address
	}
	b.outcomes = append(b.outcomes, d)
}

// record keeps the outcomes, also when the job's time is up: what was sent must not be sent again.
func (b *batch) record(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	return b.d.Store.Record(ctx, b.outcomes, b.d.Now())
}
