package httpapi

import (
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sininho/sininho/openapi"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

const (
	publish = "/api/v1/channels/metro/linhas/notifications"
	devices = "/api/v1/subscribers/devices"
	anID    = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"
)

func TestFaults(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("é", 201)
	address := w.webhook("open", "")
	hook := "/api/v1/webhooks/channels/" + address
	for name, c := range map[string]struct {
		method, path, body string
		header             []string
		want               []string // pointer and code, in order
	}{
		"too long":  {"POST", publish, `{"title":"` + long + `"}`, nil, []string{"#/title too_long"}},
		"too short": {"POST", publish, `{"title":""}`, nil, []string{"#/title too_short"}},
		"missing":   {"POST", publish, `{}`, nil, []string{"#/title required"}},
		"null":      {"POST", publish, `{"title":null}`, nil, []string{"#/title type"}},
		"type":      {"POST", publish, `{"title":1}`, nil, []string{"#/title type"}},
		"no object": {"POST", publish, `["title"]`, nil, []string{"# type"}},
		"unknown field": {"POST", publish, `{"title":"x","a/b~c":1,"Title":"y"}`, nil,
			[]string{"#/Title unknown_field", "#/a~1b~0c unknown_field"}},
		"enum": {"POST", publish, `{"title":"x","importance":"urgent"}`, nil,
			[]string{"#/importance enum"}},
		"data": {"POST", publish, `{"title":"x","data":{"a":1}}`, nil, []string{"#/data/a type"}},
		"too many": {"POST", publish, `{"title":"x","data":{` + entries(21) + `}}`, nil,
			[]string{"#/data too_many"}},
		"time": {"POST", publish, `{"title":"x","scheduledAt":"2026-02-30T00:00:00Z"}`, nil,
			[]string{"#/scheduledAt format"}},
		"year 0": {"POST", publish, `{"title":"x","scheduledAt":"0001-01-01T00:00:00+23:59"}`, nil,
			[]string{"#/scheduledAt format"}},
		"leap second": {"POST", publish, `{"title":"x","expiresAt":"2026-12-31T23:59:60Z"}`, nil,
			[]string{"#/expiresAt format"}},
		"uri": {"POST", publish, `{"title":"x","link":"here"}`, nil, []string{"#/link format"}},
		"rule of core": {"POST", publish, `{"title":" ","link":"ftp://a/b"}`, nil,
			[]string{"#/link link", "#/title blank"}},
		"schema and rules": {"POST", publish,
			`{"title":"","link":"ftp://a/b","expiresAt":"2020-01-01T00:00:00Z","x":1}`, nil,
			[]string{"#/expiresAt past", "#/link link", "#/title too_short", "#/x unknown_field"}},
		"unreadable first": {"POST", publish, `{"scheduledAt":"x","title":"x","link":"ftp://a/b"}`, nil,
			[]string{"#/link link", "#/scheduledAt format"}},
		"unreadable id first": {"POST", "/api/v1/channels",
			`{"categoryId":"x","publisherSlug":"metro","slug":"x","name":"x"}`, nil,
			[]string{"#/categoryId format"}},
		"another case": {"POST", publish, `{"title":"x","Title":" ","Link":"ftp://a/b"}`, nil,
			[]string{"#/Link unknown_field", "#/Title unknown_field"}},
		"control in a title": {"POST", publish, `{"title":"a\nb"}`, nil, []string{"#/title text"}},
		"turned title":       {"POST", publish, `{"title":"a\u202eb"}`, nil, []string{"#/title text"}},
		"lone surrogates": {"POST", publish,
			`{"title":"a\ud83d","body":"\udc00 \ud83d\ude87","data":{"a":"\uDBFFx"}}`, nil,
			[]string{"#/body text", "#/data/a text", "#/title text"}},
		"surrogate in a key":  {"POST", publish, `{"title":"x","data":{"\ud83d":"y"}}`, nil, []string{"#/data key"}},
		"surrogate in a name": {"PATCH", "/api/v1/subscribers/me", `{"name":"A\ud83d"}`, nil, []string{"#/name text"}},
		"direction in a name": {"PATCH", "/api/v1/subscribers/me", `{"name":"A\u200fb"}`, nil, []string{"#/name text"}},
		"NUL":                 {"POST", publish, `{"title":"a\u0000"}`, nil, []string{"#/title text"}},
		"NUL in a template": {"POST", webhooksOf, `{"name":"w","template":{"title":"a\u0000b"}}`, nil,
			[]string{"#/template/title text"}},
		"surrogate in a template": {"PATCH", webhooksOf + "/" + anID, `{"template":{"title":"x","body":"\ud83d"}}`, nil,
			[]string{"#/template/body text"}},
		"nullable object": {"PATCH", webhooksOf + "/" + anID, `{"template":{"body":7,"x":1}}`, nil,
			[]string{"#/template/body type", "#/template/title required", "#/template/x unknown_field"}},
		"NUL in a header of a preview": {"POST", webhooksOf + "/preview",
			`{"payload":{"title":"a\u0000"},"headers":{"x-event":"\u0000"}}`, nil, []string{"#/headers/x-event text"}},
		"NUL in a code": {"POST", joining, `{"email":"a@example.com","referralCode":"\u0000"}`, nil,
			[]string{"#/referralCode text"}},
		"all at once": {"POST", "/api/v1/channels/Metro/linhas/notifications?x=1",
			`{"body":1,"y":2}`, []string{"Idempotency-Key: a b"},
			[]string{"#/body type", "#/title required", "#/y unknown_field",
				"header:idempotency-key pattern", "path:publisherSlug pattern", "query:x unknown_parameter"}},
		"uuid in body": {"POST", "/api/v1/subscribers/notifications/read-all",
			`{"channelId":"urn:uuid:` + anID + `"}`, nil,
			[]string{"#/channelId format", "#/channelId too_long"}},
		"empty list": {"POST", "/api/v1/publishers/demo/api-keys", `{"name":"x","scopes":[]}`, nil,
			[]string{"#/scopes too_few"}},
		"empty patch": {"PATCH", "/api/v1/subscribers/notifications/" + anID, `{}`, nil, []string{"# too_few"}},
		"twice in a list": {"PUT", "/api/v1/subscribers/onboarding",
			`{"step":"done","categoryIds":["` + anID + `","` + anID + `"]}`, nil,
			[]string{"#/categoryIds duplicate"}},
		"item": {"PUT", "/api/v1/subscribers/onboarding", `{"step":"done","categoryIds":["x"]}`, nil,
			[]string{"#/categoryIds/0 format"}},
		"device": {"POST", devices,
			`{"installationId":"a b c d e","kind":"fax","address":"","platform":"web","name":"x"}`, nil,
			[]string{"#/address pattern", "#/address too_short", "#/installationId pattern", "#/kind enum"}},
		"words to search":   {"GET", "/api/v1/channels?q=aa+bb+cc+dd+ee+ff+gg+hh+ii", "", nil, []string{"query:q too_many"}},
		"publishers' words": {"GET", "/api/v1/publishers?q=aa+bb+cc+dd+ee+ff+gg+hh+ii", "", nil, []string{"query:q too_many"}},
		"maximum":           {"GET", "/api/v1/categories?limit=101", "", nil, []string{"query:limit maximum"}},
		"minimum": {"GET", "/api/v1/categories?limit=0&offset=-1", "", nil,
			[]string{"query:limit minimum", "query:offset minimum"}},
		"number":       {"GET", "/api/v1/categories?limit=ten", "", nil, []string{"query:limit type"}},
		"empty number": {"GET", "/api/v1/categories?limit=", "", nil, []string{"query:limit type"}},
		"huge number": {"GET", "/api/v1/categories?limit=99999999999999999999", "", nil,
			[]string{"query:limit type"}},
		"boolean": {"GET", "/api/v1/subscribers/notifications?unread=1", "", nil,
			[]string{"query:unread type"}},
		"twice": {"GET", "/api/v1/categories?limit=1&limit=2", "", nil,
			[]string{"query:limit duplicate"}},
		"query enum":      {"GET", "/api/v1/channels?sort=best", "", nil, []string{"query:sort enum"}},
		"query NUL":       {"GET", "/api/v1/channels?q=a%00", "", nil, []string{"query:q text"}},
		"query not UTF-8": {"GET", "/api/v1/channels?q=%ff", "", nil, []string{"query:q text"}},
		"path uuid":       {"GET", publish + "/1", "", nil, []string{"path:id format"}},
		"path uuid in braces": {"GET", publish + "/%7B" + anID + "%7D", "", nil,
			[]string{"path:id format", "path:id too_long"}},
		"path with a slash": {"GET", "/api/v1/channels/a%2Fb/c", "", nil, []string{"path:publisherSlug pattern"}},
		"header twice": {"POST", publish, `{"title":"x"}`, []string{"Idempotency-Key: a", "Idempotency-Key: b"},
			[]string{"header:idempotency-key duplicate"}},
		"cursor and offset": {"GET", publish + "?cursor=x&offset=1", "", nil, []string{"query:cursor exclusive"}},
		"cursor and limit": {"GET", publish + "?limit=0&cursor=x", "", nil,
			[]string{"query:cursor format", "query:limit minimum"}},
		"words and limit": {"GET", "/api/v1/channels?limit=0&q=aa+bb+cc+dd+ee+ff+gg+hh+ii", "", nil,
			[]string{"query:limit minimum", "query:q too_many"}},
		"cursor":                 {"GET", publish + "?cursor=x", "", nil, []string{"query:cursor format"}},
		"webhook without a text": {"POST", hook, `{"title":" ","link":"x"}`, nil, []string{"#/title blank"}},
		"control in a body":      {"POST", publish, `{"title":"a","body":"a\r\n\tb\u001b[31m"}`, nil, []string{"#/body text"}},
		"turned body":            {"POST", publish, `{"title":"a","body":"a\u202eb"}`, nil, []string{"#/body text"}},
		"last event id": {"GET", publish + "/stream", "", []string{"Last-Event-ID: 123456789012345678901"},
			[]string{"header:last-event-id too_long"}},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			credential := signedIn
			if strings.Contains(c.path, "/metro/") || strings.Contains(c.path, "/Metro/") {
				credential = w.bearer()
			}
			a := w.send(c.method, c.path, c.body, append(c.header, credential)...)
			p := a.problem()
			var got []string
			for _, e := range p.Errors {
				got = append(got, e.Pointer+" "+e.Code)
				if e.Detail == "" {
					t.Errorf("fault at %s: got no detail, want one", e.Pointer)
				}
			}
			slices.Sort(got)
			a.wantStatus(c.method+" "+c.path, 422)
			check.Equal(t, "faults", got, c.want)
		})
	}
}

func TestProblemsKeepWithinTheContract(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("é", 100_000)
	for _, body := range []string{`{"title":"x","data":{"` + long + `":"y"}}`, `{"title":"x","` + long + `":"y"}`} {
		a := w.send("POST", publish, body, w.bearer())
		a.mustStatus("publish with a long name", 422)
		e := a.problem().Errors
		if len(e) != 1 {
			t.Fatalf("publish with a long name: got %d faults, want 1: %.300s", len(e), a.Body)
		}
		if n := utf8.RuneCountInString(e[0].Detail); n > 1000 {
			t.Errorf("detail of a long name: got %d characters, want at most 1000", n)
		}
		if n := utf8.RuneCountInString(e[0].Pointer); n > 500 {
			t.Errorf("pointer to a long name: got %d characters, want at most 500", n)
		}
	}
	w.wrong = core.Conflict("x", core.Text{EN: long})
	if n := utf8.RuneCountInString(*w.send("GET", publish, "").problem().Detail); n != 2000 {
		t.Errorf("detail of a problem: got %d characters, want 2000", n)
	}
}

func entries(n int) string {
	var list []string
	for i := range n {
		list = append(list, `"k`+string(rune('a'+i))+`":"v"`)
	}
	return strings.Join(list, ",")
}

func TestBodies(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		body   string
		header []string
		status int
	}{
		"good":                   {`{"title":"x"}`, nil, 201},
		"with charset":           {`{"title":"x"}`, []string{"Content-Type: application/json; charset=UTF-8"}, 201},
		"another charset":        {`{"title":"x"}`, []string{"Content-Type: application/json; charset=latin1"}, 415},
		"no type":                {`{"title":"x"}`, []string{"Content-Type: "}, 201},
		"type of a text":         {`{"title":"x"}`, []string{"Content-Type: text/plain"}, 201},
		"another type":           {`{"title":"x"}`, []string{"Content-Type: text/html"}, 415},
		"compressed":             {`{"title":"x"}`, []string{"Content-Encoding: gzip"}, 415},
		"none":                   {``, nil, 400},
		"no JSON":                {`{"title":`, nil, 400},
		"something after":        {`{"title":"x"}{}`, nil, 400},
		"broken UTF-8":           {"{\"title\":\"\xff\"}", nil, 400},
		"too large a number":     {`{"title":1e999}`, nil, 400},
		"too deep":               {strings.Repeat("[", 500_000), nil, 400},
		"as deep as is too much": {strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), nil, 400},
		"deep in a text":         {`{"title":"` + strings.Repeat(`[\"`, 10_000) + `"}`, nil, 422},
		"too deep, though correct": {
			`{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, nil, 400},
		"large": {`{"title":"` + strings.Repeat("x", maxBody) + `"}`, nil, 413},
		"many unknown fields": {
			`{` + strings.Repeat(`"`+strings.Repeat("x", 10)+`":1,`, 10) + unknownFields(30_000) + `}`, nil, 422},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			a := w.send("POST", publish, c.body, append(c.header, w.bearer())...)
			a.wantStatus("publish", c.status)
			if a.Code >= 400 {
				a.problem()
			}
		})
	}
}

func unknownFields(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"f` + strings.Repeat("0", i%7) + string(rune('a'+i%26)) + strings.Repeat("1", i%5))
		b.WriteString(string(rune('A'+i/26%26)) + string(rune('a'+i/676%26)) + string(rune('a'+i/17576)) + `":1,`)
	}
	return b.String() + `"z":1`
}

// TestBodyOfAnOperationWithoutOne refuses a body that says something, and takes those that say nothing.
func TestBodyOfAnOperationWithoutOne(t *testing.T) {
	w := newWorld(t)
	for body, want := range map[string]int{
		"": 200, "{}": 200, " {}\n": 200, "null": 200, "[]": 200, `""`: 200,
		"{not json": 400, `{"unread":true}`: 400, "unread=true": 400, strings.Repeat(" ", 100): 400,
		strings.Repeat("x", 5<<20): 400,
	} {
		what := fmt.Sprintf("GET with the body %.20q", body)
		a := w.send("GET", "/api/v1/channels", body)
		if a.wantStatus(what, want); want == 400 && !strings.Contains(*a.problem().Detail, "takes no body") {
			t.Errorf("%s: got the detail %q, want one that says so", what, *a.problem().Detail)
		}
	}
	r := httptest.NewRequest("DELETE", publish+"/"+anID, io.NopCloser(strings.NewReader(`{"reason":"x"}`))) // no length
	r.Header.Set("Authorization", strings.TrimPrefix(w.bearer(), "Authorization: "))
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	(&response{rec, t}).wantStatus("DELETE with a body of unknown length", 400)
}

// TestOffsetZeroBesideACursor accepts offset=0 with a cursor, because generated clients send default values.
func TestOffsetZeroBesideACursor(t *testing.T) {
	w := newWorld(t)
	cursor := core.Cursor{PublishedAt: start, ID: channelID}.String()
	for query, want := range map[string]int{"&offset=0": 200, "": 200, "&offset=1": 422} {
		w.send("GET", publish+"?cursor="+cursor+query, "").wantStatus(fmt.Sprintf("cursor with %q", query), want)
	}
}

// TestUnavailableIsDocumented calls every operation with a session that cannot be looked up.
func TestUnavailableIsDocumented(t *testing.T) {
	w := newWorld(t)
	for _, document := range [][]byte{openapi.Sininho, openapi.Waitlist} {
		doc, err := openapi3.NewLoader().LoadFromData(document)
		if err != nil {
			t.Fatalf("load a contract: %v", err)
		}
		for key, op := range readContract(document).operations {
			if !op.session {
				continue
			}
			method, path, _ := strings.Cut(key, " ")
			target := prefix + strings.NewReplacer("{", "", "}", "").Replace(path)
			a := w.send(method, target, "", "Cookie: "+sessionCookie+"=unavailable")
			a.wantStatus(op.id+" with unavailable sessions", 503)
			if doc.Paths.Value(path).GetOperation(method).Responses.Status(a.Code) == nil {
				t.Errorf("%s: status %d is not in the contract", op.id, a.Code)
			}
		}
	}
}
