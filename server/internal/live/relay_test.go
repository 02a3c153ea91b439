package live_test

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/internal/relay"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/natstest"
)

// connectTo gives a hub a relay over NATS.
func (w *world) connectTo(url string) func(*live.Hub) {
	w.t.Helper()
	r, err := relay.Connect(url, slog.New(slog.DiscardHandler))
	if err != nil {
		w.t.Fatalf("connect to NATS: %v", err)
	}
	w.t.Cleanup(r.Close)
	return func(h *live.Hub) { h.Relay = r }
}

// silent is a source that signals nothing to other nodes, and counts how often it is asked for changes.
type silent struct {
	live.Source
	asked atomic.Int64
}

func (*silent) Notify(context.Context, []core.Signal) error { return nil }

func (s *silent) Positions(ctx context.Context, after int64, limit int) ([]core.ChangePosition, error) {
	s.asked.Add(1)
	return s.Source.Positions(ctx, after, limit)
}

// silentNode runs a node that signals only over NATS.
func (w *world) silentNode(url string) (*node, *silent) {
	w.t.Helper()
	source, connect := &silent{Source: w.Store}, w.connectTo(url)
	return w.nodeWith(func(h *live.Hub) { h.Source = source; connect(h) }), source
}

// oneByOne publishes on a node, each after a reader has received the one before, and returns how long it took.
func (w *world) oneByOne(n *node, r *reader, count int) time.Duration {
	w.t.Helper()
	began := time.Now()
	for i := range count {
		title := fmt.Sprint("alone ", i)
		w.publish(title)
		w.place(n)
		r.expect("notification " + strconv.Quote(title))
	}
	return time.Since(began)
}

// TestNATSCarriesSignals needs less time for many publishes than a node that must poll, and wakes only nodes whose
// streams need the channel.
func TestNATSCarriesSignals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	nats := natstest.Start(t)
	other := w.newChannel("avisos")
	a, _ := w.silentNode(nats.URL)
	b, source := w.silentNode(nats.URL)
	feed, channel := w.open(b, "/feed", ""), w.open(b, "/channel", "")
	if took := w.oneByOne(a, channel, 20); took > 100*time.Second {
		t.Errorf("20 publishes, each received by another node: got %s, want less than by polling", took)
	}
	for i := range 20 {
		feed.expect(fmt.Sprintf(`notification "alone %d"`, i))
	}
	id := core.NewID()
	a.Read(t.Context(), w.subscriber, core.ReadEvent{NotificationID: &id})
	feed.expect(fmt.Sprintf(`read {"notificationId":"%s"}`, id))
	began, before := time.Now(), source.asked.Load()
	for i := range 50 {
		w.publishTo(other, fmt.Sprint(i))
		w.place(a)
	}
	a.Read(t.Context(), w.subscriber, core.ReadEvent{}) // arrives after the signals of the publishes
	feed.expect("read {}")
	polls := int64(time.Since(began)/time.Second) + 1
	if got := source.asked.Load() - before; got > polls {
		t.Errorf("reads for 50 changes that no stream needs: got %d, want at most %d polls", got, polls)
	}
	late := w.open(b, "/channels/"+other.ID.String(), "")
	check.Equal(t, "position of a new stream", late.id, fmt.Sprint(must(w.StreamPosition(t.Context()))))
}

// TestStreamsWithoutNATS stops NATS while two nodes publish. Streams on both receive everything once and in order, and
// at once again when it is back.
func TestStreamsWithoutNATS(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	nats := natstest.Start(t)
	a, _ := w.silentNode(nats.URL)
	b, _ := w.silentNode(nats.URL)
	nodes := []*node{a, b}
	var readers []*reader
	for _, n := range nodes {
		readers = append(readers, w.open(n, "/channel", ""), w.open(n, "/feed", ""))
	}
	publish := func(count int) {
		var publishing sync.WaitGroup
		for i, n := range nodes {
			publishing.Go(func() {
				for k := range count {
					w.publish(fmt.Sprint(i, "-", k))
					w.place(n)
				}
			})
		}
		publishing.Wait()
	}
	read := int64(0)
	expectAll := func(when string) {
		t.Helper()
		changes := must(w.Changes(t.Context(), read, 1_000, 1<<20, []core.ID{w.channel.ID}))
		for i, r := range readers {
			for _, c := range changes {
				r.event()
				check.Equal(t, fmt.Sprintf("position received by reader %d %s", i, when), r.id, fmt.Sprint(c.Position))
			}
		}
		read = changes[len(changes)-1].Position
	}
	publish(20)
	expectAll("with NATS")
	stopped := make(chan struct{})
	go func() { defer close(stopped); nats.Stop() }()
	publish(40)
	<-stopped
	publish(10)
	expectAll("without NATS")
	nats.Start()
	publish(10)
	expectAll("when NATS was back")
	eventually.True(t, "signals over NATS again", func() bool {
		took := w.oneByOne(a, readers[2], 5)
		for i, r := range readers {
			for k := range 5 {
				if i != 2 {
					r.expect(fmt.Sprintf(`notification "alone %d"`, k))
				}
			}
		}
		return took < 2*time.Second // polls would take 5
	})
}

// TestWhatMustArriveDoesNotDependOnNATS ends a credential, deletes a channel and follows on nodes whose messages over
// NATS are lost.
func TestWhatMustArriveDoesNotDependOnNATS(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.nodeWith(w.connectTo(natstest.Start(t).URL))
	b := w.nodeWith(w.connectTo(natstest.Start(t).URL)) // does not know the other one
	feed, channel := w.open(b, "/feed", ""), w.open(b, "/channel", "")
	if err := w.Unsubscribe(t.Context(), w.subscriber, w.channel.ID, now()); err != nil {
		t.Fatalf("unsubscribe: %v", err)
	}
	other := w.newChannel("avisos")
	must(w.Subscribe(t.Context(), w.subscriber, other.ID, now()))
	a.Followed(t.Context(), w.subscriber)
	a.ChannelReset(t.Context(), other.ID) // arrives after the signal about following
	feed.expect("reset {}")               // it follows one channel less
	feed.expect("reset {}")
	w.publish("not followed any more")
	w.publishTo(other, "followed")
	w.place(b)
	feed.expect(`notification "followed"`)
	channel.expect(`notification "not followed any more"`)
	a.ChannelReset(t.Context(), w.channel.ID)
	if line, err := channel.body.ReadString('\n'); err == nil {
		t.Errorf("stream of a deleted channel: got %q, want its end", line)
	}
	a.SignedOut(t.Context(), w.session)
	if line, err := feed.body.ReadString('\n'); err == nil {
		t.Errorf("stream after signing out: got %q, want its end", line)
	}
}
