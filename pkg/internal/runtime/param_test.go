package runtime_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/internal/runtime"
)

type sort string

// TestStyleParam checks that parameters are written as oapi-codegen's own runtime writes them.
func TestStyleParam(t *testing.T) {
	t.Parallel()
	const (
		query  = runtime.ParamLocationQuery
		path   = runtime.ParamLocationPath
		header = runtime.ParamLocationHeader
	)
	lisbon := time.FixedZone("", 3600)
	for _, test := range []struct {
		name     string
		location runtime.ParamLocation
		value    any
		want     string
	}{
		{"text in a query", query, "a b&c=d+é/?", "p%5Bx%5D=a+b%26c%3Dd%2B%C3%A9%2F%3F"},
		{"text in a path", path, "a b/c?é..", "a%20b%2Fc%3F%C3%A9.."},
		{"text in a header", header, `"7" é`, `"7" é`},
		{"named text", query, sort("newest"), "p%5Bx%5D=newest"},
		{"number", query, int32(-20), "p%5Bx%5D=-20"},
		{"boolean", query, true, "p%5Bx%5D=true"},
		{"time", query, time.Date(2026, 1, 2, 3, 4, 5, 67e6, lisbon), "p%5Bx%5D=2026-01-02T03%3A04%3A05.067%2B01%3A00"},
		{"id", path, uuid.MustParse("0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"), "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			style := "simple"
			if test.location == query {
				style = "form"
			}
			options := runtime.StyleParamOptions{ParamLocation: test.location}
			got, err := runtime.StyleParamWithOptions(style, style == "form", "p[x]", test.value, options)
			if err != nil {
				t.Fatalf("style %#v: %v", test.value, err)
			}
			if got != test.want {
				t.Errorf("style %#v: got %q, want %q", test.value, got, test.want)
			}
		})
	}
	options := runtime.StyleParamOptions{ParamLocation: query}
	if got, err := runtime.StyleParamWithOptions("deepObject", true, "p", "x", options); err == nil {
		t.Errorf("a style that no contract uses: got %q, want an error", got)
	}
}

func TestMarshalForm(t *testing.T) {
	t.Parallel()
	got, err := runtime.MarshalForm(struct {
		Payload string `json:"payload"`
	}{`{"a":"b c"}`}, nil)
	if err != nil {
		t.Fatalf("marshal a form of one text: %v", err)
	}
	if want := "payload=%7B%22a%22%3A%22b+c%22%7D"; got.Encode() != want {
		t.Errorf("form: got %q, want %q", got.Encode(), want)
	}
	if got, err := runtime.MarshalForm(struct{ Number int }{1}, nil); err == nil {
		t.Errorf("a form with a number: got %v, want an error", got)
	}
}
