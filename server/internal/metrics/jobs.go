package metrics

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Jobs counts River's jobs, as middleware of the client that works them, and runs of turns.
type Jobs struct {
	river.MiddlewareDefaults

	worked         *prometheus.CounterVec
	duration, wait *prometheus.HistogramVec
	running        *prometheus.GaugeVec
}

func newJobs(r *registry) *Jobs {
	return &Jobs{
		worked: r.counters("jobs_worked_total", "Jobs that this node has worked, by the result: completed, snoozed "+
			"(there is more to do later), cancelled (no use in trying again) or failed (tried again).",
			"kind", "result"),
		duration: r.histograms("job_duration_seconds", "How long jobs ran.", briefly, "kind"),
		wait: r.histograms("job_wait_seconds",
			"How long jobs waited for a worker, from the time they were due.", longer, "queue"),
		running: r.gauges("jobs_running", "Jobs that run on this node.", "kind"),
	}
}

// Work implements rivertype.WorkerMiddleware.
func (m *Jobs) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) (err error) {
	done := m.begin(job.Kind, job.Queue, time.Since(job.ScheduledAt))
	err = errPanic
	defer func() { done(err) }()
	err = work(ctx)
	return err
}

// errPanic is the result of a job that panics.
var errPanic = errors.New("panic")

// begin counts that a job begins to run. The caller calls done with its result.
func (m *Jobs) begin(kind, queue string, waited time.Duration) (done func(error)) {
	start := time.Now()
	m.wait.WithLabelValues(queue).Observe(max(0, waited.Seconds()))
	running := m.running.WithLabelValues(kind)
	running.Inc()
	return func(err error) {
		running.Dec()
		m.duration.WithLabelValues(kind).Observe(time.Since(start).Seconds())
		m.worked.WithLabelValues(kind, resultOf(err)).Inc()
	}
}

func resultOf(err error) string {
	var snooze *river.JobSnoozeError
	var cancel *river.JobCancelError
	switch {
	case err == nil:
		return "completed"
	case errors.As(err, &snooze):
		return "snoozed"
	case errors.As(err, &cancel):
		return "cancelled"
	default:
		return "failed"
	}
}
