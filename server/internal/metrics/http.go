package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// HTTP counts requests.
type HTTP struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
	limited  *prometheus.CounterVec
	webhooks *prometheus.CounterVec
	beside   map[string]bool // the parts of the server that are not the API
}

func newHTTP(r *registry) *HTTP {
	return &HTTP{beside: map[string]bool{},
		requests: r.counters("http_requests_total", "Requests that were responded to, by the operation of the API, or "+
			"the part of the server for other paths, and status. The status is 0 when the client left before.",
			"operation", "status"),
		duration: r.histograms("http_request_duration_seconds",
			"How long requests took until the end of the response, without live streams.", briefly, "operation"),
		inFlight: r.gauge("http_requests_in_flight",
			"Requests that are being handled. A live stream over HTTP/1 is handled once it has begun."),
		limited: r.counters("http_rate_limited_total", "Requests that were refused by a rate limit.", "limit"),
		webhooks: r.counters("webhook_events_total",
			"Webhook events that were received, by what became of them.", "outcome"),
	}
}

// statuses are the texts of statuses, because making one would allocate.
var statuses = func() (texts [600]string) {
	for i := range texts {
		texts[i] = strconv.Itoa(i)
	}
	return texts
}()

// None is the operation of requests that match none.
const None = "none"

// Begin counts a request that is being handled.
func (m *HTTP) Begin() {
	if m != nil {
		m.inFlight.Inc()
	}
}

// End counts a request that was handled.
func (m *HTTP) End(operation string, status int, took time.Duration, streams bool) {
	if m == nil {
		return
	}
	m.inFlight.Dec()
	if status < 0 || status >= len(statuses) {
		status = 0
	}
	m.requests.WithLabelValues(operation, statuses[status]).Inc()
	if !streams {
		m.duration.WithLabelValues(operation).Observe(took.Seconds())
	}
}

// Limited counts a request that a limit refused.
func (m *HTTP) Limited(limit string) {
	if m != nil {
		m.limited.WithLabelValues(limit).Inc()
	}
}

// WebhookEvent counts an event by its outcome.
func (m *HTTP) WebhookEvent(outcome string) {
	if m != nil {
		m.webhooks.WithLabelValues(outcome).Inc()
	}
}

// Handler returns h, whose requests count as those of a part of the server beside the API. It must not be called once
// requests are handled.
func (m *HTTP) Handler(part string, h http.Handler) http.Handler {
	if m == nil {
		return h
	}
	m.beside[part] = true
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, start := &recorder{ResponseWriter: w}, time.Now()
		m.Begin()
		defer func() { m.End(part, out.status, time.Since(start), false) }()
		h.ServeHTTP(out, r)
	})
}

// recorder records the status of a response.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is used by http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
