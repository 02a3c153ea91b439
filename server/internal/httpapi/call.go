package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/handler"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/payload"
	"github.com/sininho/sininho/server/internal/tracing"
)

// call is the state of a request. Each step adds to it, and handlers read it from the context.
type call struct {
	id        string
	out       *recorder
	client    netip.Addr
	request   *http.Request
	operation *operation // nil when no operation matches
	caller    core.Caller
	webhook   *core.Webhook // target of the request, or nil
	signer    party         // sender of a signed webhook event
	// as received, except that lone surrogates of JSON are replaced, see faults.json, and a text or form is JSON
	body    []byte
	payload payload.Payload // of a webhook event
	// what was changed of a text or form
	adjusted mend.Adjustments
	ended    []func()
}

// atEnd has f called when the request has been handled.
func (c *call) atEnd(f func()) { c.ended = append(c.ended, f) }

// callOf returns the call that begin stores in every context.
func callOf(ctx context.Context) *call { return handler.RequestOf(ctx).(*call) }

// ID implements handler.Request.
func (c *call) ID() string { return c.id }

// Caller implements handler.Request.
func (c *call) Caller() core.Caller { return c.caller }

// Language implements handler.Request.
func (c *call) Language() core.Language {
	return core.PreferredLanguage(c.request.Header.Get("Accept-Language"))
}

var wellFormedID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// requestID returns the caller's X-Request-Id when it is safe to log, otherwise a new id.
func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); wellFormedID.MatchString(id) {
		return id
	}
	return core.NewID().String()
}

// begin starts a call. It sets the request id and the headers of every response, logs, counts and traces the request,
// and recovers panics.
func (a *server) begin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, span := a.Tracer.Serve(r)
		out := &recorder{ResponseWriter: w}
		c := &call{id: requestID(r), out: out, request: r, client: clientAddr(r, a.TrustedProxies)}
		a.warnOfProxy(r)
		h := w.Header()
		h.Set("X-Request-Id", c.id)
		h.Set("Cache-Control", "no-store")
		r = r.WithContext(a.withRoom(core.WithOrigin(handler.WithRequest(ctx, c), c.origin), c))
		start := a.Now()
		a.Metrics.Begin()
		defer func() { a.end(r.Context(), c, span, a.Now().Sub(start)) }()
		defer c.release()
		defer func() { a.rescue(out, r, recover()) }()
		next.ServeHTTP(out, r)
	})
}

// release gives back what the request was lent.
func (c *call) release() {
	c.out.begin()
	for _, f := range c.ended {
		f()
	}
}

// end logs, counts and traces a request whose handler has returned, also by aborting the response.
func (a *server) end(ctx context.Context, c *call, span tracing.Span, took time.Duration) {
	a.logRequest(ctx, c, took)
	streams := c.operation != nil && c.operation.streams
	a.Metrics.End(c.operationID(), c.out.status, took, streams)
	if span.On() {
		span.Name(c.request.Method + " " + c.route())
		span.Text("http.request.method", c.request.Method)
		span.Text("http.route", c.route())
		span.Text("sininho.request.id", c.id)
		span.Number("http.response.status_code", c.out.status)
		if c.out.status >= http.StatusInternalServerError {
			span.Fail(http.StatusText(c.out.status))
		}
	}
	span.End()
}

// operationID returns the operation in the contract, or metrics.None.
func (c *call) operationID() string {
	if c.operation == nil {
		return metrics.None
	}
	return c.operation.id
}

// logRequest logs a request whose handler has returned. A stream goes on from here; its end is logged too.
func (a *server) logRequest(ctx context.Context, c *call, took time.Duration) {
	length := slog.Duration("took", took)
	if c.operation != nil && c.operation.streams && c.out.status == http.StatusOK {
		length = slog.Bool("streams", true)
	}
	a.Log.LogAttrs(ctx, slog.LevelDebug, "request", slog.String("method", c.request.Method),
		slog.String("route", c.route()), slog.Int("status", c.out.status), length,
		slog.String("caller", c.caller.Identity()))
}

// rescue responds to a panic with a 500. It aborts a response that has already begun, so that the client does not take
// it for complete.
func (a *server) rescue(w *recorder, r *http.Request, panicked any) {
	switch panicked {
	case nil:
	case http.ErrAbortHandler:
		panic(panicked)
	default:
		a.Log.ErrorContext(r.Context(), "panic", "panic", panicked, "stack", string(debug.Stack()))
		if w.status != 0 {
			panic(http.ErrAbortHandler)
		}
		a.fail(w, r, errInternal())
	}
}

// route names the operation in logs. Paths are not logged, because a webhook's path is a secret, even a mistyped one.
func (c *call) route() string {
	if c.operation == nil {
		return "none"
	}
	return c.operation.pattern
}
