package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
)

func TestHead(t *testing.T) {
	w := newWorld(t)
	for path, want := range map[string]int{"/api/v1/channels": 200, "/api/v1/openapi.json": 200, "/api/v1/nothing": 404, "/api/v1/subscribers/notifications/stream": 405} {
		if a := w.send("HEAD", path, ""); a.Code != want || want == 405 && a.Header().Get("Allow") != "GET" {
			t.Errorf("%s: %d %v", path, a.Code, a.Header())
		}
	}
	if a := w.send("PUT", "/api/v1/channels", "{}"); a.Header().Get("Allow") != "GET, HEAD, POST" {
		t.Error(a.Header())
	}
}

func TestEveryOperationIsServed(t *testing.T) {
	w := newWorld(t)
	routes := w.handler.(chi.Router)
	operations := readContract(mustContract(t, w, "/openapi.json")).operations
	maps.Copy(operations, readContract(mustContract(t, w, "/waitlist/openapi.json")).operations)
	if len(operations) < 90 || len(operations) != len(newServer(w.config).operations) {
		t.Fatalf("only %d operations", len(operations))
	}
	for key, o := range operations {
		method, path, _ := strings.Cut(key, " ")
		rctx := chi.NewRouteContext()
		if !routes.Match(rctx, method, base+path) || rctx.RoutePattern() != o.pattern {
			t.Errorf("%s is not served", key)
		}
		for _, p := range o.params {
			if types := p.schema.Type.Slice(); len(types) != 1 || types[0] != "string" && types[0] != "integer" && types[0] != "boolean" {
				t.Errorf("%s: %s is of a type that param.parse does not know", key, p.pointer)
			}
		}
	}
}

// mustContract returns a contract as served.
func mustContract(t *testing.T, w *world, path string) []byte {
	a := w.send("GET", base+path, "")
	if a.Code != 200 || a.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	return a.Body.Bytes()
}

func TestWaysOut(t *testing.T) {
	for name, c := range map[string]struct {
		method, path, header string
		wrong                error
		status               int
		code                 string
	}{
		"no such path":        {"GET", "/api/v1/nowhere", "", nil, 404, "not_found"},
		"no such thing":       {"GET", publish, "", core.NotFound(), 404, "not_found"},
		"no such method":      {"PUT", "/api/v1/channels", "", nil, 405, "method_not_allowed"},
		"unknown method":      {"BREW", "/api/v1/channels", "", nil, 405, "method_not_allowed"},
		"unreadable query":    {"GET", "/api/v1/channels?q=%zz", "", nil, 400, "malformed"},
		"conflict":            {"GET", publish, "", core.Conflict("slug_taken", core.Text{EN: "x"}), 409, "slug_taken"},
		"in flight":           {"GET", publish, "", core.ErrKeyInFlight(), 409, "idempotency_in_flight"},
		"key reused":          {"GET", publish, "", core.ErrKeyReused(), 422, "idempotency_key_reused"},
		"away":                {"GET", publish, "", core.Unavailable(errors.New("inside")), 503, "unavailable"},
		"given up":            {"GET", publish, "", context.Canceled, 503, "unavailable"},
		"anything else":       {"GET", publish, "", errors.New("inside"), 500, "internal"},
		"panic":               {"GET", "/api/v1/channels/panic/x/notifications", "", nil, 500, "internal"},
		"stream":              {"GET", publish + "/stream", "", nil, 503, "unavailable"},
		"stream of nothing":   {"GET", "/api/v1/channels/a/b/notifications/stream", "", nil, 404, "not_found"},
		"sessions are away":   {"GET", "/api/v1/auth", "Cookie: __Host-sininho=away", nil, 503, "unavailable"},
		"method of a webhook": {"GET", "/api/v1/webhooks/channels/x", "", nil, 405, "method_not_allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.wrong = c.wrong
			a := w.send(c.method, c.path, "", c.header)
			p := a.problem()
			if a.Code != c.status || p.Code != c.code {
				t.Errorf("%d %s, want %d %s", a.Code, p.Code, c.status, c.code)
			}
			if strings.Contains(a.Body.String(), "inside") {
				t.Errorf("tells of the inside: %s", a.Body)
			}
			if wait := a.Header().Get("Retry-After"); (c.status == 503 || c.code == "idempotency_in_flight") != (wait == "1") {
				t.Errorf("Retry-After: %q", wait)
			}
			if logged := strings.Contains(w.log.String(), "level=ERROR"); logged != (c.status == 500) {
				t.Errorf("the log: %s", w.log)
			}
			if a.Header().Get("RateLimit") == "" {
				t.Error("no RateLimit")
			}
		})
	}
}

func TestAllow(t *testing.T) {
	w := newWorld(t)
	if a := w.send("DELETE", publish, ""); a.Code != 405 || a.Header().Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("%d %v", a.Code, a.Header())
	}
}

func TestRequestID(t *testing.T) {
	w := newWorld(t)
	for given, taken := range map[string]bool{"abc-1.2_3": true, "": false, "a b": false, "a\nb": false, strings.Repeat("x", 129): false, "é": false} {
		got := w.send("GET", "/api/v1/nowhere", "", "X-Request-Id: "+given).problem().RequestID
		if (got == given) != taken || got == "" {
			t.Errorf("%q: %q", given, got)
		}
	}
}

func TestLanguage(t *testing.T) {
	for header, pt := range map[string]bool{
		"": false, "pt": true, "pt-PT,pt;q=0.9,en;q=0.8": true, "en-GB,pt;q=0.5": false, "en;q=0.5, pt-BR;q=0.6": true,
		"fr, pt;q=0.4": true, "fr": false, "*": false, "pt;q=0": false, "pt;q=0, en": false, "nonsense;;q=": false,
	} {
		if got := prefersPortuguese(header); got != pt {
			t.Errorf("%q: %v", header, got)
		}
	}
	w := newWorld(t)
	a := w.send("POST", publish, `{"title":""}`, w.bearer(), "Accept-Language: pt")
	if p := a.problem(); *p.Detail != "O pedido tem 1 falha." || p.Errors[0].Detail != "tem menos de 1 caracteres" || a.Header().Get("Content-Language") != "pt" {
		t.Errorf("%s %+v", *p.Detail, p.Errors)
	}
}

func TestWhoMay(t *testing.T) {
	w := newWorld(t)
	const stale, me, public = "Cookie: __Host-sininho=stale", "/api/v1/subscribers/me", "/api/v1/auth"
	for name, c := range map[string]struct {
		method, path string
		header       []string
		status       int
	}{
		"a visitor where all may":             {"GET", public, nil, 200},
		"a visitor":                           {"GET", me, nil, 401},
		"a stale session where all may":       {"GET", public, []string{stale}, 200},
		"a stale session":                     {"GET", me, []string{stale}, 401},
		"a session":                           {"GET", me, []string{signedIn}, 200},
		"a key where all may":                 {"GET", public, []string{w.bearer()}, 200},
		"a key where people may":              {"GET", me, []string{w.bearer()}, 403},
		"a key and a session":                 {"GET", me, []string{w.bearer(), signedIn}, 403},
		"a bad key where all may":             {"GET", public, []string{"Authorization: Bearer snh_live_x"}, 401},
		"a bad key and a session":             {"GET", me, []string{"Authorization: Bearer x", signedIn}, 401},
		"another scheme":                      {"GET", public, []string{"Authorization: Basic YTpi"}, 401},
		"no scheme":                           {"GET", public, []string{"Authorization: " + w.key}, 401},
		"an empty header":                     {"GET", public, []string{"Authorization: "}, 401},
		"two keys":                            {"GET", public, []string{w.bearer(), w.bearer()}, 401},
		"lower case":                          {"GET", public, []string{"Authorization: bearer " + w.key}, 200},
		"a token where all may":               {"GET", public, []string{w.token(cli)}, 200},
		"a token":                             {"GET", me, []string{w.token(cli)}, 200},
		"a token from elsewhere":              {"DELETE", public, []string{w.token(cli), signedIn, "Sec-Fetch-Site: cross-site"}, 204},
		"a token where only sessions may":     {"GET", "/api/v1/auth/device?userCode=BCDFGHJK", []string{w.token(cli)}, 403},
		"a key where only sessions may":       {"GET", "/api/v1/auth/device?userCode=BCDFGHJK", []string{w.bearer()}, 403},
		"a bad token where all may":           {"GET", public, []string{"Authorization: Bearer sna_live_x"}, 401},
		"a bad token and a session":           {"GET", me, []string{"Authorization: Bearer sna_live_x", signedIn}, 401},
		"signing out without session":         {"DELETE", public, nil, 204},
		"signing out with a key":              {"DELETE", public, []string{w.bearer()}, 403},
		"signing out from elsewhere":          {"DELETE", public, []string{signedIn, "Sec-Fetch-Site: cross-site"}, 403},
		"signing out from another origin":     {"DELETE", public, []string{signedIn, "Origin: https://evil.example"}, 403},
		"signing out from here":               {"DELETE", public, []string{signedIn, "Sec-Fetch-Site: same-origin"}, 204},
		"signing out from the public address": {"DELETE", public, []string{signedIn, "Origin: https://sininho.example"}, 204},
		"signing in ignores credentials":      {"GET", "/api/v1/auth/google", []string{"Authorization: Basic x"}, 302},
		"reading from elsewhere":              {"GET", me, []string{signedIn, "Sec-Fetch-Site: cross-site"}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			a := w.send(c.method, c.path, "", c.header...)
			if a.Code != c.status {
				t.Errorf("%d, want %d: %s", a.Code, c.status, a.Body)
			}
			if a.Code >= 400 {
				a.problem()
			}
		})
	}
}

func TestAuth(t *testing.T) {
	w := newWorld(t)
	for credential, want := range map[string]string{
		"":         `{"caller":"visitor","signInMethods":[{"kind":"google","url":"/api/v1/auth/google"}]}`,
		w.bearer(): `{"caller":"publisher","publisher":{"id":"0b000000-0000-0000-0000-000000000000","name":"Metro","slug":"metro"},"scopes":["publish","channels"],"signInMethods":[{"kind":"google","url":"/api/v1/auth/google"}]}`,
		signedIn:   `{"caller":"subscriber","signInMethods":[{"kind":"google","url":"/api/v1/auth/google"}],"subscriber":{"bellDefault":"all","createdAt":"2026-03-01T12:00:00Z","email":"ana@example.com","id":"0a000000-0000-0000-0000-000000000000","locale":"","name":"Ana","onboarded":false,"timezone":""}}`,
	} {
		if a := w.send("GET", "/api/v1/auth", "", credential); strings.TrimSpace(a.Body.String()) != want {
			t.Errorf("%s", a.Body)
		}
	}
	a := w.send("DELETE", "/api/v1/auth", "", signedIn)
	if !strings.Contains(a.Header().Get("Set-Cookie"), "Max-Age=0") || w.sessions.signedOut != (core.ID{5}) {
		t.Errorf("%v", a.Header())
	}
}

func TestSignInWithGoogle(t *testing.T) {
	w := newWorld(t)
	a := w.send("GET", "/api/v1/auth/google?redirect=/feed&login_hint=ana@example.com", "")
	if a.Code != 302 || a.Header().Get("Location") != "https://accounts.example/?to=/feed&hint=ana@example.com" || a.Header().Get("Set-Cookie") != "begun=1" {
		t.Errorf("%d %v", a.Code, a.Header())
	}
	a = w.send("GET", "/api/v1/auth/google/callback?state=feed&code=x&scope=openid&authuser=0", "")
	if a.Code != 302 || a.Header().Get("Location") != "/feed" || len(a.Header().Values("Set-Cookie")) != 2 {
		t.Errorf("%d %v", a.Code, a.Header())
	}
}

func TestPublish(t *testing.T) {
	w := newWorld(t)
	a := w.send("POST", publish, `{"title":"Olá","data":{"a":"b"}}`, w.bearer(), "Idempotency-Key: k1")
	var n api.Notification
	if err := json.Unmarshal(a.Body.Bytes(), &n); err != nil || a.Code != 201 || n.Title != "Olá" || n.Importance != "normal" || (*n.Data)["a"] != "b" || n.Link != nil {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	if a.Header().Get("Location") != publish+"/"+n.ID.String() || a.Header().Get("Idempotency-Replayed") != "" {
		t.Errorf("%v", a.Header())
	}
	first := w.memory.key
	if first.Key != "k1" || first.Route != "POST "+publish || !strings.HasPrefix(first.Caller, "key:") || len(first.BodyHash) != 32 {
		t.Errorf("%+v", first)
	}
	w.creation = core.Replayed
	if a := w.send("POST", publish, `{"title":"Olá"}`, w.bearer(), "Idempotency-Key: k1"); a.Code != 201 || a.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("%d %v", a.Code, a.Header())
	}
	if string(w.memory.key.BodyHash) == string(first.BodyHash) {
		t.Error("another body has the same hash")
	}
	w.creation = core.Existing
	if a := w.send("POST", publish, `{"title":"Olá"}`, w.bearer()); a.Code != 200 || w.memory.key.Wanted() {
		t.Errorf("%d %+v", a.Code, w.memory.key)
	}
	w.creation = core.ReplayedExisting
	if a := w.send("POST", publish, `{"title":"Olá"}`, w.bearer(), "Idempotency-Key: k1"); a.Code != 200 || a.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("%d %v", a.Code, a.Header())
	}
	w.send("POST", publish, `{"title":"x"}`, "Authorization: Bearer "+w.newKey(publisherID, core.ScopeRead)).wantStatus("without scope", 403)
	w.send("POST", publish, `{"title":"x"}`, "Authorization: Bearer "+w.newKey(otherID, core.ScopePublish)).wantStatus("another's channel", 404)
}

func TestPages(t *testing.T) {
	w := newWorld(t)
	for range 11 {
		w.list = append(w.list, core.Notification{ID: core.NewID(), Channel: metro, PublishedAt: &start})
	}
	var page api.NotificationPage
	a := w.send("GET", publish, "")
	if err := json.Unmarshal(a.Body.Bytes(), &page); err != nil || len(page.Data) != 10 || page.Meta.Total != 11 || page.Meta.Unread != nil {
		t.Fatalf("%v %s", err, a.Body)
	}
	next := w.list[9].Cursor().String()
	if page.Meta.NextCursor == nil || *page.Meta.NextCursor != next || a.Header().Get("Link") != "<"+publish+"?cursor="+next+`>; rel="next"` {
		t.Errorf("%v %v", page.Meta.NextCursor, a.Header())
	}
	a = w.send("GET", "/api/v1/subscribers/notifications?limit=11&unread=true&cursor="+next, "", signedIn)
	page = api.NotificationPage{}
	if err := json.Unmarshal(a.Body.Bytes(), &page); err != nil || page.Meta.NextCursor != nil || a.Header().Get("Link") != "" || *page.Meta.Unread != 7 {
		t.Errorf("%v %s", err, a.Body)
	}
	if !w.filter.UnreadOnly || w.filter.After == nil || w.filter.After.String() != next {
		t.Errorf("%+v", w.filter)
	}
	a = w.send("GET", "/api/v1/channels?q=a+b&limit=1&offset=1", "")
	if a.Header().Get("Link") != `</api/v1/channels?limit=1&offset=2&q=a+b>; rel="next"` || w.channels.Sort != core.SortPopular || w.channels.Offset != 1 {
		t.Errorf("%v %+v", a.Header(), w.channels)
	}
	if a := w.send("GET", "/api/v1/channels?limit=1&offset=2", ""); a.Header().Get("Link") != "" {
		t.Errorf("%v", a.Header())
	}
}

func TestDevices(t *testing.T) {
	w := newWorld(t)
	body := `{"installationId":"12345678","kind":"token","address":"x","platform":"web","name":"Chrome"}`
	a := w.send("POST", devices, body, signedIn)
	if a.Code != 201 || !strings.Contains(a.Body.String(), `"current":true`) || !strings.HasPrefix(a.Header().Get("Location"), devices+"/0d") {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	w.creation = core.Existing
	if a := w.send("POST", devices, body, signedIn); a.Code != 200 {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := w.send("POST", devices+"/0d000000-0000-0000-0000-000000000000/test", "", signedIn); strings.TrimSpace(a.Body.String()) != `{"outcome":"accepted"}` {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := w.send("POST", devices+"/0e000000-0000-0000-0000-000000000000/test", "", signedIn); strings.TrimSpace(a.Body.String()) != `{"cause":"quota","outcome":"failed"}` {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

func TestStream(t *testing.T) {
	w := newWorld(t)
	if a := w.send("GET", "/api/v1/subscribers/notifications/stream", "", signedIn, "Last-Event-ID: 42"); a.Body.String() != "feed "+ana.String()+" 42" {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

func TestWebhooks(t *testing.T) {
	w := newWorld(t)
	secret := webhook.NewSecret()
	open := w.webhook("open", "")
	signed := w.webhook("signed", secret)
	body := `{"title": "x",  "more": [1]}`
	header, err := webhook.Sign(webhook.Message{ID: "e1", Timestamp: start, Body: []byte(body)}, secret)
	if err != nil {
		t.Fatal(err)
	}
	post := func(address, body string, h http.Header) *response {
		var list []string
		for name := range h {
			list = append(list, name+": "+h.Get(name))
		}
		return w.send("POST", "/api/v1/webhooks/channels/"+address, body, append(list, "Authorization: Basic x", signedIn, "Sec-Fetch-Site: cross-site")...)
	}
	var one, two api.WebhookReceipt
	a := post(signed, body, header)
	if err := json.Unmarshal(a.Body.Bytes(), &one); err != nil || a.Code != 202 || one.Duplicate {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	a = post(signed, body, header)
	if err := json.Unmarshal(a.Body.Bytes(), &two); err != nil || !two.Duplicate || *two.NotificationID != *one.NotificationID {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := post(signed, `{"title":"y"}`, header); a.Code != 401 || a.problem().Code != "signature" {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := post(signed, body, nil); a.Code != 401 {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := post(open, body, nil); a.Code != 202 {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := post("unknown", body, nil); a.Code != 404 {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := post(open, `{"title":"`+strings.Repeat("x", core.MaxPayload)+`"}`, nil); a.Code != 413 {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	w.refuse = nil
	for body, status := range map[string]int{`{"title": `: 400, `[1]`: 422, `{"title":" "}`: 422, `{"title":7}`: 422} {
		header, err := webhook.Sign(webhook.Message{ID: "e2", Timestamp: start, Body: []byte(body)}, secret)
		if err != nil {
			t.Fatal(err)
		}
		kept := len(w.refuse)
		if a := post(signed, body, nil); a.Code != 401 || len(w.refuse) != kept {
			t.Errorf("%s badly signed: %d %s, kept %q", body, a.Code, a.Body, w.refuse)
		}
		if a := post(signed, body, header); a.Code != status || len(w.refuse) != kept+1 || w.refuse[kept] == "" {
			t.Errorf("%s: %d %s, kept %q", body, a.Code, a.Body, w.refuse)
		}
	}
	w.send("POST", "/api/v1/webhooks/channels/"+open+"/typo", body)
	w.send("PUT", "/api/v1/webhooks/channels/"+open, body)
	for _, s := range []string{open, signed, secret} {
		if strings.Contains(w.log.String(), s) {
			t.Errorf("%s is in the log", s)
		}
	}
	if !strings.Contains(w.log.String(), "route=/api/v1/webhooks/channels/{id}") {
		t.Errorf("%s", w.log)
	}
}

func TestEncodeNotification(t *testing.T) {
	got := string(EncodeNotification(core.Notification{ID: core.ID{1}, Channel: metro, Title: "x", Importance: core.Normal, PublishedAt: &start, Visible: true}))
	want := `{"body":"","channel":{"id":"0c000000-0000-0000-0000-000000000000","name":"Linhas","publisherSlug":"metro","slug":"linhas"},` +
		`"id":"01000000-0000-0000-0000-000000000000","importance":"normal","publishedAt":"2026-03-01T12:00:00Z","title":"x"}`
	if got != want {
		t.Error(got)
	}
}

func TestPanicsAfterTheAnswerHasBegunBreakItOff(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Live = halfway{} })
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("recovered %v", err)
		}
	}()
	w.send("GET", "/api/v1/subscribers/notifications/stream", "", signedIn)
	t.Error("the answer seems whole")
}

// halfway panics after it has begun to respond.
type halfway struct{ liveStreams }

func (halfway) ServeFeed(_ context.Context, w http.ResponseWriter, _, _ core.ID, _ string) error {
	_, _ = w.Write([]byte("begun"))
	panic("halfway")
}
