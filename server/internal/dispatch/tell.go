package dispatch

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

// tellArgs is the job that sends an event endpoint what is due. There is one at most for each endpoint, so that a slow one
// holds up itself only.
type tellArgs struct {
	EndpointID core.ID `json:"endpointId"`
}

// Kind implements river.JobArgs.
func (tellArgs) Kind() string { return "tell" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (tellArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueTell, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: unended}}
}

const (
	tellWorkers   = 200 // they wait for the endpoints, and cost nothing meanwhile
	tellTogether  = 16  // events to one endpoint
	tellAhead     = 100 // of which those are chosen
	tellSlice     = 10 * time.Second
	tellTime      = 15 * time.Second // for one event
	tellEndpoints = 1_000
	tellStore     = 2 // connections to the database
)

// unended are the states of jobs that are still to be done.
var unended = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
	rivertype.JobStateRetryable, rivertype.JobStateScheduled}

type tellWorker struct {
	river.WorkerDefaults[tellArgs]
	d *Dispatcher
}

// Timeout implements river.Worker: what is begun at the end of the slice is finished.
func (w *tellWorker) Timeout(*river.Job[tellArgs]) time.Duration {
	return tellSlice + tellTime + recordTime
}

// Work sends what is due, until there is no more or its time is up; then the sweep makes another job.
func (w *tellWorker) Work(ctx context.Context, job *river.Job[tellArgs]) error {
	for until := time.Now().Add(tellSlice); time.Now().Before(until); {
		more, err := w.d.tellSome(ctx, job.Args.EndpointID)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// tellSome sends the next events to an endpoint. It reports whether there may be more.
func (d *Dispatcher) tellSome(ctx context.Context, endpointID core.ID) (more bool, err error) {
	var e core.EventEndpoint
	var secrets core.EventSecrets
	var due []core.EventDelivery
	d.sparingly(func() { e, secrets, due, err = d.Store.DueEvents(ctx, endpointID, tellAhead, d.Now()) })
	if err != nil || len(due) == 0 {
		return false, err
	}
	return d.tell(ctx, e, secrets, core.NextEvents(due, tellTogether))
}

// sparingly leaves connections to the database to the pushes, however many endpoints there are.
func (d *Dispatcher) sparingly(use func()) {
	d.telling <- struct{}{}
	defer func() { <-d.telling }()
	use()
}

// tell sends events together. It reports whether the endpoint is still in service.
func (d *Dispatcher) tell(ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, events []core.EventDelivery) (enabled bool, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	enabled = true
	for _, event := range events {
		all.Go(func() {
			still, failed := true, errPanicked
			rescue.Run(ctx, d.Log, func(ctx context.Context) { still, failed = d.tellOne(ctx, e, secrets, event) })
			mu.Lock()
			defer mu.Unlock()
			enabled, err = enabled && still, cmp.Or(err, failed)
		})
	}
	all.Wait()
	return enabled, err
}

// errPanicked makes the job wait before it sends the event again.
var errPanicked = errors.New("sending an event panicked")

// tellOne sends one event and records the outcome, unless this node stops: that is not the endpoint's fault.
func (d *Dispatcher) tellOne(ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets,
	event core.EventDelivery) (enabled bool, err error) {
	a := d.Events.Send(ctx, e, secrets, event)
	if ctx.Err() != nil {
		return true, nil
	}
	return d.recordEvent(ctx, event, a)
}

// recordEvent keeps what came of an event, also when the job's time is up.
func (d *Dispatcher) recordEvent(ctx context.Context, event core.EventDelivery, a core.EventAttempt) (enabled bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	d.sparingly(func() { enabled, err = d.Store.RecordEventAttempt(ctx, event.EndpointID, event.ID, a) })
	if core.IsCode(err, core.CodeNotFound) {
		err = nil // it was deleted meanwhile
	}
	return enabled, err
}

// tellDue makes jobs for the endpoints to which something is to be sent, unless they have one.
func (d *Dispatcher) tellDue(ctx context.Context) {
	ids, err := d.Store.DueEventEndpoints(ctx, tellEndpoints, d.Now())
	if err == nil && len(ids) > 0 {
		jobs := make([]river.InsertManyParams, len(ids))
		for i, id := range ids {
			jobs[i].Args = tellArgs{EndpointID: id}
		}
		_, err = d.river.InsertMany(ctx, jobs)
	}
	if err != nil && ctx.Err() == nil {
		d.Log.WarnContext(ctx, "dispatch: tell event endpoints", "error", err)
	}
}
