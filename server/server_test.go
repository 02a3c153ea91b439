package server

import (
	"bufio"
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/live"
)

// changes is a source of stream events.
type changes struct {
	live.Source
	mu   sync.Mutex
	list []core.Change
}

func (s *changes) StreamPosition(context.Context) (int64, error) { return 0, nil }

func (s *changes) Changes(_ context.Context, after int64, _, _ int, _ []core.ID) ([]core.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[after:], nil
}

func (s *changes) Positions(ctx context.Context, after int64, limit int) (positions []core.ChangePosition, err error) {
	list, err := s.Changes(ctx, after, limit, 0, nil)
	for _, c := range list {
		positions = append(positions, core.ChangePosition{Position: c.Position, NotificationID: c.Notification.ID,
			ChannelID: c.Notification.Channel.ID})
	}
	return positions, err
}

// ChangesOf returns all changes, because there is only one channel.
func (s *changes) ChangesOf(ctx context.Context, after int64, _ []core.ID) ([]core.Change, error) {
	return s.Changes(ctx, after, 0, 0, nil)
}

func (s *changes) add(channel core.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := time.Now()
	n := core.Notification{
		ID: core.NewID(), Channel: core.ChannelRef{ID: channel}, Title: "later", PublishedAt: &at, Visible: true,
	}
	s.list = append(s.list, core.Change{Position: int64(len(s.list)) + 1, Kind: core.ChangePublished, Notification: n})
}

// TestWriteTimeout expects the connection of a client that never reads to be closed, and a stream of the same age to
// continue.
func TestWriteTimeout(t *testing.T) {
	channel, source := core.NewID(), &changes{}
	hub := &live.Hub{Source: source, Log: slog.New(slog.DiscardHandler),
		Encode: func(n core.Notification) []byte { return []byte(n.Title) },
		Listen: func(ctx context.Context, ready func(), _ func(core.Signal)) error {
			ready()
			<-ctx.Done()
			return ctx.Err()
		}}
	if err := hub.Start(t.Context()); err != nil {
		t.Fatalf("start the hub: %v", err)
	}
	cutOff := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		_ = hub.ServeChannel(w, r, channel, core.StreamRequest{Ended: func() {}})
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				close(cutOff)
				return
			}
		}
	})
	web := newWeb(mux, slog.New(slog.DiscardHandler))
	if web.WriteTimeout == 0 {
		t.Fatal("write timeout of the server: got none")
	}
	web.WriteTimeout = 100 * time.Millisecond
	address := serve(t, web, hub)

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/stream", nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	stream, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer stream.Body.Close() // only the start of the body is needed
	lines := bufio.NewScanner(stream.Body)
	if !lines.Scan() {
		t.Fatalf("read the stream: %v", lines.Err())
	}

	deaf, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	defer deaf.Close() // nothing is read from it
	if _, err := deaf.Write([]byte("GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
		t.Fatalf("send the request: %v", err)
	}
	select {
	case <-cutOff:
	case <-time.After(2 * time.Minute):
		t.Fatal("connection of a client that never reads: still open after two minutes")
	}

	source.add(channel)
	hub.Wake()
	for lines.Scan() {
		if strings.Contains(lines.Text(), "later") {
			return
		}
	}
	t.Errorf("stream after the write timeout: got %v, want the event later", lines.Err())
}

// serve runs web and hub until the test ends, and returns the address.
func serve(t *testing.T, web *http.Server, hub *live.Hub) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { hub.Run(ctx) })
	running.Go(func() { _ = web.Serve(l) })
	t.Cleanup(func() { stop(); _ = web.Close(); running.Wait() })
	return l.Addr().String()
}
