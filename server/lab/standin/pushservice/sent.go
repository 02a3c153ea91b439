package pushservice

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Sent is a push that was accepted from a sender that identified itself.
type Sent struct {
	Seq      int64           `json:"seq"`
	At       time.Time       `json:"at"`
	Endpoint string          `json:"endpoint"` // its last segment
	TTL      int             `json:"ttl"`
	Urgency  string          `json:"urgency,omitempty"`
	Topic    string          `json:"topic,omitempty"`
	Size     int             `json:"size"`              // encrypted
	Message  json.RawMessage `json:"message,omitempty"` // decrypted, for browsers that exist here only
}

// sentLog has all pushes that were accepted.
type sentLog struct {
	mu  sync.Mutex
	all []Sent
}

func (l *sentLog) add(m Sent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m.Seq = int64(len(l.all)) + 1
	l.all = append(l.all, m)
}

// after returns the pushes after a seq.
func (l *sentLog) after(seq int64) []Sent {
	l.mu.Lock()
	defer l.mu.Unlock()
	if seq >= int64(len(l.all)) {
		return nil
	}
	return l.all[max(0, seq):]
}

// Sent returns the pushes after a seq, oldest first.
func (s *Service) Sent(seq int64) []Sent { return s.sent.after(seq) }

// listSent handles GET /sent: one JSON object per line.
func (s *Service) listSent(w http.ResponseWriter, r *http.Request) {
	var since int64
	var err error
	if v := r.URL.Query().Get("since"); v != "" {
		if since, err = strconv.ParseInt(v, 10, 64); err != nil {
			http.Error(w, "since is the seq of the last push already seen, as in since=17", http.StatusBadRequest)
			return
		}
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for _, m := range s.sent.after(since) {
		if lines.Encode(m) != nil {
			return // the reader has gone
		}
	}
}
