package sininhotest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/sininho/sininho/pkg/sininho"
)

// settle publishes what is due, and hides what has expired or was withdrawn.
func (s *Server) settle() {
	now := s.now()
	for _, n := range s.notifications {
		if n.PublishedAt.IsZero() && !n.withdrawn && !n.ScheduledAt.After(now) {
			n.PublishedAt = now
		}
		isOver := n.withdrawn || !n.ExpiresAt.IsZero() && !n.ExpiresAt.After(now)
		if visible := !n.PublishedAt.IsZero() && !isOver; visible != n.visible {
			n.visible = visible
			s.change(n)
			n.published = n.changed
		}
	}
}

// change puts the latest change of a notification on the streams.
func (s *Server) change(n *notification) {
	s.changes = append(s.changes, n)
	n.changed = len(s.changes)
	close(s.moved)
	s.moved = make(chan struct{})
}

// CutStreams ends all open streams, as a restart of the server does.
func (s *Server) CutStreams() {
	defer s.lock()()
	s.cutStreams()
}

func (s *Server) cutStreams() {
	close(s.cut)
	s.cut = make(chan struct{})
}

// stream follows a channel. Event ids are positions: a stream that continues from one gets the changes since then, in
// their current state.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	var c *sininho.Channel
	var at int
	var cut <-chan struct{}
	hello := "retry: 10\nid: %d\n\n"
	s.carryOut(w, r, func(r *request) any {
		c, at, cut = r.channel, len(s.changes), s.cut
		position, err := strconv.Atoi(cmp.Or(r.Header.Get("Last-Event-ID"), strconv.Itoa(at)))
		if err != nil || position < 0 || position > at {
			position, hello = at, "retry: 10\nid: %d\nevent: reset\ndata: {}\n\n"
		}
		at = position
		w.Header().Set("Content-Type", "text/event-stream")
		return nil
	})
	if c == nil {
		return // refused
	}
	_, _ = fmt.Fprintf(w, hello, at)
	for {
		unlock := s.lock()
		events, moved := s.eventsOf(c, at), s.moved
		at = len(s.changes)
		unlock()
		_, _ = w.Write(events)
		w.(http.Flusher).Flush()
		select {
		case <-moved:
		case <-cut:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// eventsOf returns the events of a channel after a position: the latest change of each notification and, if it is
// visible, its publication.
func (s *Server) eventsOf(c *sininho.Channel, after int) (events []byte) {
	for i, n := range s.changes[after:] {
		kind, data := sininho.EventCorrected, any(n.Notification)
		switch at := after + i + 1; {
		case n.Channel.ID != c.ID || at != n.changed && !(n.visible && at == n.published):
			continue
		case !n.visible:
			kind, data = sininho.EventWithdrawn, map[string]string{"id": n.ID, "channelId": c.ID}
		case at == n.published:
			kind = sininho.EventNotification
		}
		text, _ := json.Marshal(data)
		events = fmt.Appendf(events, "id: %d\nevent: %s\ndata: %s\n\n", after+i+1, kind, text)
	}
	return events
}
