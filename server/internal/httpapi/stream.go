package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// stream is an endless response.
type stream func(w http.ResponseWriter) error

// VisitStreamChannelResponse implements gen.StreamChannelResponseObject.
func (s stream) VisitStreamChannelResponse(w http.ResponseWriter) error { return s(w) }

// VisitStreamFeedResponse implements gen.StreamFeedResponseObject.
func (s stream) VisitStreamFeedResponse(w http.ResponseWriter) error { return s(w) }

// stream returns a response that serve writes until the caller's credential expires. It is refused when the caller has
// too many open streams.
func (a *server) stream(
	ctx context.Context, lastEventID *string,
	serve func(w http.ResponseWriter, r *http.Request, q core.StreamRequest) error,
) stream {
	c := callOf(ctx)
	return func(w http.ResponseWriter) error {
		holder, limit := a.streamLimit(c)
		waits := c.account()
		if !a.Limits.Off && !a.streams.open(holder, limit) {
			a.Metrics.Limited(string(streaming))
			return errStreams()
		}
		return serve(w, c.request, core.StreamRequest{CredentialID: c.caller.Credential(),
			ExpiresAt: c.caller.ExpiresAt, LastEventID: value(lastEventID), Ended: a.endOfStream(holder, c.id),
			Room: func(ctx context.Context) (release func(), err error) {
				return a.takeRoom(ctx, roomHolder{waits, true}, roomForPart)
			}})
	}
}

// eventID returns a position on the stream as a Last-Event-ID.
func eventID(position int64) *string { return new(strconv.FormatInt(position, 10)) }

// endOfStream returns a function to be called when a stream has ended. It refers to nothing of the request, so that an
// open stream takes little memory.
func (a *server) endOfStream(holder streamHolder, requestID string) func() {
	start := a.Now()
	return func() {
		if !a.Limits.Off {
			a.streams.close(holder)
		}
		a.Log.Debug("stream ended", "requestId", requestID, "took", a.Now().Sub(start))
	}
}

// streamHolder has a number of open streams. The API keys of an account's publishers have their own, so that they never
// keep its person from opening one.
type streamHolder struct {
	party
	keys bool
}

// streamLimit returns who shares a limit of open streams, and the limit: a person over all their sessions, otherwise an
// account over all API keys of its publishers, or an address.
func (a *server) streamLimit(c *call) (holder streamHolder, limit int) {
	if c.caller.Is(core.CallerSubscriber) {
		return streamHolder{party: c.account()}, a.Limits.SubscriberStreams
	}
	if c.caller.Is(core.CallerPublisher) {
		return streamHolder{c.account(), true}, a.Limits.AddressStreams
	}
	return streamHolder{party: c.limitedParty()}, a.Limits.AddressStreams
}

// streams counts the open streams.
type streams struct {
	mu    sync.Mutex
	count map[streamHolder]int
}

func (s *streams) open(holder streamHolder, limit int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for around, times := range holder.around {
		if s.count[streamHolder{around, holder.keys}] >= limit*times {
			return false
		}
	}
	for around := range holder.around {
		s.count[streamHolder{around, holder.keys}]++
	}
	return true
}

func (s *streams) close(holder streamHolder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for around := range holder.around {
		of := streamHolder{around, holder.keys}
		if s.count[of]--; s.count[of] == 0 {
			delete(s.count, of)
		}
	}
}

// streamsRetry is the Retry-After, a guess: nobody knows when another stream will end.
const streamsRetry = 10 * time.Second

func errStreams() *core.Error {
	return &core.Error{Code: core.CodeRateLimited, RetryAfter: streamsRetry, Detail: core.Text{
		EN: "Too many live streams are open. Close one and try again.",
		PT: "Há demasiados fluxos em direto abertos. Feche um e tente novamente."}}
}
