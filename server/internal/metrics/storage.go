package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sininho/sininho/server/internal/core"
)

// Storage shows how much is stored, which read finds out at each scrape. All nodes show the same. Only the publishers
// that store most have a series, so that nobody makes new ones without end.
func (m Metrics) Storage(read func(context.Context) (core.InstallationStorage, error)) {
	r := m.registry
	r.MustRegister(&storage{
		read:     read,
		database: r.desc("gauge", "database_size_bytes", "Size of the database on disk."),
		used: r.desc("gauge", "publisher_storage_bytes",
			"What each of the ten publishers that store most has stored, as it is counted for its quota, by its id.",
			"publisher"),
		quota: r.desc("gauge", "publisher_storage_quota_bytes", "The quota of each of these that has one.",
			"publisher"),
	})
}

// storage collects how much is stored.
type storage struct {
	read                  func(context.Context) (core.InstallationStorage, error)
	database, used, quota *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (s *storage) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.database, s.used, s.quota} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. While the database does not respond nothing is shown.
func (s *storage) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), backlogTime)
	defer cancel()
	found, err := s.read(ctx)
	if err != nil {
		return
	}
	gauge := func(d *prometheus.Desc, value int64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value), labels...)
	}
	gauge(s.database, found.Database)
	for _, p := range found.Largest {
		gauge(s.used, p.Used, p.ID.String())
		if p.Quota > 0 {
			gauge(s.quota, p.Quota, p.ID.String())
		}
	}
}
