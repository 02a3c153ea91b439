package httpapi

import (
	"context"
	"net/http"
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
func (a *server) stream(ctx context.Context, serve func(ctx context.Context, w http.ResponseWriter) error) stream {
	c := callOf(ctx)
	return func(w http.ResponseWriter) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		if at := c.caller.ExpiresAt; at != nil {
			defer time.AfterFunc(at.Sub(a.Now()), stop).Stop()
		}
		if a.Limits.Off {
			return serve(ctx, w)
		}
		holder, limit := a.streamLimit(c)
		if !a.streams.open(holder, limit) {
			return errStreams()
		}
		defer a.streams.close(holder)
		return serve(ctx, w)
	}
}

// streamLimit returns the party that shares a limit of open streams, and the limit: a person over all their sessions,
// otherwise an API key or an address.
func (a *server) streamLimit(c *call) (holder party, limit int) {
	if c.caller.Is(core.CallerSubscriber) {
		return party{id: c.caller.SubscriberID}, a.Limits.SubscriberStreams
	}
	return c.limitedParty(), a.Limits.AddressStreams
}

// streams counts the open streams per party.
type streams struct {
	mu    sync.Mutex
	count map[party]int
}

func (s *streams) open(holder party, limit int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count[holder] >= limit {
		return false
	}
	s.count[holder]++
	return true
}

func (s *streams) close(holder party) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count[holder]--; s.count[holder] == 0 {
		delete(s.count, holder)
	}
}

// streamsRetry is the Retry-After, a guess: nobody knows when another stream will end.
const streamsRetry = 10 * time.Second

func errStreams() *core.Error {
	return &core.Error{Code: core.CodeRateLimited, RetryAfter: streamsRetry, Detail: core.Text{
		EN: "Too many live streams are open. Close one and try again.",
		PT: "Há demasiados fluxos em direto abertos. Feche um e tente de novo."}}
}
