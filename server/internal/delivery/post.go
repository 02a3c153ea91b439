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
	"github.com/sininho/sininho/server/internal/rescue"
)

// postArgs is the job that posts what is due to an event endpoint. There is at most one for each endpoint, so that a
// slow endpoint holds up only itself. Its kind is from an earlier version, whose jobs may still be queued.
type postArgs struct {
	EndpointID core.ID `json:"endpointId"`
}

// Kind implements river.JobArgs.
func (postArgs) Kind() string { return "tell" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (postArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueEvents, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: unended}}
}

const (
	postWorkers    = 200 // they wait for the endpoints, and cost nothing meanwhile
	postTogether   = 16  // events to one endpoint
	postAhead      = 100 // due events among which those are chosen
	postSlice      = 10 * time.Second
	postTime       = 15 * time.Second // for one event
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

// Work posts what is due until there is no more or its time is up; then the sweep inserts another job.
func (w *postWorker) Work(ctx context.Context, job *river.Job[postArgs]) error {
	for until := time.Now().Add(postSlice); time.Now().Before(until); {
		more, err := w.d.postSome(ctx, job.Args.EndpointID)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// postSome posts the next events to an endpoint. It reports whether there may be more.
func (d *Dispatcher) postSome(ctx context.Context, endpointID core.ID) (more bool, err error) {
	var e core.EventEndpoint
	var secrets core.EventSecrets
	var due []core.EventDelivery
	d.withEventDB(func() { e, secrets, due, err = DueEvents(ctx, d.DB, endpointID, postAhead, d.Now()) })
	if err != nil || len(due) == 0 {
		return false, err
	}
	return d.post(ctx, e, secrets, core.NextEvents(due, postTogether))
}

// withEventDB bounds how many connections events take from the pushes, however many endpoints there are.
func (d *Dispatcher) withEventDB(use func()) {
	d.eventDB <- struct{}{}
	defer func() { <-d.eventDB }()
	use()
}

// post posts events together. It reports whether the endpoint is still enabled.
func (d *Dispatcher) post(
	ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, events []core.EventDelivery,
) (enabled bool, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	enabled = true
	for _, event := range events {
		all.Go(func() {
			still, failed := true, errPanicked
			rescue.Run(ctx, d.Log, func(ctx context.Context) { still, failed = d.postOne(ctx, e, secrets, event) })
			mu.Lock()
			defer mu.Unlock()
			enabled = enabled && still
			err = cmp.Or(err, failed)
		})
	}
	all.Wait()
	return enabled, err
}

// errPanicked makes the job wait before it posts the event again.
var errPanicked = errors.New("posting an event panicked")

// postOne posts one event and records the attempt, unless this node stops: that is not the endpoint's fault.
func (d *Dispatcher) postOne(ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets,
	event core.EventDelivery) (enabled bool, err error) {
	a := d.Events.Send(ctx, e, secrets, event)
	if ctx.Err() != nil {
		return true, nil
	}
	return d.recordAttempt(ctx, event, a)
}

// recordAttempt records an attempt also when the job's time is up.
func (d *Dispatcher) recordAttempt(
	ctx context.Context, event core.EventDelivery, a core.EventAttempt,
) (enabled bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	d.withEventDB(func() { enabled, err = RecordAttempt(ctx, d.DB, event.EndpointID, event.ID, a) })
	if core.IsCode(err, core.CodeNotFound) {
		err = nil // it was deleted meanwhile
	}
	return enabled, err
}

// postDue inserts a job for each endpoint to which something is due, unless it has one.
func (d *Dispatcher) postDue(ctx context.Context) {
	ids, err := DueEndpoints(ctx, d.DB, postEndpoints, d.Now())
	if err == nil && len(ids) > 0 {
		jobs := make([]river.InsertManyParams, len(ids))
		for i, id := range ids {
			jobs[i].Args = postArgs{EndpointID: id}
		}
		_, err = d.river.InsertMany(ctx, jobs)
	}
	if err != nil {
		d.warn(ctx, "posting events failed; trying again in a second", err)
	}
}
