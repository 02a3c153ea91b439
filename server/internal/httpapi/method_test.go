package httpapi

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sininho/sininho/openapi"
)

// TestEveryMethodOfEveryPath requests each path of both contracts with each method. Methods in the contract reach
// their operation, and the others are refused with the list of allowed methods.
func TestEveryMethodOfEveryPath(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Off = true })
	values := strings.NewReplacer("{publisherSlug}", "metro", "{channelSlug}", "linhas", "{id}", anID,
		"{eventId}", "e", "{deliveryId}", anID, "{token}", "x")
	every := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"}
	for path, item := range pathsOfContracts(t) {
		works := methodsOf(item)
		for _, method := range every {
			t.Run(method+" "+path, func(t *testing.T) {
				w.t = t
				a := w.send(method, prefix+values.Replace(path), "")
				allow := a.Header().Get("Allow")
				if slices.Contains(works, method) {
					if a.Code == http.StatusMethodNotAllowed || allow != "" {
						t.Errorf("got status %d with Allow %q, want the operation", a.Code, allow)
					}
					return
				}
				if a.Code != http.StatusMethodNotAllowed {
					t.Fatalf("got status %d, want 405: %.300s", a.Code, a.Body)
				}
				if got := slices.Sorted(strings.SplitSeq(allow, ", ")); !slices.Equal(got, works) {
					t.Errorf("Allow: got %q, want %q", got, works)
				}
				if p := a.problem(); p.Code != "method_not_allowed" {
					t.Errorf("code: got %q, want method_not_allowed", p.Code)
				}
			})
		}
	}
}

func pathsOfContracts(t *testing.T) map[string]*openapi3.PathItem {
	t.Helper()
	paths := map[string]*openapi3.PathItem{}
	for _, document := range [][]byte{openapi.Sininho, openapi.Waitlist} {
		doc, err := openapi3.NewLoader().LoadFromData(document)
		if err != nil {
			t.Fatalf("load a contract: %v", err)
		}
		for path, item := range doc.Paths.Map() {
			paths[path] = item
		}
	}
	return paths
}

// methodsOf returns the path's methods in the contract, and HEAD where GET does not stream.
func methodsOf(item *openapi3.PathItem) (methods []string) {
	for method, o := range item.Operations() {
		methods = append(methods, method)
		ok := o.Responses.Status(http.StatusOK)
		streams := ok != nil && ok.Value.Content["text/event-stream"] != nil
		if method == http.MethodGet && !streams {
			methods = append(methods, http.MethodHead)
		}
	}
	slices.Sort(methods)
	return methods
}

func TestALiteralPathHidesTheParameterBesideIt(t *testing.T) {
	w := newWorld(t)
	for path, want := range map[string]string{
		"/subscribers/notifications/read-all": "POST", "/channels/metro/linhas/webhooks/preview": "POST",
		"/waitlist/entries/export": "GET, HEAD", "/subscribers/notifications/stream": "GET",
		"/subscribers/notifications/read-alle": "GET, HEAD, PATCH",
		"/channels/metro/stream":               "GET, HEAD, PATCH, DELETE",
	} {
		a := w.send("PUT", prefix+path, "{}")
		a.wantStatus("PUT "+path, http.StatusMethodNotAllowed)
		a.wantHeader("PUT "+path, "Allow", want)
	}
}
