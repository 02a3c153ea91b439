package httpapi

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// held streams stay open until the test ends them.
type held struct {
	begun chan struct{}
	end   chan struct{}
}

func (h held) serve(q core.StreamRequest) error {
	defer q.Ended()
	h.begun <- struct{}{}
	<-h.end
	return nil
}

func (held) Position() int64 { return 0 }

func (h held) ServeFeed(_ http.ResponseWriter, _ *http.Request, _ core.ID, q core.StreamRequest) error {
	return h.serve(q)
}

func (h held) ServeChannel(_ http.ResponseWriter, _ *http.Request, _ core.ID, q core.StreamRequest) error {
	return h.serve(q)
}

func TestStreamsAreLimited(t *testing.T) {
	const feed, channel = "/api/v1/subscribers/notifications/stream", publish + "/stream"
	live := held{make(chan struct{}), make(chan struct{})}
	w := newWorld(t, func(c *Config) { c.Live = live })
	var open sync.WaitGroup
	t.Cleanup(func() { close(live.end); open.Wait() })
	connect := func(path string, header ...string) (refused *response) {
		refusals := make(chan *response, 1)
		open.Go(func() { refusals <- w.send("GET", path, "", header...) })
		select {
		case <-live.begun:
			return nil
		case a := <-refusals:
			return a
		}
	}
	hold := func(n int, path string, header ...string) {
		t.Helper()
		for range n {
			if a := connect(path, header...); a != nil {
				t.Fatalf("stream of %s within the limit: got status %d, want an open stream: %s", path, a.Code, a.Body)
			}
		}
	}
	refused := func(path string, header ...string) {
		t.Helper()
		a := connect(path, append(header, "Accept-Language: pt")...)
		if a == nil {
			t.Fatalf("stream of %s beyond the limit: got an open stream, want status 429", path)
		}
		what := "stream of " + path + " beyond the limit"
		p := a.problem()
		a.wantStatus(what, 429)
		check.Equal(t, what+": code", p.Code, "rate_limited")
		a.wantHeader(what, "Retry-After", "10")
		if !strings.Contains(*p.Detail, "fluxos") {
			t.Errorf("%s: got detail %q, want fluxos named", what, *p.Detail)
		}
	}
	anotherSession := "Cookie: " + sessionCookie + "=new"
	hold(29, feed, signedIn)
	hold(1, channel, anotherSession)
	refused(feed, signedIn)
	refused(channel, anotherSession)
	hold(1, feed, "Cookie: "+sessionCookie+"=other")

	hold(100, channel)
	refused(channel)
	hold(1, channel, "From: 192.0.2.2:1")
	hold(1, channel, w.bearer())
}

func TestEndedStreamsAreNotCounted(t *testing.T) {
	w := newWorld(t)
	a := newServer(w.config)
	w.handler = a.routes
	for range 40 {
		w.send("GET", "/api/v1/subscribers/notifications/stream", "", signedIn).mustStatus("stream of the feed", 200)
		w.send("GET", publish+"/stream", "") // fails
	}
	if len(a.streams.count) != 0 {
		t.Errorf("streams counted after all have ended: got %v, want none", a.streams.count)
	}
}

func TestStreamsWithoutLimit(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits = Limits{Off: true} })
	a := w.send("GET", "/api/v1/subscribers/notifications/stream", "", signedIn)
	a.wantStatus("stream without limits", 200)
}
