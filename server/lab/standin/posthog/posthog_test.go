package posthog_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/standin/posthog"
)

const event = `{"event":"a","properties":{"$lib":"web","x":1}}`

func gzipped(t *testing.T, body string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, body); err != nil {
		t.Fatalf("write: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatalf("close the writer: %v", err)
	}
	return b.String()
}

func call(s *posthog.Server, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

func TestEveryEncodingIsDecoded(t *testing.T) {
	for name, body := range map[string]string{
		"one alone":        event,
		"a list":           "[" + event + "]",
		"a batch":          `{"api_key":"k","batch":[` + event + `]}`,
		"by gzip":          gzipped(t, "["+event+"]"),
		"a form of base64": "data=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(event))),
	} {
		t.Run(name, func(t *testing.T) {
			s := posthog.New()
			if w := call(s, http.MethodPost, "/e/?ip=0", body); w.Code != http.StatusOK {
				t.Fatalf("send: got %d %s, want 200", w.Code, w.Body)
			}
			all := s.Requests(0)
			if len(all) != 1 || all[0].URL != "/e/?ip=0" || len(all[0].Events) != 1 {
				t.Fatalf("requests: got %+v, want one to /e/?ip=0 with one event", all)
			}
			e := all[0].Events[0]
			if e.Name != "a" || e.By != "web" || e.Seq != 1 {
				t.Errorf("event: got %+v, want seq 1, name a, by web", e)
			}
			if e.Properties["x"] != 1.0 {
				t.Errorf("property x: got %v, want 1", e.Properties["x"])
			}
			if string(e.Sent) != event {
				t.Errorf("event as sent: got %s, want %s", e.Sent, event)
			}
		})
	}
}

func TestOtherRequestsAreKeptToo(t *testing.T) {
	s := posthog.New()
	for want, body := range map[int]string{http.StatusOK: `{"distinct_id":"x"}`, http.StatusBadRequest: "not JSON"} {
		if w := call(s, http.MethodPost, "/flags/", body); w.Code != want {
			t.Errorf("POST /flags/ with %s: got %d, want %d", body, w.Code, want)
		}
	}
	if call(s, http.MethodGet, "/array/key/config.js", ""); len(s.Requests(0)) != 3 {
		t.Errorf("requests: got %+v, want 3", s.Requests(0))
	}
}

func TestReading(t *testing.T) {
	s := posthog.New()
	call(s, http.MethodPost, "/e/", event, "X-Sent", "first")
	call(s, http.MethodPost, "/batch/", strings.Replace(event, `"a"`, `"b"`, 1))
	for target, want := range map[string]string{
		"/events":               event + "|" + strings.Replace(event, `"a"`, `"b"`, 1),
		"/events?event=b":       `"seq":2`,
		"/events?since=1":       `"event":"b"`,
		"/requests?path=/e/":    `"X-Sent":["first"]`,
		"/":                     "<dt>x</dt><dd>1</dd>",
		"/events?since=2":       "",
		"/events?event=unknown": "",
	} {
		got := call(s, http.MethodGet, target, "").Body.String()
		for _, part := range strings.Split(want, "|") {
			if want == "" && got != "" || !strings.Contains(got, part) {
				t.Errorf("GET %s: got %s, want %q", target, got, part)
			}
		}
	}
	for _, target := range []string{"/events?since=x", "/events?wait=x", "/events?name=a", "/requests?event=a"} {
		if w := call(s, http.MethodGet, target, ""); w.Code != http.StatusBadRequest {
			t.Errorf("GET %s: got %d, want 400", target, w.Code)
		}
	}
	if call(s, http.MethodDelete, "/requests", ""); len(s.Requests(0)) != 0 {
		t.Errorf("requests after DELETE: got %+v, want none", s.Requests(0))
	}
	if page := call(s, http.MethodGet, "/", "").Body.String(); !strings.Contains(page, "Ainda nada foi enviado.") {
		t.Errorf("page without events: got %s, want the empty state", page)
	}
}

func TestWaiting(t *testing.T) {
	s := posthog.New()
	got := make(chan []posthog.Event)
	go func() { got <- s.WaitEvents(t.Context(), 0, "a") }()
	call(s, http.MethodPost, "/e/", `{"event":"another"}`)
	call(s, http.MethodPost, "/e/", event)
	if all := <-got; len(all) != 1 || all[0].Name != "a" {
		t.Errorf("wait for event a: got %+v, want it alone", all)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if all := s.WaitEvents(over, 0, "never"); all != nil {
		t.Errorf("wait with a cancelled context: got %+v, want nil", all)
	}
}

func TestBrowsersMaySend(t *testing.T) {
	s := posthog.New()
	w := call(s, http.MethodOptions, "/e/", "", "Origin", "http://localhost:8080",
		"Access-Control-Request-Headers", "content-type")
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "http://localhost:8080", "Access-Control-Allow-Headers": "content-type",
		"Access-Control-Allow-Credentials": "true",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("preflight header %s: got %q, want %q", name, got, want)
		}
	}
	if len(s.Requests(0)) != 0 {
		t.Errorf("requests after a preflight: got %+v, want none", s.Requests(0))
	}
}
