package delivery

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/tracing"
)

const (
	turnPoll     = 200 * time.Millisecond // while there is something to do, for the turns of other nodes
	turnCooldown = 3 * time.Millisecond   // gathers turns, so that many are taken together
	stepAside    = 500 * time.Millisecond // after which a run no longer counts, because its push service is slow
	stopPatience = 10 * time.Second
)

// turns runs the turns of a queue on this node.
type turns struct {
	rotation
	d    *Dispatcher
	bell bell
	// aside reports that runs which wait for slow push services make room for others. What is under way at these is
	// bounded where it is sent.
	aside bool

	tookAt time.Time // turns, the last time

	mu   sync.Mutex
	room int // for so many devices more
	runs sync.WaitGroup
}

func newTurns(d *Dispatcher, queue string, room int, aside bool) *turns {
	return &turns{rotation: rotation{queue: queue}, d: d, bell: newBell(), aside: aside, room: room}
}

// loop takes turns until ctx is done. Runs go on in the context of running.
func (q *turns) loop(ctx, running context.Context) {
	for ctx.Err() == nil {
		next := turnPoll
		guard.Run(ctx, q.d.Log, func(ctx context.Context) { next = q.serve(ctx, running) })
		q.bell.wait(ctx, next)
		sleep(ctx, turnCooldown)
	}
	q.runs.Wait()
}

// serve takes what there is room for, and returns after how long to look again.
func (q *turns) serve(ctx, running context.Context) time.Duration {
	for ctx.Err() == nil {
		room := q.free(0)
		if room <= 0 {
			return never // the end of a run wakes it
		}
		runs, err := q.take(ctx, q.d.DB, room, time.Now())
		if err != nil {
			q.d.warn(ctx, "taking turns failed; trying again soon", err)
			return time.Second
		}
		for _, run := range runs {
			q.start(running, run)
		}
		if len(runs) > 0 {
			q.tookAt = time.Now()
		} else if time.Since(q.tookAt) < busyFor || q.isClosed(time.Now()) {
			return turnPoll
		} else {
			return never // the watch wakes it
		}
	}
	return turnPoll
}

// ringForLeft has the turns of a run looked after that are parked now.
func (q *turns) ringForLeft(run []*turn) {
	if slices.ContainsFunc(run, func(t *turn) bool { return t.left }) {
		q.d.bells.unpark.ring()
	}
}

// free adds n to the room, and returns what there is.
func (q *turns) free(n int) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.room += n
	return q.room
}

// start runs turns in a goroutine.
func (q *turns) start(ctx context.Context, run []*turn) {
	devices := 0
	for _, t := range run {
		devices += t.Devices
	}
	devices = max(devices, smallest)
	q.free(-devices)
	leave := sync.OnceFunc(func() {
		q.free(devices)
		q.bell.ring()
	})
	q.runs.Go(func() {
		defer leave()
		if q.aside {
			defer time.AfterFunc(stepAside, leave).Stop()
		}
		guard.Run(ctx, q.d.Log, func(ctx context.Context) { q.run(ctx, run) })
	})
}

// run runs turns of one lane and kind. Turns that fail are due again soon.
func (q *turns) run(ctx context.Context, run []*turn) {
	ctx, cancel := context.WithTimeout(ctx, jobs.Timeout)
	defer cancel()
	kind := run[0].Kind
	if parent := run[0].Traceparent; parent != "" {
		in, span := q.d.Tracer.Start(tracing.WithParent(ctx, parent), "turn "+kind)
		defer span.End()
		ctx = in
	}
	done, err := q.d.Metrics.Turn(kind, q.queue, run[0].waited), errPanic
	defer func() { done(err) }()
	closed, err := q.d.runTurns(ctx, run)
	defer q.ringForLeft(run)
	if closed > 0 {
		q.close(lane{run[0].Owner, run[0].Service}, time.Now().Add(closed))
	}
	if err == nil {
		return
	}
	q.d.warn(ctx, "turns of the kind "+kind+" failed; trying again", err)
	for _, t := range run {
		t.left, t.again = true, jobs.Backoff(t.Tries-1)
	}
	if err := endTurns(context.WithoutCancel(ctx), q.d.DB, run); err != nil {
		q.d.warn(ctx, "parking turns failed; they are due again when their time is over", err)
	}
}

// errPanic is the result of a run that panics.
var errPanic = errors.New("panic")

// runTurns runs turns of one kind. closed is for how long their push service takes nothing from anybody.
func (d *Dispatcher) runTurns(ctx context.Context, run []*turn) (closed time.Duration, err error) {
	switch run[0].Kind {
	case kindSend:
		return d.send(ctx, run)
	case kindSummary:
		return d.summarize(ctx, run)
	case kindRevision:
		return d.pushRevisions(ctx, run)
	case kindRead:
		return d.pushReadings(ctx, run)
	case kindReturn:
		return d.pushReturns(ctx, run)
	case kindDigest:
		return d.pushDigests(ctx, run)
	case kindConfirm:
		return d.pushConfirmations(ctx, run)
	case kindUnused:
		return d.pushUnused(ctx, run)
	case kindFindRevised:
		return 0, d.findRevised(ctx, run)
	}
	return 0, endTurns(ctx, d.DB, run) // of a later version, which has been taken back
}

// unparking makes turns ready when they are due.
func (d *Dispatcher) unparking(ctx context.Context) {
	for between := (lull{bell: d.bells.unpark}); ctx.Err() == nil; {
		next := time.Second
		guard.Run(ctx, d.Log, func(ctx context.Context) {
			var err error
			var some bool
			if some, next, err = unpark(ctx, d.DB); err != nil {
				d.warn(ctx, "looking for parked turns failed; trying again soon", err)
				next = time.Second
			} else if some {
				d.WakeTurns()
			}
		})
		between.wait(ctx, turnPoll, max(next, turnCooldown))
	}
}

// insertAndWake stores turns in a transaction of their own, and wakes this node.
func (d *Dispatcher) insertAndWake(ctx context.Context, some []turn) error {
	err := insertTurns(ctx, d.DB, some)
	d.WakeTurns()
	return err
}
