package sininhotest

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/sininho/sininho/pkg/sininho"
)

// history is what a stream tells: its events so far, each with its channel's id, and a
// channel that is closed when more come.
type history func() (events []told, changed <-chan struct{})

type told struct {
	sininho.Event
	channelID string
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	s.store.mu.Lock()
	c := s.store.channel(r.PathValue("publisherSlug") + "/" + r.PathValue("channelSlug"))
	s.store.mu.Unlock()
	if c == nil {
		notFound(w)
		return
	}
	s.streamOf(w, r, func() ([]told, <-chan struct{}) {
		s.store.mu.Lock()
		defer s.store.mu.Unlock()
		var events []told
		for _, event := range c.events {
			events = append(events, told{event, c.ID})
		}
		return events, c.changed
	})
}

func (s *Server) streamOf(w http.ResponseWriter, r *http.Request, history history) {
	s.store.mu.Lock()
	cut := s.store.cut
	s.store.mu.Unlock()
	events, changed := history()
	sent := len(events)
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil {
		sent = last
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte("retry: 10\nid: " + strconv.Itoa(sent) + "\n\n"))
	for {
		for ; sent < len(events); sent++ {
			writeEvent(w, events[sent])
		}
		w.(http.Flusher).Flush()
		select {
		case <-changed:
			events, changed = history()
		case <-cut:
			return
		case <-s.store.ended:
			return
		case <-r.Context().Done():
			return
		}
	}
}

func writeEvent(w http.ResponseWriter, event told) {
	var data any = event.Notification
	switch event.Type {
	case sininho.EventWithdrawn:
		data = map[string]string{"id": event.NotificationID, "channelId": event.channelID}
	case sininho.EventRead:
		data = sininho.Event{NotificationID: event.NotificationID, ReadAt: event.ReadAt}
	}
	text, _ := json.Marshal(data)
	_, _ = w.Write([]byte("id: " + event.ID + "\nevent: " + string(event.Type) + "\ndata: " + string(text) + "\n\n"))
}
