package httpapi

import (
	"strings"
	"testing"
)

// TestOtherOrigins expects pages of any origin to be let read, and do what a credential in their requests allows, but
// nothing with cookies.
func TestOtherOrigins(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		method, path, credential string
		header                   []string
		status                   int
		allowed                  string
	}{
		"read":                {"GET", "/api/v1/channels", "", nil, 200, "*"},
		"read the contract":   {"GET", "/api/v1/openapi.json", "", nil, 200, "*"},
		"read what is not":    {"GET", "/api/v1/nothing", "", nil, 404, "*"},
		"ask to read":         {"OPTIONS", "/api/v1/channels", "", []string{"Access-Control-Request-Method: GET"}, 204, "*"},
		"a plain OPTIONS":     {"OPTIONS", "/api/v1/channels", "", nil, 405, ""},
		"publish by a key":    {"POST", publish, w.bearer(), nil, 201, "*"},
		"publish by a cookie": {"POST", publish, signedIn, nil, 403, ""},
		"publish by nobody":   {"POST", publish, "", nil, 401, ""},
		"ask to publish by a key": {"OPTIONS", publish, "", []string{"Access-Control-Request-Method: POST",
			"Access-Control-Request-Headers: content-type, authorization"}, 204, "*"},
		"ask to publish without": {"OPTIONS", publish, "", []string{"Access-Control-Request-Method: POST",
			"Access-Control-Request-Headers: content-type"}, 405, ""},
	} {
		body := ""
		if c.method == "POST" {
			body = `{"title":"Aviso"}`
		}
		header := append(c.header, "Origin: https://elsewhere.example")
		if c.credential != "" {
			header = append(header, c.credential)
		}
		a := w.send(c.method, c.path, body, header...)
		if a.Code != c.status {
			t.Errorf("%s: got status %d, want %d", name, a.Code, c.status)
		}
		for header, want := range map[string]string{"Access-Control-Allow-Origin": c.allowed,
			"Access-Control-Allow-Credentials": "", "Vary": "Origin"} {
			if got := a.Header().Get(header); got != want {
				t.Errorf("%s: got %s %q, want %q", name, header, got, want)
			}
		}
		if c.status == 204 && !strings.Contains(a.Header().Get("Access-Control-Allow-Headers"), "Authorization") {
			t.Errorf("%s: got allowed headers %q, want Authorization among them", name,
				a.Header().Get("Access-Control-Allow-Headers"))
		}
	}
}
