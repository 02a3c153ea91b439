package servertest_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// spans receives traces by OTLP over HTTP.
type spans struct {
	*httptest.Server
	t *testing.T

	mu  sync.Mutex
	all []span
}

type span struct {
	node                      string // service.instance.id
	trace, id, parent, name   string
	kind                      trace.Span_SpanKind
	status                    trace.Status_StatusCode
	service, route, requestID string
}

func collect(t *testing.T) *spans {
	t.Helper()
	c := &spans{t: t}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var in collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &in) != nil {
			t.Errorf("export to %s: got %d bytes, %v; want spans", r.URL.Path, len(body), err)
		}
		c.add(&in)
		w.Header().Set("Content-Type", "application/x-protobuf")
		_, _ = w.Write(nil) // the empty response
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *spans) add(in *collector.ExportTraceServiceRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range in.GetResourceSpans() {
		var of span
		for _, a := range r.GetResource().GetAttributes() {
			switch a.GetKey() {
			case "service.instance.id":
				of.node = a.GetValue().GetStringValue()
			case "service.name":
				of.service = a.GetValue().GetStringValue()
			}
		}
		for _, scope := range r.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				c.all = append(c.all, of.with(s))
			}
		}
	}
}

func (s span) with(from *trace.Span) span {
	s.trace, s.id = hex.EncodeToString(from.GetTraceId()), hex.EncodeToString(from.GetSpanId())
	s.parent, s.name = hex.EncodeToString(from.GetParentSpanId()), from.GetName()
	s.kind, s.status = from.GetKind(), from.GetStatus().GetCode()
	for _, a := range from.GetAttributes() {
		switch a.GetKey() {
		case "http.route":
			s.route = a.GetValue().GetStringValue()
		case "sininho.request.id":
			s.requestID = a.GetValue().GetStringValue()
		}
	}
	return s
}

// of returns the spans of a trace, in the order in which they ended.
func (c *spans) of(id string) (found []span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.all {
		if s.trace == id {
			found = append(found, s)
		}
	}
	return found
}

func named(all []span, name string) *span {
	if i := slices.IndexFunc(all, func(s span) bool { return s.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

const publishSpan = "POST /api/v1/channels/{publisherSlug}/{channelSlug}/notifications"

// tracedNodes starts two nodes on one database that export to a collector.
func tracedNodes(t *testing.T) (c *spans, one, two *servertest.Server) {
	t.Helper()
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
	c = collect(t)
	options := []servertest.Option{servertest.With("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL),
		servertest.With("SECRET_KEY", base64.StdEncoding.EncodeToString(core.NewSecretKey()))}
	one = servertest.Start(t, options...)
	two = servertest.Start(t, append(options, servertest.With("DATABASE_URL", one.DatabaseURL))...)
	return c, one, two
}

// TestOneTraceFromPublishToPush publishes in the trace of a client until another node than the one that took the
// request has pushed. Every span is in the client's trace, and continues another one of it.
func TestOneTraceFromPublishToPush(t *testing.T) {
	c, one, two := tracedNodes(t)
	ana := one.SignIn(t, "ana@example.com")
	ownChannel(ana, "ana")
	r := receive(t)
	var made endpoint
	const path = "/publishers/ana/event-endpoints"
	ana.Do(http.MethodPost, path, object{"url": r.URL, "name": "x", "events": []string{"notification.finished"}},
		http.StatusCreated, &made)
	r.confirm(ana, path, made)

	var all []span
	var id string
	onTwo := two.SignIn(t, "ana@example.com")
	for round := 1; ; round++ {
		// a node that has just had work looks often for that of others
		onTwo.Do(http.MethodPost, "/channels/ana/ana/notifications", object{"title": "a"}, http.StatusCreated, nil)
		id = fmt.Sprintf("%032x", round)
		req := ana.Request(http.MethodPost, "/channels/ana/ana/notifications", object{"title": id})
		req.Header.Set("Traceparent", "00-"+id+"-00f067aa0ba902b7-01")
		req.Header.Set("X-Request-Id", "request-"+id)
		call(t, req, "", http.StatusCreated, nil)
		eventually.True(t, "the spans of the trace", func() bool {
			all = c.of(id)
			return named(all, publishSpan) != nil && named(all, "push") != nil && named(all, "post event") != nil &&
				named(all, "turn send") != nil
		})
		if named(all, "push").node != named(all, publishSpan).node {
			break
		}
	}
	ids := map[string]string{"00f067aa0ba902b7": "client"}
	for _, s := range all {
		ids[s.id] = s.name
	}
	parents := map[string]string{}
	for _, s := range all {
		parents[s.name] = ids[s.parent]
		check.Equal(t, "service of the span "+s.name, s.service, "sininho")
		check.Equal(t, "status of the span "+s.name, s.status, trace.Status_STATUS_CODE_UNSET)
	}
	check.Equal(t, "spans and their parents", parents, map[string]string{publishSpan: "client", "publish": publishSpan,
		"expand": "publish", "turn send": "expand", "push": "turn send", "post event": "publish"})
	publish := named(all, publishSpan)
	check.Equal(t, "request id of the publish's span", publish.requestID, "request-"+id)
	check.Equal(t, "kind of the publish's span", publish.kind, trace.Span_SPAN_KIND_SERVER)
	check.Equal(t, "kind of the push's span", named(all, "push").kind, trace.Span_SPAN_KIND_CLIENT)
	wantHeaders(t, all, id, []*servertest.Server{one, two}, r)
}

// wantHeaders expects the push service and the event endpoint to have received the spans of the calls to them.
func wantHeaders(t *testing.T, all []span, id string, nodes []*servertest.Server, r *receiver) {
	t.Helper()
	want := func(name string) string { return "00-" + id + "-" + named(all, name).id + "-01" }
	var sent []string
	for _, node := range nodes {
		messages, _ := lines[struct{ Trace string }](t, node.FCMURL+"/sent?token=token-ana")
		for _, m := range messages {
			sent = append(sent, m.Trace)
		}
	}
	if !slices.Contains(sent, want("push")) {
		t.Errorf("traceparent of the push: got %q, want %s", sent, want("push"))
	}
	var posted []string
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.got {
		posted = append(posted, e.header.Get("Traceparent"))
	}
	if !slices.Contains(posted, want("post event")) {
		t.Errorf("traceparent of the event: got %q, want %s", posted, want("post event"))
	}
}

// TestTracesHaveNoSecret signs in, posts to a webhook and opens pages of other people's.
func TestTracesHaveNoSecret(t *testing.T) {
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
	c := collect(t)
	s := servertest.Start(t, servertest.With("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL))
	secrets := use(t, s, 1)
	eventually.True(t, "the spans", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return named(c.all, "POST /api/v1/webhooks/channels/{id}") != nil && named(c.all, "push") != nil
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	text := fmt.Sprintf("%+v", c.all)
	for _, secret := range append(secrets, s.APIKey) {
		if strings.Contains(text, secret) {
			t.Errorf("spans: got %q in them, want no name, id or secret", secret)
		}
	}
}
