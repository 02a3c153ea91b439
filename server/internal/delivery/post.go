package delivery

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
)

// postArgs is the job that posts what is due to an event endpoint. There is at most one for each endpoint, so that a
// slow endpoint holds up only itself.
type postArgs struct {
	EndpointID core.ID `json:"endpointId"`
}

// Kind implements river.JobArgs.
func (postArgs) Kind() string { return "post_events" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (postArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueEvents, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: unended}}
}

const (
	postWorkers    = 200 // they wait for the endpoints, and cost nothing meanwhile
	postTogether   = 16  // events to one endpoint, at most
	postAhead      = 100 // due events among which those are chosen
	postSlice      = 10 * time.Second
	postTime       = 15 * time.Second // for one event
	recordTime     = 4 * time.Second
	postTimeout    = postSlice + postTime + recordTime
	postEndpoints  = 1_000 // jobs inserted at once
	eventDBWorkers = 2
)

// unended are the states of jobs that are still to be done.
var unended = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
	rivertype.JobStateRetryable, rivertype.JobStateScheduled}

type postWorker struct {
	river.WorkerDefaults[postArgs]
	d *Dispatcher
}

// Timeout implements river.Worker: what is begun at the end of the slice is finished.
func (w *postWorker) Timeout(*river.Job[postArgs]) time.Duration { return postTimeout }

// Work posts what is due until there is no more or its time is up; then postDue inserts another job.
func (w *postWorker) Work(ctx context.Context, job *river.Job[postArgs]) error {
	return growing(time.Now().Add(postSlice), func(n int) (more bool, err error) {
		return w.d.postSome(ctx, job.Args.EndpointID, n)
	})
}

// growing calls post, which posts up to n events, until there are no more or the time is up. It begins with one event,
// and twice as many each time the endpoint accepts some, so that one that fails gets one request, and one that recovers
// is not flooded.
func growing(until time.Time, post func(n int) (more bool, err error)) error {
	for n := 1; time.Now().Before(until); n = min(2*n, postTogether) {
		if more, err := post(n); err != nil || !more {
			return err
		}
	}
	return nil
}

// postSome posts up to n of the next events to an endpoint. It reports whether there may be more to post now.
func (d *Dispatcher) postSome(ctx context.Context, endpointID core.ID, n int) (more bool, err error) {
	var e core.EventEndpoint
	var secrets core.EventSecrets
	var due []core.EventDelivery
	d.withEventDB(func() { e, secrets, due, err = DueEvents(ctx, d.DB, endpointID, postAhead, d.Now()) })
	if err != nil || len(due) == 0 {
		return false, err
	}
	events := core.NextEvents(due, n)
	if inTime, err := d.awaitHost(ctx, e, len(events)); err != nil || !inTime {
		return false, err
	}
	parents, err := d.parents(ctx, d.DB, subjects(events))
	if err != nil {
		return false, err
	}
	return d.post(ctx, e, secrets, events, parents)
}

// hostPatience is how long a job waits for its turn at a busy host; after that another job does.
const hostPatience = time.Second

// awaitHost waits until n events may be posted to the endpoint's host, at the pace that all endpoints and nodes share.
// It reports whether that was possible in time.
func (d *Dispatcher) awaitHost(ctx context.Context, e core.EventEndpoint, n int) (inTime bool, err error) {
	takes := time.Duration(n) * time.Second / time.Duration(d.EventQuota)
	var wait time.Duration
	d.withEventDB(func() { wait, inTime, err = postgres.Reserve(ctx, d.DB, "events:"+e.Host(), takes, hostPatience) })
	if err != nil || !inTime {
		return false, err
	}
	select {
	case <-time.After(wait):
		return true, nil
	case <-ctx.Done():
		return false, nil
	}
}

// withEventDB bounds how many connections events take from the pushes, however many endpoints there are.
func (d *Dispatcher) withEventDB(use func()) {
	d.eventDB <- struct{}{}
	defer func() { <-d.eventDB }()
	use()
}

// post posts events together, in the traces of their subjects. It reports whether more may be posted.
func (d *Dispatcher) post(
	ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, events []core.EventDelivery,
	parents map[core.ID]string,
) (more bool, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	var attempts []core.EventAttempt
	for _, event := range events {
		all.Go(func() {
			var made []core.EventAttempt
			failed := errPanicked
			guard.Run(tracing.WithParent(ctx, parents[event.Subject]), d.Log, func(ctx context.Context) {
				made, failed = d.postOne(ctx, e, secrets, event)
			})
			mu.Lock()
			defer mu.Unlock()
			attempts = append(attempts, made...)
			err = cmp.Or(err, failed)
		})
	}
	all.Wait()
	if len(attempts) == 0 {
		return false, err
	}
	more, failed := d.recordResult(ctx, e, attempts)
	return more, cmp.Or(err, failed)
}

// errPanicked makes the job wait before it posts the event again.
var errPanicked = errors.New("posting an event panicked")

// postOne posts one event and records the attempt, unless this node stops: that is not the endpoint's fault.
func (d *Dispatcher) postOne(ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets,
	event core.EventDelivery) ([]core.EventAttempt, error) {
	ctx, span := d.Tracer.Call(ctx, "post event")
	defer span.End()
	a := d.Events.Send(ctx, e, secrets, event)
	if ctx.Err() != nil {
		return nil, nil
	}
	d.Metrics.Posted(a.Status, a.Duration)
	span.Text("event.type", string(event.Type))
	span.Number("http.response.status_code", a.Status)
	if !a.Delivered() {
		span.Fail(a.Error)
	}
	return []core.EventAttempt{a}, d.withinRecordTime(ctx, func(ctx context.Context) error {
		return RecordAttempt(ctx, d.DB, event.ID, a)
	})
}

// recordResult records what the attempts say about the endpoint. That of a working endpoint is nothing new.
func (d *Dispatcher) recordResult(
	ctx context.Context, e core.EventEndpoint, attempts []core.EventAttempt,
) (more bool, err error) {
	after := e
	after.Take(attempts...)
	if after.Enabled && !after.Failing() && !e.Failing() {
		return true, nil
	}
	err = d.withinRecordTime(ctx, func(ctx context.Context) error {
		more, err = RecordResult(ctx, d.DB, e.ID, attempts)
		return err
	})
	return more, err
}

// withinRecordTime records results also when the job's time is up.
func (d *Dispatcher) withinRecordTime(ctx context.Context, do func(context.Context) error) (err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	d.withEventDB(func() { err = do(ctx) })
	if core.IsCode(err, core.CodeNotFound) {
		err = nil // it was deleted meanwhile
	}
	return err
}

// postDue inserts a job for each endpoint to which something is due, unless it has one.
func (d *Dispatcher) postDue(ctx context.Context) {
	ids, err := DueEndpoints(ctx, d.DB, postEndpoints, d.Now())
	if err == nil && len(ids) > 0 {
		d.bells.watch.ring() // there may be more soon
		jobs := make([]river.InsertManyParams, len(ids))
		for i, id := range ids {
			jobs[i].Args = postArgs{EndpointID: id}
		}
		err = d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error { return d.river.Insert(ctx, tx, jobs) })
	}
	if err != nil {
		d.warn(ctx, "posting events failed; trying again soon", err)
	}
}
