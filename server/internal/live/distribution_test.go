package live_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/natstest"
)

// reads is a source that records what is read of the stream, and can hold a read.
type reads struct {
	live.Source

	mu       sync.Mutex
	channels map[core.ID]int // how many changes of it were read
	hold     chan struct{}   // receives when a read waits, and again when it may go on
}

func (r *reads) ChangesOf(ctx context.Context, after int64, ids []core.ID) ([]core.Change, error) {
	r.mu.Lock()
	hold := r.hold
	r.hold = nil
	r.mu.Unlock()
	if hold != nil {
		hold <- struct{}{}
		hold <- struct{}{}
	}
	changes, err := r.Source.ChangesOf(ctx, after, ids)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range changes {
		r.channels[c.Notification.Channel.ID]++
	}
	return changes, err
}

// holdNext makes the next read wait. It returns functions that wait until it does, and that let it go on.
func (r *reads) holdNext() (held, goOn func()) {
	hold := make(chan struct{})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hold = hold
	return func() { <-hold }, func() { <-hold }
}

func (w *world) readingNode() (*node, *reads) {
	w.t.Helper()
	source := &reads{Source: w.Store, channels: map[core.ID]int{}}
	return w.nodeWith(func(h *live.Hub) { h.Source = source }), source
}

func TestANodeReadsOnlyWhatItsStreamsNeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.newChannel("avisos")
	a, source := w.readingNode()
	r := w.open(a, "/channel", "")
	w.publishTo(other, "1", "2")
	w.publish("3")
	w.place(a)
	r.expect(`notification "3"`)
	source.mu.Lock()
	defer source.mu.Unlock()
	check.Equal(t, "changes read of a channel without a stream", source.channels[other.ID], 0)
	check.Equal(t, "changes read of the channel with a stream", source.channels[w.channel.ID], 1)
}

// TestAStreamThatOpensDuringARead is of a channel that the read does not include. It begins after what the read
// includes, and receives everything since, also what was published before the read came to the database.
func TestAStreamThatOpensDuringARead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.newChannel("avisos")
	a, source := w.readingNode()
	first := w.open(a, "/channel", "")
	w.publishTo(other, "before")
	held, goOn := source.holdNext()
	one := w.publish("1")
	w.place(a)
	held()
	late := w.open(a, "/channels/"+other.ID.String(), "")
	check.Equal(t, "position at which the stream begins", late.id, "2")
	w.publishTo(other, "after")
	must(w.Correct(t.Context(), w.channel.ID, one.ID, func(n *core.Notification) error { n.Title = "uno"; return nil }))
	goOn()
	w.place(a)
	late.expect(`notification "after"`)
	first.expect(`notification "uno"`, `corrected "uno"`)
}

// TestStreamsThatOpenAndCloseMissNothing has readers of several channels connect to any of two nodes again and again,
// while two publish to all channels. Each reader receives every change after the position at which it began, once and
// in order.
func TestStreamsThatOpenAndCloseMissNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	t.Run("signals by the database", func(t *testing.T) { w.openAndClose([]*node{w.node(), w.node()}) })
	t.Run("signals over NATS", func(t *testing.T) {
		url := natstest.Start(t).URL
		a, _ := w.silentNode(url)
		b, _ := w.silentNode(url)
		w.openAndClose([]*node{a, b})
	})
}

func (w *world) openAndClose(nodes []*node) {
	w.t.Helper()
	channels := []core.ChannelRef{w.channel}
	for i := range 4 {
		channels = append(channels, w.newChannel(fmt.Sprintf("c%d-%d", w.nodes, i)))
	}
	const each, last = 60, "last"
	var publishing, reading sync.WaitGroup
	for i, n := range nodes {
		publishing.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 0))
			for k := range each {
				w.publishTo(channels[random.IntN(len(channels))], fmt.Sprint(k))
				w.place(n)
			}
		})
	}
	for i := range 2 * len(channels) {
		f := &wanderer{world: w, nodes: nodes, channel: channels[i%len(channels)].ID,
			random: rand.New(rand.NewPCG(uint64(i), 1))}
		f.connect("")
		reading.Go(func() { f.readUntil(strconv.Quote(last)) })
	}
	publishing.Wait()
	for _, c := range channels {
		w.publishTo(c, last)
	}
	w.place(nodes[0])
	reading.Wait()
}

// wanderer is a reader of a channel that goes from node to node.
type wanderer struct {
	*world
	nodes   []*node
	channel core.ID
	random  *rand.Rand
	r       *reader
}

func (f *wanderer) connect(from string) {
	n := f.nodes[f.random.IntN(len(f.nodes))]
	f.r = f.open(n, "/channels/"+f.channel.String(), from)
}

// readUntil reads up to an event with that data, and compares what it has read with the database.
func (f *wanderer) readUntil(last string) {
	f.t.Helper()
	position := func() int64 { return must(strconv.ParseInt(f.r.id, 10, 64)) }
	began := position()
	var got, want []int64
	for data := ""; data != last; {
		if f.random.IntN(4) == 0 {
			f.r.end()
			f.connect(f.r.id)
		}
		_, data = f.r.event()
		got = append(got, position())
	}
	for _, c := range must(f.Changes(f.t.Context(), began, 1_000, 1<<20, []core.ID{f.channel})) {
		want = append(want, c.Position)
	}
	if !slices.Equal(got, want) {
		f.t.Errorf("positions received since %d: got %v, want %v", began, got, want)
	}
}
