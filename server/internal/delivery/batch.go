package delivery

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

const (
	sendConcurrency = batchSize/3 + 1        // within one run: three rounds of a full one
	sendTime        = 10 * time.Second       // for one run; the rest of its turns is parked
	recordAgain     = 100 * time.Millisecond // after a failure
)

// item is one push to one device, for one notification or several.
type item struct {
	address
	push    *core.Push
	targets []target
	turn    *turn
	// publishedAt is set for what may be the first push of a notification.
	publishedAt *time.Time

	finished bool
	gone     bool          // the device is retired
	later    time.Duration // until it may be pushed
	paced    bool          // it waits for its share, and not for its device
}

// target is a notification, and where the device is among those that were found for it.
type target struct {
	notificationID core.ID
	place          core.Place
}

func (a address) target(notificationID core.ID, first int64) target {
	return target{notificationID, core.Place{First: first, Index: a.Place}}
}

// batch is one run of turns that push. It pushes what may be pushed now, and waits for nothing else.
type batch struct {
	d     *Dispatcher
	turns []*turn
	items []*item
	// save saves what becomes of the pushes. These are outcomes of notifications, unless it is not Record.
	save    func(ctx context.Context, tx bun.IDB, outcomes []core.Delivery, now time.Time) error
	counted bool

	begun    atomic.Int64 // pushes
	mu       sync.Mutex
	outcomes []core.Delivery
	devices  deviceResults
}

func (d *Dispatcher) newBatch(run []*turn) *batch {
	return &batch{d: d, turns: run, save: Record, counted: true}
}

// run pushes, records the outcomes, and parks what is left. closed is for how long the push service of all items takes
// nothing.
func (b *batch) run(ctx context.Context) (closed time.Duration, err error) {
	var waiting []*item
	for _, i := range b.items {
		if i.Retired {
			b.addOutcomes(i, core.Result{Outcome: core.Failed, Cause: core.CauseRetired})
		} else if rest := postgres.InSeconds(i.Rest); rest > 0 {
			i.later = rest
		} else {
			waiting = append(waiting, i)
		}
	}
	all := parts(waiting)
	failed := make([]error, len(all))
	sending, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	var done sync.WaitGroup
	for n, p := range all {
		done.Go(func() {
			guard.Run(sending, b.d.Log, func(ctx context.Context) { failed[n] = b.sendPart(ctx, p) })
		})
	}
	done.Wait()
	if err := errors.Join(b.record(ctx), errors.Join(failed...)); err != nil {
		return 0, err
	}
	if len(all) == 1 && len(waiting) == len(b.items) {
		closed = all[0].closed
	}
	return closed, nil
}

// park sets what is left of the turns, and until when.
func (b *batch) park() {
	now := b.d.Now()
	for _, i := range b.items {
		if i.finished {
			continue
		}
		later := i.later
		if i.paced {
			// Somebody who publishes without end to their own devices must not wake thousands of turns again and again.
			later = max(later, min(i.turn.age/waitShare, longestPaced))
		}
		later = max(0, min(later, i.push.Expires.Sub(now)))
		if !i.turn.left || later < i.turn.again {
			i.turn.left, i.turn.again = true, later
		}
	}
}

const (
	// waitShare is the part of its age for which a turn waits at least when the pace is used up.
	waitShare    = 8
	longestPaced = 5 * time.Minute
)

// tracedPushes is how many pushes of a run have a span of their own: a notification may have millions.
const tracedPushes = 10

func (b *batch) push(ctx context.Context, p *part, i *item) {
	var span tracing.Span
	if b.begun.Add(1) <= tracedPushes {
		ctx, span = b.d.Tracer.Call(ctx, "push")
	}
	start := time.Now()
	r := b.d.Sender.Send(ctx, *i.push, i.to())
	if r.Later == 0 {
		b.measure(i, r, start)
	}
	result := r.Cause
	if r.Outcome == core.Accepted {
		result = string(core.Accepted)
	} else {
		span.Fail(result)
	}
	span.Text("push.transport", i.to().Transport())
	span.Text("push.result", result)
	span.End()
	b.addResult(ctx, p, i, r, start)
}

// log logs what an operator may have to do something about.
func (b *batch) log(ctx context.Context, p *part, i *item, r core.Result) {
	details := []any{"service", p.service, "device", i.DeviceID, "cause", r.Cause, "error", r.Err}
	switch {
	case r.Cause == core.CauseOff, r.Err == nil:
	case r.Refused && r.Retire:
		b.d.retired.Do(func() {
			b.d.Log.WarnContext(ctx, "a device is retired, because its push service refuses every push; "+
				"further ones are not logged for a minute", append(details, "likely", likelyCause(r))...)
		})
	case r.Refused:
		b.d.refusals.Do(func() {
			b.d.Log.WarnContext(ctx, "a push service refuses the pushes to a device, which is tried again later; "+
				"further ones are not logged for a minute", append(details, "likely", likelyCause(r))...)
		})
	case r.Outcome == core.Failed && !r.Retire:
		b.d.Log.ErrorContext(ctx, "the push service rejected the message; report this as a bug of Sininho",
			append(details, "notification", i.push.ID)...)
	case r.Cause == core.CauseCredentials && r.Pause == 0 && i.to().Transport() == core.KindFCM:
		b.d.Log.ErrorContext(ctx,
			"a push was refused: the web push or APNs keys in Firebase, or the device's, are wrong", details...)
	default:
		b.d.Log.DebugContext(ctx, "push", append(details, "notification", i.push.ID)...)
	}
}

// likelyCause returns why a push service refuses a device, as far as others at it do not fail.
func likelyCause(r core.Result) string {
	if r.Cause == core.CauseCredentials || r.Cause == core.CauseSenderMismatch {
		return "the device has subscribed with the key of another server"
	}
	return "the endpoint is not that of a push service"
}

// measure counts a push that was sent.
func (b *batch) measure(i *item, r core.Result, start time.Time) {
	result := r.Cause
	if r.Outcome == core.Accepted {
		result = string(core.Accepted)
	}
	b.d.Metrics.Pushed(i.to().Transport(), result, time.Since(start))
}

// addResult adds a result: an outcome, or when the device is tried again.
func (b *batch) addResult(ctx context.Context, p *part, i *item, r core.Result, start time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Later > 0 {
		i.later, i.paced = r.Later, true
		return
	}
	p.sent++
	b.started(i, start)
	if errors.Is(r.Err, context.Canceled) {
		return
	}
	b.learn(ctx, p, i, r, start)
	alone := b.devices.add(i, &r, p.pause > 0, b.d.Now())
	if r.Final() {
		b.addOutcomes(i, r)
	} else {
		i.later = alone
		b.d.Metrics.Retried(r.Cause)
	}
	b.log(ctx, p, i, r)
}

// started measures when the first push of a notification began.
func (b *batch) started(i *item, start time.Time) {
	if i.publishedAt != nil && !i.turn.Started {
		b.d.Metrics.DispatchStarted(b.d.Now().Sub(*i.publishedAt) - time.Since(start))
	}
	i.turn.Started = true
}

// learn keeps what a result says about the push service of the part.
func (b *batch) learn(ctx context.Context, p *part, i *item, r core.Result, start time.Time) {
	if r.Outcome == core.Accepted {
		if b.d.services.accepted(p.service, i.SubscriberID, start) {
			b.d.resume(ctx, p.service)
		}
		return
	}
	pause := max(r.Pause, b.d.services.failed(p.service, i.SubscriberID, r, time.Now()))
	if pause > p.pause {
		p.pause, p.cause, p.err = pause, r.Cause, r.Err
	}
}

// addOutcomes adds the outcome for each of an item's notifications.
func (b *batch) addOutcomes(i *item, r core.Result) {
	i.finished, i.gone = true, r.Retire
	for _, t := range i.targets {
		d := core.Delivery{NotificationID: t.notificationID, DeviceID: i.DeviceID, Place: t.place, Outcome: r.Outcome,
			Cause: r.Cause, Transport: i.to().Transport()}
		if r.Retire {
			d.Gone, d.GoneCause = i.Address, retiredCause(r)
		}
		if r.Outcome == core.Accepted && !i.Rings {
			d.Confirmed = i.Address
		}
		b.outcomes = append(b.outcomes, d)
	}
}

// retiredCause returns why a result retires its device.
func retiredCause(r core.Result) string {
	switch {
	case !r.Refused:
		return core.RetiredUnregistered
	case r.Cause == core.CauseSenderMismatch:
		return core.RetiredWrongKey
	default:
		return core.RetiredRefused
	}
}

// record saves the outcomes and what is left of the turns, also when the run's time is up.
func (b *batch) record(ctx context.Context) error {
	b.park()
	err := insistently(ctx, b.turns[0].until, b.recordOnce)
	if err == nil && b.counted {
		for _, o := range b.outcomes {
			b.d.countOutcome(o.Transport, o.Outcome, o.Cause)
		}
	}
	return err
}

// insistently saves again when the database is slow or was lost, until another node may take the turns: what was sent
// must not be sent again.
func insistently(ctx context.Context, until time.Time, save func(context.Context) error) error {
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), until)
	defer cancel()
	for {
		err := save(ctx)
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

func (b *batch) recordOnce(ctx context.Context) error {
	now := b.d.Now()
	return b.d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		if err := b.save(ctx, tx, b.outcomes, now); err != nil {
			return err
		}
		if err := b.devices.save(ctx, tx); err != nil {
			return err
		}
		return endTurns(ctx, tx, b.turns)
	})
}
