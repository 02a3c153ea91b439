package tracing_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/trace"

	"github.com/sininho/sininho/server/internal/handler"
	"github.com/sininho/sininho/server/internal/tracing"
)

type request struct{ handler.Request }

func (request) ID() string { return "abc" }

func TestLinesHaveTheRequestAndTheTrace(t *testing.T) {
	t.Parallel()
	plain := context.Background()
	inRequest := handler.WithRequest(plain, request{})
	inTrace := trace.ContextWithSpanContext(inRequest, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}}))
	const traced = " traceId=01000000000000000000000000000000 spanId=0200000000000000"
	for _, c := range []struct {
		what string
		ctx  context.Context
		want string
	}{
		{"without a request", plain, "msg=m k=v a=b"},
		{"of a request", inRequest, "msg=m k=v a=b requestId=abc"},
		{"of a request in a trace", inTrace, "msg=m k=v a=b requestId=abc" + traced},
	} {
		var out bytes.Buffer
		log := tracing.NewLogger(slog.NewTextHandler(&out, nil)).With("k", "v")
		log.InfoContext(c.ctx, "m", "a", "b")
		if got := strings.TrimSpace(out.String()); !strings.HasSuffix(got, c.want) {
			t.Errorf("line %s: got %q, want it to end in %q", c.what, got, c.want)
		}
	}
}
