package tracing_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/riverqueue/river/rivertype"

	"github.com/sininho/sininho/server/internal/tracing"
	"github.com/sininho/sininho/server/lab/check"
)

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

func TestOffCostsNothing(t *testing.T) {
	var off *tracing.Tracer
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Traceparent", parent)
	for what, use := range map[string]func(){
		"request": func() { _, span := off.Serve(r); span.Text("k", "v"); span.End() },
		"span":    func() { _, span := off.Start(r.Context(), "n"); span.Number("k", 1); span.Fail("x"); span.End() },
		"call":    func() { _, span := off.Call(r.Context(), "n"); span.Name("x"); span.End() },
		"header":  func() { tracing.Header(r.Context(), r.Header) },
		"parent":  func() { tracing.Parent(r.Context()) },
	} {
		check.Equal(t, "allocations of a "+what+" without a tracer", testing.AllocsPerRun(100, use), 0)
	}
	check.Equal(t, "whether a nil tracer is on", off.On(), false)
	if err := off.Close(t.Context()); err != nil {
		t.Errorf("close a nil tracer: got %v, want no error", err)
	}
}

func TestParent(t *testing.T) {
	t.Parallel()
	ctx := tracing.WithParent(t.Context(), parent)
	check.Equal(t, "parent", tracing.Parent(ctx), parent)
	check.Equal(t, "parent without a trace", tracing.Parent(tracing.WithParent(ctx, "")), "")
	check.Equal(t, "parent that cannot be read", tracing.Parent(tracing.WithParent(ctx, "x")), "")
	before := http.Header{"A": {"b"}}
	after := tracing.Header(ctx, before)
	check.Equal(t, "header", after, http.Header{"A": {"b"}, "Traceparent": {parent}})
	check.Equal(t, "header that was passed", before, http.Header{"A": {"b"}})
}

// TestJobsKeepTheirMetadata inserts jobs with and without metadata of their own.
func TestJobsKeepTheirMetadata(t *testing.T) {
	t.Parallel()
	const other = "00-0af7651916cd43dd8448eb211c80319c-0000000000000001-01"
	jobs := []*rivertype.JobInsertParams{{}, {Metadata: []byte(`{"a":1}`)}, {Metadata: tracing.Metadata(other)}}
	insert := func(context.Context) ([]*rivertype.JobInsertResult, error) { return nil, nil }
	var m tracing.Jobs
	if _, err := m.InsertMany(t.Context(), jobs, insert); err != nil || jobs[0].Metadata != nil {
		t.Errorf("metadata without a trace: got %s, %v; want none", jobs[0].Metadata, err)
	}
	if _, err := m.InsertMany(tracing.WithParent(t.Context(), parent), jobs, insert); err != nil {
		t.Fatalf("insert: %v", err)
	}
	for i, want := range []string{`{"traceparent":"` + parent + `"}`, `{"a":1,"traceparent":"` + parent + `"}`,
		`{"traceparent":"` + other + `"}`} {
		check.Equal(t, "metadata", string(jobs[i].Metadata), want)
	}
}
