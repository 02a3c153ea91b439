//go:build go1.26

package sininho_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// TestStreamThatIsCutAnywhere cuts connections after each number of bytes, for a fast and a slow reader.
// Each notification arrives once and in order; a read state arrives, or OnConnect is called again.
func TestStreamThatIsCutAnywhere(t *testing.T) {
	for _, slow := range []time.Duration{0, 10 * time.Second} {
		for _, connections := range []int{1, 3} {
			for k := range 500 {
				synctest.Test(t, func(t *testing.T) {
					checkCut(t, &cutServer{budget: k, cuts: connections}, slow)
				})
				if t.Failed() {
					t.Fatalf("handlers that take %s, %d connections cut after %d bytes", slow, connections, k)
				}
			}
		}
	}
}

func checkCut(t *testing.T, server *cutServer, slow time.Duration) {
	t.Helper()
	client, err := sininho.New(sininho.WithBaseURL("http://sininho.test"),
		sininho.WithHTTPClient(&http.Client{Transport: server}))
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Hour)
	defer stop()
	published, again := false, false
	isRead := false
	var got []string
	for event, err := range client.Feed.Stream(ctx, sininho.StreamOptions{
		OnConnect: func() {
			again = published
			if !published {
				published = true
				server.publish("notification", "corrected", "read", "withdrawn", "notification")
			}
			time.Sleep(slow)
		},
		OnDisconnect: func(error, time.Duration) {
			if published && len(server.log()) < 8 {
				server.publish("notification")
			}
		},
	}) {
		if err != nil {
			t.Errorf("the stream ended: %v", err)
			break
		}
		time.Sleep(slow)
		if event.Type == sininho.EventRead {
			isRead = true
			continue
		}
		got = append(got, event.ID+" "+string(event.Type))
		if len(got) >= len(server.log()) {
			break
		}
	}
	if want := server.log(); !slices.Equal(got, want) {
		t.Errorf("events: got %q, want %q", got, want)
	}
	if !isRead && !again {
		t.Error("the read state was lost, and OnConnect was not called again")
	}
}

// cutServer serves one stream. It cuts its first connections after a number of bytes or a second,
// whichever comes first; bytes not read by then are lost.
type cutServer struct {
	budget int
	cuts   int

	mu     sync.Mutex
	events []string // "id kind", of the stored events
	open   *cutBody
}

func (s *cutServer) log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

func (s *cutServer) publish(kinds ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, kind := range kinds {
		text := "event: read\ndata: {\"channelId\":\"c\"}\n\n"
		if kind != "read" {
			s.events = append(s.events, fmt.Sprintf("%d %s", len(s.events)+1, kind))
			text = s.text(len(s.events) - 1)
		}
		s.open.write(text)
	}
}

func (s *cutServer) text(i int) string {
	id, kind, _ := bytes.Cut([]byte(s.events[i]), []byte(" "))
	return fmt.Sprintf("id: %s\nevent: %s\ndata: {\"id\":\"n%s\",\"title\":\"é\"}\n\n", id, kind, id)
}

// RoundTrip implements http.RoundTripper. A stream without Last-Event-ID begins with the next event.
func (s *cutServer) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := len(s.events)
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil {
		from = last
	}
	s.open = &cutBody{ctx: r.Context(), left: 1 << 20, more: make(chan struct{})}
	if s.cuts > 0 {
		s.cuts--
		s.open.left = s.budget
		time.AfterFunc(time.Second, s.open.cut)
	}
	s.open.write(fmt.Sprintf("retry: 1\nid: %d\n\n", from))
	for i := from; i < len(s.events); i++ {
		s.open.write(s.text(i))
	}
	return &http.Response{StatusCode: http.StatusOK, Request: r, Body: s.open,
		Header: http.Header{"Content-Type": {"text/event-stream"}}}, nil
}

// cutBody is the response body of one connection.
type cutBody struct {
	ctx  context.Context
	mu   sync.Mutex
	text []byte
	left int // bytes until the cut
	more chan struct{}
}

func (b *cutBody) write(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, text...)
	close(b.more)
	b.more = make(chan struct{})
}

func (b *cutBody) cut() {
	b.mu.Lock()
	b.left = 0
	b.mu.Unlock()
	b.write("")
}

var errCut = errors.New("connection reset by peer")

func (b *cutBody) Read(p []byte) (int, error) {
	for {
		b.mu.Lock()
		n := copy(p[:min(len(p), b.left)], b.text)
		b.text, b.left = b.text[n:], b.left-n
		left, more := b.left, b.more
		b.mu.Unlock()
		if n > 0 {
			return n, nil
		}
		if left == 0 {
			return 0, errCut
		}
		select {
		case <-more:
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		}
	}
}

// Close implements io.Closer.
func (b *cutBody) Close() error { return nil }

var _ io.ReadCloser = (*cutBody)(nil)
