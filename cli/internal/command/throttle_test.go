package command

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// limitedServer is a transport that accepts a few requests per second and responds 429 to the others.
type limitedServer struct {
	perSecond int

	mu      sync.Mutex
	second  time.Time
	taken   int
	refused int
}

func (l *limitedServer) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.second) >= time.Second {
		l.second, l.taken = now, 0
	}
	status, body := http.StatusCreated, published201
	if l.taken == l.perSecond {
		status, body = http.StatusTooManyRequests, ""
		l.refused++
	} else {
		l.taken++
	}
	return &http.Response{
		StatusCode: status, Request: r, Body: io.NopCloser(strings.NewReader(body)),
		Header: http.Header{"Content-Type": {"application/json"}, "Retry-After": {"1"}},
	}, nil
}

// With a high concurrency, a file is published at the server's pace and every message is published.
func TestPublishFileWaitsForTheRateLimitAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const (
			messages  = 100
			workers   = 64
			perSecond = 2
		)
		server := &limitedServer{perSecond: perSecond}
		var lines strings.Builder
		for i := range messages {
			fmt.Fprintf(&lines, "{\"title\":\"%d\"}\n", i)
		}
		var stdout, stderr bytes.Buffer
		s := newSession(nil, &stdout, &stderr, func(string) string { return "" })
		items, err := s.readItems([]byte(lines.String()))
		if err != nil {
			t.Fatalf("read the messages: %v", err)
		}
		client, err := sininho.New(append(batchOptions(), sininho.WithHTTPClient(&http.Client{Transport: server}))...)
		if err != nil {
			t.Fatalf("create the client: %v", err)
		}
		start := time.Now()
		err = (&batch{session: s, client: client, channel: "demo/novidades", items: items,
			groups: each(items)}).run(t.Context(), workers)
		if err != nil {
			t.Fatalf("publish the file: %v\n%s", err, &stderr)
		}
		if got := strings.Count(stdout.String(), "\tcreated\t"); got != messages {
			t.Errorf("created messages: got %d, want %d", got, messages)
		}
		if got, most := time.Since(start), messages/perSecond*2*time.Second; got > most {
			t.Errorf("duration: got %v, want at most %v", got, most)
		}
		if got := strings.Count(stderr.String(), "Over the rate limit: pausing for 1s"); got != 1 {
			t.Errorf("reports of the wait: got %d, want 1\n%s", got, &stderr)
		}
		// Waiting workers retry only once per pause.
		if most := messages / perSecond * workers; server.refused > most {
			t.Errorf("refused requests: got %d, want at most %d", server.refused, most)
		}
	})
}

func TestThrottleKeepsTheLongestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pool throttle
		pool.pause(time.Minute)
		pool.pause(0)
		start := time.Now()
		if err := pool.wait(t.Context()); err != nil {
			t.Fatalf("wait for the long pause: %v", err)
		}
		if got := time.Since(start); got != time.Minute {
			t.Errorf("wait for the long pause: got %v, want 1m0s", got)
		}
		pool.pause(0)
		if err := pool.wait(t.Context()); err != nil {
			t.Fatalf("wait for the shortest pause: %v", err)
		}
		if got := time.Since(start); got != time.Minute+time.Second {
			t.Errorf("wait for both pauses: got %v, want 1m1s", got)
		}
	})
}
