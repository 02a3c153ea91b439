package delivery

import (
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/jobs"
)

// kinds are all kinds of jobs of delivery.
var kinds = []interface {
	work(workers *river.Workers, d *Dispatcher)
	rescue(workers *river.Workers)
}{
	kind[postArgs]{
		worker:  func(d *Dispatcher) river.Worker[postArgs] { return &postWorker{d: d} },
		timeout: postTimeout,
	},
	kind[pruneArgs]{
		worker:  func(d *Dispatcher) river.Worker[pruneArgs] { return &pruneWorker{d: d} },
		timeout: pruneTimeout,
	},
}

// kind is one kind of job.
type kind[T river.JobArgs] struct {
	worker  func(*Dispatcher) river.Worker[T]
	timeout time.Duration // of the worker; 0 is jobs.Timeout
}

func (k kind[T]) work(workers *river.Workers, d *Dispatcher) { river.AddWorker(workers, k.worker(d)) }

func (k kind[T]) rescue(workers *river.Workers) { jobs.RescueOnly[T](workers, k.timeout) }

// ownJobs contributes the jobs of all steps on a node that works them.
func (d *Dispatcher) ownJobs() jobs.Part {
	return jobs.Part{
		Register: func(workers *river.Workers) {
			for _, k := range kinds {
				k.work(workers, d)
			}
		},
		Queues: map[string]river.QueueConfig{
			queueEvents: {MaxWorkers: postWorkers},
			queuePrune:  {MaxWorkers: 1, FetchPollInterval: time.Minute}, // it is notified
		},
		Periodic: []*river.PeriodicJob{pruning()},
	}
}

// RescueOnly contributes the jobs of all steps on a node that works none of them.
func RescueOnly() jobs.Part {
	return jobs.Part{Register: func(workers *river.Workers) {
		for _, k := range kinds {
			k.rescue(workers)
		}
	}}
}

// Jobs returns the client that other packages insert their jobs through.
func (d *Dispatcher) Jobs() *jobs.Client { return d.river }
