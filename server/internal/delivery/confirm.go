package delivery

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
)

// DeviceStore is a store of devices that confirms new addresses: it queues a push to each in the transaction that
// stores it, so that neither exists without the other.
type DeviceStore struct {
	*postgres.Store
	jobs *jobs.Client
}

// NewDeviceStore returns a store that queues its pushes with a client.
func NewDeviceStore(store *postgres.Store, client *jobs.Client) *DeviceStore {
	return &DeviceStore{Store: store, jobs: client}
}

var _ core.DeviceStore = (*DeviceStore)(nil)

// RegisterDevice implements core.DeviceStore.
func (s *DeviceStore) RegisterDevice(
	ctx context.Context, c core.Caller, in core.Registration, now time.Time,
) (core.Device, core.Creation, error) {
	return s.Store.RegisterDevice(ctx, c, in, now, s.confirm)
}

func (s *DeviceStore) confirm(ctx context.Context, tx postgres.Tx, d core.Device) error {
	return s.jobs.Insert(ctx, tx, []river.InsertManyParams{{
		Args:       confirmArgs{ID: core.NewID(), DeviceID: d.ID, Address: d.Push.Address},
		InsertOpts: &river.InsertOpts{Queue: queueOf(d.Push.Service()), Priority: priority(0)},
	}})
}

// confirmArgs is the job that pushes a confirmation to a new address of a device.
type confirmArgs struct {
	ID       core.ID `json:"id"` // of the push, so that a device shows it once
	DeviceID core.ID `json:"deviceId"`
	Address  string  `json:"address"`
}

// Kind implements river.JobArgs.
func (confirmArgs) Kind() string { return "confirm" }

type confirmWorker struct {
	river.WorkerDefaults[confirmArgs]
	d *Dispatcher
}

// Work pushes to the address, unless it rings already or the device has another, and snoozes the job if the push
// service does not take it now. The job ends with the device, which is retired if it does not ring in time.
func (w *confirmWorker) Work(ctx context.Context, job *river.Job[confirmArgs]) error {
	var to []struct {
		address
		Locale string `bun:"locale"`
	}
	err := w.d.DB.NewSelect().TableExpr("devices d").Join("join subscribers s on s.id = d.subscriber_id").
		ColumnExpr("d.id as device_id, s.locale, "+pushColumns).Where("d.id = ?", job.Args.DeviceID).
		Where("d.address = ?", job.Args.Address).Where("d.retired_at is null").Where("d.rings_since is null").
		Scan(ctx, &to)
	if err != nil || len(to) == 0 {
		return postgres.Error(err)
	}
	push := core.NewConfirmation(job.Args.ID, core.LanguageOf(to[0].Locale), w.d.Now())
	b := &batch{d: w.d, save: func(ctx context.Context, deliveries []core.Delivery, now time.Time) error {
		return noteDevices(ctx, w.d.DB, deliveries, now)
	}}
	b.items = []item{{address: to[0].address, push: &push, targets: []target{{}}}}
	return b.run(ctx, job.JobRow)
}
