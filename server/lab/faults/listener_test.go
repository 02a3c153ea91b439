package faults

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
)

// listener follows the stream of the channel as the SDK does: it reconnects with the id of the last event.
type listener struct {
	i         *installation
	name      string
	connected atomic.Int64

	mu    sync.Mutex
	heard []event
}

// event is a notification that a listener received.
type event struct {
	id, key string
	at      time.Time
}

// listen opens a stream at a base URL and waits until it is connected.
func (i *installation) listen(base string) *listener {
	i.t.Helper()
	client, err := sininho.New(sininho.WithBaseURL(base), sininho.WithAPIKey(i.APIKey))
	if err != nil {
		i.t.Fatalf("new client: %v", err)
	}
	i.listeners = append(i.listeners, &listener{i: i, name: fmt.Sprintf("stream %d at %s", len(i.listeners)+1, base)})
	l := i.listeners[len(i.listeners)-1]
	ctx, stop := context.WithCancel(i.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.run(ctx, client)
	}()
	i.t.Cleanup(func() { stop(); <-done })
	eventually.True(i.t, l.name+" to be open", func() bool { return l.connected.Load() > 0 })
	return l
}

func (l *listener) run(ctx context.Context, client *sininho.Client) {
	options := sininho.StreamOptions{OnConnect: func() { l.connected.Add(1) }}
	for e, err := range client.Notifications.Stream(ctx, "demo/novidades", options) {
		switch {
		case ctx.Err() != nil:
		case err != nil:
			l.i.t.Errorf("%s: got %v, want it to reconnect", l.name, err)
		case e.Type != sininho.EventNotification:
			l.i.t.Errorf("%s: got the event %s, want only notifications", l.name, e.Type)
		default:
			l.mu.Lock()
			l.heard = append(l.heard, event{e.Notification.ID, e.Notification.Title, time.Now()})
			l.mu.Unlock()
		}
	}
}

func (l *listener) all() []event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]event(nil), l.heard...)
}

// latest returns the longest time from the acknowledgement of a publish to its event.
func (l *listener) latest() (longest time.Duration) {
	acknowledged := map[string]time.Time{}
	for _, a := range l.i.ledger.all() {
		if a.acknowledged() {
			acknowledged[a.id] = a.began.Add(a.took)
		}
	}
	for _, e := range l.all() {
		if at, ok := acknowledged[e.id]; ok {
			longest = max(longest, e.at.Sub(at))
		}
	}
	return longest
}
