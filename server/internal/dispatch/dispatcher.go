package dispatch

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/rescue"
)

// Store keeps the outbox, the dispatches and the outcomes.
type Store interface {
	Claim(ctx context.Context, limit int, now time.Time, then func(ctx context.Context, tx pgx.Tx, claimed []core.Claimed) error) ([]core.Claimed, error)
	Release(ctx context.Context, now time.Time, limit int) (int, error)
	PushedNotification(ctx context.Context, id core.ID) (core.Notification, error)
	Expand(ctx context.Context, notifications []core.ID, perNotification int, now time.Time,
		then func(ctx context.Context, tx pgx.Tx, wanted []core.Wanted) error) (unfinished []core.ID, err error)
	Undelivered(ctx context.Context, notificationID core.ID, devices []core.ID) ([]core.Address, error)
	ReleaseHeld(ctx context.Context, devices int, now time.Time, then func(ctx context.Context, tx pgx.Tx, held []core.Held) error) (int, error)
	UndeliveredHeld(ctx context.Context, held []core.Held) ([]core.Held, error)
	PushedNotifications(ctx context.Context, ids []core.ID) ([]core.Notification, error)
	Unrevised(ctx context.Context, notificationID, after core.ID, limit int, revisedAt time.Time) ([]core.ID, error)
	UnrevisedAmong(ctx context.Context, notificationID core.ID, devices []core.ID, revisedAt time.Time) ([]core.Address, error)
	RecordRevised(ctx context.Context, deliveries []core.Delivery, revisedAt, now time.Time) error
	Record(ctx context.Context, deliveries []core.Delivery, now time.Time) error
	Reserve(ctx context.Context, n int, perMinute int, patience time.Duration) (wait, later time.Duration, err error)
	Pause(ctx context.Context, d time.Duration, cause string) error
	RetireStaleDevices(ctx context.Context, since, now time.Time) (int64, error)
	Prune(ctx context.Context, now time.Time) error
	Finish(ctx context.Context, limit int, now time.Time) (looked int, finished []core.FinishedDispatch, err error)
	TellSubscribers(ctx context.Context, now time.Time) (events int, err error)
	DueEventEndpoints(ctx context.Context, limit int, now time.Time) ([]core.ID, error)
	DueEvents(ctx context.Context, endpointID core.ID, limit int, now time.Time) (core.EventEndpoint, core.EventSecrets, []core.EventDelivery, error)
	RecordEventAttempt(ctx context.Context, endpointID, deliveryID core.ID, a core.EventAttempt) (enabled bool, err error)
}

// Config is what a dispatcher works with.
type Config struct {
	Store  Store
	Sender core.PushSender
	Events core.EventSender
	// Letters sends e-mails; nil where no mail server is set.
	Letters Letters
	// Placed is told the stream's position after each claim, outside the transaction.
	Placed func(ctx context.Context, position int64)
	// Analytics is told of each notification that is finished, once.
	Analytics core.Analytics
	// Quota is how many pushes a minute all nodes together may send.
	Quota int
	Now   func() time.Time
	Log   *slog.Logger
}

// Dispatcher pushes what was published.
type Dispatcher struct {
	Config
	river    *river.Client[pgx.Tx]
	wake     chan struct{}
	wakeTell chan struct{}
	telling  chan struct{} // holds as many as use the database to send events
	stop     context.CancelFunc
	done     sync.WaitGroup
}

const (
	claimSize  = 1_000
	sweepEvery = time.Second // for what is due, and what a crash left behind
	pruneEvery = time.Hour

	jobTimeout = 15 * time.Second
	rescueIn   = 20 * time.Second // a job whose node died is tried again after this long
	softStop   = 10 * time.Second

	queueExpand, queueSend, queueTell = "expand", "send", "tell"
	expandWorkers                     = 4
	sendWorkers                       = 4
	maxAttempts                       = 30_000 // errors here are never the notification's fault
)

// New makes a dispatcher over the pool that the store uses.
func New(pool *pgxpool.Pool, c Config) (*Dispatcher, error) {
	queues := letterQueues(c)
	queues[queueExpand] = river.QueueConfig{MaxWorkers: expandWorkers}
	queues[queueSend] = river.QueueConfig{MaxWorkers: sendWorkers}
	queues[queueTell] = river.QueueConfig{MaxWorkers: tellWorkers}
	return newDispatcher(pool, c, queues)
}

// newDispatcher works at some queues. It knows the jobs of all of them, because any node may have to rescue those of a
// node that died.
func newDispatcher(pool *pgxpool.Pool, c Config, queues map[string]river.QueueConfig) (*Dispatcher, error) {
	d := &Dispatcher{Config: c, wake: make(chan struct{}, 1), wakeTell: make(chan struct{}, 1), telling: make(chan struct{}, tellStore)}
	workers := river.NewWorkers()
	river.AddWorker(workers, &expandWorker{d: d})
	river.AddWorker(workers, &sendWorker{d: d})
	river.AddWorker(workers, &summaryWorker{d: d})
	river.AddWorker(workers, &reviseWorker{d: d})
	river.AddWorker(workers, &revisionWorker{d: d})
	river.AddWorker(workers, &tellWorker{d: d})
	river.AddWorker(workers, &letterWorker{d: d})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Queues:                      queues,
		Workers:                     workers,
		FetchCooldown:               5 * time.Millisecond,
		FetchPollInterval:           100 * time.Millisecond,
		JobTimeout:                  jobTimeout,
		RescueStuckJobsAfter:        rescueIn,
		MaxAttempts:                 maxAttempts,
		RetryPolicy:                 retryPolicy{},
		SoftStopTimeout:             softStop,
		CompletedJobRetentionPeriod: 10 * time.Minute,
		Logger:                      c.Log.With("part", "river"),
	})
	d.river = client
	return d, err
}

// Start begins to dispatch.
func (d *Dispatcher) Start(ctx context.Context) error {
	if err := d.river.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	d.stop = func() {}
	if d.Store == nil { // it sends letters only
		return nil
	}
	loops, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stop = stop
	rescue.Run(ctx, d.Log, d.claim) // what was left behind comes before what is new
	d.done.Go(func() { d.sweep(loops) })
	d.done.Go(func() { d.prune(loops) })
	d.done.Go(func() { d.finishing(loops) })
	return nil
}

// Stop lets the jobs under way finish, for a bounded time.
func (d *Dispatcher) Stop(ctx context.Context) error {
	d.stop()
	d.done.Wait()
	return d.river.Stop(ctx)
}

// Nudge says that something was published. It never blocks.
func (d *Dispatcher) Nudge() { nudge(d.wake) }

// NudgeEvents says that there is an event to send. It never blocks.
func (d *Dispatcher) NudgeEvents() { nudge(d.wakeTell) }

func nudge(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (d *Dispatcher) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		case <-tick.C:
			rescue.Run(ctx, d.Log, d.release, d.releaseHeld)
		}
		rescue.Run(ctx, d.Log, d.claim)
	}
}

// release publishes what is due and takes out what has expired.
func (d *Dispatcher) release(ctx context.Context) {
	for {
		n, err := d.Store.Release(ctx, d.Now(), claimSize)
		if err != nil && ctx.Err() == nil {
			d.Log.WarnContext(ctx, "dispatch: release", "error", err)
		}
		if err != nil || n < claimSize {
			return
		}
	}
}

// claim empties the outbox.
func (d *Dispatcher) claim(ctx context.Context) {
	for {
		claimed, err := d.Store.Claim(ctx, claimSize, d.Now(), d.insertClaimed)
		if err != nil {
			if ctx.Err() == nil {
				d.Log.WarnContext(ctx, "dispatch: claim", "error", err)
			}
			return
		}
		if len(claimed) > 0 {
			last := claimed[0].Position
			for _, c := range claimed {
				last = max(last, c.Position)
			}
			d.Placed(ctx, last)
		}
		if len(claimed) < claimSize {
			return
		}
	}
}

func (d *Dispatcher) insertClaimed(ctx context.Context, tx pgx.Tx, claimed []core.Claimed) error {
	var ids []core.ID
	var jobs []river.InsertManyParams
	for _, c := range claimed {
		if c.New {
			ids = append(ids, c.ID)
		}
		if c.Revised {
			jobs = append(jobs, reviseJobs(c.ID)...)
		}
	}
	for some := range slices.Chunk(ids, expandTogether) {
		jobs = append(jobs, river.InsertManyParams{Args: expandArgs{Notifications: pack(some)}})
	}
	return d.insert(ctx, tx, jobs)
}

func (d *Dispatcher) insert(ctx context.Context, tx pgx.Tx, jobs []river.InsertManyParams) error {
	if len(jobs) == 0 {
		return nil
	}
	_, err := d.river.InsertManyFastTx(ctx, tx, jobs)
	return err
}

func (d *Dispatcher) prune(ctx context.Context) {
	tick := time.NewTicker(pruneEvery)
	defer tick.Stop()
	for {
		rescue.Run(ctx, d.Log, d.pruneRows, d.retireStaleDevices)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (d *Dispatcher) pruneRows(ctx context.Context) {
	if err := d.Store.Prune(ctx, d.Now()); err != nil && ctx.Err() == nil {
		d.Log.WarnContext(ctx, "dispatch: prune", "error", err)
	}
}

func (d *Dispatcher) retireStaleDevices(ctx context.Context) {
	now := d.Now()
	if n, err := d.Store.RetireStaleDevices(ctx, now.Add(-core.DeviceStale), now); err != nil && ctx.Err() == nil {
		d.Log.WarnContext(ctx, "dispatch: retire stale devices", "error", err)
	} else if n > 0 {
		d.Log.InfoContext(ctx, "retired stale devices", "count", n)
	}
}

// retryPolicy is for jobs that fail by no fault of theirs, as when the database is away.
type retryPolicy struct{}

func (retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().Add(backoff(len(job.Errors)))
}
