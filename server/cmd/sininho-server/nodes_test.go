package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/eventually"
	"github.com/sininho/sininho/server/internal/natstest"
)

// TestNodesComeAndGo kills one of three servers behind a plain proxy while they publish, push and stream, and starts it
// again. Every stream receives everything once and in order, and every device has one outcome for each notification.
func TestNodesComeAndGo(t *testing.T) {
	t.Parallel()
	t.Run("signals by the database", func(t *testing.T) {
		t.Parallel()
		nodesComeAndGo(t, newOutside(t))
	})
	t.Run("signals over NATS", func(t *testing.T) {
		t.Parallel()
		o := newOutside(t)
		o.environment = append(o.environment, "NATS_URL="+natstest.Start(t).URL)
		nodesComeAndGo(t, o)
	})
}

func nodesComeAndGo(t *testing.T, o *outside) {
	t.Helper()
	const devices, streams, publishes = 50, 9, 60
	o.environment = append(o.environment, "SECRET_KEY="+base64.StdEncoding.EncodeToString(core.NewSecretKey()))
	nodes := []*outside{o, o.another(), o.another()}
	var processes []*exec.Cmd
	for _, n := range nodes {
		processes = append(processes, n.start())
	}
	o.followers(devices)
	client, err := sininho.New(sininho.WithBaseURL(proxy(t, nodes)), sininho.WithAPIKey(o.setting("SININHO_API_KEY")),
		sininho.WithRetries(20))
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	var all []*listener
	for range streams {
		all = append(all, listen(t, client))
	}
	eventually.True(t, "all streams to be open", func() bool {
		return !slices.ContainsFunc(all, func(l *listener) bool { return l.connected.Load() == 0 })
	})
	var ids []string
	for i := range publishes {
		switch i {
		case publishes / 3:
			if err := processes[1].Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatalf("kill a server: %v", err)
			}
			_ = processes[1].Wait()
		case 2 * publishes / 3:
			nodes[1].start()
		}
		published, err := client.Notifications.Publish(t.Context(), "demo/novidades",
			sininho.PublishInput{Title: fmt.Sprint("Nota ", i)})
		if err != nil {
			t.Fatalf("publish %d: %v", i, err)
		}
		ids = append(ids, published.Notification.ID)
	}
	reconnected := 0
	for i, l := range all {
		eventually.Reaches(t, fmt.Sprintf("events of stream %d", i), publishes, func() int { return len(l.list()) })
		if got := l.list(); !slices.Equal(got, ids) {
			t.Errorf("notifications on stream %d: got %v, want %v", i, got, ids)
		}
		reconnected += int(l.connected.Load()) - 1
	}
	if reconnected == 0 {
		t.Error("reconnections: got none, want those of the streams of the server that was killed")
	}
	const outcomes = " from deliveries where notification_id = any ($1::uuid[]) and outcome = 'accepted'"
	count := func() int { return o.query("select count(*)"+outcomes, ids) }
	eventually.Reaches(t, "accepted pushes", devices*publishes, count)
	different := o.query("select count(distinct (notification_id, device_id))"+outcomes, ids)
	if got := count(); got != devices*publishes || different != got {
		t.Errorf("accepted pushes: got %d to %d devices, want %d to as many", got, different, devices*publishes)
	}
}

// another returns a server at another address that shares what is outside.
func (o *outside) another() *outside {
	o.t.Helper()
	other := *o
	other.addr = freeAddr(o.t)
	other.dir = filepath.Join(o.t.TempDir(), "node")
	return &other
}

// proxy serves the nodes in turn at one address, and returns it.
func proxy(t *testing.T, nodes []*outside) string {
	t.Helper()
	var next atomic.Int64
	s := httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: nodes[next.Add(1)%int64(len(nodes))].addr})
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// listener follows the stream of a channel, and reconnects.
type listener struct {
	connected atomic.Int64

	mu  sync.Mutex
	ids []string
}

func listen(t *testing.T, client *sininho.Client) *listener {
	t.Helper()
	l := &listener{}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		options := sininho.StreamOptions{OnConnect: func() { l.connected.Add(1) }}
		for e, err := range client.Notifications.Stream(ctx, "demo/novidades", options) {
			switch {
			case ctx.Err() != nil:
			case err != nil:
				t.Errorf("stream: got %v, want it to reconnect", err)
			case e.Type != sininho.EventNotification:
				t.Errorf("event: got %s, want only notifications", e.Type)
			case strings.HasPrefix(e.Notification.Title, "Nota "):
				l.mu.Lock()
				l.ids = append(l.ids, e.Notification.ID)
				l.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() { stop(); <-done })
	return l
}

func (l *listener) list() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.ids)
}
