package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/sininho/sininho/internal/version"
)

// Metrics are the metrics of a node.
type Metrics struct {
	HTTP     *HTTP
	Live     *Live
	Delivery *Delivery
	Jobs     *Jobs
	Pictures *Pictures
	Replicas *Replicas
	// EmailBudget is how many emails a day the installation sends.
	EmailBudget prometheus.Gauge

	registry *registry
}

// New returns metrics that nothing was counted in.
func New() Metrics {
	r := &registry{Registry: prometheus.NewRegistry()}
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	build := r.gauges("build_info", "1; its labels say what was built.", "version", "revision", "go")
	info := version.Read()
	build.WithLabelValues(info.Version, info.Commit, info.Go).Set(1)
	jobs := newJobs(r)
	return Metrics{HTTP: newHTTP(r), Live: newLive(r), Delivery: newDelivery(r, jobs), Jobs: jobs,
		Pictures: newPictures(r), Replicas: newReplicas(r),
		EmailBudget: r.gauge("emails_day_limit", "EMAILS_PER_DAY, which all nodes together keep to."), registry: r}
}

// Infos returns what the metrics are, in the order in which they were made.
func (m Metrics) Infos() []Info { return m.registry.infos }

// handler serves the metrics in the formats of Prometheus.
func (m Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
