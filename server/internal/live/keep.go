package live

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

// Keep returns a handler that goes on with a stream over HTTP/2 after next has begun it and returned. Otherwise an open
// stream would keep what next has allocated and the stack that it took: the garbage collector makes a stack smaller
// only when less than a quarter is used. So no other handler should be above this one.
func Keep(next http.Handler) http.Handler { return keeping{next} }

type keeping struct{ next http.Handler }

// ServeHTTP implements http.Handler.
func (h keeping) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 { // the connection of a stream is taken over
		h.next.ServeHTTP(w, r)
	} else if k := h.begin(w, r); k != nil {
		k.serve()
	}
}

type keeperKey struct{}

// keeper is asked by a request for what goes on with a stream.
type keeper struct {
	w    http.ResponseWriter
	ctx  context.Context
	kept *kept // nil: the request has begun no stream
}

func (h keeping) begin(w http.ResponseWriter, r *http.Request) *kept {
	k := &keeper{w: w, ctx: r.Context()}
	h.next.ServeHTTP(w, r.WithContext(context.WithValue(k.ctx, keeperKey{}, k)))
	if k.kept != nil { // net/http keeps both until the end
		r.Header = nil
		clear(w.Header())
	}
	return k.kept
}

// kept is a stream whose handler has not returned.
type kept struct {
	hub        *Hub
	stream     *stream
	out        output
	ctx        context.Context
	woken      <-chan struct{} // receives a value when there is something to do
	timer      *time.Timer     // wakes it for what is next of these
	beat, look time.Duration   // as in socket
	expires    time.Duration
	handedOn   bool // and ends by itself
}

// keep hands a stream that has begun on to the keeper of its request. It returns false if there is none.
func (h *Hub) keep(ctx context.Context, s *stream, q core.StreamRequest) (handedOn bool) {
	k, ok := ctx.Value(keeperKey{}).(*keeper)
	if ok {
		s.onCut(func() {}) // it wakes anyway
		k.kept = h.newKept(k.ctx, &response{k.w, http.NewResponseController(k.w), h.pace.write}, s, q.ExpiresAt)
		k.kept.handedOn = true
	}
	return ok
}

func (h *Hub) newKept(ctx context.Context, out output, s *stream, expiresAt *time.Time) *kept {
	woken, wake := s.wakes()
	context.AfterFunc(ctx, wake)
	now := h.clock()
	k := &kept{hub: h, stream: s, out: out, ctx: ctx, woken: woken, timer: time.AfterFunc(h.pace.heartbeat, wake),
		beat: now + h.pace.heartbeat, look: now + h.pace.lookUp, expires: math.MaxInt64}
	if expiresAt != nil {
		k.expires = now + time.Until(*expiresAt)
	}
	return k
}

// serve writes what is queued for the stream, and heartbeats, until the stream ends: because the client has
// disconnected, its credential has ended, or the database does not respond. Then the client reconnects. What is on the
// stack while it waits is that of an open stream, so it waits for one channel and leaves all else to others.
func (k *kept) serve() {
	for k.attended() {
		<-k.woken
	}
	k.timer.Stop()
	if k.handedOn {
		k.hub.finish(k.stream)
	}
}

// attended attends to the stream and reports whether it goes on, which it does not after a panic.
func (k *kept) attended() (open bool) {
	guard.Run(k.ctx, k.hub.Log, func(ctx context.Context) { open = ctx.Err() == nil && k.write() && k.keepAlive(ctx) })
	return open
}

func (k *kept) write() bool {
	select {
	case <-k.hub.done:
		return false
	default:
	}
	frames, open := k.stream.take()
	if !open || len(frames) == 0 {
		return open
	}
	k.hub.Metrics.Sent(len(frames), size(frames))
	return k.out.write(frames...) == nil
}

func (k *kept) keepAlive(ctx context.Context) bool {
	now, pace := k.hub.clock(), k.hub.pace
	if now >= k.expires {
		return false
	}
	if now >= k.look {
		k.look = now + pace.lookUp
		if k.stream.subscriberID != nil && k.hub.follow(ctx, k.stream) != nil {
			return false
		}
	}
	if now >= k.beat {
		k.beat = now + pace.heartbeat
		k.hub.Metrics.Sent(0, len(heartbeat.bytes))
		if k.out.write(heartbeat) != nil {
			return false
		}
	}
	k.timer.Reset(min(k.beat, k.look, k.expires) - now)
	return true
}
