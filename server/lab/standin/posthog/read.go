package posthog

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxWait is the longest time that a reader can wait.
const maxWait = time.Minute

// listEvents handles GET /events: one JSON object per line.
func (s *Server) listEvents(w http.ResponseWriter, r *http.Request) {
	list(s, w, r, "event", func(request Request, name string) []Event { return named(request.Events, name) })
}

// listRequests handles GET /requests: one JSON object per line.
func (s *Server) listRequests(w http.ResponseWriter, r *http.Request) {
	list(s, w, r, "path", func(request Request, path string) []Request {
		if !strings.HasPrefix(request.URL, path) {
			return nil
		}
		return []Request{request}
	})
}

// list responds with what pick selects from each request by the value of the query parameter narrow.
func list[T any](s *Server, w http.ResponseWriter, r *http.Request, narrow string, pick func(Request, string) []T) {
	q := r.URL.Query()
	for name := range q {
		if !slices.Contains([]string{"since", "wait", narrow}, name) {
			http.Error(w, "unknown parameter "+strconv.Quote(name)+"; known are since, wait and "+narrow,
				http.StatusBadRequest)
			return
		}
	}
	since, wrongSince := optional(q.Get("since"), func(v string) (int64, error) { return strconv.ParseInt(v, 10, 64) })
	patience, wrongWait := optional(q.Get("wait"), time.ParseDuration)
	if wrongSince != nil || wrongWait != nil {
		http.Error(w, "since is the seq of the last request already seen, as in since=17, and wait how long to wait "+
			"at most, as in wait=2s", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), min(patience, maxWait))
	defer cancel()
	w.Header().Set("Content-Type", "application/x-ndjson")
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for _, found := range wait(ctx, &s.log, since, func(request Request) []T { return pick(request, q.Get(narrow)) }) {
		if lines.Encode(found) != nil {
			return // the reader has gone
		}
	}
}

func optional[T any](v string, parse func(string) (T, error)) (out T, err error) {
	if v == "" {
		return out, nil
	}
	return parse(v)
}

// clear handles DELETE /requests.
func (s *Server) clear(w http.ResponseWriter, _ *http.Request) {
	s.log.clear()
	w.WriteHeader(http.StatusNoContent)
}
