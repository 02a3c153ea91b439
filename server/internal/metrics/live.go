package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Live counts live streams and the signals between nodes.
type Live struct {
	open                     *prometheus.GaugeVec
	begun                    *prometheus.CounterVec
	events, bytes            prometheus.Counter
	cuts                     *prometheus.CounterVec
	dropped, replayed        prometheus.Counter
	resets, changes          prometheus.Counter
	behind                   prometheus.Gauge
	signals, signalsDropped  prometheus.Counter
	listening, relayed, poll prometheus.Gauge
}

func newLive(r *registry) *Live {
	m := &Live{
		open:  r.gauges("live_streams", "Open live streams.", "kind"),
		begun: r.counters("live_streams_opened_total", "Live streams that were opened.", "kind"),
		events: r.counter("live_events_sent_total",
			"Events that were written to live streams: one for each stream that it was written to."),
		bytes: r.counter("live_sent_bytes_total", "Bytes that were written to live streams, heartbeats included."),
		cuts: r.counters("live_cuts_total", "Live streams that the server ended, by the reason. The clients reconnect.",
			"reason"),
		dropped: r.counter("live_events_dropped_total",
			"Events that were queued for a stream when it was cut. The client reads them again from the database."),
		replayed: r.counter("live_events_replayed_total",
			"Events that were read from the database for streams that resumed: what a cut or a lost connection costs."),
		resets: r.counter("live_resets_total",
			"Streams that could not be resumed, so that the client fetches its feed again."),
		changes: r.counter("live_changes_total", "Changes of notifications that streams of this node needed."),
		behind:  r.gauge("live_streams_behind", "Live streams whose reader is slower than what is written."),
		signals: r.counter("live_signals_sent_total", "Signals that were sent to other nodes."),
		signalsDropped: r.counter("live_signals_dropped_total",
			"Signals that were dropped, because the database did not respond."),
		listening: r.gauge("live_listening", "1 while signals arrive from the database (LISTEN), otherwise 0."),
		relayed: r.gauge("live_relay_connected",
			"1 while signals arrive from NATS, or there is no NATS, otherwise 0."),
		poll: r.gauge("live_polling",
			"1 while the node looks for changes every second, because signals do not arrive."),
	}
	for _, reason := range []string{CutSlow, CutCredential, CutHidden, CutReconnect, CutShutdown, CutPanic} {
		m.cuts.WithLabelValues(reason) // at 0, as Delivery.Begin does
	}
	return m
}

// Kinds of streams.
const (
	Feed    = "feed"
	Channel = "channel"
)

// Reasons for which the server ends a stream.
const (
	CutSlow       = "slow_reader"
	CutCredential = "credential_ended" //nolint:gosec // a reason, no credential
	CutHidden     = "channel_hidden"
	CutReconnect  = "signals_were_lost"
	CutShutdown   = "shutdown"
	CutPanic      = "panic"
)

// Opened counts a stream that was opened.
func (m *Live) Opened(kind string) {
	if m != nil {
		m.open.WithLabelValues(kind).Inc()
		m.begun.WithLabelValues(kind).Inc()
	}
}

// Ended counts a stream that has ended.
func (m *Live) Ended(kind string) {
	if m != nil {
		m.open.WithLabelValues(kind).Dec()
	}
}

// Sent counts what was written to streams.
func (m *Live) Sent(events, bytes int) {
	if m != nil {
		m.events.Add(float64(events))
		m.bytes.Add(float64(bytes))
	}
}

// Cut counts a stream that the server ends, with the events that were queued for it.
func (m *Live) Cut(reason string, dropped int) {
	if m != nil {
		m.cuts.WithLabelValues(reason).Inc()
		m.dropped.Add(float64(dropped))
	}
}

// Replayed counts events that a stream had missed.
func (m *Live) Replayed(events int) {
	if m != nil {
		m.replayed.Add(float64(events))
	}
}

// Reset counts a stream that could not be resumed.
func (m *Live) Reset() {
	if m != nil {
		m.resets.Inc()
	}
}

// Changed counts changes that are distributed.
func (m *Live) Changed(n int) {
	if m != nil {
		m.changes.Add(float64(n))
	}
}

// Behind adds n to the streams whose reader is slow.
func (m *Live) Behind(n int) {
	if m != nil {
		m.behind.Add(float64(n))
	}
}

// Signaled counts signals that were sent.
func (m *Live) Signaled(n int) {
	if m != nil {
		m.signals.Add(float64(n))
	}
}

// SignalsDropped counts signals that were dropped.
func (m *Live) SignalsDropped(n int) {
	if m != nil {
		m.signalsDropped.Add(float64(n))
	}
}

// Receives sets by which ways signals arrive.
func (m *Live) Receives(listening, relayed bool) {
	if m != nil {
		m.listening.Set(number(listening))
		m.relayed.Set(number(relayed))
		m.poll.Set(number(!listening || !relayed))
	}
}

func number(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
