package pushservice

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"
)

// Fault makes pushes fail. It applies to one endpoint, or to all.
type Fault struct {
	Endpoint   string `json:"endpoint,omitempty"` // its last segment
	Status     int    `json:"status,omitempty"`   // of the response; 0: none
	RetryAfter string `json:"retryAfter,omitempty"`
	Delay      string `json:"delay,omitempty"` // before the response, in Go's format: "50ms"
	Hang       bool   `json:"hang,omitempty"`  // no response until the sender gives up
	Times      int    `json:"times,omitempty"` // how often; 0: always
}

// faults are those that apply. The first that matches a push is applied.
type faults struct {
	mu  sync.Mutex
	all []*Fault
	met []int // how often each was applied
}

// take returns the fault for an endpoint, or nil.
func (f *faults) take(endpoint string) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, one := range f.all {
		if one.Endpoint != "" && one.Endpoint != endpoint || one.Times > 0 && f.met[i] >= one.Times {
			continue
		}
		f.met[i]++
		return one
	}
	return nil
}

// AddFault adds a fault after those that there are.
func (s *Service) AddFault(f Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.all = append(s.faults.all, &f)
	s.faults.met = append(s.faults.met, 0)
}

// ClearFaults removes all faults.
func (s *Service) ClearFaults() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.all, s.faults.met = nil, nil
}

// fail applies a fault, and reports whether it has ended the request.
func (s *Service) fail(w http.ResponseWriter, r *http.Request) bool {
	f := s.faults.take(r.PathValue("id"))
	if f == nil {
		return false
	}
	if f.Hang {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the sender gives up
		<-r.Context().Done()
		return true
	}
	if d, err := time.ParseDuration(f.Delay); err == nil {
		select {
		case <-time.After(d):
		case <-r.Context().Done():
			return true
		}
	}
	if f.Status == 0 {
		return false
	}
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	http.Error(w, "a fault of the stand-in", f.Status)
	return true
}

// changeFaults handles POST and DELETE /faults.
func (s *Service) changeFaults(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodDelete {
		s.ClearFaults()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	var f Fault
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.AddFault(f)
	writeJSON(w, http.StatusOK, f)
}
