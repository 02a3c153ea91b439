package httpapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/handler"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// BenchmarkPublish measures a publish without a database: through the router with authentication, limits and
// validation, and in its handler alone. The difference is what these cost; server/lab/bench reports it.
func BenchmarkPublish(b *testing.B) {
	w := newWorld(b, func(c *Config) {
		c.Limits.Publishes = 1 << 30
		c.Log = slog.New(slog.DiscardHandler)
	})
	b.Run("whole", func(b *testing.B) { w.benchmarkPublish(b, w.handler) })
	b.Run("handler", func(b *testing.B) { w.benchmarkPublish(b, w.handlerAlone()) })
}

func (w *world) benchmarkPublish(b *testing.B, h http.Handler) {
	const body = `{"title":"Linha azul reaberta","body":"A circulação foi retomada em toda a linha.",` +
		`"link":"https://example.com/1"}`
	name, bearer, _ := strings.Cut(w.bearer(), ": ")
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, publish, strings.NewReader(body))
		r.Header.Set(name, bearer)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "1")
		out := httptest.NewRecorder()
		if h.ServeHTTP(out, r); out.Code != http.StatusCreated {
			b.Fatalf("publish: got %d %s, want 201", out.Code, out.Body)
		}
	}
}

// handlerAlone returns the handlers of the contract, which trust that the caller may publish and the body is valid.
func (w *world) handlerAlone() http.Handler {
	a := newServer(w.config)
	stub := gen.NewStrictHandlerWithOptions(a, nil, gen.StrictHTTPServerOptions{
		RequestErrorHandlerFunc: a.unreadable, ResponseErrorHandlerFunc: a.fail,
	})
	routes := gen.HandlerWithOptions(stub, gen.ChiServerOptions{BaseURL: prefix, BaseRouter: chi.NewRouter()})
	caller := core.Caller{Kind: core.CallerPublisher, PublisherID: publisherID, KeyID: core.NewID(),
		Scopes: []core.Scope{core.ScopePublish}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{out: &recorder{ResponseWriter: w}, request: r, caller: caller}
		routes.ServeHTTP(w, r.WithContext(handler.WithRequest(r.Context(), c)))
	})
}
