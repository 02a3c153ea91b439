package metrics

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sininho/sininho/server/internal/core"
)

// Delivery counts what becomes of notifications.
type Delivery struct {
	published                                       prometheus.Counter
	publishes                                       *prometheus.CounterVec
	queue                                           prometheus.Gauge
	groupSize, groupTime, dispatchStart, dispatched prometheus.Observer
	outcomes, attempts, retries                     *prometheus.CounterVec
	pushTime                                        *prometheus.HistogramVec
	granted, turnedAway                             prometheus.Counter
	jobs                                            *Jobs
	pauses                                          *prometheus.CounterVec
	posts                                           *prometheus.CounterVec
	postTime                                        prometheus.Observer
	unindexed, skipped                              *prometheus.CounterVec
}

func newDelivery(r *registry, jobs *Jobs) *Delivery {
	m := &Delivery{
		jobs: jobs,
		published: r.counter("notifications_published_total",
			"Notifications that were published, by the API, by webhooks and by schedule."),
		publishes: r.counters("publishes_total",
			"Notifications that callers asked to publish one by one, by the result.", "result"),
		queue: r.gauge("publishes_waiting", "Publishes that wait for a transaction."),
		groupSize: r.histogram("publish_group_size", "How many publishes share a transaction.",
			[]float64{1, 2, 5, 10, 20, 50, 100, 200, 500}),
		groupTime: r.histogram("publish_group_duration_seconds",
			"How long the transaction of a group took, with the wait for the stream's lock.", briefly),
		dispatchStart: r.histogram("dispatch_start_seconds",
			"Time from a publish until the pushes to its first devices began.", longer),
		dispatched: r.histogram("dispatch_duration_seconds",
			"Time from a publish until every device had its outcome, if there was any to reach.", longer),
		outcomes: r.counters("delivery_outcomes_total",
			"Outcomes of devices that this node recorded. The transport is none where nothing had to be sent.",
			"transport", "outcome", "cause"),
		attempts: r.counters("push_attempts_total",
			"Pushes that were sent, by the result: accepted, or the cause of the failure. Some are sent again.",
			"transport", "result"),
		retries: r.counters("push_retries_total",
			"Pushes that failed and are sent again later, by the cause.", "cause"),
		pushTime: r.histograms("push_duration_seconds",
			"How long the push service took to respond.", briefly, "transport"),
		granted: r.counter("pacer_granted_total", "Pushes that were allowed by the pace that all nodes share."),
		turnedAway: r.counter("pacer_refused_total",
			"Batches that had to come back, because push is paused or the pace was used up."),
		pauses: r.counters("push_pauses_total", "Pauses of all pushes that this node began, by the cause.", "cause"),
		posts: r.counters("event_posts_total",
			"Events that were posted to event endpoints, by the class of the response; none: no valid response.",
			"result"),
		postTime: r.histogram("event_post_duration_seconds", "How long event endpoints took to respond.", briefly),
		unindexed: r.counters("search_failures_total",
			"Batches of notifications or channels that were not indexed for search. They are tried again, with fewer "+
				"if these were too many.", "what"),
		skipped: r.counters("search_skipped_total",
			"Notifications or channels that search does not find by their texts, because PostgreSQL could not index "+
				"one alone.", "what"),
	}
	for _, what := range []string{IndexedNotifications, IndexedChannels} { // so that the first one is an increase
		m.unindexed.WithLabelValues(what)
		m.skipped.WithLabelValues(what)
	}
	return m
}

// What is indexed for search.
const (
	IndexedNotifications = "notifications"
	IndexedChannels      = "channels"
)

// Results of a publish.
const (
	PublishCreated  = "created"
	PublishExisting = "existing" // its external id was used before
	PublishRepeated = "repeated" // its idempotency key was used before
	PublishFailed   = "failed"
)

// Published counts notifications that were published.
func (m *Delivery) Published(n int) {
	if m != nil && n > 0 {
		m.published.Add(float64(n))
	}
}

// Publish counts the result of a publish.
func (m *Delivery) Publish(result string) {
	if m != nil {
		m.publishes.WithLabelValues(result).Inc()
	}
}

// Queued sets how many publishes wait.
func (m *Delivery) Queued(n int) {
	if m != nil {
		m.queue.Set(float64(n))
	}
}

// Group observes a group of publishes.
func (m *Delivery) Group(size int, took time.Duration) {
	if m != nil {
		m.groupSize.Observe(float64(size))
		m.groupTime.Observe(took.Seconds())
	}
}

// DispatchStarted observes the time until the first push.
func (m *Delivery) DispatchStarted(after time.Duration) {
	if m != nil {
		m.dispatchStart.Observe(max(0, after.Seconds()))
	}
}

// DispatchFinished observes the time until the last outcome.
func (m *Delivery) DispatchFinished(after time.Duration) {
	if m != nil {
		m.dispatched.Observe(max(0, after.Seconds()))
	}
}

// IndexingFailed counts a batch that was not indexed for search.
func (m *Delivery) IndexingFailed(what string) {
	if m != nil {
		m.unindexed.WithLabelValues(what).Inc()
	}
}

// IndexingSkipped counts something that search does not find.
func (m *Delivery) IndexingSkipped(what string) {
	if m != nil {
		m.skipped.WithLabelValues(what).Inc()
	}
}

// Begin sets the counts of a transport's failures to 0. Prometheus sees no increase in a count that it has not seen
// before, so the first failure would raise no alert.
func (m *Delivery) Begin(transport string) {
	if m == nil {
		return
	}
	final := []string{core.CauseInvalid, core.CauseSenderMismatch, core.CauseUnregistered}
	for _, cause := range final {
		m.outcomes.WithLabelValues(transport, string(core.Failed), cause)
	}
	for _, cause := range append(final, core.CauseCredentials, core.CauseQuota, core.CauseUnavailable) {
		m.attempts.WithLabelValues(transport, cause)
	}
}

// NoTransport is the transport of outcomes for which nothing was sent.
const NoTransport = "none"

// Outcomes counts outcomes.
func (m *Delivery) Outcomes(transport, outcome, cause string, n int) {
	if m != nil {
		m.outcomes.WithLabelValues(transport, outcome, cause).Add(float64(n))
	}
}

// Pushed counts a push that was sent.
func (m *Delivery) Pushed(transport, result string, took time.Duration) {
	if m != nil {
		m.attempts.WithLabelValues(transport, result).Inc()
		m.pushTime.WithLabelValues(transport).Observe(took.Seconds())
	}
}

// Retried counts a push that is sent again later.
func (m *Delivery) Retried(cause string) {
	if m != nil {
		m.retries.WithLabelValues(cause).Inc()
	}
}

// Granted counts pushes that may be sent.
func (m *Delivery) Granted(n int) {
	if m != nil {
		m.granted.Add(float64(n))
	}
}

// TurnedAway counts a batch that has to come back.
func (m *Delivery) TurnedAway() {
	if m != nil {
		m.turnedAway.Inc()
	}
}

// Turn counts a run of turns, which are jobs beside River's. The caller calls done when it is over.
func (m *Delivery) Turn(kind, queue string, waited time.Duration) (done func(error)) {
	if m == nil {
		return func(error) {}
	}
	return m.jobs.begin(kind, queue, waited)
}

// Paused counts a pause.
func (m *Delivery) Paused(cause string) {
	if m != nil {
		m.pauses.WithLabelValues(cause).Inc()
	}
}

// classes are the results of posts by the first digit of the status.
var classes = func() (texts [10]string) {
	for i := range texts {
		texts[i] = strconv.Itoa(i) + "xx"
	}
	texts[0] = "none"
	return texts
}()

// Posted counts an event that was posted. A zero status means that there was no response.
func (m *Delivery) Posted(status int, took time.Duration) {
	if m == nil {
		return
	}
	m.posts.WithLabelValues(classes[min(max(status, 0)/100, len(classes)-1)]).Inc()
	m.postTime.Observe(took.Seconds())
}
