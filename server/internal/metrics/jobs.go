package metrics

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Jobs counts River's jobs. It is middleware of the client that works them.
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
	start, panicked := time.Now(), true
	m.wait.WithLabelValues(job.Queue).Observe(max(0, start.Sub(job.ScheduledAt).Seconds()))
	running := m.running.WithLabelValues(job.Kind)
	running.Inc()
	defer func() {
		running.Dec()
		m.duration.WithLabelValues(job.Kind).Observe(time.Since(start).Seconds())
		result := resultOf(err)
		if panicked {
			result = "failed"
		}
		m.worked.WithLabelValues(job.Kind, result).Inc()
	}()
	err = work(ctx)
	panicked = false
	return err
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
