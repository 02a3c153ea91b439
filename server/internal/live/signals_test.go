package live_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/internal/postgres"
)

// counted is a source that counts the calls of Notify. While blocked is locked, they do not return.
type counted struct {
	live.Source
	calls   atomic.Int64
	blocked sync.RWMutex
}

func (c *counted) Notify(ctx context.Context, signals []core.Signal) error {
	c.calls.Add(1)
	c.blocked.RLock()
	defer c.blocked.RUnlock()
	return c.Source.Notify(ctx, signals)
}

func (w *world) countedNode() (*node, *counted) {
	source := &counted{Source: w.Store}
	return w.nodeWith(func(h *live.Hub) { h.Source = source }), source
}

// TestManySignalsNeedFewStatements announces 1,000 read marks at once. All arrive, in at most one statement for each
// 10 ms that it took.
func TestManySignalsNeedFewStatements(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, source := w.countedNode()
	var arrived sync.Map
	ctx, stop := context.WithCancel(t.Context())
	ready, listening := make(chan struct{}), sync.WaitGroup{}
	listening.Go(func() {
		_ = postgres.Listen(ctx, w.url, func() { close(ready) }, func(s core.Signal) {
			arrived.Store(*s.Read.NotificationID, nil)
		})
	})
	t.Cleanup(func() { stop(); listening.Wait() })
	<-ready
	began := time.Now()
	var announced sync.WaitGroup
	for range 1000 {
		id := core.NewID()
		announced.Go(func() { a.Read(t.Context(), w.subscriber, core.ReadEvent{NotificationID: &id}) })
	}
	announced.Wait()
	eventually.Reaches(t, "read marks that arrived", 1000, func() (n int) {
		arrived.Range(func(any, any) bool { n++; return true })
		return n
	})
	most := int64(time.Since(began)/(10*time.Millisecond)) + 1
	if got := source.calls.Load(); got > most || got > 100 {
		t.Errorf("statements for 1,000 signals: got %d, want at most %d", got, min(most, 100))
	}
}

// TestAnAnnouncementDoesNotWaitForTheDatabase announces while no signal can be sent. The streams of this node end with
// their credential all the same, and the signals arrive later.
func TestAnAnnouncementDoesNotWaitForTheDatabase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, source := w.countedNode()
	b := w.node()
	feed, own := w.open(b, "/feed", ""), w.open(a, "/channel-by-credential", "")
	source.blocked.Lock()
	var want []string
	for range 100 {
		id := core.NewID()
		a.Read(t.Context(), w.subscriber, core.ReadEvent{NotificationID: &id})
		want = append(want, fmt.Sprintf(`read {"notificationId":"%s"}`, id))
	}
	source.blocked.Unlock()
	feed.expect(want...)
	source.blocked.Lock()
	a.SignedOut(t.Context(), w.session)
	if line, err := own.body.ReadString('\n'); err == nil {
		t.Errorf("stream on this node after signing out: got %q, want its end", line)
	}
	source.blocked.Unlock()
	if line, err := feed.body.ReadString('\n'); err == nil {
		t.Errorf("stream on another node after signing out: got %q, want its end", line)
	}
}

// TestAnnouncementsDuringTheShutdownArrive announces before and after a node stops.
func TestAnnouncementsDuringTheShutdownArrive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.node(), w.node()
	feed := w.open(b, "/feed", "")
	var want []string
	read := func() {
		id := core.NewID()
		a.Read(t.Context(), w.subscriber, core.ReadEvent{NotificationID: &id})
		want = append(want, fmt.Sprintf(`read {"notificationId":"%s"}`, id))
	}
	for range 20 {
		read()
	}
	a.stop()
	read()
	feed.expect(want...)
}
