package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Pictures counts publishers' pictures.
type Pictures struct {
	shown     *prometheus.CounterVec
	fetchTime prometheus.Observer
	bytes     prometheus.Gauge
}

func newPictures(r *registry) *Pictures {
	return &Pictures{
		shown: r.counters("pictures_total", "Pictures that readers asked for: shown, missing (cannot be shown), "+
			"busy (too many are being fetched), or limited (their network asked for too many).", "result"),
		fetchTime: r.histogram("picture_fetch_duration_seconds", "How long it took to fetch a picture.", briefly),
		bytes:     r.gauge("picture_cache_bytes", "Memory that the kept pictures take."),
	}
}

// Results of a request for a picture.
const (
	PictureShown   = "shown"
	PictureMissing = "missing"
	PictureBusy    = "busy"
	PictureLimited = "limited"
)

// Asked counts a request.
func (m *Pictures) Asked(result string) {
	if m != nil {
		m.shown.WithLabelValues(result).Inc()
	}
}

// Fetched observes a fetch, and the size of the cache after it.
func (m *Pictures) Fetched(took time.Duration, cached int) {
	if m != nil {
		m.fetchTime.Observe(took.Seconds())
		m.bytes.Set(float64(cached))
	}
}
