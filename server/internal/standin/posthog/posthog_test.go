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

	"github.com/sininho/sininho/server/internal/standin/posthog"
)

const event = `{"event":"a","properties":{"$lib":"web","x":1}}`

func gzipped(t *testing.T, body string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func ask(s *posthog.Server, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

func TestEveryWayOfSendingIsUnderstood(t *testing.T) {
	for name, body := range map[string]string{
		"one alone":        event,
		"a list":           "[" + event + "]",
		"a batch":          `{"api_key":"k","batch":[` + event + `]}`,
		"by gzip":          gzipped(t, "["+event+"]"),
		"a form of base64": "data=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(event))),
	} {
		t.Run(name, func(t *testing.T) {
			s := posthog.New()
			if w := ask(s, http.MethodPost, "/e/?ip=0", body); w.Code != http.StatusOK {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			all := s.Requests(0)
			if len(all) != 1 || all[0].URL != "/e/?ip=0" || len(all[0].Events) != 1 {
				t.Fatalf("%+v", all)
			}
			if e := all[0].Events[0]; e.Name != "a" || e.By != "web" || e.Properties["x"] != 1.0 || string(e.Sent) != event || e.Seq != 1 {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestWhatIsNoEventIsKeptToo(t *testing.T) {
	s := posthog.New()
	for want, body := range map[int]string{http.StatusOK: `{"distinct_id":"x"}`, http.StatusBadRequest: "not JSON"} {
		if w := ask(s, http.MethodPost, "/flags/", body); w.Code != want {
			t.Errorf("%s: %d", body, w.Code)
		}
	}
	if ask(s, http.MethodGet, "/array/key/config.js", ""); len(s.Requests(0)) != 3 {
		t.Errorf("%+v", s.Requests(0))
	}
}

func TestReading(t *testing.T) {
	s := posthog.New()
	ask(s, http.MethodPost, "/e/", event, "X-Sent", "first")
	ask(s, http.MethodPost, "/batch/", strings.Replace(event, `"a"`, `"b"`, 1))
	for target, want := range map[string]string{
		"/events":               event + "|" + strings.Replace(event, `"a"`, `"b"`, 1),
		"/events?event=b":       `"seq":2`,
		"/events?since=1":       `"event":"b"`,
		"/requests?path=/e/":    `"X-Sent":["first"]`,
		"/":                     "<dt>x</dt><dd>1</dd>",
		"/events?since=2":       "",
		"/events?event=unknown": "",
	} {
		got := ask(s, http.MethodGet, target, "").Body.String()
		for _, part := range strings.Split(want, "|") {
			if want == "" && got != "" || !strings.Contains(got, part) {
				t.Errorf("%s: %s", target, got)
			}
		}
	}
	for _, target := range []string{"/events?since=x", "/events?wait=x", "/events?name=a", "/requests?event=a"} {
		if w := ask(s, http.MethodGet, target, ""); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	if ask(s, http.MethodDelete, "/requests", ""); len(s.Requests(0)) != 0 {
		t.Error("forgets nothing")
	}
	if page := ask(s, http.MethodGet, "/", "").Body.String(); !strings.Contains(page, "Ainda nada foi enviado.") {
		t.Error(page)
	}
}

func TestWaiting(t *testing.T) {
	s := posthog.New()
	got := make(chan []posthog.Event)
	go func() { got <- s.WaitEvents(t.Context(), 0, "a") }()
	ask(s, http.MethodPost, "/e/", `{"event":"another"}`)
	ask(s, http.MethodPost, "/e/", event)
	if all := <-got; len(all) != 1 || all[0].Name != "a" {
		t.Errorf("%+v", all)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if all := s.WaitEvents(over, 0, "never"); all != nil {
		t.Errorf("%+v", all)
	}
}

func TestBrowsersMaySend(t *testing.T) {
	s := posthog.New()
	w := ask(s, http.MethodOptions, "/e/", "", "Origin", "http://localhost:8080", "Access-Control-Request-Headers", "content-type")
	for name, want := range map[string]string{"Access-Control-Allow-Origin": "http://localhost:8080", "Access-Control-Allow-Headers": "content-type",
		"Access-Control-Allow-Credentials": "true"} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if len(s.Requests(0)) != 0 {
		t.Error("what a browser asks beforehand is no request")
	}
}
