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

// stream returns a response written by serve, until the caller's credential expires. It is refused when the caller has
// too many streams open.
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
		who, most := a.streaming(c)
		if !a.streams.open(who, most) {
			return errStreams()
		}
		defer a.streams.close(who)
		return serve(ctx, w)
	}
}

// streaming returns the party that shares a limit of open streams, and the limit: a person over all their sessions,
// otherwise an API key or an address.
func (a *server) streaming(c *call) (who party, most int) {
	if c.caller.Is(core.CallerSubscriber) {
		return party{id: c.caller.SubscriberID}, a.Limits.SubscriberStreams
	}
	return c.limited(), a.Limits.AddressStreams
}

// streams counts the open streams per party.
type streams struct {
	mu    sync.Mutex
	count map[party]int
}

func (s *streams) open(who party, most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count[who] >= most {
		return false
	}
	s.count[who]++
	return true
}

func (s *streams) close(who party) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count[who]--; s.count[who] == 0 {
		delete(s.count, who)
	}
}

// streamsRetry is the Retry-After; when another stream will end is unknown.
const streamsRetry = 10 * time.Second

func errStreams() *core.Error {
	return &core.Error{Code: core.CodeRateLimited, RetryAfter: streamsRetry, Detail: core.Text{
		EN: "Too many live streams are open. Close one and try again.", PT: "Há demasiados fluxos em direto abertos. Feche um e tente de novo."}}
}
