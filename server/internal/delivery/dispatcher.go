package delivery

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"

	"golang.org/x/time/rate"
)

// Pruner deletes rows whose retention has ended.
type Pruner interface {
	Prune(ctx context.Context, now time.Time) error
	// CountStorage counts off what was deleted, and purges deleted channels.
	CountStorage(ctx context.Context) error
	// FoldDisplays makes counts of what was displayed.
	FoldDisplays(ctx context.Context) error
	RetireStaleDevices(ctx context.Context, since, now time.Time) (int64, error)
	// WarnAnonymous calls warn with the devices of anonymous subscribers whom nobody uses, before they are deleted.
	WarnAnonymous(
		ctx context.Context, now time.Time, warn func(context.Context, postgres.Tx, []core.Device) error) error
}

// Indexer makes what was published findable by its words.
type Indexer interface {
	// WriteWords indexes the next notifications on the stream.
	WriteWords(ctx context.Context) (core.Indexed, error)
	// WriteChannelWords indexes channels by what they have published since.
	WriteChannelWords(ctx context.Context) (core.Indexed, error)
}

// Config is what a dispatcher works with.
type Config struct {
	DB      *postgres.DB
	Pruner  Pruner
	Indexer Indexer
	Sender  core.PushSender
	Events  core.EventSender
	// Jobs are other packages' jobs, which this node works beside those of delivery.
	Jobs []jobs.Part
	// Positioned is called with the latest position on the stream after it has grown, and the channels with changes.
	Positioned func(ctx context.Context, position int64, channelIDs []core.ID)
	// Returned is called for each notification that is back in a feed because it was postponed until now.
	Returned func(ctx context.Context, subscriberID core.ID, e core.ReadEvent)
	// Analytics captures each notification that is finished, at most once.
	Analytics core.Analytics
	// Transports are the kinds of devices that are pushed to.
	Transports []string
	// Quota is how many pushes a minute all nodes together may send by FCM.
	Quota int
	// WebPushQuota is the most for each other push service.
	WebPushQuota int
	// StorageQuota is how many bytes a publisher may store for which no operator has set another number; 0 is no limit.
	StorageQuota int64
	// Drafts is how many drafts a person may have in a channel.
	Drafts int
	// EventQuota is how many events a second all nodes together may post to one host.
	EventQuota int
	Metrics    *metrics.Delivery // nil: nothing is counted
	Tracer     *tracing.Tracer   // nil: nothing is traced
	Now        func() time.Time
	Log        *slog.Logger
}

// Dispatcher runs the steps of delivery on this node.
type Dispatcher struct {
	Config
	river      *jobs.Client
	writer     *Writer
	bells      bells
	eventDB    chan struct{} // semaphore: at most eventDBWorkers use the database
	readings   readings
	finder     finder
	queues     []*turns
	services   services
	refusals   rate.Sometimes // limits how often it is logged that devices are refused
	retired    rate.Sometimes // limits how often it is logged that they are retired for that
	stop, kill context.CancelFunc
	done       sync.WaitGroup
}

const (
	queueEvents = "events"

	// How many devices the turns of a queue that are under way have. Push services that strangers choose have a queue
	// of their own, so that they cannot hold up FCM.
	fcmRoom         = 4 * batchSize
	webPushRoom     = 8 * batchSize
	findRevisedRoom = 4 * batchSize
)

// New returns a dispatcher that Start starts.
func New(c Config) (*Dispatcher, error) {
	d := &Dispatcher{Config: c, bells: newBells(), eventDB: make(chan struct{}, eventDBWorkers)}
	d.refusals.Interval, d.retired.Interval = time.Minute, time.Minute
	d.queues = []*turns{newTurns(d, queueFCM, fcmRoom, false), newTurns(d, queueWebPush, webPushRoom, true),
		newTurns(d, queueFindRevised, findRevisedRoom, false)}
	for _, t := range c.Transports {
		d.Metrics.Begin(t)
	}
	client, err := jobs.New(c.DB, c.Log, append([]jobs.Part{d.ownJobs()}, c.Jobs...)...)
	d.river = client
	d.writer = d.Writer(c.DB)
	return d, err
}

// Start begins to dispatch.
func (d *Dispatcher) Start(ctx context.Context) error {
	if err := d.river.Start(ctx); err != nil {
		return err
	}
	loops, stop := context.WithCancel(context.WithoutCancel(ctx))
	running, kill := context.WithCancel(context.WithoutCancel(ctx))
	d.stop, d.kill = stop, kill
	for _, q := range d.queues {
		d.done.Go(func() { q.loop(loops, running) })
	}
	for range findWorkers {
		d.done.Go(func() { d.finding(loops) })
	}
	d.done.Go(func() { d.unparking(loops) })
	d.done.Go(func() { d.reading(loops) })
	d.done.Go(func() { d.indexing(loops, metrics.IndexedNotifications, d.bells.words, never, d.Indexer.WriteWords) })
	d.done.Go(func() { d.indexing(loops, metrics.IndexedChannels, nil, channelsEvery, d.Indexer.WriteChannelWords) })
	for _, step := range []struct {
		bell bell
		run  func(ctx context.Context)
	}{
		{d.bells.release, d.release},
		{d.bells.plans, d.followPlans},
		{d.bells.held, d.releaseHeld},
		{d.bells.snoozed, d.returnSnoozed},
		{d.bells.digests, d.tellDigests},
		{d.bells.finish, d.finish},
		{d.bells.events, d.postDue},
		{d.bells.subscribers, d.notifySubscribers},
		{d.bells.storage, d.countStorage},
		{d.bells.displays, d.foldDisplays},
	} {
		d.done.Go(func() { d.whenever(loops, step.bell, step.run) })
	}
	d.done.Go(func() { d.watch(loops) })
	return nil
}

// Stop lets the turns and jobs under way finish, for a bounded time.
func (d *Dispatcher) Stop(ctx context.Context) error {
	d.stop()
	defer time.AfterFunc(stopPatience, d.kill).Stop()
	d.done.Wait()
	d.kill()
	return d.river.Stop(ctx)
}

// Writer returns the writer of this node, which uses the connections of db.
func (d *Dispatcher) Writer(db *postgres.DB) *Writer {
	return NewWriter(WriterConfig{DB: db, WakeFinder: d.bells.find.ring, WakeTurns: d.WakeTurns,
		Positioned: d.positioned, Analytics: d.Analytics, Metrics: d.Metrics, Tracer: d.Tracer, Now: d.Now, Log: d.Log,
		StorageQuota: d.StorageQuota, Drafts: d.Drafts})
}

// positioned has what follows a change of the stream done soon: the end of a dispatch, and search.
func (d *Dispatcher) positioned(ctx context.Context, position int64, channelIDs []core.ID) {
	d.bells.watch.ring()
	d.Positioned(ctx, position, channelIDs)
}

// NudgeEvents wakes the dispatcher when there is an event to post. It never blocks.
func (d *Dispatcher) NudgeEvents() { d.bells.events.ring() }

// WakeTurns wakes everything that turns may wait for. It never blocks.
func (d *Dispatcher) WakeTurns() {
	d.bells.watch.ring()
	for _, q := range d.queues {
		q.bell.ring()
	}
}

// release publishes everything that is due and hides everything that has expired.
func (d *Dispatcher) release(ctx context.Context) {
	for {
		n, err := d.writer.Release(ctx)
		if err != nil {
			d.warn(ctx, "release failed; trying again soon", err)
		}
		if err != nil || n < releaseSize {
			return
		}
	}
}

// whenever runs a step each time that its bell rings. Each has a loop of its own, so that none delays another.
func (d *Dispatcher) whenever(ctx context.Context, b bell, step func(ctx context.Context)) {
	for {
		b.wait(ctx, never)
		if ctx.Err() != nil {
			return
		}
		guard.Run(ctx, d.Log, step)
	}
}

// warn logs an error of a step, which is tried again by itself.
func (d *Dispatcher) warn(ctx context.Context, step string, err error) {
	if ctx.Err() == nil {
		d.Log.WarnContext(ctx, "delivery: "+step, "error", err)
	}
}
