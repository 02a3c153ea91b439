package httpapi

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// held streams stay open until the test ends them.
type held struct {
	begun chan struct{}
	end   chan struct{}
}

func (h held) serve() error {
	h.begun <- struct{}{}
	<-h.end
	return nil
}

func (h held) ServeFeed(context.Context, http.ResponseWriter, core.ID, core.ID, string) error {
	return h.serve()
}

func (h held) ServeChannel(context.Context, http.ResponseWriter, core.ID, core.ID, string) error {
	return h.serve()
}

func TestStreamsAreLimited(t *testing.T) {
	const feed, channel = "/api/v1/subscribers/notifications/stream", publish + "/stream"
	live := held{make(chan struct{}), make(chan struct{})}
	w := newWorld(t, func(c *Config) { c.Live = live })
	var open sync.WaitGroup
	t.Cleanup(func() { close(live.end); open.Wait() })
	ask := func(path string, header ...string) (refused *answer) {
		answered := make(chan *answer, 1)
		open.Go(func() { answered <- w.ask("GET", path, "", header...) })
		select {
		case <-live.begun:
			return nil
		case a := <-answered:
			return a
		}
	}
	hold := func(n int, path string, header ...string) {
		t.Helper()
		for range n {
			if a := ask(path, header...); a != nil {
				t.Fatalf("%d %s", a.Code, a.Body)
			}
		}
	}
	refused := func(path string, header ...string) {
		t.Helper()
		a := ask(path, append(header, "Accept-Language: pt")...)
		if a == nil {
			t.Fatal("there is no limit")
		}
		if p := a.problem(); a.Code != 429 || p.Code != "rate_limited" || a.Header().Get("Retry-After") != "10" || !strings.Contains(*p.Detail, "fluxos") {
			t.Errorf("%d %s", a.Code, a.Body)
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

func TestStreamsThatEndMakeRoom(t *testing.T) {
	w := newWorld(t)
	a := newServer(w.config)
	w.handler = a.routes
	for range 40 {
		if a := w.ask("GET", "/api/v1/subscribers/notifications/stream", "", signedIn); a.Code != 200 {
			t.Fatal(a.Code)
		}
		w.ask("GET", publish+"/stream", "") // fails
	}
	if len(a.streams.count) != 0 {
		t.Errorf("%v are counted", a.streams.count)
	}
}

func TestNoLimitOfStreams(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits = Limits{Off: true} })
	if a := w.ask("GET", "/api/v1/subscribers/notifications/stream", "", signedIn); a.Code != 200 {
		t.Errorf("%d", a.Code)
	}
}
