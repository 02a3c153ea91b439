package fcm

import (
	"net/http"
	"strconv"
	"sync/atomic"
)

// Stats counts the requests to messages:send since the start or since the counts were cleared.
type Stats struct {
	Accepted int64 `json:"accepted"`
	// Responses counts responses by HTTP status.
	Responses map[string]int64 `json:"responses"`
	// Cut and Hung count the requests that a fault left without a response.
	Cut          int64 `json:"cut"`
	Hung         int64 `json:"hung"`
	InFlight     int64 `json:"inFlight"`
	PeakInFlight int64 `json:"peakInFlight"`
}

type stats struct {
	accepted, cut, hung, inFlight, peak atomic.Int64
	responses                           [600]atomic.Int64
}

// begin counts a request as in flight until the returned function is called.
func (s *stats) begin() (end func()) {
	n := s.inFlight.Add(1)
	for peak := s.peak.Load(); n > peak && !s.peak.CompareAndSwap(peak, n); {
		peak = s.peak.Load()
	}
	return s.end
}

func (s *stats) end() { s.inFlight.Add(-1) }

func (s *stats) count(status int) { s.responses[status].Add(1) }

// Stats returns the counts.
func (s *Server) Stats() Stats {
	st := Stats{
		Accepted: s.stats.accepted.Load(), Responses: map[string]int64{}, Cut: s.stats.cut.Load(),
		Hung: s.stats.hung.Load(), InFlight: s.stats.inFlight.Load(), PeakInFlight: s.stats.peak.Load(),
	}
	for status := range s.stats.responses {
		if n := s.stats.responses[status].Load(); n > 0 {
			st.Responses[strconv.Itoa(status)] = n
		}
	}
	return st
}

// showStats handles GET /stats.
func (s *Server) showStats(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.Stats())
}

// clearStats handles DELETE /stats. Requests in flight stay counted.
func (s *Server) clearStats(w http.ResponseWriter, _ *http.Request) {
	for i := range s.stats.responses {
		s.stats.responses[i].Store(0)
	}
	for _, n := range []*atomic.Int64{&s.stats.accepted, &s.stats.cut, &s.stats.hung} {
		n.Store(0)
	}
	s.stats.peak.Store(s.stats.inFlight.Load())
	w.WriteHeader(http.StatusNoContent)
}
