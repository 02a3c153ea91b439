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

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// receiver is a program that events are posted to. It responds with the given statuses first, and
// then always with 204. Once it has a secret, it signs challenges, which are not among its posts.
type receiver struct {
	mu       sync.Mutex
	secret   string
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
	if response := r.signChallenge(req.Header, body); response != "" {
		r.mu.Unlock()
		_, _ = io.WriteString(w, response)
		return
	}
	r.posts = append(r.posts, received{req.Header.Clone(), body})
	if len(r.statuses) > 0 {
		status, r.statuses = r.statuses[0], r.statuses[1:]
	}
	r.mu.Unlock()
	w.Header().Set("Location", "http://127.0.0.1:1/elsewhere") // must not be followed
	w.WriteHeader(status)
	r.more <- struct{}{}
}

// signChallenge returns the response to a challenge, or "" without a secret.
func (r *receiver) signChallenge(header http.Header, body []byte) string {
	event, err := sininho.ParseEvent(body)
	if err != nil || event.Type != sininho.EndpointChallenge || r.secret == "" {
		return ""
	}
	message, err := webhook.Verify(header, body, []string{r.secret})
	if err != nil {
		return "not signed"
	}
	response, err := webhook.SignChallenge(message, event.Data.Challenge, r.secret)
	if err != nil {
		return "no challenge"
	}
	return response
}

// receiverSecret is the command secret ADDRESS SECRET, which gives a secret to a receiver.
func receiverSecret(ts *testscript.TestScript, _ bool, args []string) {
	r := receiverAt(ts, args[0])
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secret = args[1]
}

// receiverChallenge is the command challenge ADDRESS SECRET VARIABLE, which waits for a challenge as
// the next post and sets a variable to it.
func receiverChallenge(ts *testscript.TestScript, _ bool, args []string) {
	posts := receiverAt(ts, args[0]).take(ts, 1)
	_, err := webhook.Verify(posts[0].header, posts[0].body, []string{args[1]})
	ts.Check(err)
	event, err := sininho.ParseEvent(posts[0].body)
	ts.Check(err)
	ts.Setenv(args[2], event.Data.Challenge)
}

func receiverAt(ts *testscript.TestScript, address string) *receiver {
	found, ok := receivers.Load(address)
	if !ok {
		ts.Fatalf("no receiver at %s; start one with the command receiver", address)
	}
	return found.(*receiver)
}

// receiverCheck is the command received ADDRESS N SECRET PATTERN. It waits for the next N posts,
// verifies each with the secret, and matches the pattern against their ids and bodies, one per line.
func receiverCheck(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var lines strings.Builder
	for _, p := range receiverAt(ts, args[0]).take(ts, n) {
		message, err := webhook.Verify(p.header, p.body, []string{args[2]})
		ts.Check(err)
		lines.WriteString(message.ID + " " + string(p.body) + "\n")
	}
	ts.Logf("%s", lines.String())
	if !regexp.MustCompile(args[3]).MatchString(lines.String()) {
		ts.Fatalf("posts: got\n%s\nwant a match for %s", &lines, args[3])
	}
}

// take waits for the next n posts.
func (r *receiver) take(ts *testscript.TestScript, n int) []received {
	deadline := time.After(3 * time.Minute)
	for i := range n {
		select {
		case <-r.more:
		case <-deadline:
			ts.Fatalf("posts within the time limit: got %d, want %d", i, n)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	posts := r.posts[:n]
	r.posts = r.posts[n:]
	return posts
}
