package gotify

import (
	"net/http"
	"time"

	"github.com/sininho/sininho/server/internal/compat"
)

// version is the one of Gotify whose protocol this is.
const version = "2.7.3"

type server struct{ api compat.API }

// Beside returns a handler of Gotify's requests, which leaves all others to next.
func Beside(next http.Handler, api compat.API) http.Handler {
	s := &server{api}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /message", s.publish)
	mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"version": version, "commit": "", "buildDate": ""})
	})
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"health": "green", "database": "green"})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*") // any page may use the protocol: it knows no cookies
		mux.ServeHTTP(w, r)
	})
}

// publish publishes a message, and responds with it.
func (s *server) publish(w http.ResponseWriter, r *http.Request) {
	path, err := s.destination(r)
	if err != nil {
		writeError(w, r, err)
		return
	}
	m, err := readMessage(w, r)
	if err != nil {
		writeError(w, r, err)
		return
	}
	var n struct {
		ID          string
		PublishedAt time.Time
	}
	_, err = s.api.Do(r, compat.Call{Method: http.MethodPost, Path: path + "/notifications", Body: m.members()}, &n)
	if err != nil {
		writeError(w, r, err)
		return
	}
	m.ID, m.AppID, m.Date = number(n.ID), number(path), n.PublishedAt
	writeJSON(w, http.StatusOK, m)
}
