package sininhotest

import (
	"net/http"
	"slices"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// getDeliveries tells of no device, as nothing is pushed here.
func (s *Server) getDeliveries(w http.ResponseWriter, r *http.Request, c *channel) {
	if !slices.ContainsFunc(c.notifications, func(n sininho.Notification) bool { return n.ID == r.PathValue("id") }) {
		notFound(w)
		return
	}
	none := map[string]int64{}
	writeJSON(w, http.StatusOK, sininho.Deliveries{Suppressed: none, Failed: none, Expired: none, Finished: true})
}

// getChannelDeliveries counts the notifications of each part of the time, and no device.
func (s *Server) getChannelDeliveries(w http.ResponseWriter, r *http.Request, c *channel) {
	none := map[string]int64{}
	numbers := func(n int64) sininho.DeliveryCounts {
		return sininho.DeliveryCounts{Notifications: n, Suppressed: none, Failed: none, Expired: none}
	}
	until := timeParam(r, "until", now())
	out := sininho.ChannelDeliveries{From: timeParam(r, "from", until.AddDate(0, 0, -30)), Until: until, Interval: sininho.Daily, Total: numbers(0), Data: []sininho.DeliveryInterval{}}
	length := 24 * time.Hour
	if r.URL.Query().Get("interval") == string(sininho.Hourly) {
		out.Interval, length = sininho.Hourly, time.Hour
	}
	for _, n := range c.notifications { // oldest first
		if n.PublishedAt.Before(out.From) || !n.PublishedAt.Before(until) {
			continue
		}
		out.Total.Notifications++
		at := n.PublishedAt.Truncate(length)
		if last := len(out.Data) - 1; last < 0 || !out.Data[last].At.Equal(at) {
			out.Data = append(out.Data, sininho.DeliveryInterval{At: at, Counts: numbers(0)})
		}
		out.Data[len(out.Data)-1].Counts.Notifications++
	}
	writeJSON(w, http.StatusOK, out)
}

func timeParam(r *http.Request, name string, fallback time.Time) time.Time {
	at, err := time.Parse(time.RFC3339, r.URL.Query().Get(name))
	if err != nil {
		return fallback
	}
	return at.UTC()
}
