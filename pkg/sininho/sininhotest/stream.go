package sininhotest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/sininho/sininho/pkg/sininho"
)

// stream follows a channel until the client disconnects or the streams are cut. Event ids are
// positions: a stream that continues from one gets the changes since then, in their current state.
func (s *Server) stream(w http.ResponseWriter, r *request) error {
	s.store.mu.Lock()
	s.store.settle()
	c, err := s.store.inPath(r)
	at, cut := s.store.position, s.store.cut
	s.store.mu.Unlock()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	hello := "retry: 10\nid: %d\n\n"
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		position, err := strconv.ParseInt(last, 10, 64)
		if err != nil || position < 0 || position > at {
			hello = "retry: 10\nid: %d\nevent: reset\ndata: {}\n\n"
		} else {
			at = position
		}
	}
	_, _ = fmt.Fprintf(w, hello, at)
	for {
		s.store.mu.Lock()
		changes, moved := c.changes(at), s.store.moved
		at = max(at, s.store.position)
		s.store.mu.Unlock()
		_, _ = w.Write(changes)
		w.(http.Flusher).Flush()
		select {
		case <-moved:
		case <-cut:
			return nil
		case <-s.store.ended:
			return nil
		case <-r.Context().Done():
			return nil
		}
	}
}

// changes returns the events after a position: the latest change of each notification and, if it is
// visible, its publication.
func (c *channel) changes(after int64) []byte {
	happened := map[int64]*notification{}
	for _, n := range c.notifications {
		if n.visible {
			happened[n.published] = n
		}
		happened[n.position] = n
	}
	var events []byte
	for _, at := range slices.Sorted(maps.Keys(happened)) {
		if at <= after {
			continue
		}
		n := happened[at]
		kind, data := sininho.EventCorrected, any(n.Notification)
		switch {
		case !n.visible:
			kind, data = sininho.EventWithdrawn, map[string]string{"id": n.ID, "channelId": c.ID}
		case at == n.published:
			kind = sininho.EventNotification
		}
		text, _ := json.Marshal(data)
		events = fmt.Appendf(events, "id: %d\nevent: %s\ndata: %s\n\n", at, kind, text)
	}
	return events
}
