package standin_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/leaktest"
	"github.com/sininho/sininho/server/lab/standin"
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

// TestServeRefusesForeignHosts sends requests as a browser does for a name of someone else that resolves to 127.0.0.1.
func TestServeRefusesForeignHosts(t *testing.T) {
	t.Parallel()
	s, err := standin.Serve(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	if err != nil {
		t.Fatalf("serve the stand-in: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL(), "http://"), ":")
	for host, want := range map[string]int{
		"127.0.0.1:" + port:    http.StatusOK,
		"localhost:" + port:    http.StatusOK,
		"evil.example:" + port: http.StatusMisdirectedRequest,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL(), http.NoBody)
		if err != nil {
			t.Fatalf("new request: %v", err)
		}
		req.Host, req.Close = host, true
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatalf("GET with Host %s: %v", host, err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("status with Host %s: got %d, want %d", host, res.StatusCode, want)
		}
	}
}
