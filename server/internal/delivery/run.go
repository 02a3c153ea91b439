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

// run is turns taken together. It pushes what may be pushed now, and waits for nothing else.
type run struct {
	d     *Dispatcher
	turns []*turn
	items []*item
	save  saveResults // nil: they are outcomes of notifications, which Record saves

	begun    atomic.Int64 // pushes
	mu       sync.Mutex
	outcomes []core.Delivery
	devices  deviceResults
}

type saveResults func(ctx context.Context, tx bun.IDB, results []core.Delivery, now time.Time) error

func (d *Dispatcher) newRun(turns []*turn, save saveResults) *run {
	return &run{d: d, turns: turns, save: save}
}

// do pushes, records the outcomes, and parks what is left. closed is for how long the push service of all items takes
// nothing.
func (r *run) do(ctx context.Context) (closed time.Duration, err error) {
	var waiting []*item
	for _, i := range r.items {
		if i.Retired {
			r.addOutcomes(i, core.Result{Outcome: core.Failed, Cause: core.CauseRetired})
		} else if i.Uninvited {
			r.addOutcomes(i, core.Result{Outcome: core.Suppressed, Cause: core.CauseUnfollowed})
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
			guard.Run(sending, r.d.Log, func(ctx context.Context) { failed[n] = r.sendPart(ctx, p) })
		})
	}
	done.Wait()
	if err := errors.Join(r.record(ctx), errors.Join(failed...)); err != nil {
		return 0, err
	}
	if len(all) == 1 && len(waiting) == len(r.items) {
		closed = all[0].closed
	}
	return closed, nil
}

// park sets what is left of the turns, and until when.
func (r *run) park() {
	now := r.d.Now()
	for _, i := range r.items {
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

func (r *run) push(ctx context.Context, p *part, i *item) {
	var span tracing.Span
	if r.begun.Add(1) <= tracedPushes {
		ctx, span = r.d.Tracer.Call(ctx, "push")
	}
	start := time.Now()
	res := r.d.Sender.Send(ctx, *i.push, i.to())
	if res.Later == 0 {
		r.measure(i, res, start)
	}
	result := res.Cause
	if res.Outcome == core.Accepted {
		result = string(core.Accepted)
	} else {
		span.Fail(result)
	}
	span.Text("push.transport", i.to().Transport())
	span.Text("push.result", result)
	span.End()
	r.addResult(ctx, p, i, res, start)
}

// log logs what an operator may have to do something about.
func (r *run) log(ctx context.Context, p *part, i *item, res core.Result) {
	details := []any{"service", p.service, "device", i.DeviceID, "cause", res.Cause, "error", res.Err}
	switch {
	case res.Cause == core.CauseOff, res.Err == nil:
	case res.Refused && res.Retire:
		r.d.retired.Do(func() {
			r.d.Log.WarnContext(ctx, "a device is retired, because its push service refuses every push; "+
				"further ones are not logged for a minute", append(details, "likely", likelyCause(res))...)
		})
	case res.Refused:
		r.d.refusals.Do(func() {
			r.d.Log.WarnContext(ctx, "a push service refuses the pushes to a device, which is tried again later; "+
				"further ones are not logged for a minute", append(details, "likely", likelyCause(res))...)
		})
	case res.Outcome == core.Failed && !res.Retire:
		r.d.Log.ErrorContext(ctx, "the push service rejected the message; report this as a bug of Sininho",
			append(details, "notification", i.push.ID)...)
	case res.Cause == core.CauseCredentials && res.Pause == 0 && i.to().Transport() == core.KindFCM:
		r.d.Log.ErrorContext(ctx,
			"a push was refused: the web push or APNs keys in Firebase, or the device's, are wrong", details...)
	default:
		r.d.Log.DebugContext(ctx, "push", append(details, "notification", i.push.ID)...)
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
func (r *run) measure(i *item, res core.Result, start time.Time) {
	result := res.Cause
	if res.Outcome == core.Accepted {
		result = string(core.Accepted)
	}
	r.d.Metrics.Pushed(i.to().Transport(), result, time.Since(start))
}

// addResult adds a result: an outcome, or when the device is tried again.
func (r *run) addResult(ctx context.Context, p *part, i *item, res core.Result, start time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if res.Later > 0 {
		i.later, i.paced = res.Later, true
		return
	}
	p.sent++
	r.started(i, start)
	if errors.Is(res.Err, context.Canceled) {
		return
	}
	r.learn(ctx, p, i, res, start)
	alone := r.devices.add(i, &res, p.pause > 0, r.d.Now())
	if res.Final() {
		r.addOutcomes(i, res)
	} else {
		i.later = alone
		r.d.Metrics.Retried(res.Cause)
	}
	r.log(ctx, p, i, res)
}

// started measures when the first push of a notification began.
func (r *run) started(i *item, start time.Time) {
	if i.publishedAt != nil && !i.turn.Started {
		r.d.Metrics.DispatchStarted(r.d.Now().Sub(*i.publishedAt) - time.Since(start))
	}
	i.turn.Started = true
}

// learn keeps what a result says about the push service of the part.
func (r *run) learn(ctx context.Context, p *part, i *item, res core.Result, start time.Time) {
	if res.Outcome == core.Accepted {
		if r.d.services.accepted(p.service, i.SubscriberID, start) {
			r.d.resume(ctx, p.service)
		}
		return
	}
	pause := max(res.Pause, r.d.services.failed(p.service, i.SubscriberID, res, time.Now()))
	if pause > p.pause {
		p.pause, p.cause, p.err = pause, res.Cause, res.Err
	}
}

// addOutcomes adds the outcome for each of an item's notifications.
func (r *run) addOutcomes(i *item, res core.Result) {
	i.finished, i.gone = true, res.Retire
	for _, t := range i.targets {
		d := core.Delivery{NotificationID: t.notificationID, DeviceID: i.DeviceID, Place: t.place, Outcome: res.Outcome,
			Cause: res.Cause, Transport: i.to().Transport()}
		if res.Retire {
			d.Gone, d.GoneCause = i.Address, retiredCause(res)
		}
		if res.Outcome == core.Accepted && !i.Rings {
			d.Confirmed = i.Address
		}
		r.outcomes = append(r.outcomes, d)
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
func (r *run) record(ctx context.Context) error {
	r.park()
	err := insistently(ctx, r.turns[0].until, r.recordOnce)
	if err == nil && r.save == nil {
		for _, o := range r.outcomes {
			r.d.countOutcome(o.Transport, o.Outcome, o.Cause)
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

func (r *run) recordOnce(ctx context.Context) error {
	now, save := r.d.Now(), r.save
	if save == nil {
		save = Record
	}
	return r.d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		if err := save(ctx, tx, r.outcomes, now); err != nil {
			return err
		}
		if err := r.devices.save(ctx, tx); err != nil {
			return err
		}
		return endTurns(ctx, tx, r.turns)
	})
}
