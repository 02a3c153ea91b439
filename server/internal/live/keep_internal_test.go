package live

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/check"
)

// newKeptService starts a service over HTTP/2, and returns what receives a value when its handler has returned.
func newKeptService(t *testing.T, change func(*service)) (s *service, returned <-chan struct{}) {
	t.Helper()
	handlers := make(chan struct{}, 10)
	s = newService(t, func(s *service) {
		s.http.EnableHTTP2 = true
		s.http.Config.Handler = Keep(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.handle(w, r)
			handlers <- struct{}{}
		}))
		if change != nil {
			change(s)
		}
	})
	return s, handlers
}

// keep opens a stream over HTTP/2.
func (s *service) keep(path string) (c *client, leave func()) {
	s.t.Helper()
	ctx, leave := context.WithCancel(s.t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.http.URL+path, nil)
	if err != nil {
		s.t.Fatalf("new request: %v", err)
	}
	res, err := s.http.Client().Do(req)
	if err != nil {
		s.t.Fatalf("request: %v", err)
	}
	s.t.Cleanup(func() { leave(); _ = res.Body.Close() })
	check.Equal(s.t, "HTTP version", res.ProtoMajor, 2)
	c = &client{bufio.NewReader(res.Body), s.t, nil, nil}
	c.block()
	return c, leave
}

// TestAKeptStreamGoesOnWithoutItsHandler expects events after the handler has returned, until the client leaves.
func TestAKeptStreamGoesOnWithoutItsHandler(t *testing.T) {
	t.Parallel()
	s, returned := newKeptService(t, nil)
	c, leave := s.keep("/channel")
	<-returned
	check.Equal(t, "open streams", s.open.Load(), 1)
	s.publish("one", "two")
	c.expectTitles(1, "one", "two")
	s.publish("three")
	c.expectTitles(3, "three")
	leave()
	eventually.True(t, "the client that left to be noticed", func() bool { return s.open.Load() == 0 })
}

// TestAKeptStreamEndsWithItsSession expects that the sign-out of a session is noticed without its signal.
func TestAKeptStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	s, returned := newKeptService(t, func(s *service) { s.pace.lookUp = 10 * time.Millisecond })
	feed, _ := s.keep("/feed")
	channel, _ := s.keep("/channel")
	<-returned
	<-returned
	s.source.ended.Store(true)
	feed.expectEnd("of an ended session")
	s.publish("one")
	channel.expectTitles(1, "one")
}

// TestAKeptStreamIsCut expects a stream whose client does not keep up to end, and others to go on.
func TestAKeptStreamIsCut(t *testing.T) {
	t.Parallel()
	s, returned := newKeptService(t, nil)
	c, _ := s.keep("/channel")
	<-returned
	s.mu.Lock()
	for cut := range s.channels[s.source.followed] {
		cut.cut("test")
	}
	s.mu.Unlock()
	c.expectEnd("that was cut")
	eventually.True(t, "the stream to end on the server too", func() bool { return s.open.Load() == 0 })
	other, _ := s.keep("/channel")
	s.publish("one")
	other.expectTitles(1, "one")
	s.stop()
	if _, err := io.Copy(io.Discard, other); err != nil {
		t.Errorf("stream after the shutdown: got %v, want its end", err)
	}
}
