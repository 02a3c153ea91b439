package servertest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/servertest"
)

// mostGrowth is by how much the server may grow while somebody asks for as much as they can, in KiB.
const mostGrowth = 64 << 10

const listOfLarge = "/channels/demo/novidades/notifications"

// TestManyLargePagesTakeLittleMemory asks for a hundred pages of a hundred large notifications at once. A page was
// 8 MB, of which there were several copies.
func TestManyLargePagesTakeLittleMemory(t *testing.T) {
	t.Parallel()
	s, p := startWithLargeTexts(t)
	before := p.Usage(t).Memory
	p.ForgetPeak(t)
	statuses := sendAtOnce(100, func(int) *http.Request { return ofVisitor(t, s, http.MethodGet, listOfLarge+"?limit=100", nil) })
	soon(t, "a small page", func() { call(t, ofVisitor(t, s, http.MethodGet, "/channels", nil), "", http.StatusOK, nil) })
	count := map[int]int{}
	for range 100 {
		count[<-statuses]++
	}
	if count[http.StatusOK] < 10 || count[http.StatusOK]+count[http.StatusTooManyRequests] != 100 {
		t.Errorf("statuses of the pages: got %v, want 100, each 200 or 429", count)
	}
	checkGrowth(t, p, before, mostGrowth)
}

// TestManyReplaysThatNobodyReadsTakeLittleMemory opens 40 streams of a visitor that begin with all notifications, and
// reads nothing. Each took up to 60 MB.
func TestManyReplaysThatNobodyReadsTakeLittleMemory(t *testing.T) {
	t.Parallel()
	s, p := startWithLargeTexts(t)
	before := p.Usage(t).Memory
	p.ForgetPeak(t)
	var conns []net.Conn
	for range 40 {
		conns = append(conns, openUnread(t, s, listOfLarge+"/stream"))
	}
	for range 10 {
		soon(t, "a page", func() { call(t, ofVisitor(t, s, http.MethodGet, listOfLarge, nil), "", http.StatusOK, nil) })
	}
	for _, conn := range conns {
		waitForCut(t, conn)
	}
	checkGrowth(t, p, before, mostGrowth)
}

// TestLargePagesEndAndGoOn reads a list in pages that end for their size, until it has everything once.
func TestLargePagesEndAndGoOn(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	publishLarge(t, s)
	var all struct {
		Data []struct{ ID string }
		Meta struct {
			Total      int
			NextCursor string
		}
	}
	seen, pages := map[string]bool{}, 0
	for at := "?limit=100"; ; at = "?limit=100&cursor=" + all.Meta.NextCursor {
		all.Data, all.Meta.NextCursor = nil, ""
		res := call(t, ofVisitor(t, s, http.MethodGet, listOfLarge+at, nil), "", http.StatusOK, &all)
		if pages++; len(res.Body) > 5<<18 {
			t.Errorf("length of page %d: got %d, want at most about 1 MiB", pages, len(res.Body))
		}
		for _, n := range all.Data {
			if seen[n.ID] {
				t.Errorf("notification %s on page %d: got it again", n.ID, pages)
			}
			seen[n.ID] = true
		}
		if all.Meta.NextCursor == "" {
			break
		}
		if header := res.Header.Get("Link"); !strings.Contains(header, all.Meta.NextCursor) {
			t.Errorf("Link of page %d: got %q, want one with the cursor", pages, header)
		}
	}
	if len(seen) != all.Meta.Total || pages < largeTexts*80/1100 {
		t.Errorf("list in %d pages: got %d of %d notifications", pages, len(seen), all.Meta.Total)
	}
}

const largeTexts = 200 // notifications of 80 KB

func startWithLargeTexts(t *testing.T) (*servertest.Server, *servertest.Process) {
	t.Helper()
	s, p := servertest.StartApart(t, io.Discard, servertest.Limited())
	publishLarge(t, s)
	for range 5 { // connections and caches are there before
		call(t, ofVisitor(t, s, http.MethodGet, listOfLarge, nil), "", http.StatusOK, nil)
	}
	return s, p
}

func publishLarge(t *testing.T, s *servertest.Server) {
	t.Helper()
	body := strings.Repeat("𝓪", 20_000)
	for first := 0; first < largeTexts; first += 20 {
		var batch []object
		for i := range 20 {
			batch = append(batch, object{"title": fmt.Sprint("Grande ", first+i), "body": body})
		}
		req := ofVisitor(t, s, http.MethodPost, listOfLarge+"/batch", object{"notifications": batch})
		call(t, req, s.APIKey, http.StatusOK, nil)
	}
}

// openUnread opens a stream that begins with the first notification, and reads no more than its header.
func openUnread(t *testing.T, s *servertest.Server, path string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	_, err = fmt.Fprintf(conn, "GET /api/v1%s HTTP/1.1\r\nHost: %s\r\nLast-Event-ID: 1\r\n\r\n", path,
		strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatalf("request the stream: %v", err)
	}
	return conn
}

// waitForCut waits until the server has closed a connection, without reading from it.
func waitForCut(t *testing.T, conn net.Conn) {
	t.Helper()
	eventually.True(t, "a stream that nobody reads to be cut", func() bool {
		_, err := conn.Write([]byte("\n"))
		return err != nil
	})
}

func checkGrowth(t *testing.T, p *servertest.Process, before, most int) {
	t.Helper()
	growth := p.Peak(t) - before
	t.Logf("growth of the server: %d MiB", growth>>10)
	if raceDetector {
		most *= 6 // it keeps a shadow of the memory
	}
	if growth > most {
		t.Errorf("growth of the server: got %d MiB, want at most %d MiB", growth>>10, most>>10)
	}
}

// ofVisitor returns a request of a visitor.
func ofVisitor(t *testing.T, s *servertest.Server, method, path string, body any) *http.Request {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatalf("encode JSON: %v", err)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/api/v1"+path, nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	if body != nil {
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
		req.Header.Set("Content-Type", "application/json")
	}
	return req
}
