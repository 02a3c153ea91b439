package metrics

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/sininho/sininho/server/internal/core"
)

// Counts returns what the node has done since its start, as far as the operators' screens show it.
func (m Metrics) Counts() core.NodeCounts {
	c := core.NodeCounts{Failed: core.Causes{}, Expired: core.Causes{}, Retried: core.Causes{}}
	each(m.Delivery.published, func(_ map[string]string, n int64) { c.Published = n })
	each(m.Delivery.attempts, func(labels map[string]string, n int64) {
		if labels["result"] == string(core.Accepted) {
			c.Accepted += n
		}
	})
	each(m.Delivery.outcomes, func(labels map[string]string, n int64) {
		switch core.Outcome(labels["outcome"]) {
		case core.Failed:
			c.Failed[labels["cause"]] += n
		case core.Expired:
			c.Expired[labels["cause"]] += n
		case core.Accepted, core.Suppressed: // of the pushes, and nothing was pushed
		}
	})
	each(m.Delivery.retries, func(labels map[string]string, n int64) { c.Retried[labels["cause"]] = n })
	each(m.HTTP.requests, func(labels map[string]string, n int64) {
		if m.HTTP.beside[labels["operation"]] {
			return
		}
		c.Requests += n
		if status, _ := strconv.Atoi(labels["status"]); status >= http.StatusInternalServerError {
			c.Errors += n
		}
	})
	return c
}

// each passes the labels and the value of each counter of a metric to f.
func each(counters prometheus.Collector, f func(labels map[string]string, n int64)) {
	ch := make(chan prometheus.Metric)
	go func() { defer close(ch); counters.Collect(ch) }()
	for counter := range ch {
		var out dto.Metric
		_ = counter.Write(&out) // a counter has no error
		labels := map[string]string{}
		for _, pair := range out.GetLabel() {
			labels[pair.GetName()] = pair.GetValue()
		}
		f(labels, int64(out.GetCounter().GetValue()))
	}
}
