package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sininho/sininho/pkg/webhook"
)

// receiver is a program that events are posted to. It responds with the given statuses first, and
// then always with 204.
type receiver struct {
	mu       sync.Mutex
	statuses []int
	posts    []received
	more     chan struct{} // receives one value for each post
}

type received struct {
	header http.Header
	body   []byte
}

var receivers sync.Map // the receivers of the scripts, by address

// receiverStart is the command receiver VARIABLE [STATUS...], which starts a receiver and sets a
// variable to its address.
func receiverStart(ts *testscript.TestScript, _ bool, args []string) {
	r := &receiver{more: make(chan struct{}, 100)}
	for _, text := range args[1:] {
		status, err := strconv.Atoi(text)
		ts.Check(err)
		r.statuses = append(r.statuses, status)
	}
	server := httptest.NewServer(r)
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
	receivers.Store(server.URL, r)
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	status := http.StatusNoContent
	r.mu.Lock()
	r.posts = append(r.posts, received{req.Header.Clone(), body})
	if len(r.statuses) > 0 {
		status, r.statuses = r.statuses[0], r.statuses[1:]
	}
	r.mu.Unlock()
	w.Header().Set("Location", "http://127.0.0.1:1/elsewhere") // must not be followed
	w.WriteHeader(status)
	r.more <- struct{}{}
}

// receiverCheck is the command received ADDRESS N SECRET PATTERN. It waits for the next N posts,
// verifies each with the secret, and matches the pattern against their ids and bodies, one per line.
func receiverCheck(ts *testscript.TestScript, _ bool, args []string) {
	found, ok := receivers.Load(args[0])
	if !ok {
		ts.Fatalf("no receiver at %s; start one with the command receiver", args[0])
	}
	r := found.(*receiver)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	deadline := time.After(3 * time.Minute)
	for i := range n {
		select {
		case <-r.more:
		case <-deadline:
			ts.Fatalf("posts within the time limit: got %d, want %d", i, n)
		}
	}
	r.mu.Lock()
	posts := r.posts[:n]
	r.posts = r.posts[n:]
	r.mu.Unlock()
	var lines strings.Builder
	for _, p := range posts {
		message, err := webhook.Verify(p.header, p.body, []string{args[2]})
		ts.Check(err)
		lines.WriteString(message.ID + " " + string(p.body) + "\n")
	}
	ts.Logf("%s", lines.String())
	if !regexp.MustCompile(args[3]).MatchString(lines.String()) {
		ts.Fatalf("posts: got\n%s\nwant a match for %s", &lines, args[3])
	}
}
