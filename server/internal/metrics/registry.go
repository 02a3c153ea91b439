package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Info describes a metric for the documentation.
type Info struct {
	Name, Type, Help string
	Labels           []string
}

// registry makes metrics, and remembers what they are.
type registry struct {
	*prometheus.Registry
	infos []Info
}

const prefix = "sininho_"

func (r *registry) describe(kind, name, help string, labels []string) {
	r.infos = append(r.infos, Info{Name: prefix + name, Type: kind, Help: help, Labels: labels})
}

func (r *registry) counter(name, help string) prometheus.Counter {
	return r.counters(name, help).WithLabelValues()
}

func (r *registry) counters(name, help string, labels ...string) *prometheus.CounterVec {
	r.describe("counter", name, help, labels)
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + name, Help: help}, labels)
	r.MustRegister(v)
	return v
}

func (r *registry) gauge(name, help string) prometheus.Gauge {
	return r.gauges(name, help).WithLabelValues()
}

func (r *registry) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	r.describe("gauge", name, help, labels)
	v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: prefix + name, Help: help}, labels)
	r.MustRegister(v)
	return v
}

func (r *registry) histogram(name, help string, buckets []float64) prometheus.Observer {
	return r.histograms(name, help, buckets).WithLabelValues()
}

// histograms have classic buckets. Native ones would allocate in Observe.
func (r *registry) histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	r.describe("histogram", name, help, labels)
	v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: prefix + name, Help: help, Buckets: buckets}, labels)
	r.MustRegister(v)
	return v
}

// desc describes a metric whose values are read at a scrape.
func (r *registry) desc(kind, name, help string, labels ...string) *prometheus.Desc {
	r.describe(kind, name, help, labels)
	return prometheus.NewDesc(prefix+name, help, labels, nil)
}

// Buckets of durations in seconds: of what a caller waits for, and of what may take as long as a push lives.
var (
	briefly = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	longer  = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400}
)
