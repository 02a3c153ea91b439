package emails

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/jobs"
)

// Jobs contributes a kind of job that sends an email, on a node that sends them. Send is that of Worker.
func Jobs[T river.JobArgs](send func(ctx context.Context, args T) error, log *slog.Logger) jobs.Part {
	return jobs.Part{
		Register: func(workers *river.Workers) { river.AddWorker(workers, NewWorker(send, log)) },
		Queues:   Queues(),
	}
}

// RescueOnly contributes a kind of job that sends an email, on a node without a mail server.
func RescueOnly[T river.JobArgs]() jobs.Part {
	return jobs.Part{Register: func(workers *river.Workers) { jobs.RescueOnly[T](workers, JobTimeout) }}
}
