package standin_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/leaktest"
	"github.com/sininho/sininho/server/internal/standin"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestServeSpeaksBothVersionsOnOnePort(t *testing.T) {
	t.Parallel()
	s, err := standin.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}))
	if err != nil {
		t.Fatalf("serve the stand-in: %v", err)
	}
	if !strings.HasPrefix(s.URL(), "http://127.0.0.1:") {
		t.Errorf("URL: got %q, want it to begin with http://127.0.0.1:", s.URL())
	}
	h1, h2 := new(http.Protocols), new(http.Protocols)
	h1.SetHTTP1(true)
	h2.SetUnencryptedHTTP2(true)
	for want, p := range map[string]*http.Protocols{"HTTP/1.1": h1, "HTTP/2.0": h2} {
		tr := &http.Transport{Protocols: p}
		res, err := (&http.Client{Transport: tr}).Get(s.URL())
		if err != nil {
			t.Fatalf("GET: %v", err)
		}
		got, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		tr.CloseIdleConnections()
		if err != nil || string(got) != want {
			t.Errorf("protocol of the request: got %q, %v; want %q", got, err, want)
		}
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	if res, err := http.Get(s.URL()); err == nil {
		_ = res.Body.Close()
		t.Error("GET after Close: got a response, want an error")
	}
}
