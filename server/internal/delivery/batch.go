package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

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

	waiting  time.Duration // of the job, since it was inserted
	begun    atomic.Int64  // pushes
	started  sync.Once
	mu       sync.Mutex
	outcomes []core.Delivery
}

// run pushes the items, records their outcomes, and snoozes the job for the rest.
func (b *batch) run(ctx context.Context, job *rivertype.JobRow) error {
	all := parts(b.withoutRetired())
	leave, ok := b.d.trials.enter(all, time.Now())
	if !ok {
		return river.JobSnooze(trialAgain)
	}
	defer leave()
	b.waiting = b.d.Now().Sub(job.CreatedAt)
	err := b.send(ctx, all)
	if err := errors.Join(b.record(ctx), err); err != nil {
		return err
	}
	return b.snooze(ctx, all, job.Metadata)
}

// snooze pauses the push services that ask for it, and snoozes the job until the first of the parts with items left can
// go on.
func (b *batch) snooze(ctx context.Context, all []*part, metadata []byte) error {
	var again []time.Duration
	for _, p := range all {
		b.d.trials.learn(p, time.Now())
		if p.pause > 0 {
			if err := b.d.pause(ctx, p); err != nil {
				return err
			}
		}
		if p.finished < len(p.items) {
			again = append(again, p.again(jobs.Backoff(snoozes(metadata)), b.firstExpiry().Sub(b.d.Now())))
		}
	}
	if len(again) == 0 {
		return nil
	}
	return river.JobSnooze(slices.Min(again))
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

func (d *Dispatcher) pause(ctx context.Context, p *part) error {
	d.Metrics.Paused(p.pauseCause)
	details := []any{"service", p.service, "for", p.pause, "cause", p.pauseCause, "error", p.err}
	if p.pauseCause == core.CauseCredentials {
		details = append(details, "check", whatToCheck(p.service))
	}
	d.Log.ErrorContext(ctx, "push is paused; nothing is discarded", details...)
	return pause(context.WithoutCancel(ctx), d.DB, p.service, p.pause, p.pauseCause)
}

// whatToCheck returns what may be wrong when a push service refuses to know this server.
func whatToCheck(service string) string {
	if service == core.ServiceFCM {
		return "whether the service account exists and belongs to FIREBASE_PROJECT_ID"
	}
	return "the clock of this server, and whether the database has the web_push_key that browsers subscribed with"
}

// withoutRetired returns the items of devices that are not retired, and adds the outcomes of the others.
func (b *batch) withoutRetired() []item {
	live := b.items[:0:0]
	for _, i := range b.items {
		if i.Retired {
			b.addOutcomes(i, core.Result{Outcome: core.Failed, Cause: core.CauseRetired})
		} else {
			live = append(live, i)
		}
	}
	return live
}

// send pushes to all push services at the same time.
func (b *batch) send(ctx context.Context, all []*part) error {
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	failed := make([]error, len(all))
	var done sync.WaitGroup
	for n, p := range all {
		done.Go(func() {
			rescue.Run(ctx, b.d.Log, func(ctx context.Context) { failed[n] = b.sendPart(ctx, p) })
		})
	}
	done.Wait()
	return errors.Join(failed...)
}

// tracedPushes is how many pushes of a batch have a span of their own: a notification may have millions.
const tracedPushes = 10

func (b *batch) push(ctx context.Context, p *part, i item) {
	var span tracing.Span
	if b.begun.Add(1) <= tracedPushes {
		ctx, span = b.d.Tracer.Call(ctx, "push")
	}
	start := time.Now()
	r := b.d.Sender.Send(ctx, *i.push, i.to())
	transport := i.to().Transport()
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
	b.addResult(ctx, p, i, r)
}

// addResult adds a result: an outcome, or how long to snooze.
func (b *batch) addResult(ctx context.Context, p *part, i item, r core.Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Final() {
		b.addOutcomes(i, r)
		p.finished++
	} else if !errors.Is(r.Err, context.Canceled) {
		b.d.Metrics.Retried(r.Cause)
	}
	p.wait = max(p.wait, r.Wait)
	p.countLost(&r)
	if r.Pause > p.pause {
		p.pause, p.pauseCause, p.err = r.Pause, r.Cause, r.Err
	}
	b.log(ctx, i, r)
}

func (b *batch) log(ctx context.Context, i item, r core.Result) {
	switch {
	case r.Cause == core.CauseOff:
	case r.Outcome == core.Failed && !r.Retire && i.to().Transport() == core.KindWebPush:
		b.d.refusals.Do(func() {
			b.d.Log.WarnContext(ctx, "a push service rejected a message; further ones are not logged for a minute",
				"notification", i.push.ID, "device", i.DeviceID, "error", r.Err)
		})
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

// addOutcomes adds the outcome for each of an item's notifications.
func (b *batch) addOutcomes(i item, r core.Result) {
	for _, t := range i.targets {
		d := core.Delivery{NotificationID: t.notificationID, DeviceID: i.DeviceID, Place: t.place, Outcome: r.Outcome,
			Cause: r.Cause, Transport: i.to().Transport()}
		if r.Retire {
			d.Gone = i.Address
		}
		if r.Outcome == core.Accepted && !i.Rings {
			d.Confirmed = i.Address
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
