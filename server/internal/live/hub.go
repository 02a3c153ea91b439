package live

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/metrics"
)

// Source reads changes and sends signals.
type Source interface {
	StreamPosition(ctx context.Context) (int64, error)
	// Positions returns where the next changes after a position are, in order.
	Positions(ctx context.Context, after int64, limit int) ([]core.ChangePosition, error)
	// ChangesOf returns the changes of notifications after a position, in order.
	ChangesOf(ctx context.Context, after int64, notificationIDs []core.ID) ([]core.Change, error)
	// Changes returns the next changes of channels after a position, in order, up to a limit, and to the one with which
	// their texts have that many bytes.
	Changes(ctx context.Context, after int64, limit, bytes int, channelIDs []core.ID) ([]core.Change, error)
	// FollowedChannels returns the channels followed by the subscriber of a session or access token. It fails when the
	// credential has ended or the account is suspended.
	FollowedChannels(ctx context.Context, credentialID core.ID) ([]core.ID, error)
	// Notify sends signals in order to all nodes.
	Notify(ctx context.Context, signals []core.Signal) error
}

// Hub distributes changes to the streams of this node. Set the exported fields, call Start, then Run, and serve
// streams.
type Hub struct {
	Source Source
	// Listen receives the signals of all nodes until the connection fails.
	Listen func(ctx context.Context, ready func(), handle func(core.Signal)) error
	// Relay carries signals to the nodes that need them; nil: all go to every node through the database.
	Relay Relay
	// Encode returns a notification as JSON in the API's form.
	Encode  func(core.Notification) []byte
	Metrics *metrics.Live // nil: nothing is counted
	Log     *slog.Logger

	wake    chan struct{}
	done    chan struct{} // closed when all streams must end
	signals *signals
	needs   *needs
	pace    pace
	started time.Time
	shards  []*shard
	next    atomic.Uint64 // counts the streams that were handed on to the shards in turn
	lookUps chan *stream
	// lateWake receives when a stream falls late, and when there is more to distribute to those that did.
	lateWake chan struct{}
	open     atomic.Int64 // streams
	follows  atomic.Int64 // counts the times that follow was called

	mu          sync.Mutex
	position    int64                            // a stream that registers now receives the changes after it
	distributed int64                            // position up to which changes were sent to the prompt streams
	lates       map[core.ID]*late                // distributions to the others
	channels    map[core.ID]map[*stream]struct{} // by followed channel
	readers     map[core.ID]map[*stream]struct{} // by subscriber
	credentials map[core.ID]map[*stream]struct{} // by session, access token or API key
	listening   bool
	relayed     bool // signals come through the relay, or there is none
}

// Start reads the current stream position. It must be called before anything else.
func (h *Hub) Start(ctx context.Context) (err error) {
	h.wake = make(chan struct{}, 1)
	h.done = make(chan struct{})
	h.signals = newSignals(h.send, h.Metrics, h.Log)
	h.needs = newNeeds(h.Relay, h.Log)
	h.relayed = h.Relay == nil
	h.Metrics.Receives(false, h.relayed)
	h.lookUps = make(chan *stream, mostLookUps)
	if h.pace == (pace{}) { // only tests set it
		h.pace = defaultPace
	}
	h.started = time.Now()
	h.shards = nil
	for range runtime.GOMAXPROCS(0) {
		h.shards = append(h.shards, newShard(h))
	}
	h.lateWake = make(chan struct{}, 1)
	h.lates = map[core.ID]*late{}
	h.channels = map[core.ID]map[*stream]struct{}{}
	h.readers = map[core.ID]map[*stream]struct{}{}
	h.credentials = map[core.ID]map[*stream]struct{}{}
	h.position, err = h.Source.StreamPosition(ctx)
	h.distributed = h.position
	return err
}

const (
	pollAlone     = time.Second      // polling interval while signals do not arrive
	pollConnected = 10 * time.Second // polling interval while they do, in case one is lost
	pageSize      = 500
	patience      = 5 * time.Second // time limit for the database to respond
	// A stream for which a burst is queued falls late, so that its queue bounds only how slowly its client reads.
	burst      = buffered / 2
	burstBytes = bufferedBytes / 4
)

// Run distributes changes until ctx is done. Then it ends all streams, and sends the signals that are left.
func (h *Hub) Run(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { h.listen(ctx) })
	if h.Relay != nil {
		wg.Go(func() { h.listenToRelay(ctx) })
		wg.Go(func() { h.needs.run(ctx, h.Wake) })
	}
	wg.Go(func() { h.signals.run(context.WithoutCancel(ctx), h.done) })
	for _, d := range h.shards {
		wg.Go(func() { d.run(h.done) })
	}
	wg.Go(func() { h.runLates(ctx) })
	for range lookUpWorkers {
		wg.Go(func() { h.lookUpStreams(ctx) })
	}
	for ctx.Err() == nil {
		guard.Run(ctx, h.Log, h.distributeChanges)
		select {
		case <-ctx.Done():
		case <-h.wake:
		case <-time.After(h.pollInterval()):
		}
	}
	close(h.done)
	h.cutAll() // also those that are beginning
	wg.Wait()
}

// cutAll cuts all streams.
func (h *Hub) cutAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range []map[core.ID]map[*stream]struct{}{h.channels, h.readers} {
		for _, streams := range m {
			for s := range streams {
				s.cut(metrics.CutShutdown)
			}
		}
	}
}

// clock returns the time since the hub started, which is not affected by changes of the system's time.
func (h *Hub) clock() time.Duration { return time.Since(h.started) }

func (h *Hub) pollInterval() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listening && h.relayed {
		return pollConnected
	}
	return pollAlone
}

func (h *Hub) listen(ctx context.Context) {
	for again := false; ctx.Err() == nil; again = true {
		var err error
		guard.Run(ctx, h.Log, func(ctx context.Context) {
			err = h.Listen(ctx, func() { h.onReady(again) }, func(s core.Signal) { h.onSignal(ctx, s) })
		})
		h.setListening(false)
		if ctx.Err() != nil {
			return
		}
		h.Log.WarnContext(ctx, "live: signals do not come through; polling", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(pollAlone):
		}
	}
}

// listenToRelay receives signals from the relay. No stream is dropped when some are lost: follows and ends of
// credentials also come through the database, and changes are read from there.
func (h *Hub) listenToRelay(ctx context.Context) {
	for ctx.Err() == nil {
		guard.Run(ctx, h.Log, func(ctx context.Context) {
			h.Relay.Listen(ctx, func(connected bool) {
				h.setRelayed(connected)
				h.Wake()
			}, func(s core.Signal) { h.onSignal(ctx, s) })
		})
	}
}

// onReady drops authenticated streams after a reconnection, because a sign-out may have been missed. Clients
// reconnect and are checked again. They miss no change, because changes are read from the database.
func (h *Hub) onReady(again bool) {
	h.setListening(true)
	if !again {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, streams := range h.credentials {
		for s := range streams {
			s.cut(metrics.CutReconnect)
		}
	}
}

// setListening sets whether signals arrive. A change ends the wait of the other polling interval.
func (h *Hub) setListening(on bool) {
	h.mu.Lock()
	changed := h.listening != on
	h.listening = on
	h.Metrics.Receives(h.listening, h.relayed)
	h.mu.Unlock()
	if changed {
		h.Wake()
	}
}

// setRelayed sets whether signals come through the relay.
func (h *Hub) setRelayed(on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.relayed = on
	h.Metrics.Receives(h.listening, h.relayed)
}

// Wake makes the hub check for changes now.
func (h *Hub) Wake() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// reach moves past all changes up to a position while no stream is open, and has them distributed otherwise. There are
// none to come before it, because positions are committed in their order.
func (h *Hub) reach(position int64) {
	h.mu.Lock()
	open := len(h.channels) > 0
	if !open {
		h.position = max(h.position, position)
		h.distributed = h.position
	}
	h.mu.Unlock()
	if open {
		h.Wake()
	}
}

// onSignal handles a signal.
func (h *Hub) onSignal(ctx context.Context, s core.Signal) {
	switch {
	case s.Position > 0:
		h.reach(s.Position)
	case s.Followed != nil:
		h.refollow(ctx, *s.Followed)
	case s.Reader != nil && s.Read != nil:
		h.sendRead(*s.Reader, *s.Read)
	case s.Reset != nil:
		h.reset(*s.Reset)
	case s.Left != nil:
		h.leave(*s.Left)
	case s.SignedOut != nil:
		h.end(*s.SignedOut)
	}
}

func (h *Hub) sendRead(subscriberID core.ID, r core.ReadEvent) {
	data, _ := json.Marshal(r)
	f := event(0, "read", data)
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.readers[subscriberID] {
		s.offer(f)
	}
}

var resetEvent = event(0, "reset", []byte("{}"))

// reset ends the public streams of a channel that was deleted, hidden or shown again, and sends its followers a reset,
// so that they fetch their feed again.
func (h *Hub) reset(channelID core.ID) {
	h.leave(channelID)
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.channels[channelID] {
		if s.subscriberID != nil {
			s.offer(resetEvent)
		}
	}
}

// leave ends the streams of a channel that are not of followers. Those who may still see it connect again.
func (h *Hub) leave(channelID core.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.channels[channelID] {
		if s.subscriberID == nil {
			s.cut(metrics.CutHidden)
		}
	}
}

func (h *Hub) end(credentialID core.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.credentials[credentialID] {
		s.cut(metrics.CutCredential)
	}
}

// refollow reads the followed channels of a subscriber's streams again, before any later signal is handled.
func (h *Hub) refollow(ctx context.Context, subscriberID core.ID) {
	h.mu.Lock()
	streams := slices.Collect(maps.Keys(h.readers[subscriberID]))
	h.mu.Unlock()
	for _, s := range streams {
		if h.follow(ctx, s) != nil {
			s.cut(metrics.CutCredential) // the client reconnects if its credential is still valid
		}
	}
}

// Streams returns the number of open streams.
func (h *Hub) Streams() int { return int(h.open.Load()) }

// finish forgets a stream that has ended.
func (h *Hub) finish(s *stream) {
	h.open.Add(-1)
	h.unregister(s)
	h.Metrics.Ended(s.kind())
	s.ended()
}

func (h *Hub) unregister(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leaveLate(s)
	h.unsubscribe(s, s.channelIDs)
	drop(h.credentials, s.credentialID, s)
	if s.subscriberID != nil && drop(h.readers, *s.subscriberID, s) {
		h.needs.change(*s.subscriberID, false)
	}
}

// at returns the position at which a stream begins. Every change after it is sent to the streams that are registered
// already. With a relay the hub's own position may be old, because changes that no stream needed were not signalled.
func (h *Hub) at(ctx context.Context) (position int64, err error) {
	if h.Relay != nil {
		h.needs.wait(ctx)
		if position, err = h.Source.StreamPosition(ctx); err != nil {
			return 0, err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(position, h.position), nil
}

// follow reads which channels a stream's subscriber follows, and fails when the stream's session or access token has
// ended. Of several reads at once the one that began last counts.
func (h *Hub) follow(ctx context.Context, s *stream) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	turn := h.follows.Add(1)
	ids, err := h.Source.FollowedChannels(ctx, s.credentialID)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, open := h.readers[*s.subscriberID][s]; open && s.followed < turn {
		left := without(s.channelIDs, ids)
		s.channelIDs, s.followed = ids, turn
		h.subscribe(s)
		h.unsubscribe(s, left)
		if len(left) > 0 { // the client may have what it must not show any more
			s.offer(resetEvent)
		}
	}
	return nil
}

// without returns the ids of a list that are not in another.
func without(list, other []core.ID) (rest []core.ID) {
	if slices.Equal(list, other) {
		return nil
	}
	in := make(map[core.ID]bool, len(other))
	for _, id := range other {
		in[id] = true
	}
	for _, id := range list {
		if !in[id] {
			rest = append(rest, id)
		}
	}
	return rest
}

func (h *Hub) subscribe(s *stream) {
	for _, id := range s.channelIDs {
		if put(h.channels, id, s) {
			h.needs.change(id, true)
		}
	}
}

func (h *Hub) unsubscribe(s *stream, channelIDs []core.ID) {
	for _, id := range channelIDs {
		if drop(h.channels, id, s) {
			h.needs.change(id, false)
		}
	}
}

// put adds a stream, and reports whether it is the first with that id.
func put(m map[core.ID]map[*stream]struct{}, id core.ID, s *stream) (first bool) {
	if first = m[id] == nil; first {
		m[id] = map[*stream]struct{}{}
	}
	m[id][s] = struct{}{}
	return first
}

// drop removes a stream, and reports whether it was the last with that id.
func drop(m map[core.ID]map[*stream]struct{}, id core.ID, s *stream) (last bool) {
	if _, ok := m[id][s]; !ok {
		return false
	}
	delete(m[id], s)
	if last = len(m[id]) == 0; last {
		delete(m, id)
	}
	return last
}
