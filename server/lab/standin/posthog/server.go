package posthog

import (
	"context"
	"net/http"
)

// Server is a stand-in. It has no goroutines of its own and need not be closed.
type Server struct {
	log log
	mux *http.ServeMux
}

// New creates a stand-in.
func New() *Server {
	s := &Server{mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /{$}", s.showPage)
	s.mux.HandleFunc("GET /events", s.listEvents)
	s.mux.HandleFunc("GET /requests", s.listRequests)
	s.mux.HandleFunc("DELETE /requests", s.clear)
	s.mux.HandleFunc("/", s.take)
	return s
}

// Handler serves all endpoints. Mount it at the root.
func (s *Server) Handler() http.Handler { return s.mux }

// take records every other request, from pages of any origin. Only the fact that it was sent matters.
func (s *Server) take(w http.ResponseWriter, r *http.Request) {
	allowBrowsers(w, r)
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	request, err := readRequest(r)
	s.log.add(request)
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(
			[]byte(
				`{"type":"validation_error","code":"invalid_payload","detail":"The stand-in does not understand this"}`,
			),
		)
		return
	}
	_, _ = w.Write([]byte(`{"status":"Ok"}`))
}

func allowBrowsers(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Allow-Methods", "GET, POST")
	header.Set("Access-Control-Allow-Private-Network", "true")
	if origin := r.Header.Get("Origin"); origin != "" { // beacons are sent with credentials, for which * is not allowed
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Allow-Credentials", "true")
	}
	if ask := r.Header.Get("Access-Control-Request-Headers"); ask != "" {
		header.Set("Access-Control-Allow-Headers", ask)
	}
}

// Requests returns the requests after a seq; 0 is the beginning.
func (s *Server) Requests(seq int64) []Request {
	found, _ := s.log.after(seq)
	return found
}

// WaitEvents returns the events with a name after a seq, or all events if the name is empty. It waits until there is at
// least one, or until the context ends.
func (s *Server) WaitEvents(ctx context.Context, seq int64, name string) []Event {
	return wait(ctx, &s.log, seq, func(r Request) []Event { return named(r.Events, name) })
}

func named(all []Event, name string) []Event {
	if name == "" {
		return all
	}
	var out []Event
	for _, e := range all {
		if e.Name == name {
			out = append(out, e)
		}
	}
	return out
}
