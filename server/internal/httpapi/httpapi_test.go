package httpapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/payload"
	"github.com/sininho/sininho/server/lab/check"
)

func TestHead(t *testing.T) {
	w := newWorld(t)
	for path, want := range map[string]int{
		"/api/v1/channels": 200, "/api/v1/openapi.json": 200, "/api/v1/nothing": 404,
		"/api/v1/subscribers/notifications/stream": 405,
	} {
		a := w.send("HEAD", path, "")
		a.wantStatus("HEAD "+path, want)
		if want == 405 {
			a.wantHeader("HEAD "+path, "Allow", "GET")
		}
	}
	w.send("PUT", "/api/v1/channels", "{}").wantHeader("PUT channels", "Allow", "GET, HEAD, POST")
}

func TestEveryOperationIsServed(t *testing.T) {
	w := newWorld(t)
	routes := w.handler.(chi.Router)
	operations := readContract(mustContract(t, w, "/openapi.json")).operations
	maps.Copy(operations, readContract(mustContract(t, w, "/waitlist/openapi.json")).operations)
	if served := len(newServer(w.config).operations); len(operations) < 90 || len(operations) != served {
		t.Fatalf("operations in the contracts: got %d, want at least 90 and all that are served, %d",
			len(operations), served)
	}
	for key, o := range operations {
		method, path, _ := strings.Cut(key, " ")
		rctx := chi.NewRouteContext()
		if !routes.Match(rctx, method, prefix+path) || rctx.RoutePattern() != o.pattern {
			t.Errorf("%s: got route %q, want %q", key, rctx.RoutePattern(), o.pattern)
		}
		for _, p := range o.params {
			types, known := p.schema.Type.Slice(), []string{"string", "integer", "boolean"}
			if len(types) != 1 || !slices.Contains(known, types[0]) {
				t.Errorf("%s: type of %s: got %q, want one of %q", key, p.pointer, types, known)
			}
		}
	}
}

func TestRequestsAreCounted(t *testing.T) {
	m := metrics.New()
	w := newWorld(t, func(c *Config) { c.Metrics = m.HTTP })
	w.send("GET", "/api/v1/channels", "").wantStatus("GET channels", 200)
	w.send("GET", "/api/v1/nowhere", "").wantStatus("GET nowhere", 404)
	w.send("GET", "/api/v1/channels/panic/x/notifications", "").wantStatus("a panic", 500)
	check.Equal(t, "counts", m.Counts().Since(core.NodeCounts{}), core.NodeCounts{Requests: 3, Errors: 1})
}

// mustContract returns a contract as served.
func mustContract(t *testing.T, w *world, path string) []byte {
	t.Helper()
	a := w.send("GET", prefix+path, "")
	a.mustStatus("GET "+path, 200)
	a.wantHeader("GET "+path, "Content-Type", "application/json")
	return a.Body.Bytes()
}

func TestErrorResponses(t *testing.T) {
	for name, c := range map[string]struct {
		method, path, header string
		wrong                error
		status               int
		code                 string
	}{
		"no such path":     {"GET", "/api/v1/nowhere", "", nil, 404, "not_found"},
		"no such thing":    {"GET", publish, "", core.NotFound(), 404, "not_found"},
		"no such method":   {"PUT", "/api/v1/channels", "", nil, 405, "method_not_allowed"},
		"unknown method":   {"BREW", "/api/v1/channels", "", nil, 405, "method_not_allowed"},
		"unreadable query": {"GET", "/api/v1/channels?q=%zz", "", nil, 400, "malformed"},
		"conflict": {
			"GET", publish, "", core.Conflict("slug_taken", core.Text{EN: "x"}), 409, "slug_taken",
		},
		"in flight":            {"GET", publish, "", core.ErrKeyInFlight(), 409, "idempotency_in_flight"},
		"key reused":           {"GET", publish, "", core.ErrKeyReused(), 422, "idempotency_key_reused"},
		"unavailable":          {"GET", publish, "", core.Unavailable(errors.New("inside")), 503, "unavailable"},
		"canceled":             {"GET", publish, "", context.Canceled, 503, "unavailable"},
		"too late":             {"GET", publish, "", context.DeadlineExceeded, 503, "unavailable"},
		"anything else":        {"GET", publish, "", errors.New("inside"), 500, "internal"},
		"panic":                {"GET", "/api/v1/channels/panic/x/notifications", "", nil, 500, "internal"},
		"stream":               {"GET", publish + "/stream", "", nil, 503, "unavailable"},
		"stream of nothing":    {"GET", "/api/v1/channels/a/b/notifications/stream", "", nil, 404, "not_found"},
		"sessions unavailable": {"GET", "/api/v1/auth", "Cookie: __Host-sininho=unavailable", nil, 503, "unavailable"},
		"method of a webhook":  {"GET", "/api/v1/webhooks/channels/x", "", nil, 405, "method_not_allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.wrong = c.wrong
			a := w.send(c.method, c.path, "", c.header)
			p := a.problem()
			what := c.method + " " + c.path
			a.wantStatus(what, c.status)
			check.Equal(t, what+": code", p.Code, c.code)
			if strings.Contains(a.Body.String(), "inside") {
				t.Errorf("body reveals an internal error: %s", a.Body)
			}
			retry := c.status == 503 || c.code == "idempotency_in_flight"
			if got := a.Header().Get("Retry-After"); retry != (got == "1") {
				t.Errorf("Retry-After: got %q, want 1: %t", got, retry)
			}
			if logged := strings.Contains(w.log.String(), "level=ERROR"); logged != (c.status == 500) {
				t.Errorf("logged as an error: got %t, want %t: %s", logged, c.status == 500, w.log)
			}
			if a.Header().Get("RateLimit") == "" {
				t.Error("RateLimit: got none, want one")
			}
		})
	}
}

func TestAllow(t *testing.T) {
	w := newWorld(t)
	a := w.send("DELETE", publish, "")
	a.wantStatus("DELETE notifications", 405)
	a.wantHeader("DELETE notifications", "Allow", "GET, HEAD, POST")
}

func TestRequestID(t *testing.T) {
	w := newWorld(t)
	for given, kept := range map[string]bool{
		"abc-1.2_3": true, "": false, "a b": false, "a\nb": false, strings.Repeat("x", 129): false, "é": false,
	} {
		got := w.send("GET", "/api/v1/nowhere", "", "X-Request-Id: "+given).problem().RequestID
		if (got == given) != kept || got == "" {
			t.Errorf("request id for X-Request-Id %q: got %q, want it kept: %t", given, got, kept)
		}
	}
}

func TestLanguage(t *testing.T) {
	for header, pt := range map[string]bool{
		"": false, "pt": true, "pt-PT,pt;q=0.9,en;q=0.8": true, "en-GB,pt;q=0.5": false, "en;q=0.5, pt-BR;q=0.6": true,
		"fr, pt;q=0.4": true, "fr": false, "*": false, "pt;q=0": false, "pt;q=0, en": false, "nonsense;;q=": false,
	} {
		if got := prefersPortuguese(header); got != pt {
			t.Errorf("prefersPortuguese(%q): got %t, want %t", header, got, pt)
		}
	}
	w := newWorld(t)
	a := w.send("POST", publish, `{"title":""}`, w.bearer(), "Accept-Language: pt")
	p := a.problem()
	check.Equal(t, "detail of the problem", *p.Detail, "O pedido tem 1 falha.")
	check.Equal(t, "detail of the fault", p.Errors[0].Detail, "tem menos de 1 caracteres")
	a.wantHeader("problem in Portuguese", "Content-Language", "pt")
}

func TestAccess(t *testing.T) {
	w := newWorld(t)
	const (
		stale  = "Cookie: __Host-sininho=stale"
		me     = "/api/v1/subscribers/me"
		public = "/api/v1/auth"
	)
	for name, c := range map[string]struct {
		method, path string
		header       []string
		status       int
	}{
		"a visitor on a public path":       {"GET", public, nil, 200},
		"a visitor":                        {"GET", me, nil, 401},
		"a stale session on a public path": {"GET", public, []string{stale}, 200},
		"a stale session":                  {"GET", me, []string{stale}, 401},
		"a session":                        {"GET", me, []string{signedIn}, 200},
		"a key on a public path":           {"GET", public, []string{w.bearer()}, 200},
		"a key where only people may":      {"GET", me, []string{w.bearer()}, 403},
		"a key and a session":              {"GET", me, []string{w.bearer(), signedIn}, 403},
		"a bad key on a public path":       {"GET", public, []string{"Authorization: Bearer snh_live_x"}, 401},
		"a bad key and a session":          {"GET", me, []string{"Authorization: Bearer x", signedIn}, 401},
		"another scheme":                   {"GET", public, []string{"Authorization: Basic YTpi"}, 401},
		"no scheme":                        {"GET", public, []string{"Authorization: " + w.key}, 401},
		"an empty header":                  {"GET", public, []string{"Authorization: "}, 401},
		"two keys":                         {"GET", public, []string{w.bearer(), w.bearer()}, 401},
		"lower case":                       {"GET", public, []string{"Authorization: bearer " + w.key}, 200},
		"a token on a public path":         {"GET", public, []string{w.token(cli)}, 200},
		"a token":                          {"GET", me, []string{w.token(cli)}, 200},
		"a token from another site": {"DELETE", public,
			[]string{w.token(cli), signedIn, "Sec-Fetch-Site: cross-site"}, 204},
		"a token where only sessions may": {"GET", "/api/v1/auth/device?userCode=BCDFGHJK",
			[]string{w.token(cli)}, 403},
		"a key where only sessions may": {"GET", "/api/v1/auth/device?userCode=BCDFGHJK",
			[]string{w.bearer()}, 403},
		"a bad token on a public path": {"GET", public, []string{"Authorization: Bearer sna_live_x"}, 401},
		"a bad token and a session":    {"GET", me, []string{"Authorization: Bearer sna_live_x", signedIn}, 401},
		"signing out without session":  {"DELETE", public, nil, 204},
		"signing out with a key":       {"DELETE", public, []string{w.bearer()}, 403},
		"signing out from another site": {"DELETE", public,
			[]string{signedIn, "Sec-Fetch-Site: cross-site"}, 403},
		"signing out from another origin": {"DELETE", public,
			[]string{signedIn, "Origin: https://evil.example"}, 403},
		"signing out from the same site": {"DELETE", public,
			[]string{signedIn, "Sec-Fetch-Site: same-origin"}, 204},
		"signing out from the public address": {"DELETE", public,
			[]string{signedIn, "Origin: https://sininho.example"}, 204},
		"signing in ignores credentials": {"GET", "/api/v1/auth/google", []string{"Authorization: Basic x"}, 302},
		"reading from another site":      {"GET", me, []string{signedIn, "Sec-Fetch-Site: cross-site"}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			a := w.send(c.method, c.path, "", c.header...)
			a.wantStatus(c.method+" "+c.path, c.status)
			if a.Code >= 400 {
				a.problem()
			}
		})
	}
}

func TestAuth(t *testing.T) {
	w := newWorld(t)
	const methods = `"signInMethods":[{"kind":"google","url":"/api/v1/auth/google"}]`
	for credential, want := range map[string]string{
		"": `{"caller":"visitor",` + methods + `}`,
		w.bearer(): `{"caller":"publisher",` +
			`"publisher":{"id":"0b000000-0000-0000-0000-000000000000","name":"Metro","slug":"metro"},` +
			`"scopes":["publish","channels"],` + methods + `}`,
		signedIn: `{"caller":"subscriber",` + methods + `,"subscriber":{"anonymous":false,"bellDefault":"all",` +
			`"createdAt":"2026-03-01T12:00:00Z","digestAt":"00:00","email":"ana@example.com",` +
			`"id":"0a000000-0000-0000-0000-000000000000","locale":"","name":"Ana","onboarded":false,"timezone":""}}`,
	} {
		w.send("GET", "/api/v1/auth", "", credential).wantBody(fmt.Sprintf("caller of %.25q", credential), want)
	}
	a := w.send("DELETE", "/api/v1/auth", "", signedIn)
	if got := a.Header().Get("Set-Cookie"); !strings.Contains(got, "Max-Age=0") {
		t.Errorf("cookie after signing out: got %q, want Max-Age=0", got)
	}
	check.Equal(t, "ended session", w.sessions.signedOut, core.ID{5})
}

func TestSignInAnonymously(t *testing.T) {
	w := newWorld(t)
	const path = "/api/v1/auth/anonymous"
	a := w.send("POST", path, "")
	a.wantStatus("follow without an account", 204)
	a.wantHeader("follow without an account", "Set-Cookie", sessionCookie+"=anonymous")
	a = w.send("POST", path, "", signedIn)
	a.wantStatus("follow without an account while signed in", 204)
	a.wantHeader("follow without an account while signed in", "Set-Cookie", "")
	a = w.send("POST", path, "", "Sec-Fetch-Site: cross-site")
	a.wantStatus("follow without an account for another site", 403)
	check.Equal(t, "code for another site", a.problem().Code, "cross_origin")
	w.send("POST", path, "", w.bearer()).wantStatus("follow without an account with a key", 403)

	const anonymously = "Cookie: " + sessionCookie + "=anonymous"
	a = w.send("POST", "/api/v1/publishers", `{"slug":"x","name":"X"}`, anonymously)
	a.wantStatus("create a publisher without an account", 403)
	check.Equal(t, "code without an account", a.problem().Code, "account_required")
}

func TestSignInWithGoogle(t *testing.T) {
	w := newWorld(t)
	a := w.send("GET", "/api/v1/auth/google?redirect=/feed&login_hint=ana@example.com", "")
	a.wantStatus("begin a sign-in", 302)
	a.wantHeader("begin a sign-in", "Location", "https://accounts.example/?to=/feed&hint=ana@example.com")
	a.wantHeader("begin a sign-in", "Set-Cookie", "begun=1")
	a = w.send("GET", "/api/v1/auth/google/callback?state=feed&code=x&scope=openid&authuser=0", "")
	a.wantStatus("finish a sign-in", 302)
	a.wantHeader("finish a sign-in", "Location", "/feed")
	if cookies := a.Header().Values("Set-Cookie"); len(cookies) != 2 {
		t.Errorf("finish a sign-in: got cookies %q, want 2", cookies)
	}
}

func TestPublish(t *testing.T) {
	w := newWorld(t)
	a := w.send("POST", publish, `{"title":"Olá","data":{"a":"b"}}`, w.bearer(), "Idempotency-Key: k1")
	a.mustStatus("publish", 201)
	var n api.Notification
	a.mustDecode("publish", &n)
	check.Equal(t, "title", n.Title, "Olá")
	check.Equal(t, "importance", n.Importance, "normal")
	check.Equal(t, "data", n.Data, &api.NotificationData{"a": "b"})
	check.Equal(t, "link", n.Link, nil)
	a.wantHeader("publish", "Location", publish+"/"+n.ID.String())
	a.wantHeader("publish", "Idempotency-Replayed", "")
	first := w.memory.key
	check.Equal(t, "idempotency key", first.Key, "k1")
	check.Equal(t, "route of the idempotency key", first.Route, "POST "+publish)
	if !strings.HasPrefix(first.Caller, "key:") {
		t.Errorf("caller of the idempotency key: got %q, want an API key", first.Caller)
	}
	if n := len(first.BodyHash); n != 32 {
		t.Errorf("hash of the body: got %d bytes, want 32", n)
	}
	for _, c := range []struct {
		what     string
		creation core.Creation
		status   int
	}{{"replayed publish", core.Replayed, 201}, {"replay of an existing notification", core.ReplayedExisting, 200}} {
		w.creation = c.creation
		a := w.send("POST", publish, `{"title":"Olá"}`, w.bearer(), "Idempotency-Key: k1")
		a.wantStatus(c.what, c.status)
		a.wantHeader(c.what, "Idempotency-Replayed", "true")
	}
	if string(w.memory.key.BodyHash) == string(first.BodyHash) {
		t.Errorf("hash of another body: got %x again, want another hash", first.BodyHash)
	}
	w.creation = core.Existing
	w.send("POST", publish, `{"title":"Olá"}`, w.bearer()).wantStatus("existing notification", 200)
	if w.memory.key.Wanted() {
		t.Errorf("idempotency key of a request without one: got %+v, want none", w.memory.key)
	}
	reader := "Authorization: Bearer " + w.newKey(publisherID, core.ScopeRead)
	w.send("POST", publish, `{"title":"x"}`, reader).wantStatus("publish without the scope", 403)
	other := "Authorization: Bearer " + w.newKey(otherID, core.ScopePublish)
	w.send("POST", publish, `{"title":"x"}`, other).wantStatus("publish to another publisher's channel", 404)
}

func TestPages(t *testing.T) {
	w := newWorld(t)
	for range 11 {
		w.list = append(w.list, core.Notification{ID: core.NewID(), Channel: metro, PublishedAt: &start})
	}
	next := w.list[9].Cursor().String()
	t.Run("first page", func(t *testing.T) {
		w.t = t
		a := w.send("GET", publish, "")
		var page api.NotificationPage
		a.mustDecode("first page", &page)
		if len(page.Data) != 10 {
			t.Errorf("notifications: got %d, want 10", len(page.Data))
		}
		check.Equal(t, "total", page.Meta.Total, 11)
		check.Equal(t, "unread", page.Meta.Unread, nil)
		check.Equal(t, "next cursor", page.Meta.NextCursor, &next)
		a.wantHeader("first page", "Link", "<"+publish+"?cursor="+next+`>; rel="next"`)
	})
	t.Run("last page of the feed", func(t *testing.T) {
		w.t = t
		a := w.send("GET", "/api/v1/subscribers/notifications?limit=11&unread=true&cursor="+next, "", signedIn)
		var page api.NotificationPage
		a.mustDecode("last page", &page)
		check.Equal(t, "next cursor", page.Meta.NextCursor, nil)
		check.Equal(t, "unread", page.Meta.Unread, new(int64(7)))
		a.wantHeader("last page", "Link", "")
		a.wantHeader("last page", "Stream-Position", "41")
		if !w.filter.UnreadOnly {
			t.Error("filter of the feed: got all notifications, want only unread ones")
		}
		if after := w.filter.After; after == nil || after.String() != next {
			t.Errorf("filter of the feed: got cursor %v, want %s", after, next)
		}
	})
	t.Run("channels", func(t *testing.T) {
		w.t = t
		a := w.send("GET", "/api/v1/channels?q=a+b&limit=1&offset=1", "")
		a.wantHeader("second page", "Link", `</api/v1/channels?limit=1&offset=2&q=a+b>; rel="next"`)
		check.Equal(t, "sort", w.channels.Sort, core.SortPopular)
		check.Equal(t, "offset", w.channels.Offset, 1)
		w.send("GET", "/api/v1/channels?limit=1&offset=2", "").wantHeader("last page", "Link", "")
	})
}

func TestDevices(t *testing.T) {
	w := newWorld(t)
	body := `{"installationId":"12345678","kind":"token","address":"x","platform":"web","name":"Chrome"}`
	a := w.send("POST", devices, body, signedIn)
	a.wantStatus("register a device", 201)
	if !strings.Contains(a.Body.String(), `"current":true`) {
		t.Errorf("registered device: got %s, want it current", a.Body)
	}
	if got := a.Header().Get("Location"); !strings.HasPrefix(got, devices+"/0d") {
		t.Errorf("Location of the registered device: got %q, want %s/0d...", got, devices)
	}
	w.creation = core.Existing
	w.send("POST", devices, body, signedIn).wantStatus("register a device again", 200)
	for id, want := range map[string]string{
		"0d000000-0000-0000-0000-000000000000": `{"outcome":"accepted"}`,
		"0e000000-0000-0000-0000-000000000000": `{"cause":"quota","outcome":"failed"}`,
	} {
		w.send("POST", devices+"/"+id+"/test", "", signedIn).wantBody("test push to device "+id, want)
	}
}

func TestStream(t *testing.T) {
	w := newWorld(t)
	a := w.send("GET", "/api/v1/subscribers/notifications/stream", "", signedIn, "Last-Event-ID: 42")
	a.wantBody("stream of the feed", "feed "+ana.String()+" 42")
}

func TestWebhooks(t *testing.T) {
	w := newWorld(t)
	secret := webhook.NewSecret()
	open := w.webhook("open", "")
	signed := w.webhook("signed", secret)
	body := `{"title": "x",  "more": [1]}`
	post := func(address, body string, h http.Header) *response {
		list := []string{"Authorization: Basic x", signedIn, "Sec-Fetch-Site: cross-site"}
		for name := range h {
			list = append(list, name+": "+h.Get(name))
		}
		return w.send("POST", hooks+address, body, list...)
	}
	header := mustSign(t, "e1", body, secret)
	var one, two api.WebhookReceipt
	a := post(signed, body, header)
	a.mustStatus("signed event", 202)
	a.mustDecode("signed event", &one)
	check.Equal(t, "signed event: duplicate", one.Duplicate, false)
	post(signed, body, header).mustDecode("repeated event", &two)
	check.Equal(t, "repeated event: duplicate", two.Duplicate, true)
	check.Equal(t, "repeated event: notification", two.NotificationID, one.NotificationID)
	forged := post(signed, `{"title":"y"}`, header)
	forged.wantStatus("signature of another body", 401)
	check.Equal(t, "signature of another body: code", forged.problem().Code, "signature")
	post(signed, body, nil).wantStatus("event without a signature", 401)
	post(open, body, nil).wantStatus("event to an unsigned webhook", 202)
	post("unknown", body, nil).wantStatus("event to an unknown webhook", 404)
	long := `{"title":"` + strings.Repeat("x", payload.MaxBody) + `"}`
	post(open, long, nil).wantStatus("event that is too long", 413)

	w.send("POST", hooks+open+"/typo", body)
	w.send("PUT", hooks+open, body)
	for _, s := range []string{open, signed, secret} {
		if strings.Contains(w.log.String(), s) {
			t.Errorf("log: got the secret %s, want it left out: %s", s, w.log)
		}
	}
	if !strings.Contains(w.log.String(), "route=/api/v1/webhooks/channels/{id}") {
		t.Errorf("log: got no route of webhooks, want one: %s", w.log)
	}
}

// TestRefusedEventsAreKept expects a refused event to be kept with a reason if its signature is valid.
func TestRefusedEventsAreKept(t *testing.T) {
	w := newWorld(t)
	secret := webhook.NewSecret()
	address := w.webhook("signed", secret)
	for body, want := range map[string]int{`[1]`: 422, `{"title":" "}`: 422, `{}`: 422} {
		w.refuse = nil
		w.send("POST", hooks+address, body).wantStatus("without a signature: "+body, 401)
		check.Equal(t, "reasons kept without a signature: "+body, w.refuse, nil)
		var list []string
		for name, values := range mustSign(t, "e2", body, secret) {
			list = append(list, name+": "+values[0])
		}
		w.send("POST", hooks+address, body, list...).wantStatus("signed: "+body, want)
		if len(w.refuse) != 1 || w.refuse[0] == "" {
			t.Errorf("reasons kept for %s: got %q, want one", body, w.refuse)
		}
	}
}

// mustSign returns the headers of a signed message of the time start.
func mustSign(t *testing.T, id, body, secret string) http.Header {
	t.Helper()
	header, err := webhook.Sign(webhook.Message{ID: id, Timestamp: start, Body: []byte(body)}, secret)
	if err != nil {
		t.Fatalf("sign %s: %v", id, err)
	}
	return header
}

func TestEncodeNotification(t *testing.T) {
	got := string(Pictures(nil).EncodeNotification(core.Notification{ID: core.ID{1}, Channel: metro, Title: "x",
		Importance: core.Normal, PublishedAt: &start, Visible: true}))
	want := `{"body":"","channel":{"id":"0c000000-0000-0000-0000-000000000000",` +
		`"name":"Linhas","publisherSlug":"metro","slug":"linhas"},` +
		`"id":"01000000-0000-0000-0000-000000000000","importance":"normal",` +
		`"publishedAt":"2026-03-01T12:00:00Z","title":"x"}`
	check.Equal(t, "encoded notification", got, want)
	pictures := Pictures(func(picture string) string { return "https://sininho.example/pictures/" + picture })
	withIcon := metro
	withIcon.Icon = "https://metro.example/c"
	got = string(pictures.EncodeNotification(core.Notification{ID: core.ID{1}, Channel: withIcon, Title: "x",
		Image: "http://metro.example/i", Importance: core.Normal, Visible: true}))
	want = `{"body":"","channel":{"icon":"https://metro.example/c",` +
		`"iconProxy":"https://sininho.example/pictures/https://metro.example/c",` +
		`"id":"0c000000-0000-0000-0000-000000000000","name":"Linhas","publisherSlug":"metro","slug":"linhas"},` +
		`"id":"01000000-0000-0000-0000-000000000000","image":"http://metro.example/i",` +
		`"imageProxy":"https://sininho.example/pictures/http://metro.example/i","importance":"normal","title":"x"}`
	check.Equal(t, "encoded notification with pictures", got, want)
}

func TestPanicAfterTheResponseHasBegunAbortsIt(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Live = halfway{} })
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("recovered: got %v, want %v", err, http.ErrAbortHandler)
		}
	}()
	w.send("GET", "/api/v1/subscribers/notifications/stream", "", signedIn)
	t.Error("stream that panics: got a complete response, want it aborted")
}

// halfway panics after it has begun to respond.
type halfway struct{ liveStreams }

func (halfway) ServeFeed(w http.ResponseWriter, _ *http.Request, _ core.ID, _ core.StreamRequest) error {
	_, _ = w.Write([]byte("begun"))
	panic("halfway")
}
