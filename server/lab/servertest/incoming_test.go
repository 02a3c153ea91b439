package servertest_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/servertest"
)

// TestManyStalledUploadsTakeLittleMemory sends most of 150 large batches, and stalls. Each took its size, and memory
// for thousands could be asked for. A large request of somebody else in the same network is handled at once.
func TestManyStalledUploadsTakeLittleMemory(t *testing.T) {
	t.Parallel()
	s, p := servertest.StartApart(t, io.Discard, servertest.Limited())
	f := newFixtureOn(t, s)
	large := object{"notifications": []object{{"title": "T"}}, "unknown": strings.Repeat("x", 1<<20)}
	other := func() { f.owner.Do(http.MethodPost, "/channels/p/c/notifications/batch", large, 422, nil) }
	other()
	before := p.Usage(t).Memory
	p.ForgetPeak(t)
	const uploads = 150
	statuses := make(chan string)
	for range uploads {
		go stallUpload(t, s, statuses)
	}
	count := map[string]int{<-statuses: 1} // all have arrived by then, and some still have room
	soon(t, "another large body", other)
	for range uploads - 1 {
		count[<-statuses]++
	}
	if count["429"] < uploads/2 || count["429"]+count["400"] != uploads {
		t.Errorf("statuses of stalled uploads: got %v, want %d, most 429 and the others 400", count, uploads)
	}
	checkGrowth(t, p, before, mostGrowth)
}

// TestManyBadBodies sends batches of 700,000 faults each, of which one key may send thousands a minute. Large bodies
// were validated in the order in which they came, so a batch of somebody else waited for ten seconds, and each took a
// hundred times its size.
func TestManyBadBodies(t *testing.T) {
	t.Parallel()
	s, p := servertest.StartApart(t, io.Discard, servertest.Limited())
	f := newFixtureOn(t, s)
	before := p.Usage(t).Memory
	p.ForgetPeak(t)
	bad := `{"notifications":[[]` + strings.Repeat(",[]", 1<<21/3-10) + `]}`
	statuses := sendAtOnce(60, func(int) *http.Request {
		req := ofVisitor(t, s, http.MethodPost, listOfLarge+"/batch", nil)
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(bad)), int64(len(bad))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+s.APIKey)
		return req
	})
	large := object{"notifications": []object{{"title": "T", "body": strings.Repeat("x", 20_000)}}}
	for range 10 {
		large["notifications"] = append(large["notifications"].([]object), large["notifications"].([]object)[0])
	}
	for range 5 {
		soon(t, "a batch of another publisher", func() {
			f.owner.Do(http.MethodPost, "/channels/p/c/notifications/batch", large, http.StatusOK, nil)
		})
	}
	for range 60 {
		if status := <-statuses; status != http.StatusUnprocessableEntity && status != http.StatusTooManyRequests {
			t.Errorf("status of a bad batch: got %d, want 422 or 429", status)
		}
	}
	// what was read and refused waits for the garbage collector, which a busy machine makes wait too
	checkGrowth(t, p, before, 3*mostGrowth)
}

// stallUpload sends a batch of 2 MiB but for its end, and then the status of the response to statuses.
func stallUpload(t *testing.T, s *servertest.Server, statuses chan<- string) {
	host := strings.TrimPrefix(s.URL, "http://")
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
	if err != nil {
		statuses <- err.Error()
		return
	}
	defer conn.Close() // it only ends the upload
	go func() {
		_, _ = fmt.Fprintf(conn, "POST /api/v1%s/batch HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", listOfLarge, host, s.APIKey, 2<<20)
		_, _ = conn.Write(bytes.Repeat([]byte(" "), 19<<20/10))
	}()
	line, err := bufio.NewReader(conn).ReadString('\n')
	if _, after, found := strings.Cut(line, " "); found {
		statuses <- after[:min(3, len(after))]
		return
	}
	statuses <- fmt.Sprint(line, err)
}
