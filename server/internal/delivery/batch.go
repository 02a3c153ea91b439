package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/rescue"
	"github.com/sininho/sininho/server/internal/tracing"
)

const (
	sendConcurrency = batchSize/3 + 1  // within one batch: three rounds of a full one
	sendTime        = 10 * time.Second // for one batch, pacing included; the job is snoozed for the rest
	recordTime      = 4 * time.Second
	recordAgain     = 100 * time.Millisecond // after a failure
	mostLost        = 50                     // pushes of a batch, without one that is accepted
	lostPause       = 10 * time.Second       // of all nodes
)

// item is one push to one device, for one notification or several.
type item struct {
	address
	push    *core.Push
	targets []target
}

// target is a notification, and where the device is among those that were found for it.
type target struct {
	notificationID core.ID
	place          core.Place
}

func (a address) target(notificationID core.ID, first int64) target {
	return target{notificationID, core.Place{First: first, Index: a.Place}}
}

// batch is one run of a job that pushes.
type batch struct {
	d     *Dispatcher
	items []item
	save  func(ctx context.Context, outcomes []core.Delivery, now time.Time) error // saves them
	// publishedAt is set when these are the first pushes of a notification.
	publishedAt *time.Time

	begun      atomic.Int64 // pushes
	mu         sync.Mutex
	outcomes   []core.Delivery
	finished   int // of the items
	lost       int // pushes that the push service was not available for, before it accepted any
	wait       time.Duration
	pause      time.Duration
	pauseCause string
}

// run pushes the items, records their outcomes, and snoozes the job for the rest.
func (b *batch) run(ctx context.Context, metadata []byte) error {
	later, err := b.send(ctx)
	if err != nil {
		return err
	}
	if err := b.record(ctx); err != nil {
		return err
	}
	if b.pause > 0 {
		if err := b.d.pause(ctx, b.pause, b.pauseCause); err != nil {
			return err
		}
	}
	if later > 0 {
		return river.JobSnooze(later)
	}
	if b.finished < len(b.items) {
		later := max(b.wait, b.pause, jobs.Backoff(snoozes(metadata)))
		return river.JobSnooze(max(0, min(later, b.firstExpiry().Sub(b.d.Now()))))
	}
	return nil
}

func (b *batch) firstExpiry() time.Time {
	first := b.items[0].push.Expires
	for _, i := range b.items {
		if i.push.Expires.Before(first) {
			first = i.push.Expires
		}
	}
	return first
}

func snoozes(metadata []byte) int {
	var meta struct{ Snoozes int }
	_ = json.Unmarshal(metadata, &meta)
	return meta.Snoozes
}

func (d *Dispatcher) pause(ctx context.Context, length time.Duration, cause string) error {
	d.Metrics.Paused(cause)
	d.Log.ErrorContext(ctx, "push is paused; nothing is discarded", "for", length, "cause", cause)
	return pause(context.WithoutCancel(ctx), d.DB, length, cause)
}

// send pushes at the pace that all nodes share. later is how long to snooze when there is no room for it now.
func (b *batch) send(ctx context.Context) (later time.Duration, err error) {
	live := b.items[:0:0]
	for _, i := range b.items {
		if i.Retired {
			b.addOutcomes(i, core.Result{Outcome: core.Failed, Cause: core.CauseRetired})
			b.finished++
		} else {
			live = append(live, i)
		}
	}
	if len(live) == 0 {
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	later, err = b.awaitTurn(ctx, len(live))
	if err != nil || later > 0 {
		return later, err // paused, or far behind the pace: frees the worker for other jobs
	}
	if b.publishedAt != nil {
		b.d.Metrics.DispatchStarted(b.d.Now().Sub(*b.publishedAt))
	}
	b.pushAll(ctx, live)
	return 0, nil
}

// awaitTurn waits until n pushes may be sent. later is how long to snooze when that takes too long.
func (b *batch) awaitTurn(ctx context.Context, n int) (later time.Duration, err error) {
	b.d.Metrics.Pacing(n)
	defer b.d.Metrics.Pacing(-n)
	wait, later, err := reserve(ctx, b.d.DB, n, b.d.Quota, sendTime/2)
	if later > 0 {
		b.d.Metrics.TurnedAway()
	}
	if err != nil || later > 0 {
		return later, err
	}
	select {
	case <-time.After(wait):
		b.d.Metrics.Granted(n)
		return 0, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (b *batch) pushAll(ctx context.Context, items []item) {
	next := make(chan item)
	var workers sync.WaitGroup
	for range min(sendConcurrency, len(items)) {
		workers.Go(func() {
			for i := range next {
				rescue.Run(ctx, b.d.Log, func(ctx context.Context) {
					b.push(ctx, i)
				})
			}
		})
	}
	for _, i := range items {
		if ctx.Err() != nil || b.paused() {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
}

// tracedPushes is how many pushes of a batch have a span of their own: a notification may have millions.
const tracedPushes = 10

func (b *batch) push(ctx context.Context, i item) {
	var span tracing.Span
	if b.begun.Add(1) <= tracedPushes {
		ctx, span = b.d.Tracer.Call(ctx, "push")
	}
	start := time.Now()
	r := b.d.Sender.Send(ctx, *i.push, i.Address)
	result := r.Cause
	if r.Outcome == core.Accepted {
		result = string(core.Accepted)
	} else {
		span.Fail(result)
	}
	b.d.Metrics.Pushed(transport, result, time.Since(start))
	span.Text("push.transport", transport)
	span.Text("push.result", result)
	span.End()
	b.addResult(ctx, i, r)
}

func (b *batch) paused() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pause > 0
}

// addResult adds a result: an outcome, or how long to snooze.
func (b *batch) addResult(ctx context.Context, i item, r core.Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Final() {
		b.addOutcomes(i, r)
		b.finished++
	} else if !errors.Is(r.Err, context.Canceled) {
		b.d.Metrics.Retried(r.Cause)
	}
	b.wait = max(b.wait, r.Wait)
	b.countLost(&r)
	if r.Pause > b.pause {
		b.pause, b.pauseCause = r.Pause, r.Cause
	}
	switch {
	case r.Outcome == core.Failed && !r.Retire:
		b.d.Log.ErrorContext(ctx, "the push service rejected the message; report this as a bug of Sininho",
			"notification", i.push.ID, "device", i.DeviceID, "error", r.Err)
	case r.Cause == core.CauseCredentials && r.Pause == 0:
		b.d.Log.ErrorContext(ctx,
			"a push was refused: the web push or APNs keys in Firebase, or the device's, are wrong", "device",
			i.DeviceID, "error", r.Err)
	case r.Err != nil && !errors.Is(r.Err, context.Canceled):
		b.d.Log.DebugContext(ctx, "push", "notification", i.push.ID, "device", i.DeviceID, "cause",
			r.Cause, "error", r.Err)
	}
}

// countLost turns the last of many results of a push service that is down into a pause: all nodes together would go on
// asking it some hundred times a second.
func (b *batch) countLost(r *core.Result) {
	switch {
	case b.lost < 0: // it has accepted a push
	case r.Outcome == core.Accepted:
		b.lost = -1
	case r.Cause == core.CauseUnavailable:
		if b.lost++; b.lost >= mostLost {
			r.Pause = max(r.Pause, lostPause)
		}
	}
}

// addOutcomes adds the outcome for each of an item's notifications.
func (b *batch) addOutcomes(i item, r core.Result) {
	for _, t := range i.targets {
		d := core.Delivery{NotificationID: t.notificationID, DeviceID: i.DeviceID, Place: t.place, Outcome: r.Outcome,
			Cause: r.Cause}
		if r.Retire {
			d.Gone = i.Address
		}
		b.outcomes = append(b.outcomes, d)
	}
}

// record saves the outcomes, also when the job's time is up, and again when a connection was lost: what was sent must
// not be sent again.
func (b *batch) record(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	for {
		err := b.save(ctx, b.outcomes, b.d.Now())
		if !core.IsCode(err, core.CodeUnavailable) {
			return err
		}
		select {
		case <-time.After(recordAgain):
		case <-ctx.Done():
			return err
		}
	}
}
