// Package tracing makes spans of what a node does, by OpenTelemetry, so that a trace shows a notification on its way
// from the publisher's request to the response of the push service, through any number of nodes. The log names them.
//
// The context of a trace travels as W3C Trace Context: in the header of requests, with a dispatch in the database, and
// in the metadata of jobs. Without an exporter a *Tracer is nil. Its methods may be called on nil, and do nothing.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/sininho/sininho/internal/version"
)

// Tracer makes spans.
type Tracer struct {
	tracer   trace.Tracer
	provider *sdktrace.TracerProvider
}

// scope names this program's spans.
const scope = "github.com/sininho/sininho/server"

// w3c carries contexts as W3C Trace Context.
var w3c propagation.TraceContext

// New returns a tracer that exports to endpoint by OTLP over HTTP, or nil when there is no endpoint. All else is set by
// OpenTelemetry's own variables, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER. The caller must call
// Close.
func New(ctx context.Context, endpoint string, log *slog.Logger) (*Tracer, error) {
	if endpoint == "" {
		return nil, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("tracing", "error", err) }))
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, fmt.Errorf("export traces: %w", err)
	}
	described, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithHost(),
		resource.WithAttributes(
			attribute.String("service.name", "sininho"),
			attribute.String("service.version", version.Read().Version),
			attribute.String("service.instance.id", uuid.NewString())), resource.WithFromEnv())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("describe the service in traces: %w", err), exporter.Shutdown(ctx))
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(described))
	return &Tracer{provider.Tracer(scope), provider}, nil
}

// Close exports the spans that are left.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// On reports whether there is an exporter.
func (t *Tracer) On() bool { return t != nil }

// Serve begins the span of a request, in the trace of its client if it has one.
func (t *Tracer) Serve(r *http.Request) (context.Context, Span) {
	if t == nil {
		return r.Context(), Span{}
	}
	ctx := w3c.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
	return ctx, Span{span}
}

// Start begins a span of this program in the trace of ctx. Without a trace it does nothing.
func (t *Tracer) Start(ctx context.Context, name string) (context.Context, Span) {
	return t.start(ctx, name, trace.SpanKindInternal)
}

// Call begins the span of a request to another service.
func (t *Tracer) Call(ctx context.Context, name string) (context.Context, Span) {
	return t.start(ctx, name, trace.SpanKindClient)
}

func (t *Tracer) start(ctx context.Context, name string, kind trace.SpanKind) (context.Context, Span) {
	if t == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, Span{}
	}
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind))
	return ctx, Span{span}
}

// Span is a span under way. The zero Span does nothing.
type Span struct{ span trace.Span }

// On reports whether the span is recorded.
func (s Span) On() bool { return s.span != nil && s.span.IsRecording() }

// Name renames the span.
func (s Span) Name(name string) {
	if s.span != nil {
		s.span.SetName(name)
	}
}

// Text adds an attribute.
func (s Span) Text(key, value string) {
	if s.span != nil {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// Number adds an attribute.
func (s Span) Number(key string, value int) {
	if s.span != nil {
		s.span.SetAttributes(attribute.Int(key, value))
	}
}

// Fail marks the span as failed. The description must hold no secret.
func (s Span) Fail(description string) {
	if s.span != nil {
		s.span.SetStatus(codes.Error, description)
	}
}

// End ends the span.
func (s Span) End() {
	if s.span != nil {
		s.span.End()
	}
}

// header is the name of the context in headers and in the metadata of jobs.
const header = "traceparent"

// Parent returns the trace of ctx as text, or "".
func Parent(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	c := propagation.MapCarrier{}
	w3c.Inject(ctx, c)
	return c[header]
}

// WithParent returns a context in the trace that Parent returned, instead of the one of ctx.
func WithParent(ctx context.Context, parent string) context.Context {
	ctx = trace.ContextWithSpanContext(ctx, trace.SpanContext{})
	if parent == "" {
		return ctx
	}
	return w3c.Extract(ctx, propagation.MapCarrier{header: parent})
}

// Header returns the header of a request to another service with the trace of ctx, if there is one. It does not change
// h.
func Header(ctx context.Context, h http.Header) http.Header {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return h
	}
	h = h.Clone()
	w3c.Inject(ctx, propagation.HeaderCarrier(h))
	return h
}
