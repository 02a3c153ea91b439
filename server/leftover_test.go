package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const refusal = `{"detail":"too large"}`

// newRefusing serves a handler that reads 64 KiB of each body, and refuses larger ones.
func newRefusing(t *testing.T, http2 bool) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.Config = newWeb(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		if err == nil {
			_, _ = io.WriteString(w, "read")
			return
		}
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		_, _ = io.WriteString(w, refusal)
	}), slog.New(slog.DiscardHandler))
	if s.EnableHTTP2 = http2; http2 {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// unsized hides the length of a body, so that it is sent in chunks.
type unsized struct{ io.Reader }

func TestLargeBodiesGetAResponse(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		s := newRefusing(t, http2)
		body := bytes.Repeat([]byte("x"), 5<<20)
		for i := range 40 {
			var sent io.Reader = bytes.NewReader(body)
			if i%2 == 1 {
				sent = unsized{sent}
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, sent)
			if err != nil {
				t.Fatalf("new request: %v", err)
			}
			res, err := s.Client().Do(req)
			if err != nil {
				t.Fatalf("request %d with HTTP/2 %t: %v", i, http2, err)
			}
			text, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if res.StatusCode != http.StatusRequestEntityTooLarge || string(text) != refusal || err != nil {
				t.Fatalf("response %d with HTTP/2 %t: got %d, %q and %v, want 413 and %q", i, http2, res.StatusCode, text, err,
					refusal)
			}
		}
	}
}

// TestResponseOfASenderThatReadsLate sends a body to its end, slower than the server waits after it has closed, and
// only then reads the response, as simple clients do.
func TestResponseOfASenderThatReadsLate(t *testing.T) {
	for name, header := range map[string]string{
		"of a known length": fmt.Sprintf("Content-Length: %d", 5<<20),
		"in chunks":         "Transfer-Encoding: chunked",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newRefusing(t, false)
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatalf("dial: %v", err)
			}
			defer conn.Close()
			if _, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n", header); err != nil {
				t.Fatalf("send the header: %v", err)
			}
			part := strings.Repeat("x", 256<<10)
			if strings.Contains(header, "chunked") {
				part = fmt.Sprintf("%x\r\n%s\r\n", len(part), part)
			}
			pause := time.NewTicker(75 * time.Millisecond) // in all three times as long as net/http waits
			defer pause.Stop()
			for i := range 20 {
				if _, err := io.WriteString(conn, part); err != nil {
					t.Fatalf("send part %d: %v", i, err)
				}
				<-pause.C
			}
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatalf("response: %v", err)
			}
			defer res.Body.Close()
			text, err := io.ReadAll(res.Body)
			if res.StatusCode != http.StatusRequestEntityTooLarge || string(text) != refusal || err != nil {
				t.Errorf("response: got %d, %q and %v, want 413 and %q", res.StatusCode, text, err, refusal)
			}
		})
	}
}

// TestLeftoversAreBounded sends without an end: the server closes the connection.
func TestLeftoversAreBounded(t *testing.T) {
	s := newRefusing(t, false)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	defer conn.Close()
	sent, part := 0, make([]byte, 1<<20)
	_, err = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
	for ; err == nil && sent < 1000; sent++ {
		_, err = conn.Write(part)
	}
	if sent < maxLeftover>>20 || sent > 2*maxLeftover>>20 {
		t.Errorf("MiB sent to a server that has refused them: got %d and %v, want about %d", sent, err, maxLeftover>>20)
	}
}

// TestBodiesThatAreReadKeepTheConnection sends bodies that the handler reads to their end.
func TestBodiesThatAreReadKeepTheConnection(t *testing.T) {
	s := newRefusing(t, false)
	for _, body := range []io.Reader{strings.NewReader("x"), unsized{strings.NewReader("x")}} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, body)
		if err != nil {
			t.Fatalf("new request: %v", err)
		}
		res, err := s.Client().Do(req)
		if err != nil {
			t.Fatalf("request: %v", err)
		}
		text, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if string(text) != "read" || res.Close {
			t.Errorf("response: got %q and closed %t, want %q and an open connection", text, res.Close, "read")
		}
	}
}
