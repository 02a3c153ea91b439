package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"

	"github.com/sininho/sininho/server/internal/core"
)

// call is what is known of a request. Each step adds to it, so that handlers find it all in one place.
type call struct {
	id        string
	out       *recorder
	client    netip.Addr
	request   *http.Request
	operation *operation // nil where there is none
	caller    core.Caller
	webhook   *core.Webhook // that is posted to, if one is
	signer    party         // of what is posted to a signed webhook
	body      []byte        // as received, for signatures and idempotency
	payload   []byte        // of what is posted to a webhook: the body, or what is in it
}

type callKey struct{}

// callOf finds the call that begin has put into every context.
func callOf(ctx context.Context) *call { return ctx.Value(callKey{}).(*call) }

var wellFormedID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// requestID takes over the caller's id if it is one that can go into logs.
func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); wellFormedID.MatchString(id) {
		return id
	}
	return core.NewID().String()
}

// begin starts a call: its id, the headers of every answer, its line in the log, and the last resort for panics.
func (a *server) begin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &recorder{ResponseWriter: w}
		c := &call{id: requestID(r), out: out, request: r, client: clientAddr(r, a.TrustedProxies)}
		a.warnOfProxy(r)
		h := w.Header()
		h.Set("X-Request-Id", c.id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
		start := a.Now()
		defer func() {
			a.rescue(out, r, recover())
			a.Log.LogAttrs(r.Context(), slog.LevelDebug, "request", slog.String("method", r.Method), slog.String("route", c.route()),
				slog.Int("status", out.status), slog.Duration("took", a.Now().Sub(start)), slog.String("requestId", c.id),
				slog.String("caller", c.caller.Identity()))
		}()
		next.ServeHTTP(out, r)
	})
}

// rescue answers a panic, if there was one. An answer that has begun is broken off, so that it is not taken for whole.
func (a *server) rescue(w *recorder, r *http.Request, panicked any) {
	switch panicked {
	case nil:
	case http.ErrAbortHandler:
		panic(panicked)
	default:
		a.Log.ErrorContext(r.Context(), "panic", "panic", panicked, "requestId", callOf(r.Context()).id, "stack", string(debug.Stack()))
		if w.status != 0 {
			panic(http.ErrAbortHandler)
		}
		a.fail(w, r, errInternal())
	}
}

// route names the operation in logs. Paths are not logged: a webhook's is a secret, and so is one mistyped.
func (c *call) route() string {
	if c.operation == nil {
		return "none"
	}
	return c.operation.pattern
}

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int // 0: nothing yet
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController through.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
