package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// bareServer is the limit of live streams: an event-stream server as one writes it with net/http alone.
type bareServer struct {
	URL     string
	Control string
}

const (
	bareEvents  = "/events"
	barePublish = "/publish"
)

// serveBare is the role "bare".
func serveBare(ctx context.Context, ready func(any) error) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address, err := control()
	if err != nil {
		return err
	}
	h := &bareHub{readers: map[chan []byte]struct{}{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+bareEvents, h.serve)
	mux.HandleFunc("POST "+barePublish, h.publish)
	web := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { <-ctx.Done(); _ = web.Close() }()
	if err := ready(bareServer{"http://" + l.Addr().String(), address}); err != nil {
		return err
	}
	if err := web.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}

// bareHub gives each event to all readers.
type bareHub struct {
	mu      sync.Mutex
	readers map[chan []byte]struct{}
}

const (
	bareBuffer    = 8
	bareHeartbeat = 15 * time.Second
	bareTimeout   = 10 * time.Second
)

func (h *bareHub) serve(w http.ResponseWriter, r *http.Request) {
	events := make(chan []byte, bareBuffer)
	h.mu.Lock()
	h.readers[events] = struct{}{}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.readers, events)
		h.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	controller, beat := http.NewResponseController(w), time.NewTicker(bareHeartbeat)
	defer beat.Stop()
	for b := []byte("retry: 1000\nid: 0\n\n"); ; {
		_ = controller.SetWriteDeadline(time.Now().Add(bareTimeout))
		if _, err := w.Write(b); err != nil || controller.Flush() != nil {
			return
		}
		select {
		case b = <-events:
		case <-beat.C:
			b = []byte(":\n\n")
		case <-r.Context().Done():
			return
		}
	}
}

func (h *bareHub) publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	event := bytes.Join([][]byte{[]byte("id: 1\nevent: published\ndata: "), body, padding, []byte("\n\n")}, nil)
	h.mu.Lock()
	for reader := range h.readers {
		select {
		case reader <- event:
		default: // too slow; nobody is in this measurement
		}
	}
	h.mu.Unlock()
	w.WriteHeader(http.StatusAccepted)
}

// padding makes an event as long as Sininho's, which has ids, times and the channel, too.
var padding = bytes.Repeat([]byte{' '}, 400)
