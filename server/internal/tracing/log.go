package tracing

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"

	"github.com/sininho/sininho/server/internal/handler"
)

// NewLogger returns a logger that writes to h, and adds to each line what its context knows: the id of the request and
// the trace.
func NewLogger(h slog.Handler) *slog.Logger { return slog.New(contextual{h}) }

type contextual struct{ slog.Handler }

// Handle implements slog.Handler.
func (c contextual) Handle(ctx context.Context, r slog.Record) error {
	if id := handler.RequestID(ctx); id != "" {
		r.AddAttrs(slog.String("requestId", id))
	}
	if s := trace.SpanContextFromContext(ctx); s.IsValid() {
		r.AddAttrs(slog.String("traceId", s.TraceID().String()), slog.String("spanId", s.SpanID().String()))
	}
	return c.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (c contextual) WithAttrs(attrs []slog.Attr) slog.Handler {
	return contextual{c.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (c contextual) WithGroup(name string) slog.Handler { return contextual{c.Handler.WithGroup(name)} }
