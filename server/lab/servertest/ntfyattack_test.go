package servertest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestNtfyKeepsSecrets expects strangers to find nothing of a private channel, a credential in a cookie to do nothing,
// and other paths to be as they are.
func TestNtfyKeepsSecrets(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.owner.Do(http.MethodPost, "/channels/p/c/notifications", object{"title": "Secret", "body": "b"}, 201, nil)
	f.owner.Do(http.MethodPatch, "/channels/p/c", object{"visibility": "private"}, 200, nil)
	key := "Authorization: Bearer " + f.newKey("read").Secret
	for path, want := range map[string][2]string{
		"/p_c/json?poll=1": {"40301", "Secret"}, "/p_c,demo_novidades/json?poll=1&title=Secret": {"40301", "Secret"},
		"/p_c/auth": {"40301", ""}, "/p_none/json?poll=1": {"40301", "40401"}, "/p_none/auth": {"40301", "40401"},
	} {
		check.Equal(t, path+" to a stranger", ntfyTitles(t, f.Server, path), want[0])
		check.Equal(t, path+" with a key", ntfyTitles(t, f.Server, path, key), want[1])
	}
	for _, path := range []string{"/p_c", "/p_c/publish?message=x", "/p_c/x"} {
		method := map[bool]string{true: http.MethodGet, false: http.MethodPost}[strings.Contains(path, "publish")]
		res := sendPlain(t, f.Server, method, path, "x", "Cookie: "+cookieOf(f.owner), "Origin: https://attacker.example")
		check.Equal(t, path+" with the cookie of a member", res.StatusCode, 403)
	}
	for path, want := range map[string]string{"/v1/health": "application/json", "/channels/demo": "text/html; charset=utf-8",
		"/": "text/html; charset=utf-8", "/feed": "text/html; charset=utf-8", "/sw.js": "text/javascript; charset=utf-8"} {
		res := sendPlain(t, f.Server, http.MethodGet, path, "")
		check.Equal(t, "type of "+path, res.Header.Get("Content-Type"), want)
	}
}

// TestNtfyAttacks sends hostile texts in every place. The server refuses or mends them, and says so in ntfy's form.
func TestNtfyAttacks(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	send := ntfyTo(t, s)
	places := map[string]func(text string) ntfyRequest{
		"body":    func(text string) ntfyRequest { return ntfyRequest{"POST", "/demo_novidades", nil, text} },
		"JSON":    func(text string) ntfyRequest { return ntfyRequest{"POST", "/", nil, text} },
		"message": func(text string) ntfyRequest { return ntfyRequest{"POST", "/", nil, ntfyJSON("message", text)} },
		"title":   func(text string) ntfyRequest { return ntfyRequest{"POST", "/", nil, ntfyJSON("title", text)} },
		"delay":   func(text string) ntfyRequest { return ntfyRequest{"POST", "/", nil, ntfyJSON("delay", text)} },
		"click":   func(text string) ntfyRequest { return ntfyRequest{"POST", "/", nil, ntfyJSON("click", text)} },
		"sequence": func(text string) ntfyRequest {
			return ntfyRequest{"POST", "/", nil, ntfyJSON("sequence_id", text)}
		},
		"query": func(text string) ntfyRequest {
			return ntfyRequest{"GET", "/demo_novidades/publish?message=" + url.QueryEscape(text[:min(len(text), 8000)]), nil, ""}
		},
		"since": func(text string) ntfyRequest {
			return ntfyRequest{"GET", "/demo_novidades/json?poll=1&since=" + url.QueryEscape(text[:min(len(text), 8000)]), nil, ""}
		},
		"topic": func(text string) ntfyRequest {
			return ntfyRequest{"POST", "/demo_" + url.PathEscape(text[:min(len(text), 2000)]), nil, "x"}
		},
		"actions": func(text string) ntfyRequest {
			return ntfyRequest{"POST", "/demo_novidades?actions=" + url.QueryEscape(text[:min(len(text), 8000)]), nil, "x"}
		},
	}
	for name, text := range hostileTexts() {
		for place, in := range places {
			m, status := send(in(text))
			if status >= 500 || status != 200 && status != 405 && (m.Code/100 != status || m.Error == "") {
				t.Errorf("%s as the %s: got %d, %+v", name, place, status, m)
			}
		}
	}
}

func ntfyJSON(member, text string) string {
	b, _ := json.Marshal(object{"topic": "demo_novidades", member: text}) // texts
	return string(b)
}
