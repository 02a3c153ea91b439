package fcm

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// maxWait is the longest time that a reader of /sent can wait.
const maxWait = time.Minute

// listSent handles GET /sent: one JSON object per line.
func (s *Server) listSent(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name := range q {
		if name != "since" && name != "token" && name != "wait" {
			writeProblem(w, "unknown parameter "+strconv.Quote(name)+"; known are since, token and wait")
			return
		}
	}
	var since int64
	var wait time.Duration
	var err error
	if v := q.Get("since"); v != "" {
		if since, err = strconv.ParseInt(v, 10, 64); err != nil || since < 0 {
			writeProblem(w, "since is the seq of the last message already seen, as in since=17")
			return
		}
	}
	if v := q.Get("wait"); v != "" {
		if wait, err = time.ParseDuration(v); err != nil || wait < 0 {
			writeProblem(w, "wait is how long to wait for a message at most, as in wait=2s")
			return
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), min(wait, maxWait))
	defer cancel()
	w.Header().Set("Content-Type", "application/x-ndjson")
	out := bufio.NewWriterSize(w, 64<<10)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	s.each(ctx, since, q.Get("token"), func(m Sent) bool { return lines.Encode(m) == nil })
	_ = out.Flush()
}

// clearSent handles DELETE /sent.
func (s *Server) clearSent(w http.ResponseWriter, _ *http.Request) {
	s.sent.clear()
	w.WriteHeader(http.StatusNoContent)
}
