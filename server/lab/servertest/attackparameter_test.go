package servertest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// hostile are values that mean something to a database, a file system, a header, a page or a regular expression.
var hostile = []string{
	"\x00", "a\x00b", "\xff", "\xed\xa0\x80", "'", `' or 1=1 --`, `"; drop table notifications; --`, `\`, "%", "_%", "%00",
	"../../etc/passwd", "..%2f..%2f", "a\r\nX-Injected: 1", "<script>alert(1)</script>", "${7*7}{{7*7}}", "(a+)+$",
	"99999999999999999999", "-1", "1e999", "0x10", "\u202e", strings.Repeat("a", 4000), "",
}

// TestHostileParameters gives every parameter of every operation hostile values. They are data, or refused.
func TestHostileParameters(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for id, op := range documented(t) {
		r := table[id].make(f)
		own, _, _ := strings.Cut(r.path, "?")
		var paths []string
		for _, value := range hostile {
			for i, segment := range strings.Split(op.path, "/") {
				if strings.HasPrefix(segment, "{") && value != "" {
					segments := strings.Split(own, "/")
					segments[i] = url.PathEscape(value)
					paths = append(paths, strings.Join(segments, "/"))
				}
			}
			for _, p := range op.parameters() {
				if p.In == openapi3.ParameterInQuery {
					paths = append(paths, own+"?"+url.Values{p.Name: {value}}.Encode())
				}
			}
		}
		for _, path := range paths {
			f.tryHostile(id, op, request{path, r.body})
		}
	}
	if n := count(t, f.Server, "select count(*) from notifications"); n == 0 {
		t.Error("notifications after the attack: got none")
	}
}

// tryHostile expects a request to be served or refused as the contract says.
func (f *fixture) tryHostile(id string, op described, r request) {
	f.t.Helper()
	status, header := f.send(operation{id: id, method: op.method, row: table[id]}, r, nil)
	if status >= http.StatusInternalServerError || op.Responses.Status(status) == nil {
		f.t.Errorf("%s at %.100s: got %d, want a status of the contract below 500", id, r.path, status)
	}
	if header.Get("X-Injected") != "" {
		f.t.Errorf("%s at %.100s: got an injected header", id, r.path)
	}
}
