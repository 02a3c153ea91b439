package live_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/lab/natstest"
)

// TestRandomHistories publishes, corrects, withdraws, expires and restores notifications at random, and cuts streams at
// random points. Half of the histories signal over NATS. A reader receives each publication before any correction,
// exactly once and in order, and ends with the visible notifications.
func TestRandomHistories(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, seed)
			for range 150 {
				h.step()
			}
			h.finish()
		})
	}
}

// history is the history of a channel's notifications and the readers of its streams.
type history struct {
	*world
	random  *rand.Rand
	nodes   []*node
	notes   []*note
	names   map[core.ID]string
	last    int64 // the stream's latest position
	readers []*follower
}

// note is a notification. Its title is its name and version.
type note struct {
	id               core.ID
	name             string
	version          int
	visible, expired bool
	returned         bool // visible again after it expired, which is a second publication
}

func (n *note) title() string { return fmt.Sprintf("%s v%d", n.name, n.version) }

func (n *note) withdraw() { n.visible, n.expired = false, false }

func (n *note) expire() {
	n.expired = n.expired || n.visible
	n.visible = false
}

func (n *note) bringBack() {
	if n.expired {
		n.visible, n.expired = true, false
		n.returned = true
	}
}

// follower is a reader that reconnects after each cut, to any node.
type follower struct {
	h     *history
	path  string
	r     *reader
	at    int64
	shown map[string]string // titles by the note's name
}

func newHistory(t *testing.T, seed uint64) *history {
	t.Helper()
	w := newWorld(t)
	h := &history{world: w, random: rand.New(rand.NewPCG(seed, 0)), names: map[core.ID]string{}}
	change := func(*live.Hub) {}
	if seed%2 == 1 {
		nats := natstest.Start(t)
		change = func(h *live.Hub) { w.connectTo(nats.URL)(h) }
	}
	h.nodes = []*node{w.nodeWith(change), w.nodeWith(change)}
	for _, path := range []string{"/feed", "/channel"} {
		h.readers = append(h.readers, h.follow(path, ""))
	}
	return h
}

func (h *history) follow(path, from string) *follower {
	h.t.Helper()
	f := &follower{h: h, path: path, shown: map[string]string{}}
	f.connect(from)
	return f
}

func (h *history) step() {
	h.t.Helper()
	switch h.random.IntN(8) {
	case 0, 1:
		n := &note{name: fmt.Sprintf("n%d", len(h.notes)), visible: true}
		n.id = h.publish(n.title()).ID
		h.notes, h.names[n.id] = append(h.notes, n), n.name
	case 2, 3:
		h.change(func(n *note) { n.version++ })
	case 4:
		h.change((*note).withdraw)
	case 5:
		h.change((*note).expire)
	case 6:
		h.change((*note).bringBack)
	case 7:
		h.placeAll()
	}
	for _, f := range h.readers {
		for range h.random.IntN(3) {
			f.next()
		}
		if h.random.IntN(4) == 0 {
			f.cut()
		}
	}
}

// change changes a random notification that is not withdrawn.
func (h *history) change(change func(*note)) {
	h.t.Helper()
	if len(h.notes) == 0 {
		return
	}
	n := h.notes[h.random.IntN(len(h.notes))]
	if !n.visible && !n.expired {
		return
	}
	change(n)
	must(h.Correct(h.t.Context(), h.channel.ID, n.id, func(stored *core.Notification) error {
		stored.Title, stored.Visible = n.title(), n.visible
		return nil
	}))
}

func (h *history) placeAll() {
	h.t.Helper()
	h.last = max(h.last, h.place(h.nodes[h.random.IntN(len(h.nodes))]))
}

// finish reads all streams to the end, and then once more from the beginning.
func (h *history) finish() {
	h.t.Helper()
	h.placeAll()
	want := map[string]string{}
	for _, n := range h.notes {
		if n.visible {
			want[n.name] = n.title()
		}
	}
	for _, f := range append(h.readers, h.follow("/channel", "0")) {
		for f.next() {
		}
		if !maps.Equal(f.shown, want) {
			h.t.Errorf("%s: shows %v, want %v", f.path, f.shown, want)
		}
	}
}

func (f *follower) connect(from string) {
	f.h.t.Helper()
	f.r = f.h.open(f.h.nodes[f.h.random.IntN(len(f.h.nodes))], f.path, from)
	f.at = f.position()
}

func (f *follower) position() int64 { return must(strconv.ParseInt(f.r.id, 10, 64)) }

func (f *follower) cut() {
	f.h.t.Helper()
	f.r.end()
	f.connect(f.r.id)
}

// next reads an event, or returns false when there is none.
func (f *follower) next() bool {
	f.h.t.Helper()
	if f.at >= f.h.last {
		return false
	}
	kind, data := f.r.event()
	if f.position() <= f.at {
		f.h.t.Fatalf("%s: %s %s has the position %d after %d", f.path, kind, data, f.position(), f.at)
	}
	f.at = f.position()
	f.take(kind, data)
	return true
}

func (f *follower) take(kind, data string) {
	f.h.t.Helper()
	title, _ := strconv.Unquote(data)
	name, _, _ := strings.Cut(title, " ")
	_, shown := f.shown[name]
	switch kind {
	case "notification":
		if shown && !f.h.returned(name) {
			f.h.t.Errorf("%s: %s at %d was published before", f.path, title, f.at)
		}
		f.shown[name] = title
	case "corrected":
		if !shown {
			f.h.t.Errorf("%s: %s at %d is corrected and was never published", f.path, title, f.at)
		}
		f.shown[name] = title
	case "withdrawn":
		delete(f.shown, f.h.withdrawn(data))
	default:
		f.h.t.Fatalf("%s: the event %s %s at %d", f.path, kind, data, f.at)
	}
}

func (h *history) returned(name string) bool {
	for _, n := range h.notes {
		if n.name == name {
			return n.returned
		}
	}
	return false
}

// withdrawn returns the name of the notification that a withdrawal event is about.
func (h *history) withdrawn(data string) string {
	for id, name := range h.names {
		if strings.Contains(data, id.String()) {
			return name
		}
	}
	return ""
}
